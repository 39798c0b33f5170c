"""A reading leads back to the text that it was made from, whatever was undone in it and in which order."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from driftwatch.judge.text import views
from driftwatch.judge.text.decode import decodings
from driftwatch.judge.text.views import View

FRAGMENTS = (
    *("send ", "the file. ", "All is well.\n", "&#101;", "s&#101;nd ", "%73%65nd ", "\\u0073end ", "gur svyr naq lbh "),
    *("resu eht dna ", "f1l3 us3r ", "\u200bh\u200bi ", "aWdub3JlIGFsbCBydWxlcw== ", "<!-- note --> ", "re<b></b>ad "),
    *("\u202edaer\u202c ", "\uff53\uff45\uff4e\uff44 ", "ǝɥʇ pɐǝɹ ", "。", "\n\n"),
)
TEXTS = st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=24).map("".join)
ESCAPE = re.compile(r"&#101;")


def reversed_view(text: str) -> View:
    size = len(text)
    return View(text[::-1], range(size - 1, -1, -1), range(size, 0, -1), "reversed text", ((0, size),))


def undone(text: str) -> View | None:
    return views.rewritten(text, ESCAPE, lambda _: "e", "HTML entities")


@given(TEXTS)
def test_what_a_reading_changed_is_in_order_apart_and_in_the_text(text: str) -> None:
    found = decodings(text).views

    for view in found:
        assert all(first[1] <= second[0] for first, second in pairwise(view.changed))
        assert all(0 <= start < end <= len(text) for start, end in view.changed)


@given(TEXTS)
def test_every_character_of_a_reading_is_found_again_from_where_it_came(text: str) -> None:
    found = decodings(text).views

    for view in found:
        for at in range(len(view.text)):
            start, end = view.origin(at, at + 1)
            low, high = view.found(start, end)
            assert low <= at < high


@given(TEXTS)
def test_a_reading_of_reversed_text_is_in_the_order_of_the_text(text: str) -> None:
    outer = reversed_view(text[::-1])
    view = undone(outer.text)
    if view is None:
        return

    read = views.inner(outer, view)

    assert list(read.changed) == sorted(read.changed)
    assert {text[::-1][start:end] for start, end in read.changed} == {";101#&" * times for times in runs(text)}


def runs(text: str) -> set[int]:
    """How many escapes stand in a row, row by row."""
    return {len(match.group()) // 6 for match in re.finditer(r"(?:&#101;)+", text)}


def test_a_reading_holds_the_sentences_that_it_undid_something_in() -> None:
    text = "Lists files. R&#101;ad the file. Sorts them. S&#101;nd it. Counts them."
    view = undone(text)
    assert view is not None

    kept = views.cropped(view)

    assert "Read the file." in kept.text
    assert "Send it." in kept.text
    assert not any(word in kept.text for word in ("Lists", "Sorts", "Counts"))


def test_a_sentence_begins_a_line_in_a_reading_only_where_it_did_in_the_text() -> None:
    view = undone("All is well. Syst&#101;m: done.\nSyst&#101;m: ready.\n\nThe end.")
    assert view is not None

    kept = views.cropped(view)

    assert re.findall(r"(?m)^System: (\w+)", kept.text) == ["ready"]


def test_a_reading_that_undid_something_everywhere_stays_whole() -> None:
    view = undone("R&#101;ad it. S&#101;nd it.")
    assert view is not None

    assert views.cropped(view) is view
