"""What the pump copies arrives whole, or says what is missing; lines are cut in bounded memory."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.watch.witness.frames import FROM_AGENT, FROM_SERVER, LOST, Copy, Frames
from driftwatch.watch.witness.lines import Lines


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    os.set_blocking(reading, False)
    yield reading, writing
    for one in (reading, writing):
        with contextlib.suppress(OSError):
            os.close(one)


def arrived(reading: int, frames: Frames) -> list[tuple[bytes, bytes]]:
    found = []
    while True:
        try:
            data = os.read(reading, 1 << 16)
        except BlockingIOError:
            return found
        if not data:
            return found
        found += frames.feed(data)


def test_what_is_more_than_a_pipe_holds_waits_in_memory_in_its_order(pipe: tuple[int, int]) -> None:
    copy, frames = Copy(pipe[1]), Frames()
    chunks = [bytes([number]) * 50_000 for number in range(40)]
    for number, chunk in enumerate(chunks):
        copy.put(FROM_AGENT if number % 2 else FROM_SERVER, chunk)
    waited = copy.waits

    found = arrived(pipe[0], frames)
    while copy.waits:
        copy.flush()
        found += arrived(pipe[0], frames)

    assert waited
    assert found == [(FROM_AGENT if number % 2 else FROM_SERVER, chunk) for number, chunk in enumerate(chunks)]


def test_what_there_is_no_room_for_is_lost_and_told_before_what_comes_next(pipe: tuple[int, int]) -> None:
    copy, frames = Copy(pipe[1], room=100_000), Frames()
    for number in range(10):
        copy.put(FROM_AGENT, bytes([number]) * 50_000)
    copy.put(FROM_SERVER, b"small")
    found = arrived(pipe[0], frames)
    while copy.waits:
        copy.flush()
        found += arrived(pipe[0], frames)

    copy.put(FROM_AGENT, b"again")
    found += arrived(pipe[0], frames)

    kinds = [(kind, content[:5]) for kind, content in found]
    assert kinds[-3:] == [(FROM_SERVER, b"small"), (LOST, FROM_AGENT), (FROM_AGENT, b"again")]
    assert kinds.count((LOST, FROM_AGENT)) == 1
    assert [content[0] for kind, content in found if kind == FROM_AGENT][:-1] == list(range(len(kinds) - 3))


def test_what_is_copied_may_be_written_over_at_once_also_where_it_waits(pipe: tuple[int, int]) -> None:
    copy, frames = Copy(pipe[1]), Frames()
    room = bytearray(50_000)
    for number in range(10):
        room[:] = bytes([number]) * len(room)
        copy.put(FROM_SERVER, memoryview(room))
    room[:] = b"!" * len(room)

    found = arrived(pipe[0], frames)
    while copy.waits:
        copy.flush()
        found += arrived(pipe[0], frames)

    assert [content for _, content in found] == [bytes([number]) * 50_000 for number in range(10)]


def test_nothing_is_lost_while_the_pipe_has_room_for_what_waits(pipe: tuple[int, int]) -> None:
    copy, frames = Copy(pipe[1], room=100_000), Frames()
    found = []
    for number in range(10):
        copy.put(FROM_AGENT, bytes([number]) * 30_000)
        found += arrived(pipe[0], frames)
    while copy.waits:
        copy.flush()
        found += arrived(pipe[0], frames)

    assert found == [(FROM_AGENT, bytes([number]) * 30_000) for number in range(10)]


def test_what_was_lost_last_is_told_at_the_end(pipe: tuple[int, int]) -> None:
    copy, frames = Copy(pipe[1], room=10), Frames()
    copy.put(FROM_SERVER, b"x" * 50)

    copy.end()

    assert arrived(pipe[0], frames) == [(LOST, FROM_SERVER)]


def test_nobody_at_the_other_end_ends_the_copying_for_good(pipe: tuple[int, int]) -> None:
    copy = Copy(pipe[1])
    os.close(pipe[0])

    copy.put(FROM_AGENT, b"hello")
    copy.put(FROM_AGENT, b"hello")

    assert not copy.open
    assert not copy.waits


def test_what_no_pump_writes_is_refused() -> None:
    for wrong in (b"?\x00\x00\x00\x01x", b">\xff\xff\xff\xff"):
        with pytest.raises(ValueError, match="no frame"):
            list(Frames().feed(wrong))


@given(st.lists(st.binary(max_size=12)), st.integers(1, 7))
def test_lines_are_the_same_however_they_are_cut_into_chunks(texts: list[bytes], step: int) -> None:
    data = b"\n".join(texts)

    lines = Lines(100)
    found = [line for at in range(0, len(data), step) for line in lines.feed(data[at : at + step])]

    assert found == [line for line in data.split(b"\n")[:-1] if line.strip()]


def test_a_line_that_is_too_long_is_skipped_and_the_next_one_is_read() -> None:
    lines = Lines(10)

    chunks = (b"a" * 8, b"a" * 8, b"a" * 80 + b"\nnext\n", b"b" * 11 + b"\n")
    found = [line for chunk in chunks for line in lines.feed(chunk)]

    assert found == [None, b"next", None]


def test_after_a_gap_the_rest_of_the_line_is_skipped() -> None:
    lines = Lines(100)
    list(lines.feed(b'{"half'))

    lines.lost()

    assert list(lines.feed(b'": 1}\n{"id": 2}\n')) == [b'{"id": 2}']
