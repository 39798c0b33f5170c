"""A configured model holds a text to be an instruction.

What it does
    Tells new text in which no rule found anything, and which a model that you configured (`[second_opinion]`, off
    unless you switch it on, and asked about such text only with `gained = true`) holds to be an instruction to models,
    with the words that it means. Medium where that model is very sure, low where it is fairly sure, and for the record
    where it is less sure, quotes words that the text does not have, or quotes only what was approved. That it could not
    be asked is told for the record as well.

Why it matters
    Much injected text carries no word that a rule can go by. A model that reads for meaning sees some of it; it errs as
    well, and a text can be written to mislead it. So its word alone weighs no more than medium.

Example
    before  {"description": "Convert an amount from one currency to another."}
    after   the same, and a sentence about who settles large amounts

What to do
    Read the quoted words in the text. What the model says of them is its opinion and none of driftwatch's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from driftwatch.judge.beside import Opinions
from driftwatch.judge.context import Look, Text
from driftwatch.judge.opinions import NOT_ASKED, founded, is_asked
from driftwatch.judge.passages import before_at, passage_gained, place_of, quoted_at, quotes_news
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.text import says_nothing
from driftwatch.judge.text.signals.base import CATEGORIES, HIDDEN, SIZE, UNEXAMINED
from driftwatch.judge.texts import Approved, texts, unreadable
from driftwatch.model import Confidence, Finding, Json, Kind, Opinion, Passage, Severity

CLAIMS = tuple(one for one in CATEGORIES if one not in {HIDDEN, SIZE, UNEXAMINED})
"""What a second opinion may call an instruction."""

_MOST = 1_000
"""New texts of one look that it is asked about."""

_SEVERITIES = {Confidence.HIGH: Severity.MEDIUM, Confidence.MEDIUM: Severity.LOW}


@dataclass(frozen=True)
class _New:
    """A new text: of which item, what stood there before, and what to ask about it."""

    look: Look
    text: Text
    before: str
    passage: Passage


def check(context: Context) -> Iterator[Finding]:
    """Give every new text without a finding that is held to be an instruction."""
    opinions = context.facts.opinions
    if opinions is None or not opinions.gained:
        return
    new = list(islice(_new(context, opinions), _MOST))
    answers = opinions.known(list(dict.fromkeys(one.passage for one in new))) if new else {}
    said = [(one, answers[one.passage]) for one in new if one.passage in answers]
    yield from (_finding(one, opinion) for one, opinion in said if opinion.injection)
    silent = Counter(opinion.trouble for _, opinion in said if opinion.injection is None)
    if silent:
        nothing = RULE.at_large(Kind.SERVER, _unasked(silent), severity=Severity.INFO)
        yield replace(nothing, confidence=Confidence.HIGH)


def _unasked(silent: Mapping[str, int]) -> str:
    """Say how many texts nothing was said of, and why."""
    total = sum(silent.values())
    which = "one new text" if total == 1 else f"{total:,} new texts"
    reasons = ", ".join(why if count == total else f"{why} ({count:,})" for why, count in silent.items())
    return f"There is no second opinion on {which} in which no rule found anything: {reasons}."


def _new(context: Context, opinions: Opinions) -> Iterator[_New]:
    found = {place_of(finding) for finding in context.found if is_asked(finding, opinions.least)}
    for look in context.looks():
        item = look.after
        if item.kind in NOT_ASKED:
            continue
        approved = Approved(look.before)
        for text in texts(item.raw):
            known = (item.kind, item.key, item.occurrence, text.pointer) in found or approved.hold(text)
            if not known and _speaks(text, item.raw):
                before = before_at(look.before.raw, text.pointer) if look.before and text.target == "value" else ""
                yield _New(look, text, before, passage_gained(text.said, before, opinions.room))


def _speaks(text: Text, raw: Json) -> bool:
    """Say whether there is anything to read: more than one word, or a script without gaps between words."""
    words = not text.said.isascii() or len(text.said.split()) > 1
    return words and not says_nothing(text.said) and not unreadable(text, raw)


def _finding(one: _New, opinion: Opinion) -> Finding:
    place = "The name of a property" if one.text.target == "key" else "The text"
    doubt = _doubt(one, opinion)
    finding = RULE.finding(
        one.look.after,
        one.text.pointer,
        f"{place} is held to be an instruction to models by the model {show(opinion.model, 60)}, which you configured"
        f"{doubt}. No rule of driftwatch found anything in it.",
        severity=Severity.INFO if doubt else _SEVERITIES[opinion.confidence],
        before=one.before or None,
        after=one.text.said,
        spans=quoted_at(one.text.said, opinion.quote, one.text.pointer, one.text.target),
        category=opinion.category,
    )
    return replace(finding, opinion=opinion)


def _doubt(one: _New, opinion: Opinion) -> str:
    """Say why what it says weighs nothing, empty where it does."""
    if not founded(opinion):
        return ", but it shows no words of the text that it means"
    if not quotes_news(one.text.said, one.before, opinion.quote):
        return ", but the words that it means were approved"
    return "" if opinion.confidence in _SEVERITIES else ", but it is not sure"


RULE = Rule(
    id="second-opinion",
    title="A configured model holds a text to be an instruction",
    area=Area.TEXT,
    action=Action.ODD,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
    categories=CLAIMS,
    confidence=Confidence.LOW,
    last=True,
)
