"""What the rules make of it: severities, findings, reports."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from driftwatch.model.shown import Change, Json, Kind, Place

_WRITTEN = 200
"""Values of so many levels are written as JSON: well below what the interpreter can nest."""


class Severity(StrEnum):
    """How bad a finding is. Ordered: compare with `<` and `>=`, or use `rank`."""

    INFO = "info"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """0 for info up to 4 for critical."""
        return _RANKS[self.value]

    def __lt__(self, other: str) -> bool:
        """Compare by rank, not by spelling."""
        return self.rank < Severity(other).rank

    def __le__(self, other: str) -> bool:
        """Compare by rank, not by spelling."""
        return self.rank <= Severity(other).rank

    def __gt__(self, other: str) -> bool:
        """Compare by rank, not by spelling."""
        return self.rank > Severity(other).rank

    def __ge__(self, other: str) -> bool:
        """Compare by rank, not by spelling."""
        return self.rank >= Severity(other).rank


_RANKS = {severity.value: rank for rank, severity in enumerate(Severity)}


class Confidence(StrEnum):
    """How sure a rule is of its judgement."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Axis(StrEnum):
    """What a finding is a matter of: a breaking change for callers is not an attack."""

    SECURITY = "security"
    CONTRACT = "contract"


@dataclass(frozen=True, slots=True)
class Effect:
    """What a change does to one host that acts on it: what it did, what it does now, and where that is written."""

    host: str
    was: str
    now: str
    source: str


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text that a finding points at.

    `pointer` leads to the string (inside the item's raw JSON); `start` and `end` are offsets in code points into
    it as received. `target` is `value`, or `key` when the text is the last property name of the pointer.
    `decoded` is what the stretch says once undone (base64, tags block, …), empty when it is plain.
    """

    pointer: str
    start: int
    end: int
    decoded: str = ""
    target: str = "value"


@dataclass(frozen=True, slots=True)
class Passage:
    """What a second opinion is asked about: the texts of one place, and what their disguised stretches say undone.

    Cut to what may be sent, without what no receiver can be trusted to take (lone surrogates, NUL).
    """

    texts: tuple[str, ...]
    undone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a model that a person configured said of a passage. All but `model`, `trouble` and `was` is its claim.

    `injection` is None where there is no answer, and `trouble` then says why. `quote` was found in the passage, and is
    empty where what was quoted is not in it. `why` is in the model's own words: as hostile as the passage is. `was` is
    how much the finding weighed before, where the opinion raised it.
    """

    model: str
    injection: bool | None = None
    category: str = ""
    confidence: Confidence = Confidence.LOW
    quote: str = ""
    why: str = ""
    trouble: str = ""
    was: Severity | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule's judgement of one place. Its identity is data, never wording.

    Public: `rule`, `severity`, `kind`, `item`, `items`, `pointer` and `message` keep their meaning between releases.
    `opinion` is what a configured model said of its text; the rest rests on it only as far as `opinion.was` says.
    `item` is the name or URI (empty for the server); `items` holds all of them where one finding groups several, and
    `places` then says where in each, as (item, pointer), when that is not the same pointer in all. `occurrence` tells
    items with one name apart. `hosts` are those that act otherwise because of this. `hidden` says why the policy keeps
    the finding out of alerts (empty: it does not); `ruled` is the rule's own severity where the policy set another.

    A wave is one finding for many alike: `places` names every member, `parts` holds their fingerprints in the same
    order, and `pointer`, `before`, `after` and `spans` are those of the first member, as an example. A finding whose
    values are not its identity is a wave of one.
    """

    rule: str
    severity: Severity
    kind: Kind
    item: str
    pointer: str
    message: str
    items: tuple[str, ...] = ()
    confidence: Confidence = Confidence.HIGH
    before: Json = None
    after: Json = None
    spans: tuple[Span, ...] = ()
    category: str = ""
    axis: Axis = Axis.SECURITY
    hosts: tuple[Effect, ...] = ()
    places: tuple[tuple[str, str], ...] = ()
    occurrence: int = 0
    hidden: str = ""
    ruled: Severity | None = None
    parts: tuple[str, ...] = ()
    opinion: Opinion | None = None

    @property
    def fingerprint(self) -> str:
        """32 hex digits over rule, place and the value found there; a reworded message does not move it.

        A wave's is over those of its members: one more, one less or one with another value is another wave.
        """
        if self.parts:
            return hashlib.sha256(_spelled([self.rule, *sorted(self.parts)]).encode("ascii")).hexdigest()[:32]
        what = [self.rule, self.kind.value, self.item, list(self.items), self.pointer, self.before, self.after]
        if self.occurrence or self.places:
            what += [self.occurrence, [list(place) for place in self.places]]
        return hashlib.sha256(_spelled(what).encode("ascii")).hexdigest()[:32]

    @property
    def identities(self) -> tuple[str, ...]:
        """The fingerprints of all that this says: of every member of a wave, else its own."""
        return self.parts or (self.fingerprint,)

    def identities_at(self, places: Collection[Place]) -> frozenset[str]:
        """Give the fingerprints of what this says of any of these items: of the members of a wave that are there."""
        if not self.parts and not self.items:
            return frozenset(self.identities if (self.kind, self.item, self.occurrence) in places else ())
        named = {key for kind, key, _ in places if kind is self.kind}
        if not self.parts:
            return frozenset(self.identities if named.intersection(self.items) else ())
        members = [item for item, _ in self.places] or [self.item]
        return frozenset(part for item, part in zip(members, self.parts, strict=False) if item in named)

    @property
    def order(self) -> tuple[Any, ...]:
        """The one total order of findings: worst first, security before contract, and the rarer before the many.

        What differs from a wave so comes before the wave; then place and rule decide.
        """
        many = max(len(self.places), len(self.items), 1)
        contract = self.axis is Axis.CONTRACT
        place = (self.kind.value, self.item, self.pointer, self.rule, self.fingerprint)
        return (-self.severity.rank, contract, many, *place)


def _spelled(value: Json) -> str:
    """Write any value as one line of ASCII. What is nested deeper than JSON can be written goes level by level."""
    return json.dumps(
        value if _can_be_written(value) else _levels(value), sort_keys=True, ensure_ascii=True, default=str
    )


def _can_be_written(value: Json) -> bool:
    level: list[Json] = [value]
    for _ in range(_WRITTEN):
        below: list[Json] = []
        for one in level:
            if isinstance(one, dict):
                below += one.values()
            elif isinstance(one, list | tuple):
                below += one
        if not below:
            return True
        level = below
    return False


def _levels(value: Json) -> list[list[Json]]:
    levels: list[list[Json]] = []
    level: list[Json] = [value]
    while level:
        levels.append([sorted(one) if isinstance(one, dict) else _plain(one) for one in level])
        level = [part for one in level for part in _parts(one)]
    return levels


def _parts(value: Json) -> list[Json]:
    """Give what a value holds, by key where it has keys."""
    if isinstance(value, dict):
        return [value[key] for key in sorted(value)]
    return list(value) if isinstance(value, list | tuple) else []


def _plain(value: Json) -> Json:
    """Give a value without what it holds: the length of a list, anything else as it is."""
    return [len(value)] if isinstance(value, list | tuple) else value


@dataclass(frozen=True, slots=True)
class Report:
    """What a comparison or a scan found, worst first.

    `notes` says what was not looked at (a section that one side does not have, a limit that cut something); `hidden`
    holds what the policy keeps from alerts, and is not among the `findings`.
    """

    findings: tuple[Finding, ...]
    baseline_digest: str = ""
    live_digest: str = ""
    changes: tuple[Change, ...] = ()
    notes: tuple[str, ...] = ()
    hidden: tuple[Finding, ...] = ()

    @property
    def worst(self) -> Severity | None:
        """The highest severity found, or None when nothing was found."""
        return max((finding.severity for finding in self.findings), default=None)


def worst_of(findings: Sequence[Finding]) -> Severity:
    """Give the highest severity among the findings, info when there are none."""
    return max((finding.severity for finding in findings), default=Severity.INFO)


def shown_of(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Give the findings that count: those that the policy does not hide. Alerts and exit codes rest on no others."""
    return tuple(finding for finding in findings if not finding.hidden)


def hidden_of(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Give the findings that the policy hides, each with the reason in `hidden`."""
    return tuple(finding for finding in findings if finding.hidden)
