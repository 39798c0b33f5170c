"""Turns of phrase that take the edge off a word: "is not shown" of the tool's own data, "ask for" a value.

Each takes away hits that would otherwise stand for an order. Where the same words stand beside something done, sent or
demanded, they stay.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from driftwatch.judge.text import landmarks
from driftwatch.judge.text.concepts import Hit
from driftwatch.judge.text.lexicon import VERB_LAST

_DENIED: Final = 2.0
_NEAR: Final = 4.0
_BESIDE: Final = 8.0
_ACROSS: Final = 14.0
"""How many words apart the parts of such a turn stand, by how closely they belong together."""

_TELLING: Final = ("TELL", "REVEAL")
_DEEDS: Final = (
    *("STEP", "SEND", "EXEC", "CALL", "CHANGE", "SILENT", "MONEY", "RECIPIENT", "BCC", "CONVERSATION", "TALK"),
    *("FOREIGNTOOL", "OTHERTOOL", landmarks.ADDRESS, "IFASKED", "INSTRUCTION", "SYSPROMPT"),
)
"""What a user may not be kept from knowing of."""
_HANDED_ON: Final = (
    *("SEND", "AGENT", "CONVERSATION", "TALK", "FOREIGNTOOL", "OTHERTOOL", landmarks.ADDRESS, "BEFORE", "SYSPROMPT"),
)
"""What shows that a file is read for somebody else."""
_FILES: Final = (landmarks.SECRETFILE, landmarks.DOTFILE)
_VALUES: Final = ("CREDENTIAL", "OTP", "VALUES", "PARAM")
_LEAVE: Final = ("CONFIRM", "CONSENT", "APPROVED", "WITHOUT", "WRITE", "SEND", "EXEC", "CHANGE", "BEFORE")
"""What shows that leave is asked for and not a value."""

_Found = Mapping[str, Sequence[Hit]]
"""The hits of a sentence by concept, in order of place."""


def without_harmless(hits: Sequence[Hit]) -> list[Hit]:
    """Give the hits of one sentence, in order of place, without those that an honest turn of phrase explains."""
    by: dict[str, list[Hit]] = defaultdict(list)
    for hit in hits:
        by[hit.concept].append(hit)
    for rule in _RULES:
        dropped = {id(hit) for hit in rule(by)}
        if dropped:
            by = {name: [hit for hit in found if id(hit) not in dropped] for name, found in by.items()}
    return sorted((hit for found in by.values() for hit in found), key=lambda hit: (hit.place, hit.start))


def _users(by: _Found) -> Iterator[Hit]:
    """Give calls that are no more than a part of the word for whoever uses something ("Benutzer", "usuario")."""
    return (call for user in by.get("USER", ()) for call in _on(by, ("CALL",), user))


def _unshown(by: _Found) -> Iterator[Hit]:
    """Give words of showing where a text states what is not shown: no order, and no deed that it hides."""
    for shown in by.get("SHOWN", ()):
        if not _beside(by, (*_DEEDS, "MUST"), shown, _BESIDE):
            yield from _on(by, _TELLING, shown)


def _trifles(by: _Found) -> Iterator[Hit]:
    """Give words of telling where what is not to be told is no more than progress or raw data."""
    for trifle in by.get("TRIVIA", ()):
        deeds = _beside(by, _DEEDS, trifle, _NEAR)
        if all(_on(by, _TELLING, deed) for deed in deeds):
            yield from _beside(by, _TELLING, trifle, _BESIDE)


def _for_the_entitled(by: _Found) -> Iterator[Hit]:
    """Give words of telling where those are excepted who may see it: "unless they own it"."""
    for unless in by.get("UNLESS", ()) if "ENTITLED" in by else ():
        deeds = (deed for deed in _beside(by, _DEEDS, unless, _BESIDE) if deed.place < unless.place)
        if _beside(by, ("ENTITLED",), unless, _BESIDE) and not any(deeds):
            yield from _beside(by, _TELLING, unless, _ACROSS)


def _asked_for(by: _Found) -> Iterator[Hit]:
    """Give words of asking where a value is asked for and no leave."""
    for ask in by.get("ASK", ()):
        last = ask.language in VERB_LAST
        values = [hit for hit in _beside(by, _VALUES, ask, _BESIDE) if (hit.place < ask.place) == last]
        if values and not _beside(by, _LEAVE, ask, _BESIDE):
            yield from _on(by, ("CONFIRM",), ask)


def _defended(by: _Found) -> Iterator[Hit]:
    """Give words of ignoring where the orders that are to be ignored are those found in data."""
    if "IGNORE" not in by or "SYSPROMPT" in by:
        return
    for order in by.get("INSTRUCTION", ()):
        found = [hit for hit in _beside(by, ("INDATA",), order, _BESIDE) if hit.place > order.place or _leads(hit)]
        given = [hit for hit in _beside(by, ("PRIOR",), order, _NEAR) if not _on(by, ("OTHER",), hit)]
        if found or (not given and _beside(by, ("ASDATA",), order, _ACROSS)):
            yield from _beside(by, ("IGNORE",), order, _ACROSS)


def _as_data(by: _Found) -> Iterator[Hit]:
    """Give words of treating where something is to be taken for data."""
    for data in by.get("ASDATA", ()):
        if not any(hit.place < data.place for hit in _beside(by, ("NOT",), data, _DENIED)):
            yield from _beside(by, ("TREAT",), data, _ACROSS)


def is_sourced(hits: Sequence[Hit]) -> bool:
    """Say whether a sentence only names where the server finds its settings, of all its hits."""
    by: dict[str, list[Hit]] = defaultdict(list)
    for hit in hits:
        by[hit.concept].append(hit)
    sources = _sources(by)
    return bool(sources) and not any(_is_handed_on(by, how) for how in sources)


def _sourced(by: _Found) -> Iterator[Hit]:
    """Give files that a text names as the place where the server finds its settings."""
    for how in _sources(by):
        if not _is_handed_on(by, how):
            yield from _beside(by, _FILES, how, _ACROSS)


def _sources(by: _Found) -> list[Hit]:
    """Give the words that name where settings come from."""
    return [*by.get("SOURCED", ()), *by.get(landmarks.TEMPLATE, ())]


def _is_handed_on(by: _Found, how: Hit) -> bool:
    """Say whether what is read there is put into a field or given to somebody."""
    put = _beside(by, ("INCLUDE",), how, _ACROSS) and _beside(by, ("PARAM",), how, _ACROSS)
    return bool(put or _beside(by, _HANDED_ON, how, _ACROSS))


def _wanted(by: _Found) -> Iterator[Hit]:
    """Give "you" and "need" where a text says what a tool is good for: "when you need to run a command"."""
    for wanted in by.get("WANTED", ()):
        yield from _on(by, ("MODEL", "MUST", "USER", "WHEN"), wanted)


_RULES: Final = (
    _users,
    _unshown,
    _trifles,
    _for_the_entitled,
    _asked_for,
    _defended,
    _as_data,
    _sourced,
    _wanted,
)


def _leads(hit: Hit) -> bool:
    """Say whether a hit is in a language that puts what describes a thing in front of it."""
    return hit.language in VERB_LAST or hit.language == "zh"


def _beside(by: _Found, concepts: Iterable[str], hit: Hit, reach: float) -> list[Hit]:
    """Give the hits of these concepts that stand within reach of another and on none of its words."""
    return [other for other in _within(by, concepts, hit, reach) if not _overlap(other, hit)]


def _on(by: _Found, concepts: Iterable[str], hit: Hit) -> list[Hit]:
    """Give the hits of these concepts that stand on a word of another."""
    return [other for other in _within(by, concepts, hit, _BESIDE) if _overlap(other, hit)]


def _within(by: _Found, concepts: Iterable[str], hit: Hit, reach: float) -> Iterator[Hit]:
    """Give the hits of these concepts that stand within reach of another, without a look at the rest."""
    for concept in concepts:
        others = by.get(concept, ())
        for at in range(bisect_left(others, hit.place - reach, key=_place), len(others)):
            if others[at].place > hit.place + reach:
                break
            yield others[at]


def _place(hit: Hit) -> float:
    return hit.place


def _overlap(one: Hit, other: Hit) -> bool:
    """Say whether two hits stand on a common word."""
    return one.first <= other.last and other.first <= one.last
