"""From folded text to meanings: concepts, landmarks, and what the two say together."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from driftwatch.judge.text import landmarks, lexicon
from driftwatch.judge.text.chars import TERMINAL, UNSEEN
from driftwatch.judge.text.concepts import Hit, heard, index
from driftwatch.judge.text.harmless import without_harmless
from driftwatch.judge.text.known import Known
from driftwatch.judge.text.normalise import Folded
from driftwatch.judge.text.words import Word, words

_LOOSE: Final = re.compile(r"[\W_]+")
"""What parts words, and marks that belong to no letter."""
_PHRASE: Final = 4.0
"""So many words apart reads as one phrase about somebody's words ("the last lines that the user typed")."""
_BESIDE: Final = 2.5
"""So many words apart still reads as one phrase ("the `x` tool", "call the x")."""


def understand(raw: str, folded: Folded, known: Known) -> list[Hit]:
    """Give concepts of every language and landmarks of a text, in order of their start.

    `raw` is the text that was folded; `known` addresses and names count for nothing.
    """
    found = words(folded.text)
    if not found:
        return []
    hits = [hit for hit in index().find(found) if hit.language not in lexicon.TONAL or _toned(hit, raw, folded)]
    hits = [hit._replace(concept="SYSFIELD") if _is_field(hit, folded.text) else hit for hit in hits]
    hits.extend(_landmarks(raw, folded, found, known))
    return sorted(hits, key=lambda hit: hit.start)


def _is_field(hit: Hit, text: str) -> bool:
    """Say whether words for the model's own instructions are the name of a field ("read system_prompt of the step")."""
    return hit.concept == "SYSPROMPT" and "_" in text[hit.start : hit.end]


def _toned(hit: Hit, raw: str, folded: Folded) -> bool:
    """Say whether a word that folding made look like a term is spelled like it, or is written without any accents."""
    shown = UNSEEN.sub("", TERMINAL.sub("", raw[slice(*folded.origin(hit.start, hit.end))]))
    spelled = _LOOSE.sub(" ", unicodedata.normalize("NFKC", shown).casefold())
    return spelled.isascii() or " ".join(spelled.split()) in _spellings(hit.language, hit.concept)


@cache
def _spellings(language: str, concept: str) -> frozenset[str]:
    """Give the terms for a concept as a language writes them."""
    return frozenset(unicodedata.normalize("NFC", term).casefold() for term in lexicon.LEXICONS[language][concept])


def settled(hits: Sequence[Hit]) -> list[Hit]:
    """Give the hits of one sentence that are in a language which the sentence is in, with what neighbours say together.

    Three concepts are made here: `FOREIGNTOOL`, a name that the text treats as a tool; `OTHERTOOL`, tools other
    than this one; `CONVERSATION`, where the text speaks of the latest or all that the user or the model wrote.
    """
    kept = heard(hits)
    kept.extend(_said(kept))
    kept.extend(_together(kept, [hit for hit in kept if hit.concept == landmarks.FOREIGN]))
    return without_harmless(sorted(kept, key=lambda hit: hit.place))


def _landmarks(raw: str, folded: Folded, found: Sequence[Word], known: Known) -> Iterator[Hit]:
    """Give landmarks as hits, tied to the words they stand on."""
    starts = [word.start for word in found]
    text = folded.text
    camel = landmarks.camel_names(raw) if raw.isascii() else ()
    for mark in (*landmarks.addresses(text), *landmarks.names(text), *camel, *landmarks.others(text)):
        concept = mark.concept
        if known.is_elsewhere(mark):
            concept = "FOREIGNTOOL"
        elif concept == landmarks.FOREIGN and known.is_news_of_effect(mark):
            concept = "OWNEFFECT"
        elif known.is_news_of_own(mark):
            concept = "OWNTOOL"
        elif known.has(mark):
            continue
        if mark.concept == landmarks.FOREIGN and raw[slice(*folded.origin(mark.start, mark.end))].isupper():
            continue
        first = min(bisect_left(starts, mark.start), len(found) - 1)
        last = max(first, bisect_left(starts, mark.end) - 1)
        yield Hit(concept, "", first, last, mark.start, mark.end, found[first].place)


def _said(hits: Sequence[Hit]) -> Iterator[Hit]:
    """Give what a user or a model said lately or altogether."""
    recent = [hit for hit in hits if hit.concept == "RECENT"]
    people = [hit for hit in hits if hit.concept in ("USER", "MODEL")]
    if not recent or not people:
        return
    for hit in hits:
        if hit.concept != "UTTERANCE":
            continue
        one = _within(hit, recent, _PHRASE)
        who = _within(hit, people, _PHRASE)
        if one is not None and who is not None and one.first != hit.first != who.first:
            parts = (hit, one, who)
            yield Hit(
                "CONVERSATION",
                hit.language,
                min(part.first for part in parts),
                max(part.last for part in parts),
                min(part.start for part in parts),
                max(part.end for part in parts),
                min(part.place for part in parts),
            )


def _within(hit: Hit, others: Sequence[Hit], reach: float) -> Hit | None:
    """Give one of the others that stands within so many words of a hit."""
    return next((other for other in others if abs(other.place - hit.place) <= reach), None)


def _together(hits: Sequence[Hit], marks: Sequence[Hit]) -> Iterator[Hit]:
    """Give what two neighbours say together."""
    tools = sorted((hit for hit in hits if hit.concept == "TOOL"), key=lambda hit: hit.place)
    calls = sorted((hit for hit in hits if hit.concept == "CALL"), key=lambda hit: hit.place)
    for mark in marks:
        if mark.concept == landmarks.FOREIGN and (_beside(mark, tools, both=True) or _beside(mark, calls, both=False)):
            yield mark._replace(concept="FOREIGNTOOL")
    for hit in hits:
        if hit.concept == "OTHER":
            tool = _beside(hit, tools, both=False, ahead=True)
            if tool is not None:
                yield hit._replace(concept="OTHERTOOL", last=tool.last, end=max(hit.end, tool.end))


def _beside(hit: Hit, others: Sequence[Hit], *, both: bool, ahead: bool = False) -> Hit | None:
    """Give one of the others that stands beside the hit: before it, after it when `ahead`, or either when `both`."""
    low = bisect_left(others, hit.place - _BESIDE - 2, key=lambda other: other.place)
    for other in others[low : low + 16]:
        apart = (
            other.place - hit.place
            if other.place >= hit.place
            else hit.place - other.place - (other.last - other.first)
        )
        if other.place > hit.place + _BESIDE + (hit.last - hit.first):
            break
        after = other.place > hit.place
        room = _BESIDE + (hit.last - hit.first if after else 0)
        if 0 < apart <= room and (both or after == ahead or other.language in ("ja", "ko", "tr", "hi")):
            return other
    return None
