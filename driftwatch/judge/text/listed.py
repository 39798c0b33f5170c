"""Undo codes that come in entries: a part of one to a line with a mark or a label before it, and uuencode."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from typing import Final

from driftwatch.judge.text.encoded import UNLIKE_WORDS, as_text, from_base32, from_base64, from_hex, unpacked

_ENTRY: Final = re.compile(r"[^\n;,|]+")
_CODE: Final = re.compile(r"[\"'`(]?([A-Za-z0-9+/_-]{4,400}+={0,6})[\"'`).]{0,3}\Z")
_LABEL: Final = 32
"""So many characters stand before the code of an entry at most; before the first there may be anything."""
_ENTRIES: Final = 3
_LEAST: Final = 24
_UU: Final = re.compile(
    r"\bbegin [0-7]{3,4} [^\n]{1,100}\r?\n((?:[ -`]{2,62}(?:\r?\n|\Z)){1,4096}+)"
    r"|((?:M[ -`]{60}\r?\n){2,4096}+(?:[!-L][ -`]{4,60})?)"
)


def pieces(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Give stretches that say something once decoded: (start, end, what, how)."""
    for codes in _lists(text):
        joined = "".join(text[start:end] for start, end in codes)
        if len(codes) >= _ENTRIES and len(joined) >= _LEAST and UNLIKE_WORDS.search(joined):
            found = ((decode(joined), how) for decode, how in _DECODERS)
            said, how = next(((said, how) for said, how in found if said), ("", ""))
            if said:
                yield codes[0][0], codes[-1][1], said, how
    for match in _UU.finditer(text):
        said = _from_lines(match.group(1) or match.group(2))
        if said:
            yield match.start(), match.end(), said, "uuencode"


def _lists(text: str) -> Iterator[list[tuple[int, int]]]:
    """Give the codes that end entries one after the other."""
    codes: list[tuple[int, int]] = []
    for match in _ENTRY.finditer(text):
        entry = match.group().rstrip()
        if not entry:
            continue
        begin = max(entry.rfind(mark) for mark in " \t:=>]") + 1
        code = _CODE.match(entry, begin) if len(entry) - begin <= 408 else None
        if codes and (code is None or len(entry[:begin].strip()) > _LABEL):
            yield codes
            codes = []
        if code is not None:
            codes.append((match.start() + code.start(1), match.start() + code.end(1)))
    yield codes


def _from_lines(lines: str) -> str:
    """Decode the lines of uuencode as far as they are such."""
    raw = bytearray()
    for line in lines.splitlines():
        try:
            raw += binascii.a2b_uu(line)
        except (binascii.Error, ValueError):
            break
    return as_text(unpacked(bytes(raw)))


_DECODERS: Final = ((from_base64, "base64"), (from_hex, "hexadecimal"), (from_base32, "base32"))
PATTERNS: Final = (_ENTRY, _CODE, _UU)
"""Every expression of this file, for the test that they take linear time."""
