"""Makes the picture of a page smaller: 256 colours are enough where there are few besides the edges of letters."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterator

_HEAD = b"\x89PNG\r\n\x1a\n"


def with_palette(png: bytes) -> bytes:
    """Give a picture of 8 bits a channel as one with a palette; rare colours become the nearest of the common ones."""
    chunks = list(_chunks(png))
    width, height, depth, kind, *_ = struct.unpack(">IIBBBBB", dict(chunks)[b"IHDR"])
    if depth != 8 or kind not in (2, 6):
        raise ValueError(f"a picture of another kind: {depth} bits, type {kind}")
    size = 3 if kind == 2 else 4
    raw = zlib.decompress(b"".join(data for name, data in chunks if name == b"IDAT"))
    rows = list(_rows(raw, width * size, size))
    pixels = [[row[at : at + 3] for at in range(0, len(row), size)] for row in rows]
    counted = Counter(pixel for row in pixels for pixel in row)
    kept = [colour for colour, _ in counted.most_common(256)]
    index = {colour: number for number, colour in enumerate(kept)}
    for colour in counted.keys() - index.keys():
        index[colour] = min(range(len(kept)), key=lambda number: _apart(kept[number], colour))
    lines = b"".join(b"\0" + bytes(index[pixel] for pixel in row) for row in pixels)
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", b"".join(kept)), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b""))
    return _HEAD + b"".join(_chunk(name, data) for name, data in parts)


def _apart(one: bytes, other: bytes) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_HEAD)
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _rows(raw: bytes, length: int, size: int) -> Iterator[bytes]:
    """Undo the filters of the rows; `size` is how many bytes a pixel has."""
    above = bytes(length)
    for start in range(0, len(raw), length + 1):
        kind, row = raw[start], bytearray(raw[start + 1 : start + 1 + length])
        for at in range(length) if kind else ():
            left, up = row[at - size] if at >= size else 0, above[at]
            corner = above[at - size] if at >= size else 0
            row[at] = (row[at] + _guess(kind, left, up, corner)) & 255
        above = bytes(row)
        yield above


def _guess(kind: int, left: int, up: int, corner: int) -> int:
    if kind == 4:
        guess = left + up - corner
        return min((left, up, corner), key=lambda one: abs(guess - one))
    return (0, left, up, (left + up) // 2)[kind]
