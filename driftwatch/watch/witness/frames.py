"""How what passes travels from the pump to the copyist. The standard library only, and as little of it as will do.

A frame is a head of five bytes, direction and length (big-endian), and so many bytes. `LOST` stands where bytes of a
direction are missing; its content is that direction. `ANEW` stands first where another copyist read before this one:
what that one had not handed in is missing, and what passed since.
"""

from __future__ import annotations

import os
from collections import deque

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FROM_AGENT = b">"
FROM_SERVER = b"<"
LOST = b"!"
ANEW = b"*"

LARGEST = 1 << 20
"""Bytes in a frame at most: what is read as longer is no frame of ours."""

ROOM = 8 << 20
"""Bytes that wait in memory for a copyist who is slow."""

_HEAD = 5
_KINDS = frozenset({FROM_AGENT, FROM_SERVER, LOST, ANEW})
_BATCH = 64
"""How many pieces are written at once."""


class Copy:
    """The pump's end: takes whatever passes and never waits. Callers hold a lock.

    `open` becomes false when there is nobody at the other end any more.
    """

    def __init__(self, pipe: int, *, room: int = ROOM) -> None:
        """Take the writing end of a pipe that does not block, and how many bytes may wait for it."""
        self.pipe = pipe
        self.open = True
        self.written = 0
        """Bytes that went into the pipe, to whoever read it."""
        self._room = room
        self._waiting: deque[bytes | memoryview] = deque()
        self._size = 0
        self._lost: list[bytes] = []

    @property
    def waits(self) -> bool:
        """Say whether something waits for room in the pipe."""
        return self.open and bool(self._waiting)

    def put(self, direction: bytes, chunk: bytes | memoryview) -> None:
        """Copy what passed; what there is no room for is lost, and the next frame of that direction says so.

        The chunk may be used for something else afterwards. Where something waits already it waits behind that, until
        who polls the pipe calls `flush`, or there would be no room for it.
        """
        if not self.open:
            return
        size = len(chunk)
        if self._size + size + _HEAD > self._room:
            self.flush()  # Only here: to try a full pipe again for each message takes longer than all the rest.
        if self._size + size + _HEAD > self._room:
            if direction not in self._lost:
                self._lost.append(direction)
            return
        pieces: list[bytes | memoryview] = [direction + size.to_bytes(4, "big"), chunk]
        if direction in self._lost:
            self._lost.remove(direction)
            pieces.insert(0, LOST + (1).to_bytes(4, "big") + direction)
        written = 0 if self._waiting else self._write(pieces)
        if written < sum(map(len, pieces)):
            rest = self._rest(pieces, written)
            self._keep([*rest[:-1], bytes(rest[-1])])

    def flush(self) -> None:
        """Write what waits, as much as there is room for."""
        while self._waiting:
            batch = [self._waiting[number] for number in range(min(_BATCH, len(self._waiting)))]
            written = self._write(batch)
            rest = self._rest(batch, written)
            for _ in batch:
                self._waiting.popleft()
            self._waiting.extendleft(reversed(rest))
            self._size -= written
            if rest:
                return

    def end(self) -> None:
        """Say of each direction of which something was lost that it was, and write what waits."""
        for direction in self._lost:
            self._keep([LOST + (1).to_bytes(4, "big") + direction])
        self._lost.clear()
        self.flush()

    def anew(self) -> None:
        """Begin again: there is another pipe in the place of the old one, and somebody else reads it."""
        self.close()
        self.open = True
        self._lost.clear()
        self._keep([ANEW + (0).to_bytes(4, "big")])
        self.flush()

    def close(self) -> None:
        """Take nothing any more, and forget what waits."""
        self.open = False
        self._waiting.clear()
        self._size = 0

    def _keep(self, pieces: list[bytes | memoryview]) -> None:
        if self.open:
            self._waiting.extend(pieces)
            self._size += sum(map(len, pieces))

    def _write(self, pieces: list[bytes | memoryview]) -> int:
        try:
            written = os.writev(self.pipe, pieces)
            self.written += written
            return written
        except BlockingIOError:
            return 0
        except OSError:
            self.close()
            return 0

    @staticmethod
    def _rest(pieces: list[bytes | memoryview], written: int) -> list[bytes | memoryview]:
        rest: list[bytes | memoryview] = []
        for piece in pieces:
            if written < len(piece):
                rest.append(memoryview(piece)[written:] if written else piece)
                written = 0
            else:
                written -= len(piece)
        return rest


class Frames:
    """The copyist's end: puts what comes out of the pipe together again."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._held = b""

    def feed(self, data: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Give the frames that are complete now, as direction (or `LOST`) and content.

        Raises:
            ValueError: this is not what a pump writes.

        """
        held = self._held + data if self._held else data
        at, there = 0, len(held)
        while there - at >= _HEAD:
            kind = held[at : at + 1]
            end = at + _HEAD + int.from_bytes(held[at + 1 : at + _HEAD], "big")
            if kind not in _KINDS or end - at - _HEAD > LARGEST:
                message = "this is no frame"
                raise ValueError(message)
            if there < end:
                break
            yield kind, held[at + _HEAD : end]
            at = end
        self._held = held[at:]
