"""What a person sees of a server's text cannot pass for what driftwatch puts in."""

import time
from collections.abc import Callable

import pytest

from driftwatch.report.cut import counted, excerpt, shown
from driftwatch.report.languages import without_words
from driftwatch.report.legend import legend_lines
from driftwatch.report.lines import Piece
from driftwatch.report.lookalike import reads_as


def said(text: str, *marks: tuple[int, int], colour: bool = False, full: bool = False) -> str:
    whole = [(0, len(text))]
    return "".join(piece.text for piece in excerpt(text, whole, marks, colour=colour, full=full))


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("one\ntwo", r"one\ntwo"),
        (r"one\ntwo", r"one\u{005C}ntwo"),
        ("one\ttwo", r"one\ttwo"),
        (r"one\ttwo", r"one\u{005C}ttwo"),
        ("one\\\ntwo", r"one\u{005C}\ntwo"),
        (r"C:\data", r"C:\data"),
    ],
)
def test_a_line_break_and_a_backslash_with_an_n_look_different(text: str, seen: str) -> None:
    assert shown(text) == seen


def test_signs_in_a_text_cannot_pass_for_our_marks() -> None:
    text = "a >>fake<< one, b<<c, and >real< ones"
    start = text.index("real")

    assert said(text, (start, start + 4)) == (
        r"a \u{003E}\u{003E}fake\u{003C}\u{003C} one, b\u{003C}\u{003C}c, and \u{003E}>>real<<\u{003C} ones"
    )
    assert said(text, (start, start + 4), colour=True) == text
    assert said(text) == text


@pytest.mark.parametrize(
    ("run", "seen"),
    [
        ("\n", r"[\n × 3,000]"),
        ("\r\n", r"[\u{000D}\n × 3,000]"),
        ("\n ", r"[\n × 3,000]"),
        (" ", "[blank × 3,000]"),
        ("\t", r"[\t × 3,000]"),
        ("\u200b", r"[\u{200B} × 3,000]"),
    ],
)
def test_a_break_or_blank_many_times_over_is_one_with_its_number(run: str, seen: str) -> None:
    text = f"before{run * 3_000}after"
    stretch, ends = (6, len(text) - 5), [(6, 166), (len(text) - 165, len(text) - 5)]

    pieces = excerpt(text, ends, [stretch])

    assert seen in "".join(piece.text for piece in pieces)
    assert "×" not in said(text, stretch, full=True)


def test_a_few_breaks_stay_as_they_are() -> None:
    assert said("one\n\n\ntwo    three") == r"one\n\n\ntwo    three"


FRAGMENTS = (
    "a",
    "\n",
    "\n ",
    "\r\n",
    " \t",
    "\\",
    "\\n",
    ">",
    "<>",
    "[\\",
    "[1:",
    "(",
    "\u200b",
    "\u0430a",
    "\u0336",
    "\u03b1",
)


@pytest.mark.parametrize(
    "work",
    [
        shown,
        said,
        reads_as,
        without_words,
        lambda text: counted(shown(text, len(text))),
        lambda text: list(legend_lines([(Piece(text),)], marks=True, width=80)),
    ],
)
def test_the_work_grows_no_faster_than_the_text(work: Callable[[str], object]) -> None:
    def cost(size: int) -> float:
        texts = [fragment * (size // len(fragment)) + "!" for fragment in FRAGMENTS]
        started = time.process_time()
        for text in texts:
            work(text)
        return time.process_time() - started

    assert min(cost(16_000) / max(cost(2_000), 1e-4) for _ in range(3)) < 30
