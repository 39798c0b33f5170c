"""Undo what breaks words up or runs them together: marks inside words, a word to a line, words without spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from driftwatch.judge.text import views
from driftwatch.judge.text.concepts import index, is_little
from driftwatch.judge.text.normalise import fold
from driftwatch.judge.text.views import View
from driftwatch.judge.text.vocabulary import coverage, every_word, parted

_MARKUP: Final = (
    r"(?<=[^\W\d_])(?:<!--(?:[^-]|-(?!->)){0,200}-->"
    r"|</?(?:b|i|u|s|em|strong|span|wbr|font|small|big|a|mark|sub|sup|tt)\b[^<>]{0,200}>|\*{2,8}|_{2,8}|~{2,8}){1,40}+"
)
"""Marks of HTML and Markdown behind a letter."""
_INSIDE: Final = re.compile(rf"{_MARKUP}(?=[^\W\d_])", re.IGNORECASE)
_AFTER: Final = re.compile(_MARKUP, re.IGNORECASE)
_INSIDE_LEAST: Final = 3
_BROKEN_LINE: Final = re.compile(r"(?<=[^\W\d_])-[ \t]{0,4}\r?\n[ \t]{0,40}(?=[^\W\d_])")
_ALONE: Final = re.compile(
    r"(?:^|(?<=[\n.!?])|(?<=[.!?] ))(?:[ \t]{0,12}(?:[-*\u2022#>]{1,3}|\d{1,3}[.)])?[ \t]{0,4}"
    r"[^\s.!?]{1,40}(?:[.!?]{1,3}[ \t]{1,4}|[.!?]{0,3}[ \t]{0,4}(?:\r?\n[ \t]{0,12}){1,4}|[.!?]{0,3}\Z)){6,2000}+",
)
"""One word to a line or to a sentence, many in a row."""
_BULLET: Final = re.compile(r"[.!?]{0,3}\s{1,16}(?:(?:[-*\u2022#>]{1,3}|\d{1,3}[.)])[ \t]{1,4})?")
_LITTLE: Final = 2
"""A list holds no "and" and "the" for entries: so many different little words among them make a sentence."""
_HUMPS: Final = re.compile(r"(?<![^\W_])[a-zA-Z][a-z]{0,20}(?:[A-Z][a-z]{1,20}|[A-Z](?=[A-Z])){4,60}+(?![^\W_])")
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_UNPARTED: Final = re.compile(r"(?<![\w/.:@-])[^\W\d_][^\W\d_A-Z]{19,400}(?![\w/@-])")
_WORD: Final = re.compile(r"[^\W\d_]{2,20}")


def readings(text: str) -> Iterator[View]:
    """Give the readings with words put together or taken apart again."""
    inside = len(_INSIDE.findall(text)) >= _INSIDE_LEAST
    for expression, put, how in _REWRITES:
        view = views.rewritten(text, expression, put, how) if inside or expression is not _AFTER else None
        if view is not None:
            yield view
    view = _rejoined(text)
    if view is not None:
        yield view


def _line(match: re.Match[str]) -> str | None:
    """Give words that stand alone as one sentence, when little words among them show that it is one."""
    said = _BULLET.sub(" ", f"\n{match.group()}\n")
    marks = {word for word in fold(said).text.split() if is_little(word)}
    return f" . {said.strip()} . " if len(marks) >= _LITTLE else None


def _humps(match: re.Match[str]) -> str | None:
    """Give the words of a long name that is a sentence: names of things have no "and" and "the"."""
    said = _HUMP.sub(" ", match.group())
    little = {word for word in said.lower().split() if is_little(word)}
    return f" {said} " if len(little) > _LITTLE else None


def _parted(match: re.Match[str]) -> str | None:
    """Give the words that were run together, when known words make up nearly all of them and some only join others."""
    parts = parted(fold(match.group()).text)
    little = {part for part in parts if len(part) > 1 and is_little(part)}
    return f" {' '.join(parts)} " if len(little) >= _LITTLE and coverage(parts) >= 0.7 else None


def _rejoined(text: str) -> View | None:
    """Put words together again that a space breaks up: neither half is a word, the whole is."""
    gaps: dict[int, int] = {}
    joined = -1
    for first, second in pairwise(_WORD.finditer(text)):
        between = text[first.end() : second.start()]
        if between == " " and first.start() != joined and _is_half(first.group(), second.group()):
            joined = second.start()
            gaps[first.end()] = joined
    if len(gaps) < _INSIDE_LEAST:
        return None
    kept = [at for at in range(len(text)) if at not in gaps]
    changed = tuple(sorted(gaps.items()))
    return View("".join(text[at] for at in kept), kept, [at + 1 for at in kept], "words broken up", changed)


@lru_cache(maxsize=8192)
def _is_half(first: str, second: str) -> bool:
    halves = [fold(half, look_alikes=False).text for half in (first, second)]
    whole = "".join(halves)
    if len(whole) < 5 or all(half in every_word() for half in halves):
        return False
    return whole in every_word() or (len(whole) >= 6 and index().knows(whole) and not any(map(index().knows, halves)))


_REWRITES: Final = (
    (_AFTER, lambda _: "", "marks inside words"),
    (_BROKEN_LINE, lambda _: "", "words broken at line ends"),
    (_ALONE, _line, "one word to a line"),
    (_HUMPS, _humps, "words run together"),
    (_UNPARTED, _parted, "words run together"),
)
PATTERNS: Final = (_INSIDE, _AFTER, _BROKEN_LINE, _ALONE, _BULLET, _HUMPS, _HUMP, _UNPARTED, _WORD)
"""Every expression of this file, for the test that they take linear time."""
