"""What is thought of a stretch is found by its place, in whatever order a disguise put the stretches."""

from __future__ import annotations

from driftwatch.judge.text.learned import Opinion
from driftwatch.judge.text.suspect import Stretch, thought_of, thoughts
from driftwatch.model import Span


def stretch(place: tuple[int, int], chance: float) -> Stretch:
    return Stretch(place, (0, 1), "", Opinion(chance, read=8))


def test_stretches_that_stand_in_another_order_are_found_by_their_places() -> None:
    known = thoughts([stretch((40, 60), 0.9), stretch((0, 20), 0.1)])

    assert [thought_of(known, Span("", start, start + 5)) for start in (3, 45, 25, 70)] == [0.1, 0.9, None, None]


def test_of_several_stretches_at_one_place_the_worst_counts() -> None:
    known = thoughts([stretch((0, 20), 0.2), stretch((0, 20), 0.8), stretch((0, 20), 0.3)])

    assert thought_of(known, Span("", 0, 20)) == 0.8


def test_nothing_is_thought_of_a_few_words() -> None:
    few = Stretch((0, 20), (0, 20), "", Opinion(0.1, read=6))

    assert thought_of(thoughts([few]), Span("", 0, 20)) is None
