"""Remembering what was made of short texts, and of the last few things: a fleet's names come at every judgement."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

_MOST, _LONGEST = 32_768, 80
"""So many texts are kept, of at most so many characters: some megabytes, whatever servers call their tools."""
_FEW = 2
"""As many things as are judged at a time."""

_Thing = TypeVar("_Thing")
_Made = TypeVar("_Made")


def of_short(make: Callable[[str], _Made]) -> Callable[[str], _Made]:
    """Make of a short text only once what is made of it; of a long one each time."""
    kept = lru_cache(maxsize=_MOST)(make)

    @wraps(make)
    def recalled(text: str) -> _Made:
        return kept(text) if len(text) <= _LONGEST else make(text)

    return recalled


def of_same(make: Callable[[_Thing], _Made]) -> Callable[[_Thing], _Made]:
    """Make only once what is made of one and the same thing, which must not change; the last few are kept."""
    kept = lru_cache(maxsize=_FEW)(lambda same: make(same.thing))

    @wraps(make)
    def recalled(thing: _Thing) -> _Made:
        return kept(_Same(thing))

    return recalled


class _Same:
    """A thing that is equal to nothing but itself. It is held, so that no other one comes to have its identity."""

    def __init__(self, thing: object) -> None:
        self.thing = thing

    def __hash__(self) -> int:
        return id(self.thing)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.thing is self.thing
