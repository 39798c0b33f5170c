"""Which code points show nothing, or deceive the eye: one table for escaping, finding and stripping.

Ranges follow the Unicode Character Database (17.0): `Default_Ignorable_Code_Point`, general categories
`Cc`, `Cf`, `Co`, `Cs`, `Zl`, `Zp`, the noncharacters, and three blanks that count as letters or symbols.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import Final

CONTROL: Final = "control"
ANSI: Final = "ansi"
BIDI: Final = "bidi"
BIDI_MARK: Final = "bidi-mark"
ZERO_WIDTH: Final = "zero-width"
JOINER: Final = "joiner"
FILLER: Final = "filler"
SOFT_HYPHEN: Final = "soft-hyphen"
VARIATION: Final = "variation-selector"
TAG: Final = "tag"
PRIVATE: Final = "private-use"
NONCHARACTER: Final = "noncharacter"
SURROGATE: Final = "surrogate"
SEPARATOR: Final = "line-separator"
BOM: Final = "byte-order-mark"

_TABLE: Final[tuple[tuple[int, int, str], ...]] = (
    (0x00, 0x08, CONTROL),
    (0x0B, 0x0C, CONTROL),
    (0x0E, 0x1A, CONTROL),
    (0x1B, 0x1B, ANSI),
    (0x1C, 0x1F, CONTROL),
    (0x7F, 0x84, CONTROL),
    (0x85, 0x85, SEPARATOR),
    (0x86, 0x9A, CONTROL),
    (0x9B, 0x9B, ANSI),
    (0x9C, 0x9F, CONTROL),
    (0xAD, 0xAD, SOFT_HYPHEN),
    (0x34F, 0x34F, ZERO_WIDTH),
    (0x61C, 0x61C, BIDI_MARK),
    (0x115F, 0x1160, FILLER),
    (0x17B4, 0x17B5, FILLER),
    (0x180B, 0x180D, VARIATION),
    (0x180E, 0x180E, ZERO_WIDTH),
    (0x180F, 0x180F, VARIATION),
    (0x200B, 0x200B, ZERO_WIDTH),
    (0x200C, 0x200D, JOINER),
    (0x200E, 0x200F, BIDI_MARK),
    (0x2028, 0x2029, SEPARATOR),
    (0x202A, 0x202E, BIDI),
    (0x2060, 0x2065, ZERO_WIDTH),
    (0x2066, 0x2069, BIDI),
    (0x206A, 0x206F, ZERO_WIDTH),
    (0x2800, 0x2800, FILLER),
    (0x3164, 0x3164, FILLER),
    (0xD800, 0xDFFF, SURROGATE),
    (0xE000, 0xF8FF, PRIVATE),
    (0xFDD0, 0xFDEF, NONCHARACTER),
    (0xFE00, 0xFE0F, VARIATION),
    (0xFEFF, 0xFEFF, BOM),
    (0xFFA0, 0xFFA0, FILLER),
    (0xFFF0, 0xFFFB, ZERO_WIDTH),
    (0xFFFE, 0xFFFF, NONCHARACTER),
    (0x1BCA0, 0x1BCA3, ZERO_WIDTH),
    (0x1D173, 0x1D17A, ZERO_WIDTH),
    *((plane + 0xFFFE, plane + 0xFFFF, NONCHARACTER) for plane in range(0x10000, 0xE0000, 0x10000)),
    (0xE0000, 0xE007F, TAG),
    (0xE0080, 0xE00FF, ZERO_WIDTH),
    (0xE0100, 0xE01EF, VARIATION),
    (0xE01F0, 0xE0FFF, ZERO_WIDTH),
    (0xEFFFE, 0xEFFFF, NONCHARACTER),
    (0xF0000, 0xFFFFD, PRIVATE),
    (0xFFFFE, 0xFFFFF, NONCHARACTER),
    (0x100000, 0x10FFFD, PRIVATE),
    (0x10FFFE, 0x10FFFF, NONCHARACTER),
)
_STARTS: Final = [start for start, _, _ in _TABLE]

UNSEEN: Final = re.compile("[" + "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high, _ in _TABLE) + "]")
"""One character that shows nothing or deceives. Line feed, tab and carriage return are not in it."""

TERMINAL: Final = re.compile(r"(?:\x1b\[|\x9b)[0-9;?]{0,30}[ -/]{0,3}[@-~]|\x1b\][^\x07\x1b]{0,500}(?:\x07|\x1b\\)")
"""One whole terminal escape: its introducer with what it takes along, none of which shows."""

NAMES: Final[dict[str, str]] = {
    CONTROL: "control character",
    ANSI: "terminal escape",
    BIDI: "text-direction override",
    BIDI_MARK: "text-direction mark",
    ZERO_WIDTH: "zero-width character",
    JOINER: "zero-width joiner",
    FILLER: "blank filler",
    SOFT_HYPHEN: "soft hyphen",
    VARIATION: "variation selector",
    TAG: "tag character",
    PRIVATE: "private-use character",
    NONCHARACTER: "noncharacter",
    SURROGATE: "lone surrogate",
    SEPARATOR: "line separator",
    BOM: "byte order mark",
}
"""Plain words for each class."""


def unseen_class(char: str) -> str:
    """Give the class of one code point, or an empty string for one that shows."""
    code = ord(char)
    place = bisect_right(_STARTS, code) - 1
    if place < 0:
        return ""
    _, high, name = _TABLE[place]
    return name if code <= high else ""


def within(char: str, ranges: Iterable[tuple[int, int]]) -> bool:
    """Say whether a character, or none, lies in one of some ranges of code points."""
    code = ord(char) if char else -1
    return any(low <= code <= high for low, high in ranges)


def is_emoji_base(char: str) -> bool:
    """Say whether VS16 or a joiner after this character is ordinary emoji spelling."""
    code = ord(char)
    return (
        0x1F000 <= code <= 0x1FAFF
        or 0x2190 <= code <= 0x2BFF
        or code in (0x23, 0x2A, 0xA9, 0xAE, 0x203C, 0x2049, 0x20E3, 0x2122, 0x2139, 0x3030, 0x303D, 0x3297, 0x3299)
        or 0x30 <= code <= 0x39
        or code == 0xFE0F
    )
