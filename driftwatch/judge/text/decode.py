"""Undo disguises: every reading of a text, or of a stretch of it, that says something when decoded."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote_to_bytes

from driftwatch.judge.text.hidden import hidden, zero_width_message
from driftwatch.judge.text.views import View

_PIECES: Final = 64
"""At most this many stretches of one kind are decoded in one text."""

_BASE64: Final = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{16,16384}={0,2}(?![A-Za-z0-9+/_-])")
_HEX: Final = re.compile(r"(?<![0-9A-Za-z])(?:0x)?(?:[0-9A-Fa-f]{2}[ :]?){8,8192}(?![0-9A-Za-z])")
_PERCENT: Final = re.compile(r"(?:[\w.~+-]{0,40}%[0-9A-Fa-f]{2}){4,2048}[\w.~+-]{0,40}")
_ENTITIES: Final = re.compile(r"&(?:#\d{2,7}|#x[0-9A-Fa-f]{2,6}|[A-Za-z]{2,31});")
_ESCAPES: Final = re.compile(r"(?:\\u\{?[0-9A-Fa-f]{4,6}\}?|\\x[0-9A-Fa-f]{2}|U\+[0-9A-Fa-f]{4,6} ?)")
_COMMENT: Final = re.compile(r"<!--(.{1,8192}?)-->|\[//\]: # [(\"']([^\n]{1,4096})[)\"']", re.DOTALL)


def decodings(text: str, depth: int = 1) -> Iterator[View]:
    """Give every decoded reading with the stretch it came from. Work is bounded; what decodes to noise is left out."""
    for start, end, said, how in _pieces(text):
        yield View(said, (), how, (start, end), depth)


def _pieces(text: str) -> Iterator[tuple[int, int, str, str]]:
    for run in hidden(text):
        if run.decoded:
            yield run.start, run.end, run.decoded, run.name
    spelled = zero_width_message(text)
    if spelled:
        yield 0, len(text), spelled, "zero-width characters"
    for count, match in enumerate(_BASE64.finditer(text)):
        said = _base64(match.group())
        if said and count < _PIECES:
            yield match.start(), match.end(), said, "base64"


def _base64(text: str) -> str:
    """Decode either alphabet; empty when it is not text."""
    body = text.rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        raw = base64.b64decode(body + "=" * (-len(body) % 4), validate=True)
    except (binascii.Error, ValueError):
        return ""
    return _text(raw)


def _text(raw: bytes) -> str:
    """Give bytes as text when they read as such."""
    try:
        said = raw.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    letters = sum(char.isalpha() or char.isspace() for char in said)
    return said if said.isprintable() or letters >= 0.7 * len(said) else ""
