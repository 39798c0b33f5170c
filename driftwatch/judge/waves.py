"""Tell what happened alike in many places once, with a count and an example, so that what differs stands out.

Runs last: after all rules, and after the policy, which rules on single findings. Members of a wave agree in rule,
kind, severity, confidence, category, axis, policy and second opinion, and in the kind of place: pointers are compared
with list positions and the way through a schema left out, the name of what came or went kept. So a wave never holds
anything worse than it says. From `GROUP_FROM` places on, or from two where they are all the items on both sides, these
are one:

- The *same* change: the same values before and after or, in texts, the same words put in and taken out, but for what
  they repeat of the item's own name, with the same hosts acting on it. Nothing is lost but repetition.
- The *same kind* of change with other values each: findings at info, and those that their rule calls `alike` (a first
  annotation, a whole item that came or went). Such a member stands by itself where something worse was found at its
  place, where a stretch of its text is marked, and where it is a whole item at medium or above.

Texts that were reworded each in its own way are never one: they are to be read. On the captured releases of public
servers this leaves half of the findings. From two alike on instead of three it would be one in twenty less, in pairs
whose names take as much room as the findings did.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from driftwatch.judge import pointer as at
from driftwatch.judge.names import words
from driftwatch.judge.rules import rule
from driftwatch.judge.rules.base import GROUP_FROM, Area, show
from driftwatch.judge.schema import INPUT, OUTPUT, place
from driftwatch.judge.snapshot import digest_of
from driftwatch.model import Change, ChangeKind, Effect, Finding, Kind, Severity, Snapshot

_NAME = "\0"
"""What stands for a part of the item's own name in a text that is held against others."""
_SMALL = 2
"""Letters of a word of a name that are too few to be known again."""
_DIGITS = re.compile(r"[0-9]{1,18}")
_TOKEN = re.compile(r"[0-9]{1,18}|[^\W\d_]+")


def gather(findings: Iterable[Finding], live: Snapshot, baseline: Snapshot | None = None) -> tuple[Finding, ...]:
    """Give the findings with each wave as one of them, in order. What is grouped already stays as it is."""
    totals = _totals(live, baseline)
    worse = _Worse()
    single: list[Finding] = []
    told: list[Finding] = []
    for finding in findings:
        (told if finding.items or finding.places else single).append(finding)
        worse.add(finding)
    rest: list[Finding] = []
    for members in _alike(single, rest, worse):
        if _enough(members, totals[members[0].kind]):
            told.append(_wave(members, totals[members[0].kind]))
        else:
            rest += members
    for members in _same(rest, totals):
        told += [_wave(members, totals[members[0].kind])] if _enough(members, totals[members[0].kind]) else members
    return tuple(sorted(told, key=lambda finding: finding.order))


class _Worse:
    """The worst that was found at each place of each item or below it."""

    def __init__(self) -> None:
        self._known: dict[tuple[Kind, str, str], Severity] = {}

    def add(self, finding: Finding) -> None:
        for item in finding.items or (finding.item,):
            for pointer in (finding.pointer, *at.parents(finding.pointer)):
                place_of = (finding.kind, item, pointer)
                self._known[place_of] = max(self._known.get(place_of, Severity.INFO), finding.severity)

    def than(self, finding: Finding) -> bool:
        """Whether something worse than a finding was found where it stands."""
        return self._known[finding.kind, finding.item, finding.pointer] > finding.severity


def _totals(live: Snapshot, baseline: Snapshot | None) -> Mapping[Kind, int]:
    """Count the items of each kind that are on both sides, by their names; those there are, in a scan."""
    now = {(item.kind, item.key) for item in live.items}
    both = now if baseline is None else now & {(item.kind, item.key) for item in baseline.items}
    totals = dict.fromkeys(Kind, 0)
    for kind, _ in both:
        totals[kind] += 1
    return totals


def _alike(findings: Iterable[Finding], rest: list[Finding], worse: _Worse) -> Iterator[list[Finding]]:
    """Give what may be the same kind of change with any values; what may not goes to the rest."""
    groups: dict[Hashable, list[Finding]] = defaultdict(list)
    for finding in findings:
        alike = rule(finding.rule).alike
        quiet = _own(finding) is Severity.INFO or (alike is not None and alike(finding))
        stands_out = finding.spans or worse.than(finding) or (not finding.pointer and _own(finding) > Severity.LOW)
        if quiet and not stands_out:
            groups[_kind_of(finding)].append(finding)
        else:
            rest.append(finding)
    yield from groups.values()


def _same(findings: Iterable[Finding], totals: Mapping[Kind, int]) -> Iterator[list[Finding]]:
    """Give the findings that say the same of the same kind of place. Values are only compared where it can matter."""
    groups: dict[Hashable, list[Finding]] = defaultdict(list)
    for finding in findings:
        groups[_kind_of(finding)].append(finding)
    for members in groups.values():
        if not _enough(members, totals[members[0].kind]):
            yield from ([member] for member in members)
            continue
        equal: dict[Hashable, list[Finding]] = defaultdict(list)
        for member in members:
            equal[_edit(member), member.hosts].append(member)
        yield from equal.values()


def _enough(members: Sequence[Finding], total: int) -> bool:
    """Whether so many places are told once: a few, or every item there is."""
    return len(members) >= GROUP_FROM or 2 <= total <= len({member.item for member in members})


def _own(finding: Finding) -> Severity:
    """Give the severity that the rule set, whatever the policy made of it."""
    return finding.ruled or finding.severity


def _kind_of(finding: Finding) -> Hashable:
    """Name the kind of a finding: all that members of a wave have in common but their values."""
    happened = (finding.before is None, finding.after is None)
    weight = (finding.severity, finding.confidence, finding.category, finding.axis)
    ruled = (finding.hidden, finding.ruled, finding.opinion)
    return (finding.rule, finding.kind, *weight, *ruled, *happened, pattern(finding))


def pattern(finding: Finding) -> tuple[str, ...]:
    """Give the kind of place that a finding is about, as reference tokens.

    Positions in lists become `*`. In a schema the way to the keyword is left out, and what is named there stays:
    `/inputSchema/properties/a/items/properties/b/format` is `inputSchema … format`, and
    `/inputSchema/properties/a` is `inputSchema … properties a`.
    """
    tokens = at.split(finding.pointer)
    if tokens[:1] not in ([INPUT], [OUTPUT]):
        return _positionless(tokens)
    change = Change(ChangeKind.VALUE_CHANGED, finding.kind, finding.item, finding.pointer, None, None, finding.item)
    edit = place(change, tokens)
    if edit.name and isinstance(finding.before, dict) and isinstance(finding.after, dict):
        return (tokens[0], edit.keyword)  # what changed is inside of it, and its name is on the way there
    return (tokens[0], edit.keyword, *_positionless((edit.name, *edit.rest)))


def _positionless(tokens: Iterable[str]) -> tuple[str, ...]:
    return tuple("*" if at.is_index(token) else token for token in tokens)


def _edit(finding: Finding) -> Hashable:
    """Name what happened to a value: what it was and is, or in a text what was taken out and put in."""
    before, after = finding.before, finding.after
    if rule(finding.rule).area is Area.TEXT and isinstance(before, str) and isinstance(after, str):
        return tuple(_without_name(part, finding.item) for part in _replaced(before, after))
    return digest_of([before, after])


def _replaced(before: str, after: str) -> tuple[str, str]:
    """Give what was taken out of a text and what was put in, between an equal beginning and an equal end."""
    start = _equal(before, after)
    before, after = before[start:], after[start:]
    end = _equal(before[::-1], after[::-1])
    return before[: len(before) - end], after[: len(after) - end]


def _without_name(text: str, name: str) -> str:
    """Give a text with what it repeats of its item's name left open: the name itself, its longer words, its numbers."""
    parts = {part.casefold() for part in words(name) if len(part) > _SMALL}
    numbers = {int(number) for number in _DIGITS.findall(name)}

    def opened(match: re.Match[str]) -> str:
        said = match.group()
        own = int(said) in numbers if said.isdecimal() else said.casefold() in parts
        return _NAME if own else said

    whole = text.replace(name, _NAME) if name else text
    return _TOKEN.sub(opened, whole)


def _equal(one: str, two: str) -> int:
    """Count the equal characters at the beginning of two texts, by halving: comparing slices is fast."""
    low, high = 0, min(len(one), len(two))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == two[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


@dataclass(frozen=True)
class _Count:
    """How many items and places a wave has, for its message."""

    kind: Kind
    items: int
    places: int
    total: int
    whole: bool

    def __str__(self) -> str:
        word = self.kind.nouns
        if self.items == 1:
            return f"At {self.places} places"
        said = f"{self.items} of {self.total} {word}"
        if self.items >= self.total:
            said = f"All {self.items} {word}"
        if self.whole:
            said = f"{self.items} {word}"
        return said if self.places == self.items else f"{said}, at {self.places} places"


def _wave(members: Sequence[Finding], total: int) -> Finding:
    """Make one finding of many; the first of them in order is the example."""
    ordered = sorted(members, key=lambda one: (one.item, one.pointer, one.fingerprint))
    one = ordered[0]
    items = tuple(sorted({member.item for member in ordered}))
    count = _Count(one.kind, len(items), len(ordered), total, whole=not one.pointer)
    told_for_all = all(member.message == one.message for member in ordered)
    example = "" if told_for_all else f", such as {show(one.item if len(items) > 1 else one.pointer, 60)}"
    wave = replace(
        one,
        item=items[0] if len(items) == 1 else "",
        items=items if len(items) > 1 else (),
        message=f"{count}{example}: {one.message}",
        occurrence=one.occurrence if len(items) == 1 else 0,
        hosts=_hosts(ordered),
        places=tuple((member.item, member.pointer) for member in ordered),
        parts=tuple(member.fingerprint for member in ordered),
    )
    together = rule(one.rule).together
    return wave if together is None else together(wave, ordered)


def _hosts(members: Iterable[Finding]) -> tuple[Effect, ...]:
    """Give the hosts that act otherwise for any member, those first that do for most."""
    counts = Counter(effect for member in members for effect in member.hosts)
    return tuple(effect for effect, _ in counts.most_common())
