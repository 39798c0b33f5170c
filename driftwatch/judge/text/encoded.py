"""Undo what writes bytes in letters or digits: base64, base32, base85, hexadecimal; what is packed is unpacked.

A stretch counts as undone when it then reads as text. Work is bounded: so many stretches of a kind, so long each.
"""

from __future__ import annotations

import base64
import binascii
import bz2
import re
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

PIECES: Final = 64
"""At most this many stretches of one kind are decoded in one text."""
DATA_ADDRESS: Final = "picture in base64"
"""How a stretch is called that stands in the address of a picture: that is what base64 is for."""
_UNPACKED: Final = 65_536
"""At most this many bytes are unpacked from compressed data."""
_READABLE: Final = 16
"""So many characters that read one after the other are no chance."""

_BASE64: Final = re.compile(r"(?<![A-Za-z0-9+/_=-])={0,2}[A-Za-z0-9+/_-]{16,16384}={0,2}(?![A-Za-z0-9+/_-])")
_BASE32: Final = re.compile(
    r"(?<![A-Za-z0-9=])(?:[A-Z2-7]{16,16384}+(?:\s{1,12}[A-Z2-7]{8,16384}+){0,256}+|[a-z2-7]{16,16384}+"
    r"|[0-9A-V]{24,16384}+)={0,6}(?![A-Za-z0-9])"
)
_HEX: Final = re.compile(
    r"(?<![0-9A-Za-z])(?<![0-9A-Fa-f]{2}[ :,-])(?:0x)?[0-9A-Fa-f]{2}"
    r"(?:[ :,-]{0,2}(?:\r?\n[ \t]{0,12})?(?:0x)?[0-9A-Fa-f]{2}){7,8191}+(?![0-9A-Za-z])"
)
_HEX_PLACE: Final = re.compile(r"(?m)^[ \t]{0,12}[0-9A-Fa-f]{8}(?=[ :])")
"""What stands before every line of a dump: where the line is."""
_BASE85: Final = re.compile(r"(?<!\S)[\"'`(]{0,2}(?:<~)?[!-~]{20,4096}(?!\S)")
_BLOCK: Final = re.compile(
    r"[A-Za-z0-9+/_-]{4,}+(?:(?:[\"'`][ \t]{0,4}[+.,&\\]?\s{0,16}[\"'`]|\\?\s{1,16}(?:[>#*|\"']{1,2}[ \t]{0,4})?)"
    r"[A-Za-z0-9+/_-]{2,}+){0,4096}+"
)
"""Letters of base64 with what may stand between its lines; ordinary words are such a block as well."""
_UNLIKE_WORDS: Final = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|\d[A-Za-z]|[A-Za-z]\d")
_GAPS: Final = re.compile(r"[\"'`][ \t]{0,4}[+.,&\\]?\s{0,16}[\"'`]|[^A-Za-z0-9+/_-]+")
_TAIL_OF_WORD: Final = re.compile(r"[A-Za-z0-9+/_-]{1,4}[^A-Za-z0-9+/_-]+")
_HEAD_OF_WORD: Final = re.compile(r"[^A-Za-z0-9+/_-]+[A-Za-z0-9+/_-]{1,4}\Z")
_STANDARD: Final = str.maketrans("-_", "+/")
_HEX_32: Final = str.maketrans("0123456789ABCDEFGHIJKLMNOPQRSTUV", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
_RUN: Final = re.compile(
    rb"(?:[\t\n\r\x20-\x7e]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){16,}+"
)
_STILL_ENCODED: Final = re.compile(
    r"[A-Za-z0-9+/_-]{16,}+={0,2}|(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[ :,]?){8,}+|(?:[01]{7,8} ?){4,}+"
    r"|(?:\d{2,7}[ ,]{1,2}){7,}+\d+"
)
_PICTURE: Final = re.compile(r"data:(?:image|font|audio|video)/[\w.+-]{1,40}(?:;[\w=-]{1,40}){0,3}, ?\Z", re.IGNORECASE)


class _Least(NamedTuple):
    """What a text has at least that holds a stretch of a kind: digits, and characters without a gap."""

    digits: int = 0
    unbroken: int = 0


def pieces(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Give stretches that say something once decoded: (start, end, what, how)."""
    longest = max(map(len, text.split()), default=0)
    done: list[tuple[int, int]] = []
    for expression, decode, how, least in _DECODERS:
        if longest < least.unbroken:
            continue
        for count, match in enumerate(expression.finditer(text)):
            if count >= PIECES:
                break
            said = decode(match.group())
            if said:
                start, end = match.span()
                done.append((start, end))
                yield start, end, said, _called(text, start, how)
    yield from _blocks(text, done)


def reads(said: str) -> bool:
    """Say whether text is mostly letters and spaces."""
    if len(said) < 4 or any(ord(char) < 9 for char in said):
        return False
    return sum(char.isalpha() or char.isspace() for char in said) >= 0.7 * len(said)


def as_text(raw: bytes) -> str:
    """Give bytes as text when they read as such or are encoded once more, else an empty string."""
    for coding in ("utf-8", *_WIDE.get((raw[:1] == b"\0", raw[1:2] == b"\0"), ())):
        try:
            said = raw.decode(coding)
        except UnicodeDecodeError:
            continue
        if reads(said) or (said.isascii() and _STILL_ENCODED.fullmatch(said.strip())):
            return said
    return ""


_WIDE: Final = {(False, True): ("utf-16-le",), (True, False): ("utf-16-be",)}
"""Which byte of the first two is empty tells which one of the wide codings it can be."""


def _called(text: str, start: int, how: str) -> str:
    """Name a disguise; what stands in the address of a picture is none."""
    return DATA_ADDRESS if how == "base64" and _PICTURE.search(text[max(0, start - 120) : start]) else how


def _blocks(text: str, done: list[tuple[int, int]]) -> Iterator[tuple[int, int, str, str]]:
    """Give what reads inside blocks of base64 that are broken into lines, cut off, or stuck to other letters."""
    found = 0
    for match in _BLOCK.finditer(text):
        block = match.group()
        if len(block) < 2 * _READABLE or not _UNLIKE_WORDS.search(block):
            continue
        for start, end, said in _windows(block, match.start()):
            if any(low - 4 <= start and end <= high + 4 for low, high in done):
                continue
            yield start, end, said, _called(text, start, "base64")
            found += 1
            if found >= PIECES:
                return


def _windows(block: str, at: int) -> Iterator[tuple[int, int, str]]:
    """Give the stretches of a block that read under one of the four ways to part it into groups of four letters."""
    parts: list[tuple[int, int]] = []
    kept: list[str] = []
    size = place = 0
    for gap in (*_GAPS.finditer(block), None):
        end = gap.start() if gap else len(block)
        if end > place:
            parts.append((size, at + place))
            kept.append(block[place:end])
            size += end - place
        place = gap.end() if gap else end
    letters = "".join(kept).translate(_STANDARD)
    sizes = [first for first, _ in parts]

    def origin(index: int) -> int:
        first, original = parts[bisect_right(sizes, index) - 1]
        return original + index - first

    for shift in range(4):
        body = letters[shift:]
        raw = binascii.a2b_base64(body[: len(body) // 4 * 4] + _tail(body))
        for run in _RUN.finditer(raw):
            said = run.group().decode("utf-8", "ignore")
            if _says(said):
                first = shift + 4 * run.start() // 3
                last = min(size - 1, shift + -(-4 * run.end() // 3) - 1)
                yield *_whole(block, at, origin(first), origin(last) + 1), said


def _whole(block: str, at: int, start: int, end: int) -> tuple[int, int]:
    """Leave out a word of which only a few letters were taken for a part of the code beside it."""
    first, last = _TAIL_OF_WORD.search(block, start - at, end - at), _HEAD_OF_WORD.search(block, start - at, end - at)
    cut_first = first is not None and first.start() == start - at > 0 and block[start - at - 1].isalnum()
    cut_last = last is not None and block[end - at : end - at + 1].isalnum()
    return (at + first.end() if first and cut_first else start), (at + last.start() if last and cut_last else end)


def _tail(body: str) -> str:
    """Give the last letters that make up no whole group, filled up."""
    left = len(body) % 4
    return body[len(body) - left :] + "=" * (4 - left) if left > 1 else ""


def _says(said: str) -> bool:
    """Say whether a run that may be there by chance reads: letters with gaps, or a script that has none."""
    if not reads(said):
        return False
    gaps = sum(char.isspace() for char in said)
    plain = sum(char.isascii() for char in said)
    return 20 * gaps >= len(said) or plain < 0.6 * len(said)


def _longest(raw: bytes) -> str:
    """Give the longest run that reads, for what has something stuck to its end."""
    runs = (run.group().decode("utf-8", "ignore") for run in _RUN.finditer(raw))
    return max((said for said in runs if _says(said)), key=len, default="")


def _base64(text: str) -> str:
    """Decode either alphabet, also backwards, unpacking what is compressed; empty when it is not text."""
    body = text.strip("=").translate(_STANDARD)
    for letters in (body, body[::-1]):
        try:
            raw = base64.b64decode(letters + "=" * (-len(letters) % 4), validate=True)
        except (binascii.Error, ValueError):
            continue
        said = as_text(_unpacked(raw))
        if said:
            return said
    return ""


def _base32(text: str) -> str:
    body = "".join(text.split()).rstrip("=").upper()
    if text[:1].islower() and not any(char.isdigit() for char in body):
        return ""
    for letters in (body, body.translate(_HEX_32)):
        try:
            said = as_text(_unpacked(base64.b32decode(letters + "=" * (-len(letters) % 8))))
        except (binascii.Error, ValueError):
            continue
        if said:
            return said
    return ""


def _base85(text: str) -> str:
    """Decode the three spellings of base85; a word, an address or a line of code is left alone."""
    body = text.strip("\"'`()")
    odd = sum(not char.isalnum() for char in body)
    if "://" in body or not 3 <= odd <= len(body) // 2 or body.isupper() or body.islower():
        return ""
    bare = body.removeprefix("<~").removesuffix("~>")
    for decode in (base64.b85decode, base64.a85decode):
        for letters in (bare, bare[: len(bare) // 5 * 5]):
            try:
                raw = decode(letters)
            except (ValueError, OverflowError):
                continue
            unpacked = _unpacked(raw)
            said = as_text(unpacked) or _longest(unpacked)
            if _says(said):
                return said
    return ""


def _unpacked(raw: bytes) -> bytes:
    """Unpack gzip, zlib, bare deflate and bzip2 data, up to a bound; anything else stays."""
    if raw[:3] == b"BZh":
        try:
            return bz2.BZ2Decompressor().decompress(raw, _UNPACKED)
        except (OSError, ValueError):
            return raw
    headed = raw[:2] in (b"\x1f\x8b", b"\x78\x9c", b"\x78\xda", b"\x78\x01", b"\x78\x5e")
    try:
        unpacked = zlib.decompressobj(wbits=47 if headed else -15).decompress(raw, _UNPACKED)
    except zlib.error:
        return raw
    return unpacked if headed or as_text(unpacked) else raw


def _hex(text: str) -> str:
    if "\n" in text and len(_HEX_PLACE.findall(text)) > text.count("\n") // 2:
        text = _HEX_PLACE.sub("", text)
    digits = re.sub(r"0x|[^0-9A-Fa-f]", "", text)
    return as_text(_unpacked(bytes.fromhex(digits))) if len(digits) % 2 == 0 else ""


_DECODERS: Final[tuple[tuple[re.Pattern[str], Callable[[str], str], str, _Least], ...]] = (
    (_BASE64, _base64, "base64", _Least(unbroken=16)),
    (_BASE32, _base32, "base32", _Least(unbroken=16)),
    (_HEX, _hex, "hexadecimal", _Least()),
    (_BASE85, _base85, "base85", _Least(unbroken=20)),
)
PATTERNS: Final = (
    _TAIL_OF_WORD,
    _BASE64,
    _BASE32,
    _HEX,
    _HEX_PLACE,
    _BASE85,
    _BLOCK,
    _UNLIKE_WORDS,
    _GAPS,
    _STILL_ENCODED,
    _PICTURE,
)
"""Every expression of this file that reads text, for the test that they take linear time."""
