"""What a server sent can be shown to a person without harm."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from driftwatch.judge.text import visible
from driftwatch.judge.text.chars import UNSEEN

ANY_TEXT = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=60)


def test_plain_text_stays_as_it_is() -> None:
    assert visible("Grüße, 世界, مرحبا, नमस्ते 👍") == "Grüße, 世界, مرحبا, नमस्ते 👍"


def test_zero_width_and_direction_characters_become_escapes() -> None:
    assert visible("a\u200bb\u202ec\ufeff") == "a\\u{200B}b\\u{202E}c\\u{FEFF}"


def test_terminal_escapes_and_controls_become_escapes() -> None:
    assert visible("\x1b[31mred\x07\x9b") == "\\u{001B}[31mred\\u{0007}\\u{009B}"


def test_tag_characters_private_use_and_noncharacters_become_escapes() -> None:
    assert visible("\U000e0041\ue000\U0010fffe") == "\\u{E0041}\\u{E000}\\u{10FFFE}"


def test_a_lone_surrogate_becomes_an_escape() -> None:
    shown = visible("x\ud800y")

    assert shown == "x\\u{D800}y"
    assert shown.encode()


def test_line_feeds_stay_only_where_lines_are_wanted() -> None:
    assert visible("a\nb\tc") == "a\\u{000A}b\\u{0009}c"
    assert visible("a\nb\tc", multiline=True) == "a\nb\tc"
    assert visible("a\rb\u2028c", multiline=True) == "a\\u{000D}b\\u{2028}c"


def test_a_server_cannot_write_what_looks_like_our_own_escape() -> None:
    assert visible("\\u{200B}") == "\\u{005C}u{200B}"
    assert visible("C:\\users") == "C:\\users"


def test_a_heart_with_its_emoji_selector_stays() -> None:
    assert visible("❤️") == "❤️"
    assert visible("a\ufe0f") == "a\\u{FE0F}"


def test_a_flood_of_combining_marks_is_cut() -> None:
    shown = visible("z" + "\u0301" * 200 + "a")

    assert shown.endswith("[+195 marks]a")


@given(ANY_TEXT)
def test_nothing_unseen_is_left_whatever_comes_in(text: str) -> None:
    shown = visible(text)

    left = [char for at, char in enumerate(shown) if UNSEEN.match(char) and not (char == "\ufe0f" and at)]
    assert left == []
    assert shown.encode("utf-8").decode("utf-8") == shown
    assert "\n" not in shown
