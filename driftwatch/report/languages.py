"""Which texts are in a language whose words no list here has, as far as letters alone tell that.

Letters tell it of scripts, and of alphabets with letters that the listed languages do not use. A language that is
written with the plain Latin alphabet (Swahili, Tagalog) is not told apart, and then nothing is said.
"""

from __future__ import annotations

import re
from typing import Final

_SCRIPTS: Final = {
    "Greek": "\u0370-\u03ff\u1f00-\u1fff",
    "Armenian": "\u0531-\u0587",
    "Hebrew": "\u0591-\u05f4",
    "Syriac or Thaana": "\u0700-\u07bf",
    "Bengali": "\u0980-\u09ff",
    "Gurmukhi": "\u0a00-\u0a7f",
    "Gujarati": "\u0a80-\u0aff",
    "Odia": "\u0b00-\u0b7f",
    "Tamil": "\u0b80-\u0bff",
    "Telugu": "\u0c00-\u0c7f",
    "Kannada": "\u0c80-\u0cff",
    "Malayalam": "\u0d00-\u0d7f",
    "Sinhala": "\u0d80-\u0dff",
    "Thai": "\u0e00-\u0e7f",
    "Lao": "\u0e80-\u0eff",
    "Tibetan": "\u0f00-\u0fff",
    "Burmese": "\u1000-\u109f",
    "Georgian": "\u10a0-\u10ff\u1c90-\u1cbf\u2d00-\u2d2f",
    "Ethiopic": "\u1200-\u139f",
    "Khmer": "\u1780-\u17ff",
    "Mongolian": "\u1800-\u18af",
}
_LETTERS: Final = {
    "Czech, Slovak, or another with č, š or ž": "čďěňřšťůžľĺŕČĎĚŇŘŠŤŮŽĽĹŔ",
    "Hungarian": "őűŐŰ",
    "Romanian": "șțţȘȚŢ",
    "Swedish, Danish or Norwegian": "åøÅØ",
    "Latvian, or another with ā, ē or ī": "āēīģķļņĀĒĪĢĶĻŅ",
    "Lithuanian": "ėįųĖĮŲ",
    "Icelandic": "ðþÐÞ",
    "Serbian or Macedonian": "ђћљњџјѓќЂЋЉЊЏЈЃЌ",
    "Belarusian": "ўЎ",
    "Kazakh, Kyrgyz or another with ә, қ or ү": "әғқңөұүһӘҒҚҢӨҰҮҺ",
    "Persian, Urdu or another with پ, چ or گ": "پچژگٹڈڑں",
}
_PASSAGE: Final = 12
"""So many letters of a script of its own are a passage, and no symbol or name."""
_WORDS: Final = 3
"""So many words with letters of their own are no name."""
_RARE: Final = 80
"""Among so many letters there must be one of its own: fewer are names in another language."""
_READ: Final = 20_000
"""So many characters of a text are looked at."""

_SCRIPT: Final = re.compile("|".join(f"(?P<s{at}>[{letters}]+)" for at, letters in enumerate(_SCRIPTS.values())))
_WORD: Final = re.compile(r"[^\W\d_]+")
_OWN: Final = {letter: name for name, letters in _LETTERS.items() for letter in letters}


def without_words(text: str) -> str:
    """Name the script or the languages of a text whose words are not known here; empty where that is not certain."""
    if text.isascii():
        return ""
    return _script(text[:_READ]) or _alphabet(text[:_READ])


def _script(text: str) -> str:
    found: dict[str, int] = {}
    for match in _SCRIPT.finditer(text):
        name = list(_SCRIPTS)[int((match.lastgroup or "s0")[1:])]
        found[name] = found.get(name, 0) + len(match.group())
    most = max(found, key=lambda name: found[name], default="")
    return f"{most} script" if most and found[most] >= _PASSAGE else ""


def _alphabet(text: str) -> str:
    words: dict[str, int] = {}
    letters = 0
    for match in _WORD.finditer(text):
        word = match.group()
        letters += len(word)
        for name in {_OWN[letter] for letter in word if letter in _OWN} if _is_whole(word) else ():
            words[name] = words.get(name, 0) + 1
    most = max(words, key=lambda name: words[name], default="")
    return most if most and words[most] >= max(_WORDS, letters // _RARE) else ""


def _is_whole(word: str) -> bool:
    """Say whether a word is of one script: letters that stand in for others prove no language."""
    return word.isascii() or not (any("\u0370" <= char <= "\u058f" for char in word) and re.search("[a-zA-Z]", word))


PATTERNS: Final = (_SCRIPT, _WORD)
"""Every expression of this file: each takes time linear in the text."""
