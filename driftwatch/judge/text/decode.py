"""Undo encodings: every stretch of a text that says something once decoded, and every reading with escapes undone.

Work is bounded: so many stretches of a kind, so many characters each, and one encoding inside another at most.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
import zlib
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple
from urllib.parse import unquote

from driftwatch.judge.text import ciphers, spelling, views
from driftwatch.judge.text.chars import TERMINAL, UNSEEN
from driftwatch.judge.text.gate import Gated, lower
from driftwatch.judge.text.hidden import hidden, styled, zero_width_message
from driftwatch.judge.text.views import View
from driftwatch.model import Severity

_PIECES: Final = 64
"""At most this many stretches of one kind are decoded in one text."""
_UNPACKED: Final = 65_536
"""At most this many bytes are unpacked from compressed data."""
_INNER: Final = 4096
"""Readings up to this many characters are looked into for a second encoding."""
_BUDGET: Final = 65_536
"""All readings together have at most this many characters and four times the text."""

_BASE64: Final = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{16,16384}={0,2}(?![A-Za-z0-9+/_-])")
_BASE32: Final = re.compile(r"(?<![A-Z0-9=])[A-Z2-7]{16,16384}={0,6}(?![A-Za-z0-9])")
_HEX: Final = re.compile(
    r"(?<![0-9A-Za-z])(?<![0-9A-Fa-f]{2}[ :,])(?:0x)?[0-9A-Fa-f]{2}(?:[ :,]?(?:0x)?[0-9A-Fa-f]{2}){7,8191}+"
    r"(?![0-9A-Za-z])"
)
_BINARY: Final = re.compile(r"(?<![01])(?<![01][ ,])[01]{8}(?:[ ,]?[01]{8}){3,2047}+(?![01])")
_CODES: Final = re.compile(r"(?<![\d.])(?<!\d[ ,])\d{2,3}(?:[ ,]{1,2}\d{2,3}){7,2047}+(?![\d.])")
_MORSE: Final = re.compile(r"(?<![.\w-])[.-]{1,6}(?:[ /|]{1,3}[.-]{1,6}){7,2047}")
_PERCENT: Final = re.compile(r"%[0-9A-Fa-f]{2}(?:[\w.~+-]{0,24}%[0-9A-Fa-f]{2}){1,1024}")
_ENTITIES: Final = re.compile(r"&(?:#\d{2,7}|#[xX][0-9A-Fa-f]{2,6}|[A-Za-z]{2,31});")
_ESCAPES: Final = re.compile(
    r"\\u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}"
    r"|\\u\{[0-9A-Fa-f]{1,6}\}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\bU\+[0-9A-Fa-f]{4,6} ?|\\[0-7]{3}"
)
_ESCAPED_TAGS: Final = re.compile(r"&lt;([\w-]{1,40})&gt;(?:[^&]|&(?!lt;)){12,2000}+&lt;/\1&gt;")
_FULL_WIDTH: Final = re.compile("[\uff01-\uff5e](?:[ \u3000]{0,2}[\uff01-\uff5e]){3,4095}+")
_NARROW: Final[dict[int, int | str]] = {**{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}, 0x3000: " "}
_TOKEN: Final = re.compile(r"\S{1,400}")
_MARKED: Final = frozenset("<[|{`")
"""What every mark begins with that a model takes for structure."""
_MARK_COMMENT: Final = re.compile(r"^[ \t]{0,8}\[(?://|comment)\]: ?#(.*)$", re.IGNORECASE | re.MULTILINE)
_TITLE: Final = re.compile(
    r"!?\[([^\[\]\n]{0,2000})\]\([^()\s]{1,500}[ \t]{1,3}[\"']([^\"'\n]{8,4000})[\"']\)|!\[([^\[\]\n]{16,2000})\]\("
)
_OVERRIDDEN: Final = re.compile(r"[\u202e\u2067]([^\u202c\u2069\u202e\u2067]{1,4096})[\u202c\u2069]?")
_REFERENCE: Final = re.compile(
    r"^[ ]{0,3}\[[^\[\]\n]{1,100}\]: ?\S{1,500}[ \t]{1,3}[\"'(]([^\"'()\n]{8,4000})[\"')]", re.MULTILINE
)
_ATTRIBUTE: Final = re.compile(
    r"\b(?:alt|title|aria-label|data-[a-z-]{1,30})=(?:\"([^\"<>\n]{16,4000})\"|'([^'<>\n]{16,4000})')", re.IGNORECASE
)
_PUNYCODE: Final = re.compile(r"\bxn--[a-z0-9-]{1,59}", re.IGNORECASE)


def decodings(text: str) -> Iterator[View]:
    """Give every other reading of the text, within a budget. What decodes to noise is left out."""
    budget = _BUDGET + 4 * len(text)
    for view in _readings(text):
        yield view
        budget -= len(view.text)
        if budget < 0:
            return
        if len(view.text) <= _INNER:
            for deeper in _readings(view.text):
                yield views.inner(view, deeper)
                budget -= len(deeper.text)
                if budget < 0:
                    return


def _readings(text: str) -> Iterator[View]:
    for start, end, said, how in _pieces(text):
        if said != text[start:end]:
            yield views.piece(said, start, end, how)
    if not text.isascii():
        yield from _narrow(text)
    lowered = lower(text)
    for gate, put, how in _REWRITES:
        opens = gate.opens(lowered) and (gate.expression is not TERMINAL or _hides(text))
        view = views.rewritten(text, gate.expression, put, how) if opens else None
        if view is not None:
            yield view
    yield from spelling.readings(text)
    yield from ciphers.readings(text)


def _pieces(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Give stretches that say something as a piece: (start, end, what, how)."""
    if not text.isascii():
        for run in hidden(text):
            if run.decoded:
                yield run.start, run.end, run.decoded, run.kind
        spelled = zero_width_message(text)
        if spelled:
            yield 0, len(text), spelled, "zero-width"
    yield from _decoded(text)
    yield from _comments(text)
    yield from _bare_marks(text)
    for gate, how in _WRAPPED:
        for count, match in enumerate(gate.finditer(text, text)):
            if count >= _PIECES:
                break
            said = " . ".join(group for group in match.groups() if group)
            yield match.start(), match.end(), said[::-1] if gate.expression is _OVERRIDDEN else said, how


def _decoded(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Give stretches of letters or digits that say something once decoded."""
    digits = sum(map(text.count, "0123456789")) if text.isascii() else len(text)
    longest = max(map(len, text.split()), default=0)
    for expression, decode, how, needs in _DECODERS:
        if digits < needs.digits or longest < needs.unbroken:
            continue
        for count, match in enumerate(expression.finditer(text)):
            if count >= _PIECES:
                break
            said = decode(match.group())
            if said:
                yield match.start(), match.end(), said, how


def _comments(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Give HTML comments; an open one that never ends goes to the end, as it does in a browser."""
    start = text.find("<!--")
    for _ in range(_PIECES):
        if start < 0:
            return
        end = text.find("-->", start + 4)
        end = len(text) if end < 0 else end
        yield start, min(end + 3, len(text)), text[start + 4 : end], "comment"
        start = text.find("<!--", end)


def _narrow(text: str) -> Iterator[View]:
    """Give stretches in full-width letters in common ones, letter for letter."""
    for count, match in enumerate(_FULL_WIDTH.finditer(text)):
        if count >= _PIECES:
            return
        start, end = match.span()
        said = match.group().translate(_NARROW)
        if any(char.isalpha() for char in said):
            yield View(said, range(start, end), range(start + 1, end + 1), "full-width letters", ((start, end),))


def _bare_marks(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Give marks such as tags that characters without a shape break up, as they read without."""
    if text.isascii() and text.isprintable():
        return
    left = _PIECES
    for match in _TOKEN.finditer(text):
        token = match.group()
        if UNSEEN.search(token) is None or _MARKED.isdisjoint(token):
            continue
        said = UNSEEN.sub("", TERMINAL.sub("", token))
        if said.isascii() and said != token:
            yield match.start(), match.end(), said, "hidden characters"
            left -= 1
        if not left:
            return


def _hides(text: str) -> bool:
    """Say whether terminal escapes do more than colour whole words, which are read as they stand."""
    before, last = "", -1
    for match in TERMINAL.finditer(text):
        start, end = match.span()
        if styled(match.group()) > Severity.LOW:
            return True
        if start != last:
            before = text[start - 1 : start]
        if before.isalnum() and text[end : end + 1].isalnum():
            return True
        last = end
    return False


def _base64(text: str) -> str:
    """Decode either alphabet, unpacking what is compressed; empty when it is not text."""
    body = text.rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        raw = base64.b64decode(body + "=" * (-len(body) % 4), validate=True)
    except (binascii.Error, ValueError):
        return ""
    return _text(_unpacked(raw))


def _base32(text: str) -> str:
    body = text.rstrip("=")
    try:
        return _text(base64.b32decode(body + "=" * (-len(body) % 8)))
    except (binascii.Error, ValueError):
        return ""


def _unpacked(raw: bytes) -> bytes:
    """Unpack gzip and zlib data, up to a bound; anything else stays."""
    if raw[:2] not in (b"\x1f\x8b", b"\x78\x9c", b"\x78\xda", b"\x78\x01", b"\x78\x5e"):
        return raw
    try:
        return zlib.decompressobj(wbits=47).decompress(raw, _UNPACKED)
    except zlib.error:
        return raw


def _hex(text: str) -> str:
    digits = re.sub(r"0x|[ :,]", "", text)
    return _text(bytes.fromhex(digits)) if len(digits) % 2 == 0 else ""


def _binary(text: str) -> str:
    bits = re.sub(r"[ ,]", "", text)
    return _text(bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)))


def _codes(text: str) -> str:
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    return _text(bytes(numbers)) if all(9 <= number < 127 for number in numbers) else ""


def _morse(text: str) -> str:
    parts = re.findall(r"[.-]+|[/|]|  +", text)
    said = "".join(_MORSE_LETTERS.get(part, " " if part[0] in "/| " else "") for part in parts)
    return said if sum(char.isalpha() for char in said) >= 6 else ""


def _text(raw: bytes) -> str:
    """Give bytes as text when they read as such, else an empty string."""
    try:
        said = raw.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    if len(said) < 4 or any(ord(char) < 9 for char in said):
        return ""
    letters = sum(char.isalpha() or char.isspace() for char in said)
    return said if letters >= 0.7 * len(said) else ""


def _entity(match: re.Match[str]) -> str | None:
    said = html.unescape(match.group())
    if match.group()[1] == "#" and said in " \xa0":
        return " "
    return said if said != match.group() and said not in "&<>\"' \xa0" else None


def _escape(match: re.Match[str]) -> str | None:
    text = match.group().strip()
    if len(text) == 12:
        return chr(0x10000 + (int(text[2:6], 16) - 0xD800) * 0x400 + int(text[8:], 16) - 0xDC00)
    code = int(text[1:], 8) if text[1:].isdigit() and text[0] == "\\" else int(text.strip("\\uxU+{}"), 16)
    return chr(code) if 32 <= code < 0x110000 else None


def _percent(match: re.Match[str]) -> str | None:
    said = unquote(match.group(), errors="replace")
    return said if "\ufffd" not in said else None


def _puny(match: re.Match[str]) -> str | None:
    try:
        return match.group()[4:].encode("ascii").decode("punycode")
    except (UnicodeError, ValueError, IndexError, OverflowError):
        return None


class _Least(NamedTuple):
    """What a text has at least that holds a stretch of a kind: digits, and characters without a gap."""

    digits: int = 0
    unbroken: int = 0


_DECODERS: Final[tuple[tuple[re.Pattern[str], Callable[[str], str], str, _Least], ...]] = (
    (_BASE64, _base64, "base64", _Least(unbroken=16)),
    (_BASE32, _base32, "base32", _Least(unbroken=16)),
    (_HEX, _hex, "hexadecimal", _Least()),
    (_BINARY, _binary, "binary digits", _Least(digits=32)),
    (_CODES, _codes, "character codes", _Least(digits=16)),
    (_MORSE, _morse, "Morse code", _Least()),
)
_REWRITES: Final[tuple[tuple[Gated, Callable[[re.Match[str]], str | None], str], ...]] = (
    (Gated(_ENTITIES, ("&",)), _entity, "HTML entities"),
    (Gated(_ESCAPED_TAGS, ("&lt;/",)), lambda match: html.unescape(match.group()), "HTML entities"),
    (Gated(_ESCAPES, ("\\", "u+")), _escape, "character escapes"),
    (Gated(_PERCENT, ("%",)), _percent, "percent encoding"),
    (Gated(TERMINAL, ("\x1b", "\x9b")), lambda _: "", "terminal escapes"),
    (Gated(_PUNYCODE, ("xn--",)), _puny, "punycode"),
)
_WRAPPED: Final = (
    (Gated(_MARK_COMMENT, ("]:",)), "comment"),
    (Gated(_TITLE, ("](",)), "link title or image text"),
    (Gated(_REFERENCE, ("]:",)), "link title or image text"),
    (Gated(_ATTRIBUTE, ('="', "='")), "link title or image text"),
    (Gated(_OVERRIDDEN, ("\u202e", "\u2067")), "bidi override"),
)
GATES: Final = (*(gate for gate, _, _ in _REWRITES), *(gate for gate, _ in _WRAPPED))
"""Every gated expression of this file, for the test that its literals are in whatever it matches."""
PATTERNS: Final = (
    _BASE64, _BASE32, _HEX, _BINARY, _CODES, _MORSE, _PERCENT, _ENTITIES, _ESCAPED_TAGS, _ESCAPES, TERMINAL,
    _MARK_COMMENT, _TITLE, _REFERENCE, _ATTRIBUTE, _OVERRIDDEN, _PUNYCODE, _FULL_WIDTH, _TOKEN,
)  # fmt: skip
"""Every expression of this file, for the test that they take linear time."""

_MORSE_SPELLED: Final = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.. "
    ".---- ..--- ...-- ....- ..... -.... --... ---.. ----. -----"
)
_MORSE_LETTERS: Final = dict(zip(_MORSE_SPELLED.split(" "), "abcdefghijklmnopqrstuvwxyz1234567890", strict=True))
