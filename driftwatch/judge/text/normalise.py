"""Fold text so that one spelling stands for all its disguises, with a map back to the original offsets."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from driftwatch.judge.text.chars import TERMINAL, UNSEEN, within
from driftwatch.judge.text.confusables import ENCLOSED, LOOKALIKES

_MARKS: Final = (
    *((0x0300, 0x036F), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F)),
    *((0x0483, 0x0489), (0xA66F, 0xA672), (0x2DE0, 0x2DFF)),  # old Cyrillic
    *((0x0591, 0x05BD), (0x05BF, 0x05BF), (0x05C1, 0x05C2), (0x05C4, 0x05C5), (0x05C7, 0x05C7)),  # Hebrew points
    *((0x0951, 0x0954), (0x1CD0, 0x1CE8), (0xA8E0, 0xA8F1)),  # Vedic accents
)
_ARABIC_MARKS: Final = ((0x0610, 0x061A), (0x0640, 0x0640), (0x064B, 0x065F), (0x0670, 0x0670))
_COMPOSES: Final = re.compile(r"[\u3099\u309a\u1161-\u1175\u11a8-\u11c2\u093c\u0653-\u0655]")
_BLANKED: Final = {code: " " for code in range(0x80) if UNSEEN.match(chr(code))}
_WORD: Final = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Folded:
    """Folded text with, for every character of it and its end, the offset in the text it was made from."""

    text: str
    offsets: Sequence[int]

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Give the stretch of the original that `start`..`end` (end exclusive) was made from."""
        if end <= start:
            return self.offsets[start], self.offsets[start]
        return self.offsets[start], self.offsets[end - 1] + 1


def fold(text: str, *, look_alikes: bool = True) -> Folded:
    """Fold case, compatibility forms, accents, invisible characters, terminal escapes and look-alikes.

    Length may change; `offsets` leads back. Folding twice changes nothing more. A word on its own cannot tell
    whether it is Russian or Latin in disguise: leave `look_alikes` out for single words.
    """
    escapes = "\x1b" in text or "\x9b" in text
    if text.isascii() and not escapes:
        return Folded(text.lower().translate(_BLANKED), range(len(text) + 1))
    composed = {match.start() for match in _COMPOSES.finditer(text)}
    if not escapes and not composed:
        pieces = [*map(_fold_char, text)]
        folded = "".join(pieces)
        # Most accents and letters fold to one letter each, and then every offset is the one that it was.
        if len(folded) == len(text) and "" not in pieces:
            return Folded(_look_alikes(folded) if look_alikes else folded, range(len(text) + 1))
    out: list[str] = []
    offsets: list[int] = []
    gone = {at for match in TERMINAL.finditer(text) for at in range(*match.span())} if escapes else ()
    for at, char in enumerate(text):
        if at in gone:
            continue
        piece = _fold_char(char)
        if out and at in composed:
            joined = unicodedata.normalize("NFC", out[-1] + char)
            if len(joined) == 1:
                out[-1] = joined
                continue
        for letter in piece:
            out.append(letter)
            offsets.append(at)
    offsets.append(len(text))
    folded = "".join(out)
    return Folded(_look_alikes(folded) if look_alikes else folded, offsets)


@lru_cache(maxsize=8192)
def _fold_char(char: str) -> str:
    """Fold one character on its own."""
    if char < "\x80":
        return " " if UNSEEN.match(char) else char.lower()
    if char in ENCLOSED:
        return ENCLOSED[char]
    if UNSEEN.match(char) or within(char, _MARKS) or within(char, _ARABIC_MARKS):
        return ""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", char).casefold())
    return "".join(_bare(letter) for letter in folded)


def _bare(letter: str) -> str:
    """Take the accents off a Latin, Greek or Cyrillic letter."""
    code = ord(letter)
    if code < 0xC0 or (0x530 <= code < 0x1E00) or code >= 0x2000:
        return "" if within(letter, _MARKS) else "i" if letter == "ı" else letter
    kept = "".join(part for part in unicodedata.normalize("NFD", letter) if not within(part, _MARKS))
    return {"ı": "i", "đ": "d", "ł": "l", "ø": "o"}.get(kept, kept)


def _look_alikes(text: str) -> str:
    """Replace letters that pass for Latin ones in words that mix scripts, or that are nothing but such letters.

    A word of nothing but look-alikes counts only where no word shows that the text is really in that script.
    """
    if text.isascii() or not any(char in LOOKALIKES for char in set(text)):
        return text
    real = _has_other_script(text)

    def replace(match: re.Match[str]) -> str:
        word = match.group()
        if word.isascii():
            return word
        latin = any("a" <= char <= "z" for char in word)
        mapped = "".join(LOOKALIKES.get(char, char) for char in word)
        if not mapped.isascii() or (not latin and real):
            return word
        return mapped

    return _WORD.sub(replace, text)


def _has_other_script(text: str) -> bool:
    """Say whether some word is written in a look-alike script beyond doubt (it has letters with no Latin twin)."""
    for match in _WORD.finditer(text):
        word = match.group()
        if word.isascii() or any("a" <= char <= "z" for char in word):
            continue
        if any(char not in LOOKALIKES and ("\u0370" <= char <= "\u058f") for char in word):
            return True
    return False
