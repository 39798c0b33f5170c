"""A text gained hidden characters.

What it does
    Finds characters that show nothing or deceive the eye in text that did not have them: zero-width characters,
    direction overrides, tag characters, terminal escapes. Honest uses, such as joined emoji and Arabic or Indic
    spelling, are left out. Other ways to hide words from a reader count too: encoded text, comments, letters that pass
    for others, blanks that push text out of sight, a passage in another script. In a name, a line break or a tab
    counts as well. How a server is started is looked at too: command, arguments, address, names of variables.

Why it matters
    They hide words from the person who reviews and not from the model, or split words so that a search does not
    find them.

Example
    before  {"description": "List the open tickets."}
    after   the same with U+200B inside "the"

What to do
    Read what the report shows in their place: an escape for each character that does not show, and what disguised text
    says once undone. There is hardly an honest reason for either in a description, and none in a name, a command or an
    address.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from driftwatch.judge.context import Heard
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.snapshot import LISTS
from driftwatch.judge.text import Signal
from driftwatch.judge.text.signals.base import HIDDEN
from driftwatch.model import Finding, Severity

_NAME_FIELDS = dict(LISTS.values())

_UNSEEN = "characters that do not show"
_HIDES = {
    **dict.fromkeys(("hidden.encoded", "hidden.host"), "something in disguise"),
    **dict.fromkeys(
        ("hidden.ornamental", "hidden.full-width", "hidden.mixed-word", "hidden.marked-letters"),
        "words in disguise",
    ),
    **dict.fromkeys(("hidden.comment", "hidden.padding"), "something out of sight"),
    "hidden.script": "",
}
"""What hides something, by signal, empty where its reason says that; all others are about what does not show."""


def check(context: Context) -> Iterator[Finding]:
    """Give one finding for each string that gained hidden characters, and for each name that is taken apart."""
    yield from _broken_names(context)
    for heard in context.heard:
        signals = [signal for signal in heard.signals if signal.category == HIDDEN]
        if not signals:
            continue
        spans = list(dict.fromkeys(span for signal in signals for span in signal.spans))
        yield RULE.finding(
            heard.item,
            heard.text.pointer,
            _message(heard, signals, gained=context.baseline is not None),
            severity=max(signal.severity for signal in signals),
            before=heard.before,
            after=heard.text.said,
            spans=spans,
            category=HIDDEN,
        )


def _message(heard: Heard, signals: Sequence[Signal], *, gained: bool) -> str:
    """Say what hides something here, why that was seen, and what it says."""
    place = "The name of a property" if heard.text.target == "key" else "The text"
    what = [one for one in dict.fromkeys(_HIDES.get(signal.id, _UNSEEN) for signal in signals) if one]
    listed = " and ".join(part for part in (", ".join(what[:-1]), *what[-1:]) if part)
    lead = [f"{place} {'gained' if gained else 'holds'} {listed}."] if listed else []
    reasons = dict.fromkeys(signal.why for signal in signals[:3])
    return " ".join((*lead, *reasons, *_said(signals)))


def _said(signals: Sequence[Signal]) -> Iterator[str]:
    """Give what the first disguise says once undone: characters spell it, a text says it."""
    for signal in signals:
        for span in signal.spans:
            if span.decoded:
                yield f"{'Undone it says' if signal.id in _HIDES else 'They spell'} {show(span.decoded)}."
                return


def _broken_names(context: Context) -> Iterator[Finding]:
    """Give one finding for each new name that a line break or a tab takes apart: it can pass for other lines."""
    known = frozenset() if context.baseline is None else frozenset(item.place for item in context.baseline.items)
    for item in context.live.items:
        field = _NAME_FIELDS.get(item.kind)
        if field is not None and item.place not in known and any(char in item.key for char in "\n\r\t"):
            message = f"The name {show(item.key)} holds line breaks or tabs, which no name needs."
            yield RULE.finding(item, f"/{field}", message, after=item.key, category=HIDDEN)


RULE = Rule(
    id="hidden-characters",
    title="A text gained hidden characters",
    area=Area.TEXT,
    action=Action.ODD,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
    categories=(HIDDEN,),
)
