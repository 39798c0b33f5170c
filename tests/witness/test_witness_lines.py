"""What a server writes over several lines, or twice on one, is read as agents read it that do not go by lines."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from witness.talking import START, tool

from driftwatch.model import Witnessed
from driftwatch.watch.witness.copyist import Wire
from driftwatch.watch.witness.frames import FROM_AGENT, FROM_SERVER, LOST
from driftwatch.watch.witness.lines import Values
from driftwatch.watch.witness.session import Bounds, Session

ASK = b'{"jsonrpc": "2.0", "id": 7, "method": "tools/list"}\n'
ANSWER: Any = {"jsonrpc": "2.0", "id": 7, "result": {"tools": [tool("a", 'Odd: }]" \\ {[')]}}
NOTICE = b'{"jsonrpc": "2.0", "method": "notifications/message", "params": {}}'


def heard(*frames: bytes | tuple[bytes, bytes], bounds: Bounds | None = None) -> list[Witnessed]:
    """Let an agent ask for tools, and a server write this."""
    wire = Wire(Session("notes", "desk", "ab12", START, bounds))
    wire.hear(FROM_AGENT, ASK, START)
    for frame in frames:
        wire.hear(*((FROM_SERVER, frame) if isinstance(frame, bytes) else frame), START)
    return wire.finish(START + timedelta(seconds=1))


PLAIN = json.dumps(ANSWER).encode()
PRETTY = json.dumps(ANSWER, indent=2).encode()


@pytest.mark.parametrize(
    "written",
    [
        PRETTY,
        PRETTY.replace(b"\n", b"\r\n\r\n"),
        PRETTY.replace(b"\n", b"\n\t"),
        json.dumps([ANSWER, ANSWER], indent=0).encode(),
        NOTICE + PLAIN,
        PLAIN + NOTICE,
        PLAIN + PLAIN,
        NOTICE + b" " + PRETTY + NOTICE,
        b"}}]\n" + PRETTY,
        b"log: starting\n" + PRETTY,
        PLAIN.replace(b'"result"', b'\n"result"'),
    ],
)
def test_a_list_is_read_however_it_stands_on_lines(written: bytes) -> None:
    (seen,) = heard(written + b"\n")

    assert (seen.document["tools"], seen.gaps) == (ANSWER["result"]["tools"], 0)


@pytest.mark.parametrize("step", [1, 7, 100])
def test_and_however_it_comes_in_chunks(step: int) -> None:
    (seen,) = heard(*(PRETTY[at : at + step] for at in range(0, len(PRETTY), step)), b"\n")

    assert seen.document["tools"] == ANSWER["result"]["tools"]


def test_a_line_that_is_an_answer_by_itself_is_read_though_a_bracket_was_opened_before() -> None:
    (seen,) = heard(b"{\n" + PLAIN + b"\n")

    assert seen.document["tools"] == ANSWER["result"]["tools"]


def test_an_answer_within_another_one_is_read_and_the_other_one_counts_as_a_gap() -> None:
    outer = {"jsonrpc": "2.0", "id": 7, "result": {"tools": [tool("evil")]}}
    text = b'{"x":\n' + PLAIN + b"\n," + json.dumps(outer).encode()[1:]

    (seen,) = heard(text + b"\n")

    assert (seen.document["tools"], seen.gaps) == (ANSWER["result"]["tools"], 1)


@pytest.mark.parametrize(
    ("frames", "gaps"),
    [
        ((b'{\n"id": 7,\n}\n',), 1),
        ((PRETTY[:50] + b"\n", (LOST, FROM_SERVER), PRETTY[50:] + b"\n"), 1),
        ((b"{\n" + b'"x": "' + b"y" * 60 + b'"\n' * 60,), 1),
        ((b'{"id": 7,, "result": 1}\n',), 1),
    ],
    ids=["half of it", "bytes are lost", "too long", "no JSON"],
)
def test_what_cannot_be_read_is_a_gap_and_the_next_message_is_read(frames: Any, gaps: int) -> None:
    (seen,) = heard(*frames, PLAIN + b"\n", bounds=Bounds(message=1000))

    assert (seen.gaps, seen.document["tools"]) == (gaps, ANSWER["result"]["tools"])


def test_what_is_never_whole_is_a_gap_at_the_end() -> None:
    wire = Wire(Session("notes", "desk", "ab12", START))
    wire.hear(FROM_AGENT, ASK, START)
    wire.hear(FROM_SERVER, PLAIN + b"\n", START)
    wire.take(START + timedelta(seconds=9))
    wire.hear(FROM_AGENT, ASK, START)
    wire.hear(FROM_SERVER, PRETTY[:-5] + b"\n", START)

    assert [one.gaps for one in wire.finish(START)] == [1]


def test_what_is_held_of_lines_without_an_end_is_bounded_also_where_they_are_short() -> None:
    values = Values(100_000)

    held = [text for _ in range(5000) for text in values.feed(b"[")]

    assert set(held) == {None}
    assert len(held) >= 3


@given(st.lists(st.recursive(st.text(max_size=6), st.lists, max_leaves=8).map(lambda one: {"v": one}), max_size=4))
def test_texts_are_found_as_they_were_written(values: list[Any]) -> None:
    lines = "".join(json.dumps(one, indent=1) for one in values).encode().split(b"\n")
    finder = Values(10**6)

    found = [text for line in lines for text in finder.feed(line)]

    assert [json.loads(text) for text in found if text is not None] == values
    assert not finder.open
