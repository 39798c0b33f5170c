"""Counting: shares of outcomes at medium and high, and Markdown tables of them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from benchmarks.detection.measured.cases import FIRST_SIGHT, GAINED, HONEST, INJECTION, Outcome
from driftwatch.model import Severity

DASH = "–"

_Z = 1.96
"""Standard deviations on both sides that hold 95 % of the cases."""


@dataclass(frozen=True)
class Share:
    """How many of some outcomes reached a level."""

    hits: int
    total: int

    @property
    def rate(self) -> float:
        """Give the share, 0 of nothing."""
        return self.hits / self.total if self.total else 0.0

    def __str__(self) -> str:
        """Write the share in per cent."""
        return f"{self.rate:.1%}" if self.total else DASH

    def between(self) -> str:
        """Write the interval that holds the true share in 95 of 100 such samples (Wilson)."""
        if not self.total:
            return DASH
        n, p = self.total, self.rate
        middle = p + _Z**2 / (2 * n)
        reach = _Z * math.sqrt(p * (1 - p) / n + _Z**2 / (4 * n * n))
        low, high = ((middle + sign * reach) / (1 + _Z**2 / n) for sign in (-1, 1))
        return f"{max(low, 0):.0%}–{min(high, 1):.0%}"


def told(outcomes: Iterable[Outcome], level: Severity) -> Share:
    """Count what the rules about instructions say at a level or worse."""
    found = [one.told >= level for one in outcomes]
    return Share(sum(found), len(found))


def any_rule(outcomes: Iterable[Outcome], level: Severity) -> Share:
    """Count what any rule says at a level or worse."""
    found = [one.worst >= level for one in outcomes]
    return Share(sum(found), len(found))


def per_server(outcomes: Iterable[Outcome], level: Severity) -> tuple[float, int]:
    """Give the share of flagged units averaged over servers, each of the same weight, and how many servers."""
    servers: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        servers[one.server].append(one)
    shares = [told(found, level).rate for found in servers.values()]
    return (sum(shares) / len(shares) if shares else 0.0), len(shares)


def pick(outcomes: Iterable[Outcome], **wanted: str | Sequence[str]) -> list[Outcome]:
    """Give the outcomes whose fields have some values (one, or any of several)."""
    tests = {name: (value,) if isinstance(value, str) else value for name, value in wanted.items()}
    return [one for one in outcomes if all(getattr(one, name) in values for name, values in tests.items())]


def table(head: Sequence[str], rows: Iterable[Sequence[object]], words: int = 1) -> str:
    """Write a Markdown table; the first `words` columns hold words, the others figures."""
    marks = ["---"] * words + ["--:"] * (len(head) - words)
    lines = [head, marks, *([cell(value) for value in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cell(value: object) -> str:
    """Write one value so that it cannot leave its cell."""
    return str(value).replace("|", "\\|").replace("\n", " ") or DASH


def overview(outcomes: Sequence[Outcome]) -> str:
    """Write one line for each set, part and label, in both modes."""
    groups: dict[tuple[str, ...], list[Outcome]] = defaultdict(list)
    for one in outcomes:
        groups[one.mode, one.label, one.set, one.part].append(one)
    head = ("mode", "text", "set", "part", "n", "medium", "95 %", "high", "every rule: medium", "high")
    rows = []
    for names, found in sorted(groups.items(), key=lambda group: (_rank(group[0][:2]), group[0][2:])):
        medium, high = told(found, Severity.MEDIUM), told(found, Severity.HIGH)
        every = (any_rule(found, Severity.MEDIUM), any_rule(found, Severity.HIGH))
        rows.append((*names, len(found), medium, medium.between(), high, *every))
    return table(head, rows, 4)


def _rank(names: Sequence[str]) -> tuple[bool, bool, str]:
    mode, label = names
    return mode != GAINED, label != INJECTION, label


def alarms(outcomes: Sequence[Outcome]) -> str:
    """Write how much honest text is flagged, per unit and averaged over servers."""
    groups: dict[tuple[str, str, str], list[Outcome]] = defaultdict(list)
    for one in pick(outcomes, label=HONEST):
        groups[one.mode, one.set, one.part].append(one)
    head = ("mode", "set", "part", "n", "medium", "high", "servers", "medium, average of servers", "high")
    rows = []
    for names, found in sorted(groups.items(), key=lambda group: (group[0][0] != GAINED, group[0])):
        (medium, servers), (high, _) = (per_server(found, level) for level in (Severity.MEDIUM, Severity.HIGH))
        shares = (told(found, Severity.MEDIUM), told(found, Severity.HIGH))
        rows.append((*names, len(found), *shares, servers, f"{medium:.1%}", f"{high:.1%}"))
    return table(head, rows, 3)


def raising(outcomes: Sequence[Outcome]) -> str:
    """Write which rules flagged honest units at medium, and how many of them."""
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for one in pick(outcomes, label=HONEST):
        for rule in one.rules:
            counts[rule][one.mode] += 1
    worst_first = sorted(counts.items(), key=lambda group: (-sum(group[1].values()), group[0]))
    return table(("rule", GAINED, FIRST_SIGHT), ((rule, by[GAINED], by[FIRST_SIGHT]) for rule, by in worst_first))


def by_kind(outcomes: Sequence[Outcome], kind: str) -> str:
    """Write recall by the values of one kind in both modes, and what was said of the honest twins if there are any."""
    names = _kinds(outcomes, kind)
    groups: dict[tuple[str, str, str], list[Outcome]] = defaultdict(list)
    for one in outcomes:
        if names(one):
            groups[names(one), one.mode, one.label].append(one)
    twins = any(label == HONEST for _, _, label in groups)
    head = [kind, "n", "gained: medium", "high", "first sight: medium", "high"]
    head += ["honest n", "gained: medium", "high", "first sight: medium"] if twins else []
    rows = []
    for name in sorted({value for value, _, label in groups if label == INJECTION}):
        gained, seen = (groups[name, mode, INJECTION] for mode in (GAINED, FIRST_SIGHT))
        row: list[object] = [name, max(len(gained), len(seen)), *_levels(gained), *_levels(seen)]
        if twins:
            honest = groups[name, GAINED, HONEST]
            row += [len(honest), *_levels(honest), told(groups[name, FIRST_SIGHT, HONEST], Severity.MEDIUM)]
        rows.append(row)
    return table(head, rows)


def _levels(found: Sequence[Outcome]) -> tuple[Share, Share]:
    return told(found, Severity.MEDIUM), told(found, Severity.HIGH)


def _kinds(outcomes: Sequence[Outcome], kind: str) -> Callable[[Outcome], str]:
    """Give what says the value of a kind: an honest twin without one is counted with its injection."""
    of = {one.case: one.kinds.get(kind, "") for one in outcomes}
    return lambda one: one.kinds.get(kind, "") or of.get(one.twin, "")


def apart(outcomes: Sequence[Outcome]) -> Share:
    """Count the twins that are told apart in gained mode: the injection reaches medium and the honest one does not."""
    gained = {one.case: one for one in pick(outcomes, mode=GAINED)}
    pairs = [(one, gained[one.twin]) for one in gained.values() if one.label == INJECTION and one.twin in gained]
    good = [one.told >= Severity.MEDIUM > other.told for one, other in pairs]
    return Share(sum(good), len(good))
