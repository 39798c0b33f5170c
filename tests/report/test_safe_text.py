"""Text of servers among people's messages: nothing in it means anything to the place that shows it."""

from __future__ import annotations

import time

import pytest
from contracts.hostile import HOSTILE, HUGE, formed_in
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.report.safe import PATTERNS, defang

COMMAND = "driftwatch diff files"

PIECES = (
    *"<>`*~|@＠﹫[](){}#＃$%&;:_.。․!/\\-=+'\"“”",
    *(
        "a",
        "B",
        "ab",
        "1",
        "12",
        "é",
        "भा",
        "漢",
        " ",
        "\n",
        "\r\n",
        "\t",
        "\u200b",
        "\u202e",
        "\x1b[1m",
        "\ud800",
        "\0",
    ),
    *("//", "http", "tel", "javascript:", "example", "com", "x_y", "\\u{202E}", COMMAND, "channel", "#64;", "lt"),
)

hostile = st.lists(st.one_of(st.sampled_from(PIECES), st.characters()), max_size=40).map("".join)


@given(hostile)
def test_nothing_is_formed_from_any_text(text: str) -> None:
    safe = defang(text)

    assert formed_in(safe) == []
    assert "\n" not in safe
    safe.encode("utf-8")


@given(hostile, hostile)
def test_nothing_is_formed_around_a_phrase_of_our_own(before: str, after: str) -> None:
    safe = defang(f"{before}{COMMAND}{after}", keep=(COMMAND,))

    assert formed_in(safe) == []


@given(hostile)
def test_our_own_phrases_stay_as_they_are_typed(text: str) -> None:
    command = "driftwatch diff files.v2_beta"

    safe = defang(f"{text} Review it with: {command}", keep=(command,))

    assert safe.endswith(f" {command}")


@pytest.mark.parametrize("text", HOSTILE)
def test_known_tricks_form_nothing(text: str) -> None:
    assert formed_in(defang(text, keep=(COMMAND,))) == []


@pytest.mark.parametrize("text", HUGE, ids=lambda text: text[:8].encode("unicode_escape").decode())
def test_a_huge_text_forms_nothing(text: str) -> None:
    assert formed_in(defang(text)) == []


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("Reads a file. Then it sends it on.", "Reads a file. Then it sends it on."),
        ("read_file writes to /tmp/out at 12:30", "read_file writes to /tmp/out at 12:30"),
        ("see https://example.com/a", "see https[:]//example[.]com/a"),
        ("mail mara@example.com", "mail mara(at)example[.]com"),
        ("@channel <!here>", "(at)channel ‹!here›"),
        ("key: value, C:\\x", "key: value, C:\\x"),
        ("R&D, a & b", "R＆D, a & b"),
        ("_init_ and __init__", "ˍinitˍ and ˍˍinitˍˍ"),
        ("{{ 7 * 7 }} ${HOME}", "｛{ 7 ∗ 7 }｝ ＄{HOME}"),
        ("\u202eevil", "\\u{202E}evil"),
    ],
)
def test_text_stays_readable(text: str, safe: str) -> None:
    assert defang(text) == safe


@pytest.mark.parametrize(
    "after", [".evil.example", ":8080", "@evil.example", "/x", "://x"], ids=["dot", "colon", "at", "slash", "scheme"]
)
def test_a_phrase_of_our_own_does_not_stay_where_something_is_written_right_at_it(after: str) -> None:
    safe = defang(f"driftwatch diff files.example{after}", keep=("driftwatch diff files.example",))

    assert "files.example" not in safe


@pytest.mark.parametrize(
    "fragment", [":a", "a:", "a.", ".", "_", "a_", "{", "{{", "1.", "1.1.1.", "&a", "@", ":", "\u202e"]
)
def test_making_a_text_safe_takes_linear_time(fragment: str) -> None:
    def cost(size: int) -> float:
        text = fragment * (size // len(fragment)) + "!"
        started = time.process_time()
        defang(text, keep=(COMMAND, "driftwatch show files"))
        for pattern in PATTERNS:
            pattern.sub("", text)
        return time.process_time() - started

    # Eight times the text costs about eight times the work; sixty-four times would be quadratic.
    assert min(cost(160_000) / max(cost(20_000), 1e-3) for _ in range(3)) < 30
