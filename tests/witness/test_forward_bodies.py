"""Bodies of all kinds, compressed, too large or damaged, on the way to looks."""

from __future__ import annotations

import gzip
import json
import zlib
from typing import Any

import pytest
from witness.conversing import CALL, GOOD, JSON, STREAM, Desk, ask, event, result, shown
from witness.talking import tool

from driftwatch.watch.witness.remote.unpacking import Unpacker, UnreadableBodyError
from driftwatch.watch.witness.session import Bounds


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize(
    ("encoding", "pack"),
    [
        ("gzip", gzip.compress),
        ("X-GZIP", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", deflated),
        ("gzip", lambda data: gzip.compress(data[:50]) + gzip.compress(data[50:])),
        ("identity", bytes),
    ],
    ids=["gzip", "older name", "deflate", "bare deflate", "two members", "identity"],
)
@pytest.mark.parametrize("kind", [JSON, STREAM])
def test_compressed_bodies_are_read(encoding: str, pack: Any, kind: str) -> None:
    desk = Desk()
    number = desk.asks(ask("tools/list"))
    packed = pack(event(GOOD) if kind == STREAM else json.dumps(GOOD).encode())
    desk.answers(number, *(packed[at : at + 7] for at in range(0, len(packed), 7)), kind=kind, encoding=encoding)
    desk.ends(number)

    assert [shown(seen) for seen in desk.looks()] == [["good"]]


def test_a_compressed_request_is_read() -> None:
    desk = Desk()
    number = desk.asks(gzip.compress(json.dumps(ask("tools/list")).encode()), session="one", encoding="gzip")
    desk.answers(number, json.dumps(GOOD).encode())
    desk.ends(number)

    assert [shown(seen) for seen in desk.looks()] == [["good"]]


BOMB = gzip.compress(b" " * (1 << 20))


@pytest.mark.parametrize(
    ("kind", "encoding", "body"),
    [
        (JSON, "gzip", BOMB),
        (JSON, "", b" " * 200_000),
        (JSON, "br", b"\x0b\x02\x80"),
        (JSON, "gzip", b"no gzip at all"),
        (STREAM, "gzip", gzip.compress(b"data: " + b"x" * (1 << 20))),
        (STREAM, "", b"data: " + b"x" * 200_000),
        (STREAM, "zstd", b"abc"),
    ],
)
def test_a_list_that_is_too_large_or_cannot_be_unpacked_is_a_gap_that_the_next_look_tells(
    kind: str, encoding: str, body: bytes
) -> None:
    desk = Desk(Bounds(message=100_000))
    number = desk.asks(ask("tools/list"))
    desk.answers(number, body, kind=kind, encoding=encoding)
    desk.ends(number)
    desk.exchange(ask("tools/list"), GOOD)

    (seen,) = desk.looks()
    assert (shown(seen), seen.gaps) == (["good"], 1)


@pytest.mark.parametrize("gap", [b"\n\n", b"\r\r", b"\r\n\r\n"])
@pytest.mark.parametrize("step", [1, 1000, 10**6])
def test_after_an_event_that_is_too_large_the_next_one_is_read(gap: bytes, step: int) -> None:
    desk = Desk(Bounds(message=5_000))
    first = desk.asks(ask("prompts/list", 1))
    text = b"data: " + b"x" * 9_000 + gap + event(result(prompts=[]))
    desk.answers(first, *(text[at : at + step] for at in range(0, len(text), step)), kind=STREAM)
    second = desk.asks(ask("tools/list", 2), session="")
    desk.answers(second, event(result(2, tools=[tool("good")])), kind=STREAM)

    (seen,) = desk.looks()
    assert (shown(seen), seen.gaps) == (["good"], 1)


@pytest.mark.parametrize("body", [json.dumps(GOOD).encode(), event(GOOD)], ids=["json", "events"])
def test_where_a_content_type_names_both_kinds_both_are_read(body: bytes) -> None:
    desk = Desk()
    desk.exchange(ask("tools/list"), body, kind="application/json; profile=text/event-stream")

    assert [shown(seen) for seen in desk.looks()] == [["good"]]


def test_what_becomes_far_too_long_is_not_unpacked_to_its_end() -> None:
    unpacker = Unpacker("gzip")
    bomb = gzip.compress(bytes(96 << 20))

    with pytest.raises(UnreadableBodyError):
        list(unpacker.feed(bomb))


def test_what_all_exchanges_hold_together_is_bounded() -> None:
    desk = Desk()
    numbers = [desk.asks(ask("tools/list"), session=f"session {number}") for number in range(100)]
    for number in numbers:
        desk.answers(number, b" " * (4 << 20), kind=STREAM if number % 2 else JSON)

    assert sum(one.held for one in desk.known._exchanges.values()) <= 64 << 20


def test_results_of_calls_are_not_even_unpacked() -> None:
    desk = Desk()
    desk.exchange(CALL, BOMB, encoding="gzip")
    desk.exchange(ask("tools/list"), GOOD)

    (seen,) = desk.looks()
    assert (seen.calls, seen.gaps) == (1, 0)
