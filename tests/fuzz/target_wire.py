"""What comes over a connection: any bytes are counted, bounded and read, and what goes on is what the SDK takes."""

from __future__ import annotations

from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from mcp_types import JSONRPCMessage
from pydantic import TypeAdapter

from driftwatch.config.schema import Limits
from driftwatch.judge.snapshot import take
from driftwatch.model import Era
from driftwatch.watch.fetch.answers import LISTS, Collected, FailedLookError, add_page, next_cursor, opening_of
from driftwatch.watch.fetch.events import Event, EventSplitter, EventTooLargeError
from driftwatch.watch.fetch.ids import coerced
from driftwatch.watch.fetch.wire import Wire

_MESSAGE: TypeAdapter[Any] = TypeAdapter(JSONRPCMessage)
_LIMITS = Limits()
_OPENINGS = {"initialize": Era.HANDSHAKE, "server/discover": Era.MODERN}
_LARGEST = 512


def one(data: bytes) -> None:
    """Hear bytes as lines of a local server, as the answer to one request, and as server-sent events."""
    held = bool(data[:1] and data[0] % 2)
    wire = Wire(_LIMITS, secrets=("secret-secret",), on_notice=(lambda: None) if held else None)
    kinds = ["initialize", "server/discover", *(kind.method for kind in LISTS)]
    for number, method in enumerate(kinds):
        wire.sent({"jsonrpc": "2.0", "id": number, "method": method})
    for line in data.split(b"\n"):
        wire.count(len(line))
        _goes_on(_run(wire.heard(line)))
    for number, method in enumerate(kinds):
        alone = Wire(_LIMITS)
        alone.sent({"jsonrpc": "2.0", "id": number, "method": method})
        _goes_on(_run(alone.heard(data, to=number)))
        assert alone.answered or alone.trouble is not None or not alone.unreadable()
        for one_of in (wire, alone):
            _read(one_of, method)
    _events(data)


def _run(coroutine: Coroutine[Any, Any, bytes | None]) -> bytes | None:
    """Run what waits for nothing: messages of this size are decoded on the spot."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    raise AssertionError("it waits")


def _goes_on(message: bytes | None) -> None:
    if message is not None:
        assert b"\n" not in message
        _MESSAGE.validate_json(message)


def _read(wire: Wire, method: str) -> None:
    """Make of an answer what a look makes of it."""
    answer = wire.answer(method)
    if answer is None:
        return
    with suppress(FailedLookError):
        if method in _OPENINGS:
            document, _, oddities = opening_of(answer, _OPENINGS[method], "2025-06-18")
        else:
            kind = next(kind for kind in LISTS if kind.method == method)
            listing = Collected()
            add_page(listing, answer, kind, 1)
            next_cursor(answer, listing, kind)
            document, oddities = {kind.key: listing.items}, listing.oddities
        take(document, oddities)
    coerced(answer.message.get("id"))


def _events(data: bytes) -> None:
    """Cut in pieces anywhere, a stream holds the same events."""
    whole, _ = _split([data])
    middle = len(data) // 2
    for pieces in ([data[:middle], data[middle:]], [data[at : at + 1] for at in range(len(data))]):
        assert _split(pieces)[0] == whole
    for event in whole:
        assert event.with_data(b"{}").endswith(b"\n\n")
        assert event.with_data(b"").count(b"\n\n") <= 1


def _split(pieces: list[bytes]) -> tuple[list[Event], bool]:
    splitter = EventSplitter(_LARGEST)
    found: list[Event] = []
    try:
        for piece in pieces:
            found.extend(splitter.feed(piece))
            assert splitter.held <= _LARGEST
    except EventTooLargeError:
        return found, True
    return found, False
