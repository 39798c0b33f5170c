"""Server-sent events, cut apart anywhere."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.watch.fetch.events import Event, EventSplitter, EventTooLargeError

STREAM = (
    b": a comment\r\n\r\nevent: message\r\nid: 7\r\ndata: first\r\ndata: second\r\n\r\n"
    b"data:third\n\nretry: 10\rdata: fourth\r\rdata\n\n"
)
EVENTS = [
    Event(b"message", b"first\nsecond", b"7"),
    Event(data=b"third"),
    Event(data=b"fourth", retry=b"10"),
    Event(),
]


@given(st.lists(st.integers(0, len(STREAM)), max_size=8))
def test_events_do_not_depend_on_where_the_chunks_end(cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(STREAM)]
    splitter = EventSplitter(1000)

    events = [event for start, end in itertools.pairwise(edges) for event in splitter.feed(STREAM[start:end])]

    assert events == EVENTS


@pytest.mark.parametrize("ends", ["".join(marks) for marks in itertools.product("\r\n", repeat=4)], ids=ascii)
def test_every_mixture_of_line_ends_is_read_alike_whole_and_byte_by_byte(ends: str) -> None:
    stream = b"data: one" + ends.encode() + b"data: two\n\n"
    single = EventSplitter(1000)

    whole = list(EventSplitter(1000).feed(stream))
    apart = [event for at in range(len(stream)) for event in single.feed(stream[at : at + 1])]

    assert apart == whole
    lines = ends.replace("\r\n", "\n").replace("\r", "\n")
    assert [event.data for event in whole] == ([b"one", b"two"] if len(lines) > 1 else [b"one\ntwo"])


def test_an_event_beyond_the_limit_is_refused_before_it_is_held() -> None:
    splitter = EventSplitter(100)

    with pytest.raises(EventTooLargeError):
        list(splitter.feed(b"data: " + b"x" * 200))


def test_many_lines_of_one_event_count_together() -> None:
    splitter = EventSplitter(100)

    with pytest.raises(EventTooLargeError):
        list(splitter.feed(b"data: x\n" * 50))


def test_endless_comments_are_not_held() -> None:
    splitter = EventSplitter(100)

    assert list(splitter.feed(b": x\n" * 1000)) == []


@pytest.mark.parametrize(
    ("event", "sent"),
    [
        (Event(id=b"1", retry=b"0"), b"id: 1\nretry: 100\n\n"),
        (Event(retry=b"99999999"), b"retry: 5000\n\n"),
        (Event(id=b"x" * 2000), b""),
        (Event(id=b"\xff"), b""),
        (Event(name=b"message"), b"event: message\ndata: {}\n\n"),
    ],
)
def test_what_goes_on_is_bounded(event: Event, sent: bytes) -> None:
    assert event.with_data(b"{}" if event.name else b"") == sent
