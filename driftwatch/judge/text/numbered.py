"""Undo what writes letters as numbers or signs: binary digits, character codes, Morse code, spelling alphabets."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from driftwatch.judge.text.encoded import as_text, longest, reads
from driftwatch.judge.text.vocabulary import coverage, parted

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_BINARY: Final = re.compile(r"(?<![01])(?:[01]{32,}+|[01]{7,8}(?:[ ,\r\n\t]{1,3}[01]{7,8}){3,}+)")
_CODES: Final = re.compile(r"(?<![\d.])(?:chr\()?\d{2,7}\)?(?:[ ,;+|/\r\n\t-]{1,4}(?:chr\()?\d{2,7}\)?){7,}+")
_PLACES: Final = re.compile(r"(?<![\d.])\d{1,2}(?:[ ,./|-]{1,3}\d{1,2}){11,}+(?!\d)")
"""Numbers of letters in the alphabet."""
_MORSE: Final = re.compile(
    r"(?<![.\w-])[.\u00b7\u2022\u2219\u2212\u2013\u2014-]{1,6}"
    r"(?:[ /|\r\n]{1,3}[.\u00b7\u2022\u2219\u2212\u2013\u2014-]{1,6}){7,}+"
)
_NATO_WORDS: Final = (
    "alfa alpha bravo charlie delta echo foxtrot golf hotel india juliett juliet kilo lima mike november oscar papa "
    "quebec romeo sierra tango uniform victor whiskey xray x-ray yankee zulu"
)
_NATO_WORD: Final = "(?:" + "|".join(_NATO_WORDS.split()) + ")"
_NATO: Final = re.compile(rf"(?i)\b{_NATO_WORD}(?:[ ,.\n-]{{1,3}}{_NATO_WORD}){{9,}}+\b")
_LINES: Final = str.maketrans("\u00b7\u2022\u2219\u2212\u2013\u2014", "...---")


def pieces(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Give stretches that say something once decoded: (start, end, what, how)."""
    digits = sum(map(text.count, "0123456789")) if text.isascii() else len(text)
    for expression, decode, how, least in _DECODERS:
        if digits < least:
            continue
        for match in expression.finditer(text):
            said = decode(match.group())
            if said:
                yield match.start(), match.end(), said, how


def _binary(text: str) -> str:
    groups = re.findall(r"[01]+", text)
    if len(groups) == 1:
        groups = [groups[0][at : at + 8] for at in range(0, len(groups[0]) // 8 * 8, 8)]
    return _said(bytes(int(group, 2) for group in groups))


def _said(raw: bytes) -> str:
    """Give bytes as text, or what of them reads: other numbers may stand beside it."""
    return as_text(raw) or longest(raw)


def _codes(text: str) -> str:
    """Read numbers as bytes, as code points, or as bytes in octal digits, whichever says something."""
    spelled = re.findall(r"\d+", text)
    numbers = [int(number) for number in spelled]
    if max(numbers) < 256:
        said = _said(bytes(numbers)) if all(number >= 9 for number in numbers) else ""
        if said and _coherent(said):
            return said
    if all(len(number) <= 3 and number.isdigit() and not set(number) & {"8", "9"} for number in spelled):
        octal = [int(number, 8) for number in spelled]
        said = _said(bytes(octal)) if max(octal) < 256 else ""
        if said and _coherent(said):
            return said
    if all(9 <= number < 0x11_0000 and not 0xD800 <= number < 0xE000 for number in numbers):
        said = "".join(map(chr, numbers))
        return said if reads(said) and _coherent(said) else ""
    return ""


def _coherent(said: str) -> bool:
    """Say whether letters belong together: numbers of any kind read as letters of anywhere."""
    letters = [char for char in said if char.isalpha()]
    latin = sum(char.isascii() for char in letters)
    if 2 * latin >= len(letters):
        return latin > 0
    scripts = {unicodedata.name(char, "?").split(" ", 1)[0] for char in letters if not char.isascii()}
    return "LATIN" not in scripts and len(scripts - {"CJK", "HIRAGANA", "KATAKANA"}) <= 1


def _places(text: str) -> str:
    """Read numbers as places in the alphabet, when what they spell is made of known words."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    return _words([_LETTERS[number - 1] for number in numbers]) if all(1 <= one <= 26 for one in numbers) else ""


def _nato(text: str) -> str:
    return _words([word[0].lower() for word in re.findall(r"(?i)x-ray|[a-z]+", text)])


def _words(letters: Sequence[str]) -> str:
    """Cut letters into words when known words make up nearly all of them."""
    parts = parted("".join(letters))
    return " ".join(parts) if coverage(parts) >= 0.8 else ""


def _morse(text: str) -> str:
    parts = re.findall(r"[.-]+|[/|\n]|  +", text.translate(_LINES))
    said = "".join(_MORSE_LETTERS.get(part, " " if part[0] in "/|\n " else "") for part in parts)
    return said if sum(char.isalpha() for char in said) >= 6 else ""


_DECODERS: Final[tuple[tuple[re.Pattern[str], Callable[[str], str], str, int], ...]] = (
    (_BINARY, _binary, "binary digits", 28),
    (_CODES, _codes, "character codes", 16),
    (_PLACES, _places, "numbers of letters", 12),
    (_MORSE, _morse, "Morse code", 0),
    (_NATO, _nato, "a spelling alphabet", 0),
)
PATTERNS: Final = (_BINARY, _CODES, _PLACES, _MORSE, _NATO)
"""Every expression of this file, for the test that they take linear time."""

_MORSE_SPELLED: Final = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.. "
    ".---- ..--- ...-- ....- ..... -.... --... ---.. ----. -----"
)
_MORSE_LETTERS: Final = dict(zip(_MORSE_SPELLED.split(" "), "abcdefghijklmnopqrstuvwxyz1234567890", strict=True))
