"""Bodies as they were before they were compressed, in bounded memory. Pure."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final

from driftwatch.watch.fetch.events import Event, EventSplitter, EventTooLargeError

_PIECE: Final = 1 << 16
_FREE: Final = 64 * 2**20
_RATIO: Final = 100
"""A body may become so many times as long as it was, beyond what is free."""


class UnreadableBodyError(Exception):
    """A body cannot be unpacked: a coding that is not known here, damaged, or it becomes far too long."""


class Unpacker:
    """Unpacks one body, piece by piece."""

    def __init__(self, encoding: str) -> None:
        """Take the value of its `Content-Encoding`, empty for none."""
        self._coding = encoding.strip().lower()
        self._inflater = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
        self._read = self._given = 0

    @property
    def packs(self) -> bool:
        """Say whether it is compressed at all."""
        return self._coding not in {"", "identity"}

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Give what this part becomes, in pieces of a bounded size.

        Raises:
            UnreadableBodyError: see there.

        """
        if not self.packs:
            yield data
            return
        if self._coding not in {"gzip", "x-gzip", "deflate"}:
            raise UnreadableBodyError
        first = not self._read
        self._read += len(data)
        while data:
            try:
                piece = self._inflater.decompress(data, _PIECE)
            except zlib.error as error:
                if not first or self._coding != "deflate":
                    raise UnreadableBodyError from error
                # Some mean by `deflate` what stands inside of it, and agents read that.
                first, self._inflater = False, zlib.decompressobj(wbits=-zlib.MAX_WBITS)
                continue
            self._given += len(piece)
            if self._given > _FREE + _RATIO * self._read:
                raise UnreadableBodyError
            yield piece
            data = self._inflater.unconsumed_tail
            if self._inflater.eof:
                data = self._inflater.unused_data
                self._inflater = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)


class Whole:
    """A body that is read when it is there whole."""

    def __init__(self, encoding: str, most: int) -> None:
        """Take how it is compressed, and how many bytes are held at most."""
        self._unpacker = Unpacker(encoding)
        self._most = most
        self._held = bytearray()
        self.lost = False
        """Whether it is too long, or cannot be read."""

    @property
    def held(self) -> int:
        """Give the bytes in memory."""
        return len(self._held)

    def feed(self, data: bytes) -> None:
        """Take a part of it."""
        if self.lost:
            return
        try:
            for piece in self._unpacker.feed(data):
                self._held += piece
                if len(self._held) > self._most:
                    self.lose()
                    return
        except UnreadableBodyError:
            self.lose()

    def lose(self) -> None:
        """Note that it cannot be read any more."""
        self.lost = True
        self._held.clear()

    def body(self) -> bytes:
        """Give it."""
        return bytes(self._held)


class Events:
    """A body that is a stream of events. An event that is too long is left out."""

    def __init__(self, encoding: str, most: int) -> None:
        """Take how it is compressed, and how many bytes of an event are held at most."""
        self._unpacker = Unpacker(encoding)
        self._most = most
        self._splitter = EventSplitter(most)
        self._skipping = False
        self._dead = False
        self._before = b""
        """The last bytes of what was fed before: an empty line may come in two parts."""
        self._begun = False

    @property
    def held(self) -> int:
        """Give the bytes in memory."""
        return self._splitter.held

    def feed(self, data: bytes) -> Iterator[Event | None]:
        """Give the events that end in this part; None for one that was left out, or for all that is to come."""
        if self._dead:
            return
        try:
            for piece in self._unpacker.feed(data):
                yield from self._split(piece)
        except UnreadableBodyError:
            self.lose()
            yield None

    def lose(self) -> None:
        """Note that bytes are missing here: what is left of the event under way is skipped."""
        self._dead = self._unpacker.packs
        self._skipping, self._before, self._splitter = True, b"", EventSplitter(self._most)

    def _split(self, piece: bytes) -> Iterator[Event | None]:
        if not self._begun and piece:
            piece, self._begun = piece.removeprefix(b"\xef\xbb\xbf"), True
        if not self._skipping:
            try:
                yield from self._splitter.feed(piece)
            except EventTooLargeError:
                self._skipping, self._splitter = True, EventSplitter(self._most)
                yield None
            else:
                self._before = piece[-3:]
                return
        # The event that is too long began before this piece, and ends with the first empty line.
        seen = self._before + piece
        end = _empty_line(seen)
        self._before = seen[-3:]
        if end is not None:
            self._skipping = False
            yield from self._split(seen[end:])


def _empty_line(text: bytes) -> int | None:
    """Give where the first empty line of a text has its end, None where it has none."""
    ends = [at + len(mark) for mark in (b"\n\n", b"\r\r", b"\r\n\r\n") if (at := text.find(mark)) >= 0]
    return min(ends, default=None)
