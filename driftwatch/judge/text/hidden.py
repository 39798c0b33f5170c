"""Find characters that show nothing: where they are, what they spell, and whether honest text has them there."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from driftwatch.judge.text import chars
from driftwatch.judge.text.base import Hidden
from driftwatch.judge.text.chars import NAMES, TERMINAL, UNSEEN, is_emoji_base, unseen_class, within
from driftwatch.judge.text.words import MARKS
from driftwatch.model import Severity

_JOINING: Final = (
    (0x0590, 0x08FF),  # Hebrew, Arabic, Syriac, Thaana, N'Ko
    (0x0900, 0x0DFF),  # Indic
    (0x0E00, 0x109F),  # Thai to Myanmar
    (0x1780, 0x18AF),  # Khmer, Mongolian
    (0xFB1D, 0xFDCF),
    (0xFDF0, 0xFDFF),
    (0xFE70, 0xFEFC),
    (0x10A00, 0x11FFF),
    (0x1E900, 0x1E95F),
)
RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_OVERRIDES: Final = frozenset("\u202d\u202e")
_STYLE: Final = re.compile(r"\x1b\[([0-9;]{0,30})m")
_PLAIN_STYLES: Final = frozenset({0, 1, 3, 4, 22, 23, 24, 39, 49, *range(31, 37), *range(91, 97)})
"""Bold, slanted, underlined, the six colours, and their ends: what is written so is seen on every terminal."""
_FAINT_STYLES: Final = frozenset({2, 37, 90, 97})
"""Faint, grey and white: some terminals do not show it."""
_FLAGS: Final = frozenset({"gbeng", "gbsct", "gbwls"})
_NEAR: Final = 24
"""How far, in characters, a direction mark may stand from right-to-left text and still be ordinary."""

_LEVELS: Final[dict[str, Severity]] = {
    chars.CONTROL: Severity.MEDIUM,
    chars.ANSI: Severity.HIGH,
    chars.BIDI: Severity.HIGH,
    chars.BIDI_MARK: Severity.LOW,
    chars.ZERO_WIDTH: Severity.MEDIUM,
    chars.JOINER: Severity.MEDIUM,
    chars.FILLER: Severity.MEDIUM,
    chars.SOFT_HYPHEN: Severity.LOW,
    chars.VARIATION: Severity.LOW,
    chars.TAG: Severity.HIGH,
    chars.PRIVATE: Severity.LOW,
    chars.NONCHARACTER: Severity.MEDIUM,
    chars.SURROGATE: Severity.LOW,
    chars.SEPARATOR: Severity.LOW,
    chars.BOM: Severity.MEDIUM,
}


@lru_cache(maxsize=16)
def hidden(text: str) -> tuple[Hidden, ...]:
    """Give every run of characters that shows nothing or deceives, in order; honest uses are left out.

    Left out: emoji joined by ZWJ or styled by VS16, joiners inside Arabic, Persian or Indic words, the tag
    sequences of the three flag emoji. Low: direction marks beside right-to-left text, a leading BOM, terminal escapes
    that only colour, soft hyphens where a word can break.
    """
    if text.isascii() and text.isprintable():
        return ()
    alone = text.count("\ufeff") == 1
    judged = (_judge(text, start, end, kind, alone=alone) for start, end, kind in _runs(text))
    return tuple(run for run in judged if run is not None)


def _runs(text: str) -> list[tuple[int, int, str]]:
    """Group neighbours of one class."""
    runs: list[tuple[int, int, str]] = []
    for match in UNSEEN.finditer(text):
        at, kind = match.start(), unseen_class(match.group())
        if runs and runs[-1][1] == at and runs[-1][2] == kind:
            runs[-1] = (runs[-1][0], at + 1, kind)
        else:
            runs.append((at, at + 1, kind))
    return runs


def _judge(text: str, start: int, end: int, kind: str, *, alone: bool) -> Hidden | None:
    """Rate one run, or say None when honest text has it there; `alone`: the text has one byte order mark."""
    level, decoded = _LEVELS[kind], ""
    before = text[start - 1] if start else ""
    after = text[end] if end < len(text) else ""
    if kind == chars.JOINER:
        if end - start == 1 and _joins(before, after):
            return None
    elif kind == chars.VARIATION:
        decoded = _variation_message(text[start:end])
        if not decoded and end - start == 1 and _varies(before):
            return None
        level = Severity.HIGH if decoded else Severity.MEDIUM if end - start > 1 else Severity.LOW
    elif kind == chars.TAG:
        decoded = tag_message(text[start:end])
        if before == "\U0001f3f4" and decoded in _FLAGS and text[end - 1] == "\U000e007f":
            return None
    elif kind in (chars.BIDI_MARK, chars.BIDI):
        if _rtl_near(text, start, end):
            # An override turns letters around; right-to-left text beside it explains a mark, not that.
            overrides = any(char in _OVERRIDES for char in text[start:end])
            level = Severity.MEDIUM if overrides else Severity.LOW
    elif kind == chars.ANSI:
        escape = TERMINAL.match(text, start)
        level = styled(escape.group()) if escape else Severity.HIGH
    elif kind == chars.SOFT_HYPHEN:
        level = Severity.LOW if _hyphenates(text, start, end) else Severity.MEDIUM
    elif kind == chars.BOM and (start == 0 or alone) and end - start == 1:
        level = Severity.LOW
    return Hidden(kind, start, end, _name(text[start], kind), level, decoded)


def styled(escape: str) -> Severity:
    """Rate one terminal escape: low when it only colours, medium when it fades, high when it can do more."""
    match = _STYLE.fullmatch(escape)
    if match is None:
        return Severity.HIGH
    styles = {int(number or 0) for number in match.group(1).split(";")}
    if styles <= _PLAIN_STYLES:
        return Severity.LOW
    return Severity.MEDIUM if styles <= _PLAIN_STYLES | _FAINT_STYLES else Severity.HIGH


def _hyphenates(text: str, start: int, end: int) -> bool:
    """Say whether a word can break here: one soft hyphen with two letters or none on either side, or no word at all.

    Printers leave at least two letters on a line. Who breaks up words to hide them cuts off single ones.
    """
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    inside = before[-1:].isalpha() and after[:1].isalpha()
    return end - start == 1 and (not inside or (len(before) == len(after) == 2 and (before + after).isalpha()))


def _name(char: str, kind: str) -> str:
    """Name a run in plain words with its first code point."""
    official = unicodedata.name(char, "").lower()
    return f"{NAMES[kind]} U+{ord(char):04X}" + (f" ({official})" if official else "")


def _joins(before: str, after: str) -> bool:
    """Say whether a joiner between these two is ordinary spelling."""
    if within(before, _JOINING) and (within(after, _JOINING) or not after or not after.isalnum()):
        return True
    return bool(before and after) and is_emoji_base(before) and is_emoji_base(after)


def _varies(before: str) -> bool:
    """Say whether one variation selector after this character is ordinary spelling."""
    if not before:
        return False
    return is_emoji_base(before) or unicodedata.category(before) in {"Lo", "So", "Sm", "Po"}


def _rtl_near(text: str, start: int, end: int) -> bool:
    """Say whether right-to-left text stands close by."""
    return RIGHT_TO_LEFT.search(text, max(0, start - _NEAR), end + _NEAR) is not None


def tag_message(run: str) -> str:
    """Give the ASCII text that tag characters spell."""
    return "".join(chr(ord(char) - 0xE0000) for char in run if 0xE0020 <= ord(char) <= 0xE007E)


def _variation_message(run: str) -> str:
    """Give the text that a run of variation selectors spells as bytes, or an empty string."""
    if len(run) < 2:
        return ""
    numbers = [ord(char) - 0xFE00 if ord(char) <= 0xFE0F else ord(char) - 0xE0100 + 16 for char in run]
    for shift in (0, -16):
        raw = bytes(number + shift for number in numbers if 0 <= number + shift <= 255)
        said = raw.decode("utf-8", "ignore")
        if len(raw) == len(numbers) and len(said) >= 2 and reads(said):
            return said
    nibbles = "".join(f"{number:x}" for number in numbers if number < 16)
    if len(nibbles) == len(numbers) and len(nibbles) % 2 == 0:
        said = bytes.fromhex(nibbles).decode("utf-8", "ignore")
        return said if len(said) >= 2 and reads(said) else ""
    return ""


_PLAIN: Final = re.compile(rf"[\w\s.,:;!?'\"()/@_{MARKS}-]")


def reads(text: str) -> bool:
    """Say whether text looks like something that a person wrote."""
    return len(_PLAIN.findall(text)) >= 0.9 * len(text) and any(char.isalpha() for char in text)
