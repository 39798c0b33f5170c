"""Wrapping and painting."""

import pytest

from driftwatch.report.lines import Piece, Style, cells, paint, wrap


def plain(pieces: list[Piece], **options: object) -> list[str]:
    return [paint(line, colour=False) for line in wrap(pieces, **options)]  # type: ignore[arg-type]


def test_a_line_breaks_at_spaces() -> None:
    assert plain([Piece("one two three")], width=8, rest="  ") == ["one two", "  three"]


def test_a_word_over_two_styles_stays_together() -> None:
    assert plain([Piece("aa bb"), Piece("cc", Style.MARK)], width=5) == ["aa", "bbcc"]


def test_a_word_longer_than_a_line_is_broken() -> None:
    assert plain([Piece("abcdefghij")], width=4, first="> ", rest="  ") == ["> ab", "  cd", "  ef", "  gh", "  ij"]


def test_nothing_is_one_empty_line() -> None:
    assert plain([], width=10) == [""]


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("日本", 4), ("e\u0301", 1), ("🙂", 2), ("", 0)])
def test_cells_count_wide_and_combining_characters(text: str, width: int) -> None:
    assert cells(text) == width


def test_neighbours_of_one_style_share_their_codes() -> None:
    line = (Piece("a", Style.HIGH), Piece("b", Style.HIGH), Piece(" c"))

    assert paint(line, colour=True) == "\x1b[1;31mab\x1b[0m c"


def test_an_escape_is_never_cut() -> None:
    lines = plain([Piece("abcdef\\u{E006F}\\u{200B}gh\\n\\n")], width=12, first="  ", rest="  ")

    assert lines == ["  abcdef", "  \\u{E006F}", "  \\u{200B}gh", "  \\n\\n"]


def test_an_escape_longer_than_a_line_is_cut_all_the_same() -> None:
    assert plain([Piece("\\u{E006F}")], width=4) == ["\\u{E", "006F", "}"]
