"""Server-sent events as bytes: cut apart under a limit, and put together again. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

LONGEST_ID = 1024
"""An event id comes back as a header; what is longer is left out."""

_SOONEST, _LATEST = 100, 5000
"""Bounds of the reconnection time that a server may ask for, in milliseconds."""


class EventTooLargeError(Exception):
    """One event is larger than the limit."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event as received (WHATWG HTML, 9.2). `retry` is in milliseconds."""

    name: bytes = b""
    data: bytes = b""
    id: bytes = b""
    retry: bytes = b""

    def with_data(self, data: bytes) -> bytes:
        """Give the event as it goes on, with other data (on one line), a bounded `retry`, and a fit `id` only."""
        lines = []
        if self.name:
            lines.append(b"event: " + self.name)
        if self.id and len(self.id) <= LONGEST_ID and self.id.isascii() and self.id.decode().isprintable():
            lines.append(b"id: " + self.id)
        if self.retry.isdigit():
            lines.append(b"retry: %d" % max(_SOONEST, min(int(self.retry[:9]), _LATEST)))
        if data:
            lines.append(b"data: " + data)
        return b"\n".join([*lines, b"", b""]) if lines else b""


@dataclass
class EventSplitter:
    """Cuts chunks into events. Holds at most `limit` bytes of an unfinished one."""

    limit: int
    idle: int = 0
    """Lines so far that belong to no event: comments, and empty lines that end none."""
    _line: bytearray = field(default_factory=bytearray)
    _fields: dict[bytes, list[bytes]] = field(default_factory=dict)
    _size: int = 0
    _skip_newline: bool = False

    @property
    def held(self) -> int:
        """Give the bytes of the unfinished event."""
        return self._size

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """Give the events that end in this chunk.

        Raises:
            EventTooLargeError: an event is larger than the limit.

        """
        if not chunk:
            return
        # Of one line feed only: the next one ends a line of its own.
        chunk = chunk.removeprefix(b"\n") if self._skip_newline else chunk
        self._skip_newline = chunk.endswith(b"\r")
        *complete, rest = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for end in complete:
            self._extend(end)
            line = bytes(self._line)
            self._line.clear()
            if line:
                self._take(line)
            elif self._fields:
                yield self._finish()
            else:
                self.idle += 1
        self._extend(rest)

    def _extend(self, part: bytes) -> None:
        self._size += len(part)
        if self._size > self.limit:
            raise EventTooLargeError
        self._line += part

    def _take(self, line: bytes) -> None:
        if line.startswith(b":"):
            self._size -= len(line)
            self.idle += 1
            return
        name, _, value = line.partition(b":")
        self._fields.setdefault(name, []).append(value.removeprefix(b" "))

    def _finish(self) -> Event:
        fields, self._fields, self._size = self._fields, {}, 0
        last = {name: values[-1] for name, values in fields.items()}
        return Event(
            name=last.get(b"event", b""),
            data=b"\n".join(fields.get(b"data", [])),
            id=last.get(b"id", b""),
            retry=last.get(b"retry", b""),
        )
