"""Find text that stands where a person does not look: comments, titles of links, elements and escapes that hide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from driftwatch.judge.text.gate import Gated

_MARK_COMMENT: Final = re.compile(r"^[ \t]{0,8}\[[^\[\]\n]{1,100}\]: ?(?:#|<>|<#>)([^\n]*)$", re.MULTILINE)
_TITLE: Final = re.compile(
    r"!?\[([^\[\]\n]{0,2000})\]\([^()\s]{1,500}[ \t]{1,3}[\"']([^\"'\n]{8,4000})[\"']\)|!\[([^\[\]\n]{16,2000})\]\("
)
_REFERENCE: Final = re.compile(
    r"^[ ]{0,3}\[[^\[\]\n]{1,100}\]: ?\S{1,500}[ \t]{1,3}[\"'(]([^\"'()\n]{8,4000})[\"')]", re.MULTILINE
)
_ATTRIBUTE: Final = re.compile(
    r"\b(?:alt|title|aria-label|data-[a-z-]{1,30})=(?:\"([^\"<>\n]{16,4000})\"|'([^'<>\n]{16,4000})')", re.IGNORECASE
)
_OUT_OF_SIGHT: Final = re.compile(
    r"<[a-z][^<>]{0,200}?(?:display: ?none|visibility: ?hidden|font-size: ?0|opacity: ?0(?![.\d]*[1-9])"
    r"|(?:left|top|indent): ?-\d{3}|color[:=] ?[\"']?(?:#fff(?:fff)?|white|transparent)\b|[ \"']hidden\b"
    r"|aria-hidden=)[^<>]{0,200}>([^<]{8,4000})",
    re.IGNORECASE,
)
_VALUE: Final = re.compile(r"<(?:input|meta)\b[^<>]{0,200}?(?:value|content)=[\"']([^\"'<>\n]{16,4000})", re.IGNORECASE)
_TERMINAL_TEXT: Final = re.compile(r"\x1b[\]PX^_]([^\x07\x1b]{8,4000})(?:\x07|\x1b\\)")
_LINK_TEXT: Final = re.compile(r"\A\d{0,3};[^;]{0,200};")

HIDDEN_ELEMENT: Final = "element that does not show"


def pieces(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Give each such text as a piece: (start, end, what, how)."""
    yield from _comments(text)
    for gate, how in _WRAPPED:
        for match in gate.finditer(text, text):
            said = " . ".join(group for group in match.groups() if group)
            if gate.expression is _TERMINAL_TEXT:
                said = _LINK_TEXT.sub("", said)
            yield match.start(), match.end(), said, how


def _comments(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Give HTML comments; an open one that never ends goes to the end, as it does in a browser."""
    start = text.find("<!--")
    while start >= 0:
        end = text.find("-->", start + 4)
        end = len(text) if end < 0 else end
        yield start, min(end + 3, len(text)), text[start + 4 : end], "comment"
        start = text.find("<!--", end)


_WRAPPED: Final = (
    (Gated(_MARK_COMMENT, ("]:",)), "comment"),
    (Gated(_TITLE, ("](",)), "link title or image text"),
    (Gated(_REFERENCE, ("]:",)), "link title or image text"),
    (Gated(_ATTRIBUTE, ('="', "='")), "link title or image text"),
    (Gated(_OUT_OF_SIGHT, ("<",)), HIDDEN_ELEMENT),
    (Gated(_VALUE, ("<",)), "link title or image text"),
    (Gated(_TERMINAL_TEXT, ("\x1b",)), "terminal escapes"),
)
GATES: Final = tuple(gate for gate, _ in _WRAPPED)
"""Every gated expression of this file, for the test that its literals are in whatever it matches."""
PATTERNS: Final = (*(gate.expression for gate in GATES), _LINK_TEXT)
"""Every expression of this file, for the test that they take linear time."""
