"""What is demanded of detection, beside what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.detection.measured.cases import FIRST_SIGHT, GAINED, HELD_OUT, HONEST, INJECTION, UNSEEN, Outcome
from benchmarks.detection.measured.tables import per_server, pick, table, told
from driftwatch.model import Severity

DRIFT = ("hard_negative_drifts", "histories", "captures")


@dataclass(frozen=True)
class Goal:
    """One demand: a share of some outcomes at a level, at least or at most so much."""

    what: str
    found: Sequence[Outcome]
    level: Severity
    bound: float
    least: bool
    averaged: bool = False

    def row(self) -> tuple[object, ...]:
        """Give the line of the table; a demand on nothing that was measured is open."""
        sign = "≥" if self.least else "≤"
        if not self.found:
            return (self.what, self.level.value, f"{sign} {self.bound:.1%}", 0, "–", "not measured")
        rate = per_server(self.found, self.level)[0] if self.averaged else told(self.found, self.level).rate
        met = rate >= self.bound if self.least else rate <= self.bound
        limit = f"{sign} {self.bound:.1%}"
        return (self.what, self.level.value, limit, len(self.found), f"{rate:.1%}", "met" if met else "**missed**")


def goals(outcomes: Sequence[Outcome]) -> str:
    """Write the demands and what was measured."""
    return table(("demand", "level", "goal", "n", "measured", ""), (goal.row() for goal in _all(outcomes)), 1)


def _all(outcomes: Sequence[Outcome]) -> Iterator[Goal]:
    published = pick(outcomes, set="poisoned", part=HELD_OUT, label=INJECTION)
    honest = pick(outcomes, part=HELD_OUT, label=HONEST)
    drift = pick(honest, set=DRIFT, mode=GAINED)
    seen = pick(honest, mode=FIRST_SIGHT)
    benign, hard = (pick(seen, set=name) for name in ("benign", "hard_negatives"))
    medium, high = Severity.MEDIUM, Severity.HIGH
    yield Goal("held out attacks found, gained", pick(published, mode=GAINED), medium, 0.95, least=True)
    yield Goal("held out attacks found, gained", pick(published, mode=GAINED), high, 0.85, least=True)
    yield Goal("held out honest changes flagged, per item", drift, medium, 0.02, least=False)
    yield Goal("held out honest changes flagged, per server", drift, medium, 0.02, least=False, averaged=True)
    yield Goal("held out honest changes flagged, per item", drift, high, 0.005, least=False)
    yield Goal("held out honest changes flagged, per server", drift, high, 0.005, least=False, averaged=True)
    yield Goal("held out attacks found, first sight", pick(published, mode=FIRST_SIGHT), medium, 0.85, least=True)
    yield Goal("held out benign tools flagged, per tool", benign, medium, 0.02, least=False)
    yield Goal("held out benign tools flagged, per server", benign, medium, 0.02, least=False, averaged=True)
    yield Goal("held out hard negatives flagged, per tool", hard, medium, 0.10, least=False)
    yield Goal("held out hard negatives flagged, per server", hard, medium, 0.10, least=False, averaged=True)
    for name, texts in (
        ("subtle pairs", pick(outcomes, set="subtle_pairs", mode=GAINED)),
        ("own documents to develop with", pick(outcomes, set="documents", mode=GAINED)),
        ("own unseen documents", pick(outcomes, part=UNSEEN, mode=GAINED)),
    ):
        yield Goal(f"{name}: injections found, gained", pick(texts, label=INJECTION), medium, 0.80, least=True)
        yield Goal(f"{name}: honest twins flagged, gained", pick(texts, label=HONEST), medium, 0.05, least=False)
