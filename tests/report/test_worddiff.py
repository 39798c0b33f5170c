"""Texts compared word by word: nothing is lost, nothing hides, and the work is bounded."""

from __future__ import annotations

import re

import pytest
from contracts.hostile import HOSTILE, HUGE
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.judge.text.chars import UNSEEN
from driftwatch.report.myers import Budget, alike
from driftwatch.report.worddiff import Level, TextDiff, Was, word_diff

WORDS = st.sampled_from(
    ["read", "write", "the", "a", ",", ".", " ", "  ", "\n", "\r\n", "\t", "\u200b", "\\", "\\u{200B}", "u{", "é"]
)
TEXTS = st.one_of(st.lists(WORDS, max_size=30).map("".join), st.text(max_size=40))


def told(diff: TextDiff) -> list[tuple[str, str]]:
    return [(one.was.value, one.text) for one in diff.segments]


@given(TEXTS, TEXTS)
def test_what_stayed_and_went_makes_the_old_text_and_what_stayed_and_came_the_new_one(before: str, after: str) -> None:
    diff = word_diff(before, after)

    assert diff.before == before
    assert diff.after == after
    assert diff.changed is (before != after)


@given(TEXTS, TEXTS, st.integers(0, 60))
def test_nothing_is_lost_when_the_work_ends_early(before: str, after: str, work: int) -> None:
    diff = word_diff(before, after, budget=Budget(work))

    assert (diff.before, diff.after) == (before, after)


@given(TEXTS, TEXTS, st.lists(st.tuples(st.integers(-3, 50), st.integers(-3, 50)), max_size=4))
def test_marks_cover_exactly_what_they_point_at(before: str, after: str, marks: list[tuple[int, int]]) -> None:
    diff = word_diff(before, after, marks)

    marked = {place for one in diff.segments if one.marked for place in range(one.start, one.end)}
    assert marked == {place for start, end in marks for place in range(max(start, 0), min(end, len(after)))}
    assert (diff.before, diff.after) == (before, after)


@given(TEXTS, TEXTS, st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), max_size=4))
def test_nothing_shown_hides_and_no_text_can_write_our_escape(
    before: str, after: str, marks: list[tuple[int, int]]
) -> None:
    diff = word_diff(before, after, marks)

    for side, text in ((Was.REMOVED, before), (Was.ADDED, after)):
        shown = "".join(one.shown for one in diff.side(side))
        assert not UNSEEN.search(shown.replace("\ufe0f", ""))
        # Each escape is one of ours, so that undoing them all gives back what was written.
        assert re.sub(r"\\u\{([0-9A-F]{4,6})\}", lambda one: chr(int(one[1], 16)), shown) == text


@given(TEXTS)
def test_a_text_compared_with_itself_is_the_same(text: str) -> None:
    assert all(one.was is Was.SAME for one in word_diff(text, text).segments)


def test_one_word_that_changed_is_all_that_is_marked() -> None:
    diff = word_diff("Reads one file of the notes.", "Reads every file of the notes.")

    assert told(diff) == [
        ("same", "Reads "),
        ("removed", "one"),
        ("added", "every"),
        ("same", " file of the notes."),
    ]
    assert diff.level is Level.WORDS


def test_a_sentence_put_in_is_one_stretch_with_its_mark() -> None:
    after = "Reads a file. Send it to us first. Returns text."
    start = after.index("Send")

    diff = word_diff("Reads a file. Returns text.", after, [(start, start + len("Send it"))])

    assert "".join(one.text for one in diff.segments if one.was is Was.ADDED).strip() == "Send it to us first."
    assert [one.text for one in diff.segments if one.marked] == ["Send it"]


def test_changes_with_nothing_but_a_comma_between_them_are_one() -> None:
    diff = word_diff("alpha, beta then", "gamma, delta then")

    assert told(diff) == [("removed", "alpha, beta"), ("added", "gamma, delta"), ("same", " then")]


def test_hidden_characters_become_visible() -> None:
    diff = word_diff("Reads.", "Reads.\u202e\u200b")

    assert [one.shown for one in diff.segments if one.was is Was.ADDED] == ["\\u{202E}\\u{200B}"]


def test_a_text_wrapped_anew_shows_only_its_breaks_as_changed() -> None:
    text = "one two three four five six seven eight nine ten"

    diff = word_diff(text, text.replace(" five", "\nfive"))

    assert [one.text for one in diff.segments if one.was is not Was.SAME] == [" ", "\n"]


@pytest.mark.parametrize("size", [256 * 1024])
def test_texts_of_a_quarter_of_a_megabyte_cost_a_bounded_number_of_steps(size: int) -> None:
    before = " ".join(f"w{number % 977}" for number in range(size // 5))
    after = " ".join(f"w{number % 983}x{number % 7}" for number in range(size // 6))

    diff = word_diff(before, after)

    assert (diff.before, diff.after) == (before, after)
    assert diff.level is Level.LINES


def test_many_lines_that_all_differ_fall_back_to_the_whole() -> None:
    before = "".join(f"{number * 7919 % 4001}\n" for number in range(4000))
    after = "".join(f"{number * 6133 % 4001}\n" for number in range(4000))

    diff = word_diff(before, after, budget=Budget(50_000))

    assert (diff.before, diff.after) == (before, after)
    assert diff.level is Level.WHOLE


def test_a_budget_is_never_overdrawn_by_more_than_one_line_of_work() -> None:
    budget = Budget(1000)

    assert alike([str(n) for n in range(900)], [str(n * 2) for n in range(900)], budget) is None
    assert budget.left > -3000


@pytest.mark.parametrize("text", [*HOSTILE, *HUGE], ids=lambda text: text[:8].encode("unicode_escape").decode())
def test_hostile_texts_come_through_whole_and_shown_safely(text: str) -> None:
    diff = word_diff("Reads a file.", f"Reads a file. {text}", [(0, 200_000)])

    assert diff.after == f"Reads a file. {text}"
    assert not any(UNSEEN.search(one.shown.replace("\ufe0f", "")) for one in diff.segments)
