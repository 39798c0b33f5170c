"""What became of a schema as a whole: decided by proof and by example, and unknown where neither is found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from driftwatch.judge.schema.contain import contained
from driftwatch.judge.schema.examples import counterexample
from driftwatch.judge.schema.root import Root, Sub
from driftwatch.judge.schema.work import Spent, Work
from driftwatch.model import Json


class Answer(StrEnum):
    """Whether something is so. Yes and no are certain."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class Direction(StrEnum):
    """What a change does to the set of accepted values.

    Widened: all that was accepted still is, and more is (or may be, where that cannot be decided). Narrowed: the
    other way round. Other: some values are accepted now that were not, and some are not that were.
    """

    SAME = "same"
    WIDENED = "widened"
    NARROWED = "narrowed"
    OTHER = "other"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Meaning:
    """How two schemas stand to each other: is all of the old one kept, was all of the new one there before.

    `lost` and `gained` hold a value each, as an example, where the answer is no.
    """

    kept: Answer
    known: Answer
    lost: tuple[Json] | None = None
    gained: tuple[Json] | None = None

    @property
    def direction(self) -> Direction:
        """The two answers in one word."""
        return _DIRECTIONS.get((self.kept, self.known), Direction.UNKNOWN)


_DIRECTIONS = {
    (Answer.YES, Answer.YES): Direction.SAME,
    (Answer.YES, Answer.NO): Direction.WIDENED,
    (Answer.YES, Answer.UNKNOWN): Direction.WIDENED,
    (Answer.NO, Answer.YES): Direction.NARROWED,
    (Answer.UNKNOWN, Answer.YES): Direction.NARROWED,
    (Answer.NO, Answer.NO): Direction.OTHER,
}
UNDECIDED = Meaning(Answer.UNKNOWN, Answer.UNKNOWN)
STEPS = 6_000
"""What one question may cost, in steps of some microseconds."""
TOTAL = 40_000
"""What all questions about one schema of one item may cost."""


def containment(one: Sub, other: Sub, work: Work) -> tuple[Answer, tuple[Json] | None]:
    """Decide whether every value that one schema accepts is accepted by the other; with a counterexample for no."""
    work.grant(STEPS)
    try:
        if contained((one,), other, work):
            return Answer.YES, None
        example = counterexample((one,), other, work)
    except (Spent, RecursionError):
        return Answer.UNKNOWN, None
    return (Answer.UNKNOWN, None) if example is None else (Answer.NO, example)


def meaning(before: Sub, after: Sub, work: Work) -> Meaning:
    """Compare two schemas in both directions. Never raises."""
    kept, lost = containment(before, after, work)
    known, gained = containment(after, before, work)
    return Meaning(kept, known, lost, gained)


def compare(before: Json, after: Json) -> Meaning:
    """Compare two schemas as they were received."""
    return meaning(Root(before).sub, Root(after).sub, Work(TOTAL))
