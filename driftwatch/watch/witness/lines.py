"""Lines out of chunks, and what goes over several of them, in bounded memory. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
_LINE = 64
"""Bytes that a line takes in memory, whatever stands on it."""


class Lines:
    """Cuts one direction of a local session into its messages, one a line."""

    def __init__(self, longest: int) -> None:
        """Take how many bytes a line may have."""
        self._longest = longest
        self._parts: list[bytes] = []
        self._size = 0
        self._skipping = False
        self._known = False
        """Whether who feeds us knows that this line is not whole."""

    def feed(self, chunk: bytes) -> Iterator[bytes | None]:
        """Give the lines that end in this chunk, without their ends and without blank ones; None for one too long."""
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            self._add(part)
            line, skipped, known = b"".join(self._parts), self._skipping, self._known
            self._parts, self._size, self._skipping, self._known = [], 0, False, False
            if skipped and not known:
                yield None
            elif line.strip():
                yield line
        self._add(rest)

    def lost(self) -> None:
        """Skip what is left of the line that is under way: bytes of it are missing."""
        self._parts, self._size = [], 0
        self._skipping = self._known = True

    def _add(self, part: bytes) -> None:
        if self._skipping or not part:
            return
        self._parts.append(part)
        self._size += len(part)
        if self._size > self._longest:
            self._parts, self._size = [], 0
            self._skipping = True


class Values:
    """Finds JSON texts that go over several lines, or of which several stand on one, as some agents read them.

    Agents written in Go take messages as they come, whatever their lines. Only their outermost brackets are looked at.
    """

    def __init__(self, longest: int) -> None:
        """Take how many bytes a text may have."""
        self._longest = longest
        self._parts: list[bytes] = []
        self._size = 0
        self._depth = 0

    @property
    def open(self) -> bool:
        """Whether one has begun that is not whole."""
        return self._depth > 0

    def feed(self, line: bytes) -> Iterator[bytes | None]:
        """Give the texts that end in this line; None for one too long."""
        begins = 0
        for token in _TOKEN.finditer(line):
            mark = token[0]
            if mark in b"{[":
                begins = begins if self._depth else token.start()
                self._depth += 1
            elif mark in b"}]" and self._depth:
                self._depth -= 1
                if not self._depth:
                    text = b"\n".join([*self._parts, line[begins : token.end()]])
                    self.lost()
                    yield text
        if self._depth:
            self._parts.append(line[begins:])
            self._size += len(line) - begins + _LINE
            if self._size > self._longest:
                self.lost()
                yield None

    def lost(self) -> None:
        """Give up one that is not whole."""
        self._parts, self._size, self._depth = [], 0, 0
