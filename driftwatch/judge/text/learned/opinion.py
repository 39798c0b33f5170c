"""Weigh a stretch of text, and say which of its words weigh most."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from driftwatch.judge.text.learned.features import FAMILIES, Features, features
from driftwatch.judge.text.learned.weights import TOPICS, weights
from driftwatch.judge.text.normalise import Folded, fold
from driftwatch.judge.text.words import Word, words

_FEWEST: Final = 4
"""A text of fewer words (ideographs) says too little to be weighed."""
_HUGE: Final = 50.0
_PHRASES: Final = 3
_PHRASE: Final = 3
"""So many phrases of so many words are named; they are found by leaving them out."""
_TRIED: Final = 32
"""At most so many places are left out in turn."""


@dataclass(frozen=True)
class Opinion:
    """How much a text reads like an injected instruction.

    `chance` is a probability between 0 and 1, calibrated on as many injected as honest texts: in the field, where
    honest texts are a thousand to one, it is a rank, and the thresholds say which share of honest changes passes.
    `category` is what the text most likely asks for. `phrases` are offsets into the text of what weighs most.
    `read` is how many words (ideographs) the text has.
    """

    chance: float
    category: str = ""
    phrases: tuple[tuple[int, int], ...] = ()
    read: int = 0


def opinion(text: str, *, least: float = 0.5, explain: bool = True) -> Opinion:
    """Weigh a text; below the chance `least`, or where it says too little, no category and no phrases are given.

    Phrases take thirty times as long as the rest; without `explain` there are none. Total and pure. A text should be
    as short as one to four sentences: cut longer ones by `windows`.
    """
    folded = fold(text)
    found = words(folded.text)
    if len(found) < _FEWEST:
        return Opinion(0.0, read=len(found))
    seen = features(folded.text)
    logit = _logit(seen)
    chance = 1 / (1 + math.exp(-logit)) if logit > -_HUGE else 0.0
    if chance < least:
        return Opinion(chance, read=len(found))
    return Opinion(chance, _category(seen), _phrases(folded, found, logit) if explain else (), len(found))


def _logit(seen: Features) -> float:
    """Add up what the families say; each counts the less per feature the more it has."""
    learned = weights()
    total = 0.0
    for name, buckets in zip(FAMILIES, seen, strict=True):
        if buckets:
            total += sum(map(learned.tables[name].__getitem__, buckets)) * learned.steps[name] / math.sqrt(len(buckets))
    return learned.bias + learned.slope * total


def topics(seen: Features) -> Sequence[int]:
    """Give the buckets that the categories are told by: words and narrow classes."""
    return [bucket % TOPICS for bucket in (*seen.words, *seen.narrow)]


def _category(seen: Features) -> str:
    """Give the likeliest category."""
    learned = weights()
    about = topics(seen)
    length = math.sqrt(len(about) or 1)

    def leaning(name: str) -> float:
        said = sum(map(learned.topics[name].__getitem__, about))
        return learned.leanings[name] + said * learned.steps["topics"] / length

    return max(learned.topics, key=leaning)


def _phrases(folded: Folded, found: Sequence[Word], logit: float) -> tuple[tuple[int, int], ...]:
    """Find the words without which the text would weigh least: each phrase is left out in turn."""
    step = max(1, len(found) // _TRIED)
    drops: list[tuple[float, int, int]] = []
    for at in range(0, max(1, len(found) - _PHRASE + 1), step):
        start, end = found[at].start, found[min(at + _PHRASE, len(found)) - 1].end
        rest = _weigh(folded.text[:start] + " " + folded.text[end:])
        if logit - rest > 0:
            drops.append((logit - rest, start, end))
    chosen: list[tuple[int, int]] = []
    for _, start, end in sorted(drops, key=lambda drop: (-drop[0], drop[1])):
        if all(end <= low or high <= start for low, high in chosen):
            chosen.append((start, end))
        if len(chosen) == _PHRASES:
            break
    return tuple(sorted(folded.origin(start, end) for start, end in chosen))


@lru_cache(maxsize=256)
def _weigh(text: str) -> float:
    return _logit(features(text))
