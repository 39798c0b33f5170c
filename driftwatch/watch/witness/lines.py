"""Lines out of chunks, in bounded memory. Pure."""

from __future__ import annotations

from collections.abc import Iterator


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
