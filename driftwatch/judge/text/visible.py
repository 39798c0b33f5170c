"""Show hostile text safely: everything that hides, moves the cursor or reorders becomes a visible escape."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from driftwatch.judge.text.chars import UNSEEN, is_emoji_base

_MARKS_KEPT: Final = 5
"""Honest Hebrew, Tibetan or Vietnamese stacks at most this many marks on a letter."""

_ESCAPED: Final = re.compile(UNSEEN.pattern[:-1] + "\\n\\t\\r]|\\\\(?=u\\{)")


def visible(text: str, *, multiline: bool = False) -> str:
    r"""Give the text with every character that does not show as `\u{200B}`; safe for terminals, logs and pages of text.

    Line feeds and tabs stay when `multiline` is true. A literal backslash before `u{` is escaped as well, so that
    no server can write what looks like our own escape. Total: any `str` is accepted, lone surrogates too.
    """

    def escape(match: re.Match[str]) -> str:
        char = match.group()
        if multiline and char in "\n\t":
            return char
        if char == "\ufe0f" and match.start() and is_emoji_base(match.string[match.start() - 1]):
            return char
        return f"\\u{{{ord(char):04X}}}"

    shown = text if text.isascii() else _cut_floods(text)
    return _ESCAPED.sub(escape, shown)


def _cut_floods(text: str) -> str:
    """Shorten long stacks of combining marks, which paint over the lines around them."""
    out: list[str] = []
    run = 0
    for char in text:
        stacks = char >= "\u0300" and unicodedata.category(char) in {"Mn", "Me"} and not UNSEEN.match(char)
        if not stacks:
            if run > _MARKS_KEPT:
                out.append(f"[+{run - _MARKS_KEPT} marks]")
            run = 0
            out.append(char)
            continue
        run += 1
        if run <= _MARKS_KEPT:
            out.append(char)
    if run > _MARKS_KEPT:
        out.append(f"[+{run - _MARKS_KEPT} marks]")
    return "".join(out)
