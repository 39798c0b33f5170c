"""Undo escapes letter by letter: entities, percent signs, backslashes, punycode, and the codes of terminals."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple
from urllib.parse import unquote

from driftwatch.judge.text import views
from driftwatch.judge.text.chars import TERMINAL
from driftwatch.judge.text.gate import Gated
from driftwatch.judge.text.hidden import styled
from driftwatch.judge.text.views import View
from driftwatch.model import Severity

_PLAIN_LETTERS: Final = 40
"""So many plain letters that need no escape, all of them escaped, are no example."""

_PERCENT: Final = re.compile(r"%[0-9A-Fa-f]{2}(?:[\w.~+-]{0,24}%[0-9A-Fa-f]{2}){1,1024}")
_ENTITIES: Final = re.compile(
    r"&(?:amp;){0,3}(?:#\d{2,7};?|#[xX][0-9A-Fa-f]{2,6}(?:;|(?![0-9A-Fa-f])))|&[A-Za-z]{2,31};"
)
_ESCAPES: Final = re.compile(
    r"\\{1,3}u[dD][89abAB][0-9A-Fa-f]{2}\\{1,3}u[dD][c-fC-F][0-9A-Fa-f]{2}"
    r"|\\{1,3}u\{[0-9A-Fa-f]{1,6}\}|\\{1,3}u[0-9A-Fa-f]{4}|\\{1,3}U[0-9A-Fa-f]{8}|(?:\\x[0-9A-Fa-f]{2}){1,2048}+"
    r"|\bU\+[0-9A-Fa-f]{4,6} ?|(?:\\[0-7]{3}){1,2048}+|(?:\\[0-9A-Fa-f]{2,6} ){6,2048}+"
)
_ESCAPED_TAGS: Final = re.compile(r"&lt;([\w-]{1,40})&gt;(?:[^&]|&(?!lt;)){12,2000}+&lt;/\1&gt;")
_QUOTED_PRINTABLE: Final = re.compile(r"(?:=(?:[0-9A-F]{2}|\r?\n)){3,2048}+|[^\W_]{1,40}=20[^\W_]{1,40}")
PUNYCODE: Final = re.compile(r"\bxn--[a-z0-9-]{1,59}", re.IGNORECASE)
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]{1,64}")
_PRIVATE: Final = re.compile("[\ue020-\ue07e\uf020-\uf07e]{4,4096}")
_LETTER: Final = "(?:4[1-9A-Fa-f]|5[0-9Aa]|6[1-9A-Fa-f]|7[0-9Aa])"
_LETTERS: Final = re.compile(
    rf"%{_LETTER}|&#x{_LETTER}|&#(?:6[5-9]|[78]\d|90|9[7-9]|1[01]\d|12[0-2])(?!\d)|\\(?:u00|x|u\{{0{{0,4}}|U000000){_LETTER}"
)
"""A plain letter that was escaped."""


def readings(text: str, lowered: str) -> Iterator[View]:
    """Give the text with each kind of escape undone; `lowered` is the text in lower case, as gates take it."""
    for gate, put, how in _REWRITES:
        if not gate.opens(lowered) or (gate.expression is TERMINAL and not _hides(text)):
            continue
        view = views.rewritten(text, gate.expression, put, how)
        if view is not None:
            odd = how in _ORDINARY and _LETTERS.search(text) and len(_LETTERS.findall(text)) >= _PLAIN_LETTERS
            yield view.named(f"plain letters in {how}") if odd else view


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


def _entity(match: re.Match[str]) -> str | None:
    whole = match.group()
    doubled = "amp;" in whole and "#" in whole
    numbered = "#" in whole and not whole.endswith(";")
    said = html.unescape((whole.replace("amp;", "") if doubled else whole) + (";" if numbered else ""))
    if "#" in whole and said in " \xa0":
        return " "
    return said if said != whole and said not in "&<>\"' \xa0" else None


def _escape(match: re.Match[str]) -> str | None:
    text = match.group().strip()
    bare = "\\" + text.lstrip("\\") if text[0] == "\\" else text
    if bare[:2] == "\\u" and text.count("u") == 2:
        first, second = (int(part[:4], 16) for part in bare.replace("\\", "").split("u")[1:])
        return chr(0x10000 + (first - 0xD800) * 0x400 + second - 0xDC00)
    if bare[:2] in ("\\u", "\\U", "U+"):
        return _letter(int(bare[2:].strip("{}"), 16))
    if " " in text:
        letters = [_letter(int(part, 16)) for part in text[1:].split(" \\")]
        return None if None in letters else "".join(letter for letter in letters if letter)
    base, width = (16, 4) if bare[1] == "x" else (8, 4)
    numbers = [int(text[at + (base == 16) + 1 : at + width], base) for at in range(0, len(text), width)]
    if any(number > 255 or number < 9 for number in numbers):
        return None
    raw = bytes(numbers)
    try:
        said = raw.decode("utf-8")
    except UnicodeDecodeError:
        said = raw.decode("latin-1")
    return said if min(raw) >= 32 or len(raw) > 1 else None


def _letter(code: int) -> str | None:
    return chr(code) if 32 <= code < 0x110000 else None


def _percent(match: re.Match[str]) -> str | None:
    said = unquote(match.group(), errors="replace")
    return said if "\ufffd" not in said else None


def _printable(match: re.Match[str]) -> str | None:
    if match.group()[0] != "=":
        return match.group().replace("=20", " ")
    try:
        return bytes.fromhex("".join(match.group().split()).replace("=", "")).decode("utf-8")
    except UnicodeDecodeError:
        return None


def from_punycode(label: str) -> str | None:
    """Give what a part of a host name in punycode shows; None when it is none."""
    try:
        return label[4:].encode("ascii").decode("punycode")
    except (UnicodeError, ValueError, IndexError, OverflowError):
        return None


def _private(match: re.Match[str]) -> str:
    return "".join(chr(ord(char) & 0xFF) for char in match.group())


class _Rewrite(NamedTuple):
    gate: Gated
    put: Callable[[re.Match[str]], str | None]
    how: str


_REWRITES: Final = (
    _Rewrite(Gated(_ENTITIES, ("&",)), _entity, "HTML entities"),
    _Rewrite(Gated(_ESCAPED_TAGS, ("&lt;/",)), lambda match: html.unescape(match.group()), "HTML entities"),
    _Rewrite(Gated(_ESCAPES, ("\\", "u+")), _escape, "character escapes"),
    _Rewrite(Gated(_PERCENT, ("%",)), _percent, "percent encoding"),
    _Rewrite(Gated(_QUOTED_PRINTABLE, ("=",)), _printable, "quoted-printable"),
    _Rewrite(Gated(TERMINAL, ("\x1b", "\x9b")), lambda _: "", "terminal escapes"),
    _Rewrite(Gated(PUNYCODE, ("xn--",)), lambda match: from_punycode(match.group()), "punycode"),
    _Rewrite(Gated(_CONTROLS), lambda _: "", "control characters"),
    _Rewrite(Gated(_PRIVATE), _private, "private-use letters"),
)
_ORDINARY: Final = frozenset({"HTML entities", "character escapes", "percent encoding"})
"""What honest texts have as well, for letters that need it."""
GATES: Final = tuple(rewrite.gate for rewrite in _REWRITES)
"""Every gated expression of this file, for the test that its literals are in whatever it matches."""
PATTERNS: Final = (
    *(_PERCENT, _ENTITIES, _ESCAPES, _ESCAPED_TAGS, _QUOTED_PRINTABLE, PUNYCODE, _CONTROLS, _PRIVATE, _LETTERS),
    TERMINAL,
)
"""Every expression of this file, for the test that they take linear time."""
