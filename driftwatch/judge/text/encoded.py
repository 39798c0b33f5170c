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

from driftwatch.judge.text.added import merged

DATA_ADDRESS: Final = "picture in base64"
"""How a stretch is called that stands in the address of a picture: that is what base64 is for."""
_UNPACKED: Final = 65_536
"""At most this many bytes are unpacked from compressed data."""
_READABLE: Final = 16
"""So many characters that read one after the other are no chance."""

_BASE64: Final = re.compile(r"(?<![A-Za-z0-9+/_=-])={0,2}[A-Za-z0-9+/_-]{16,}+={0,2}(?![A-Za-z0-9+/_-])")
_BASE32: Final = re.compile(
    r"(?<![A-Za-z0-9=])(?:[A-Z2-7]{16,}+(?![A-Za-z0-9])(?:\s{1,12}[A-Z2-7]{8,}+(?![A-Za-z0-9]))*+"
    r"|[a-z2-7]{16,}+(?![A-Za-z0-9])|[0-9A-V]{24,}+(?![A-Za-z0-9]))={0,6}"
)
_HEX: Final = re.compile(
    r"(?<![0-9A-Za-z])(?:0x)?[0-9A-Fa-f]{2}(?:[ :,-]{0,2}(?:\r?\n[ \t]{0,12})?(?:0x)?[0-9A-Fa-f]{2}){7,}+"
)
_HEX_PLACE: Final = re.compile(r"(?m)^[ \t]{0,12}[0-9A-Fa-f]{8}(?=[ :])")
"""What stands before every line of a dump: where the line is."""
_BASE85: Final = re.compile(r"(?<!\S)[\"'`(]{0,2}(?:<~)?[!-~]{20,}+(?!\S)")
_BLOCK: Final = re.compile(
    r"[A-Za-z0-9+/_-]{4,}+(?:(?:[\"'`][ \t]{0,4}[+.,&\\]?\s{0,16}[\"'`]|[.,;:|~*\u00b7\u2022]"
    r"|\\?\s{1,16}(?:[>#*|\"']{1,2}[ \t]{0,4})?)"
    r"[A-Za-z0-9+/_-]{2,}+){0,4096}+"
)
"""Letters of base64 with what may stand between its lines; ordinary words are such a block as well."""
UNLIKE_WORDS: Final = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|\d[A-Za-z]|[A-Za-z]\d")
"""What codes have and hardly a word has."""
_GAPS: Final = re.compile(r"[\"'`][ \t]{0,4}[+.,&\\]?\s{0,16}[\"'`]|[^A-Za-z0-9+/_-]+")
_TAIL_OF_WORD: Final = re.compile(r"[A-Za-z0-9+/_-]{1,4}[^A-Za-z0-9+/_-]+")
_HEAD_OF_WORD: Final = re.compile(r"[^A-Za-z0-9+/_-]+[A-Za-z0-9+/_-]{1,4}\Z")
_DIGIT: Final = re.compile(r"0x|([0-9A-Fa-f])")
_CAPITALS: Final = re.compile(r"[A-Z2-7]*")
_STANDARD: Final = str.maketrans("-_", "+/")
_HEX_32: Final = str.maketrans("0123456789ABCDEFGHIJKLMNOPQRSTUV", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
_RUN: Final = re.compile(
    rb"(?:[\t\n\r\x20-\x7e]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){16,}+"
)
_STILL_ENCODED: Final = re.compile(
    r"[A-Za-z0-9+/_-]{16,}+={0,2}|(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[ :,]?){8,}+|(?:[01]{7,8} ?){4,}+"
    r"|(?:\d{2,7}[ ,]{1,2}){7,}+\d*+"
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
    for expression, decode, how, least, inside in _DECODERS:
        if longest < least.unbroken:
            continue
        for match in expression.finditer(text):
            code, start, end = match.group(), match.start(), match.end()
            said = decode(code)
            found = [(0, end - start, said)] if said else inside(code) if inside else ()
            for first, last, part in found:
                done.append((start + first, start + last))
                yield start + first, start + last, part, _called(text, start, how)
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
    whole = merged(done)
    for match in _BLOCK.finditer(text):
        block = match.group()
        if len(block) < 2 * _READABLE or not UNLIKE_WORDS.search(block):
            continue
        for start, end, said in _windows(block, match.start()):
            if _inside(whole, start, end):
                continue
            yield start, end, said, _called(text, start, "base64")


def _inside(stretches: list[tuple[int, int]], start: int, end: int) -> bool:
    """Say whether a stretch lies in one of sorted, separate ones, but for a few letters."""
    at = bisect_right(stretches, start + 4, key=lambda one: one[0])
    return at > 0 and end <= stretches[at - 1][1] + 4


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
        for begin, end, said in _readable(raw):
            first = shift + 4 * begin // 3
            last = min(size - 1, shift - (-4 * end // 3) - 1)
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
    plain = sum(map(str.isascii, said))
    return 20 * gaps >= len(said) or plain < 0.6 * len(said)


def _hex_inside(text: str) -> Iterator[tuple[int, int, str]]:
    """Give what reads inside a row of hexadecimal digits: hashes may stand beside it."""
    places = [match.start() for match in _DIGIT.finditer(text) if match.group(1)]
    raw = bytes.fromhex("".join(text[at] for at in places[: len(places) // 2 * 2]))
    for start, end, said in _readable(raw):
        yield places[2 * start], places[2 * end - 1] + 1, said


def _base32_inside(text: str) -> Iterator[tuple[int, int, str]]:
    """Give what reads inside a row of words in base32, wherever its groups of eight letters begin."""
    letters = "".join(filter(str.isalnum, text))
    if not _CAPITALS.fullmatch(letters):
        return
    places = [at for at, char in enumerate(text) if char.isalnum()]
    for shift in range(8):
        body = letters[shift : shift + (len(letters) - shift) // 8 * 8]
        for start, end, said in _readable(base64.b32decode(body)):
            first, last = shift + 8 * start // 5, shift - (-8 * end // 5) - 1
            yield places[first], places[last] + 1, said


def _readable(raw: bytes) -> Iterator[tuple[int, int, str]]:
    """Give the runs of bytes that read."""
    for run in _RUN.finditer(raw):
        said = run.group().decode("utf-8", "ignore")
        if _says(said):
            yield *run.span(), said


def longest(raw: bytes) -> str:
    """Give the longest run that reads, for what has something stuck to its end."""
    return max((said for _, _, said in _readable(raw)), key=len, default="")


def from_base64(text: str) -> str:
    """Decode either alphabet, also backwards, unpacking what is compressed; empty when it is not text."""
    body = text.strip("=").translate(_STANDARD)
    for letters in (body, body[::-1]):
        try:
            raw = base64.b64decode(letters + "=" * (-len(letters) % 4), validate=True)
        except (binascii.Error, ValueError):
            continue
        said = as_text(unpacked(raw))
        if said:
            return said
    return ""


def from_base32(text: str) -> str:
    """Decode either alphabet, parted by blanks or not; empty when it is not text."""
    body = "".join(text.split()).rstrip("=").upper()
    if text[:1].islower() and not any(map(str.isdigit, body)):
        return ""
    for letters in (body, body.translate(_HEX_32)):
        try:
            said = as_text(unpacked(base64.b32decode(letters + "=" * (-len(letters) % 8))))
        except (binascii.Error, ValueError):
            continue
        if said:
            return said
    return ""


def _base85(text: str) -> str:
    """Decode the three spellings of base85; a word, an address or a line of code is left alone."""
    body = text.strip("\"'`()")
    odd = len(body) - sum(map(str.isalnum, body))
    if "://" in body or not 3 <= odd <= len(body) // 2 or body.isupper() or body.islower():
        return ""
    bare = body.removeprefix("<~").removesuffix("~>")
    for decode in (base64.b85decode, base64.a85decode):
        for letters in (bare, bare[: len(bare) // 5 * 5]):
            try:
                raw = decode(letters)
            except (ValueError, OverflowError):
                continue
            plain = unpacked(raw)
            said = as_text(plain) or longest(plain)
            if _says(said):
                return said
    return ""


def unpacked(raw: bytes) -> bytes:
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


def from_hex(text: str) -> str:
    """Decode digits with whatever marks stand between them, also a dump; empty when it is not text."""
    if "\n" in text and len(_HEX_PLACE.findall(text)) > text.count("\n") // 2:
        text = _HEX_PLACE.sub("", text)
    digits = re.sub(r"0x|[^0-9A-Fa-f]", "", text)
    return as_text(unpacked(bytes.fromhex(digits))) if len(digits) % 2 == 0 else ""


_Inside = Callable[[str], Iterator[tuple[int, int, str]]]
_DECODERS: Final[tuple[tuple[re.Pattern[str], Callable[[str], str], str, _Least, _Inside | None], ...]] = (
    (_BASE64, from_base64, "base64", _Least(unbroken=16), None),
    (_BASE32, from_base32, "base32", _Least(unbroken=16), _base32_inside),
    (_HEX, from_hex, "hexadecimal", _Least(), _hex_inside),
    (_BASE85, _base85, "base85", _Least(unbroken=20), None),
)
PATTERNS: Final = (
    _TAIL_OF_WORD,
    _BASE64,
    _BASE32,
    _HEX,
    _HEX_PLACE,
    _DIGIT,
    _CAPITALS,
    _BASE85,
    _BLOCK,
    UNLIKE_WORDS,
    _GAPS,
    _STILL_ENCODED,
    _PICTURE,
)
"""Every expression of this file that reads text, for the test that they take linear time."""
