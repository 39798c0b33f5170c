"""What a witness hears: frames cut anywhere are the same frames, and any conversation in them becomes looks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from driftwatch.judge.snapshot import take
from driftwatch.watch.witness.bodies import body_of
from driftwatch.watch.witness.copyist import Wire
from driftwatch.watch.witness.frames import FROM_AGENT, FROM_SERVER, LOST, Frames
from driftwatch.watch.witness.lines import Lines, Values
from driftwatch.watch.witness.remote.unpacking import Events, Whole
from driftwatch.watch.witness.session import Bounds, Session
from tests.fuzz.drawn import Drawn

_START = datetime(2026, 11, 30, tzinfo=UTC)
_BOUNDS = Bounds(message=4096, listing=8192, pages=5, items=20, depth=8, asked=10, walks=3, bodies=4, ready=4)
_LONGEST = 256


def one(data: bytes) -> None:
    """Take bytes as what stands in the pipe, and as what agent and server say in turn."""
    _framed(data)
    _lined(data)
    _talked(data)
    drawn = Drawn(data)
    body_of([drawn.value() for _ in range(3)], {drawn.text(): drawn.text(), "x": drawn.text()})
    for encoding in ("", "gzip", "deflate", "gzip, deflate", "br"):
        whole = Whole(encoding, 2048)
        whole.feed(data)
        whole.body()
        events = Events(encoding, 2048)
        list(events.feed(data))


def _frames(pieces: list[bytes]) -> list[tuple[bytes, bytes]]:
    frames, found = Frames(), []
    try:
        for piece in pieces:
            found.extend(frames.feed(piece))
    except ValueError:
        found.append((b"", b"no frame"))
    return found


def _framed(data: bytes) -> None:
    whole, wire = _frames([data]), _wire()
    assert _frames([data[at : at + 1] for at in range(len(data))]) == whole
    for kind, content in whole:
        if kind and not (kind == LOST and content not in (FROM_AGENT, FROM_SERVER)):
            wire.hear(kind, content, _START)
    _ends(wire)


def _lined(data: bytes) -> None:
    whole = list(Lines(_LONGEST).feed(data))
    one_by_one = Lines(_LONGEST)
    assert [line for at in range(len(data)) for line in one_by_one.feed(data[at : at + 1])] == whole
    values = Values(_LONGEST)
    for line in data.split(b"\n"):
        for text in values.feed(line):
            assert text is None or text[:1] in (b"{", b"[")


def _talked(data: bytes) -> None:
    """Each line begins with a mark for who says it; the server's are the ones without."""
    wire = _wire()
    for number, line in enumerate(data.split(b"\n")):
        at = _START + timedelta(seconds=number)
        if line[:1] == LOST:
            wire.hear(LOST, FROM_SERVER if line[1:2] == FROM_SERVER else FROM_AGENT, at)
        elif line[:1] == FROM_AGENT:
            wire.hear(FROM_AGENT, line[1:] + b"\n", at)
        else:
            wire.hear(FROM_SERVER, line + b"\n", at)
        if number % 5 == 4:
            wire.take(at)
    _ends(wire)


def _wire() -> Wire:
    return Wire(Session("notes", "desk", "ab12", _START, _BOUNDS))


def _ends(wire: Wire) -> None:
    late = _START + timedelta(days=1)
    for seen in (*wire.take(late), *wire.finish(late)):
        take(seen.document, seen.oddities)
