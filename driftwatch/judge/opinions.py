"""The say of a second opinion over what the rules found: it annotates and raises, and can do neither more.

What it can do at most:

- A finding of `ASKED` that it calls an injection, with words quoted from the text, weighs one step more where it is
  fairly sure and two where it is very sure, and never more than `CEILING` by that. What weighs more already stays.
- What a person's policy made weigh less stays as the policy has it.
- Words that only the approved part of the text has raise nothing.
- Everything else it says, "there is nothing" included, is shown beside the finding and changes nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from driftwatch.judge.beside import Opinions
from driftwatch.judge.passages import passage_of, place_of, quotes_news
from driftwatch.judge.text.signals.base import UNEXAMINED
from driftwatch.model import Confidence, Finding, Kind, Opinion, Passage, Severity

ASKED: Final = frozenset({"text-injection", "hidden-characters", "mentions-other-server"})
"""The rules that find what a text says to a model, and how it hides it."""

NOT_ASKED: Final = frozenset({Kind.LAUNCH, Kind.ENTRY})
"""How a server is started is nobody's business but its user's, and no text for models."""

CEILING: Final = Severity.HIGH
"""What an opinion alone can raise a finding to."""

STEPS: Final = {Confidence.LOW: 0, Confidence.MEDIUM: 1, Confidence.HIGH: 2}
"""By how many steps it raises, by how sure it says that it is."""


def is_asked(finding: Finding, least: Severity) -> bool:
    """Say whether a second opinion is asked about a finding's text."""
    suspect = finding.rule in ASKED and finding.category != UNEXAMINED and finding.kind not in NOT_ASKED
    return suspect and finding.severity >= least and not finding.hidden


def opined(findings: Iterable[Finding], opinions: Opinions | None) -> tuple[Finding, ...]:
    """Give the findings with what is known of their texts by a second opinion, in order. None is lost or weighs less.

    Of several findings about one text the worst has the opinion.
    """
    found = tuple(findings)
    if opinions is None:
        return found
    asked = _passages(sorted(found, key=lambda finding: finding.order), opinions)
    answers = opinions.known(list(dict.fromkeys(asked.values()))) if asked else {}
    said = {one: answers[passage] for one, passage in asked.items() if passage in answers}
    heeded = (_heeded(one, said[id(one)]) if id(one) in said else one for one in found)
    return tuple(sorted(heeded, key=lambda finding: finding.order))


def _passages(findings: Sequence[Finding], opinions: Opinions) -> dict[int, Passage]:
    """Give by the identity of the object what to ask about it: the worst finding of each text, worst first."""
    texts: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        if is_asked(finding, opinions.least):
            texts.setdefault(place_of(finding), []).append(finding)
    asked: dict[int, Passage] = {}
    for first, *others in texts.values():
        spans = [span for one in (first, *others) for span in one.spans]
        passage = passage_of(first, spans, opinions.room)
        if passage is not None:
            asked[id(first)] = passage
    return asked


def _heeded(finding: Finding, opinion: Opinion) -> Finding:
    """Give a finding with an opinion of it, raised where that is called for."""
    raised = _raised(finding, opinion)
    was = finding.severity if raised > finding.severity else None
    return replace(finding, severity=raised, opinion=replace(opinion, was=was))


def _raised(finding: Finding, opinion: Opinion) -> Severity:
    lowered = finding.ruled is not None and finding.severity < finding.ruled
    if lowered or not founded(opinion) or not is_news(finding, opinion) or finding.severity >= CEILING:
        return finding.severity
    rank = min(finding.severity.rank + STEPS[opinion.confidence], CEILING.rank)
    return list(Severity)[rank]


def founded(opinion: Opinion) -> bool:
    """Say whether it calls the text an injection and shows the words that it means."""
    return opinion.injection is True and bool(opinion.quote)


def is_news(finding: Finding, opinion: Opinion) -> bool:
    """Say whether the words that it shows are more than what was approved of the finding's text."""
    said, before = finding.after, finding.before
    return not (isinstance(said, str) and isinstance(before, str)) or quotes_news(said, before, opinion.quote)
