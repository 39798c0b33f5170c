"""Signals that need no language: new addresses, another script."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from driftwatch.judge.text import landmarks
from driftwatch.judge.text.added import covers
from driftwatch.judge.text.base import TextContext
from driftwatch.judge.text.chars import TERMINAL
from driftwatch.judge.text.escapes import PUNYCODE, from_punycode
from driftwatch.judge.text.known import Known
from driftwatch.judge.text.normalise import fold
from driftwatch.judge.text.padding import padding
from driftwatch.judge.text.signals.base import EXFILTRATION, HIDDEN
from driftwatch.judge.text.weigh import SPANS, Seen
from driftwatch.model import Confidence, Severity, Span

_MARKED: Final = (
    "[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff][\u0300-\u036f\u20d0-\u20ff]{0,8}+"
    "|[a-zA-Z\u0400-\u04ff][\u0300-\u036f\u20d0-\u20ff]{1,8}+"
)
"""One letter with marks on it."""
_DRESSED: Final = (
    (
        "ornamental",
        re.compile("[\U0001d400-\U0001d7ff\U0001f110-\U0001f189\U00002460-\U000024ff]+"),
        10,
        "It holds words in ornamental letters, which filters do not read and models do.",
    ),
    (
        "full-width",
        re.compile("[\uff21-\uff3a\uff41-\uff5a][\uff21-\uff3a\uff41-\uff5a\uff3f\u3000]{9,}"),
        10,
        "It holds words in full-width letters, which filters do not read and models do.",
    ),
    (
        "mixed-word",
        re.compile(
            "[a-zA-Z][\u0400-\u052f\u0531-\u0587\u13a0-\u13ff]|[\u0400-\u052f\u0531-\u0587\u13a0-\u13ff][a-zA-Z]"
        ),
        2,
        "It mixes look-alike letters of another script into a word.",
    ),
    (
        "marked-letters",
        re.compile(rf"(?:{_MARKED}){{2,40}}+(?:[ ,.;:!?'-]{{1,3}}(?:{_MARKED}){{2,40}}+){{2,}}+"),
        24,
        "It has marks on letter after letter, which break words up for filters and not for models.",
    ),
)
_TOKEN: Final = re.compile(r"[\w-]{1,60}+")
_QUOTES: Final = "\"'`\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a\u300c\u300d"
_SCRIPTS_NAMED: Final = re.compile(
    "(?i)cyrill|kyrill|kirill?|cirill?i|ciríli|кирил|greek|griech|homogl|look-?alike|キリル|키릴|西里尔|西里爾|سيريل|सिरिलि"
)
_EXPLAINED_MOST: Final = 3
"""A text that explains look-alikes shows so many words at most; more of them are no example."""
_OTHER_LETTER: Final = re.compile("[\u0370-\u03ff\u0400-\u052f\u0531-\u0587\u13a0-\u13ff]")
_SCRIPT_LEAST: Final = 12
"""So many letters of another script make a passage."""


def seen(text: str, old: str, new: list[tuple[int, int]], known: Known, context: TextContext) -> Iterator[Seen]:
    """Give what the new parts show on their surface. All of it is weak on its own."""
    yield from _addresses(text, new, known, context)
    yield from _letters(text, old, new, context)
    pushed = tuple(
        Span(context.pointer, *place, target=context.target) for place in padding(text) if covers(new, *_around(place))
    )
    if pushed:
        why = "Long white space pushes what follows out of sight."
        yield Seen("hidden.padding", HIDDEN, Severity.MEDIUM, Confidence.HIGH, pushed[:SPANS], why)
    if old:
        yield from _script(text, old, new, context)


def _around(place: tuple[int, int]) -> tuple[int, int]:
    """Give a stretch with the letter behind it: blanks around a sentence are no part of it."""
    return place[0], place[1] + 1


def _addresses(text: str, new: list[tuple[int, int]], known: Known, context: TextContext) -> Iterator[Seen]:
    for start, end in new:
        folded = fold(text[start:end])
        for mark in landmarks.addresses(folded.text):
            if known.has(mark):
                continue
            low, high = folded.origin(mark.start, mark.end)
            span = Span(context.pointer, start + low, start + high, target=context.target)
            why = "It names an address that was not there before."
            yield Seen("address.new", EXFILTRATION, Severity.LOW, Confidence.MEDIUM, (span,), why)


def _letters(text: str, old: str, new: list[tuple[int, int]], context: TextContext) -> Iterator[Seen]:
    """Give letters that only pass for Latin ones: whole words in ornamental letters, and scripts mixed in a word."""
    yield from _passing_hosts(text, new, context)
    if text.isascii():
        return
    shown = TERMINAL.sub(lambda match: " " * len(match.group()), text)
    for kind, expression, least, why in _DRESSED:
        places = [match.span() for match in expression.finditer(shown) if covers(new, *match.span())]
        if kind == "mixed-word":
            places = _unexplained(shown, places)
        if sum(end - start for start, end in places) >= least and not expression.search(old):
            spans = tuple(Span(context.pointer, *place, target=context.target) for place in places[:SPANS])
            yield Seen(f"hidden.{kind}", HIDDEN, Severity.MEDIUM, Confidence.MEDIUM, spans, why)


def _unexplained(text: str, places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Leave out letters of codes, and the few quoted words of a text that names the script that it speaks of.

    A code has a digit and capitals only, few of them: no word fits in. Quotes hold one word each: no sentence does.
    """
    if not places:
        return places
    kept: dict[tuple[int, int], list[tuple[int, int]]] = {}
    tokens = (match.span() for match in _TOKEN.finditer(text))
    token = next(tokens, (0, 0))
    for place in places:
        while token[1] <= place[0] and (after := next(tokens, None)):
            token = after
        if not _is_code(text[slice(*token)]):
            kept.setdefault(token, []).append(place)
    quoted = all(text[low - 1 : low] in _QUOTES and text[high : high + 1] in _QUOTES and low for low, high in kept)
    if quoted and len(kept) <= _EXPLAINED_MOST and _SCRIPTS_NAMED.search(text):
        return []
    return [place for group in kept.values() for place in group]


def _is_code(token: str) -> bool:
    """Say whether a token is a number of a plate, a model or a file."""
    letters = [char for char in token if char.isalpha()]
    return len(letters) <= 4 and any(char.isdigit() for char in token) and "".join(letters).isupper()


def _mixes(part: str) -> bool:
    """Say whether a part of a host name has Latin letters and letters that pass for them."""
    return any("a" <= char <= "z" for char in part.lower()) and _OTHER_LETTER.search(part) is not None


def _passing_hosts(text: str, new: list[tuple[int, int]], context: TextContext) -> Iterator[Seen]:
    """Give host names in punycode that show letters of two scripts and so pass for another host."""
    if "xn--" not in text.lower():
        return
    for match in PUNYCODE.finditer(text):
        label = from_punycode(match.group())
        if label is None:
            continue
        if covers(new, *match.span()) and any(_mixes(part) for part in label.split("-")):
            span = Span(context.pointer, *match.span(), label, target=context.target)
            why = "It names a host whose letters of another script make it pass for another one."
            yield Seen("hidden.host", HIDDEN, Severity.MEDIUM, Confidence.MEDIUM, (span,), why)


def _script(text: str, old: str, new: list[tuple[int, int]], context: TextContext) -> Iterator[Seen]:
    before = _scripts(old)
    for start, end in new:
        here = _scripts(text[start:end])
        for script, count in here.items():
            if count >= _SCRIPT_LEAST and not before[script] and before.total() >= _SCRIPT_LEAST:
                span = Span(context.pointer, start, end, target=context.target)
                why = f"It gained a passage in another script ({script.lower()}) than the text had."
                yield Seen("hidden.script", HIDDEN, Severity.LOW, Confidence.MEDIUM, (span,), why)


def _scripts(text: str) -> Counter[str]:
    """Count letters per script, as far as character names tell it."""
    if text.isascii():
        return Counter({"LATIN": sum(map(str.isalpha, text))})
    return Counter(_script_of(char) for char in text if char.isalpha())


@lru_cache(maxsize=4096)
def _script_of(char: str) -> str:
    first = unicodedata.name(char, "UNKNOWN").split(" ", 1)[0]
    return {"HIRAGANA": "CJK", "KATAKANA": "CJK", "FULLWIDTH": "LATIN", "MODIFIER": "LATIN"}.get(first, first)


PATTERNS: Final = (*(expression for _, expression, _, _ in _DRESSED), _TOKEN, _SCRIPTS_NAMED, _OTHER_LETTER)
"""Every expression of this file, for the test that they take linear time."""
