"""What is not news: the server's own names, and the addresses and names that its approved texts hold already."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from driftwatch.judge.text import landmarks
from driftwatch.judge.text.base import TextContext
from driftwatch.judge.text.denied import denials
from driftwatch.judge.text.landmarks import Landmark
from driftwatch.judge.text.normalise import fold
from driftwatch.judge.text.sentences import sentences
from driftwatch.judge.text.vocabulary import vocabulary
from driftwatch.judge.text.words import words

_PLAIN_FIRST: Final = frozenset(
    {
        *("get", "list", "search", "create", "read", "write", "send", "update", "delete", "find", "fetch", "run"),
        *("set", "add", "file", "data", "user", "make", "check"),
    }
)
"""First words of tool names that are no family name."""
_EFFECTS: Final = frozenset(
    {
        *("delete", "remove", "archive", "send", "publish", "transfer", "pay", "drop", "purge", "merge", "deploy"),
        *("execute", "post", "share", "export", "upload", "approve", "grant", "revoke", "reset", "wipe", "destroy"),
        *("cancel", "email", "message", "forward", "write", "update", "create", "add", "invite", "buy", "order"),
    }
)
"""Words in a tool's name that say that it changes or sends something."""
_KIN: Final = 4
"""Shorter words of a name say too little to tell a relation by."""


@dataclass(frozen=True)
class Known:
    """Keys of known landmarks, beginnings of the server's own names, and words that its own hosts are named for.

    `kin` are words of the tool's own name, where nobody knows the whole list: what is named for the same thing is
    taken for a tool of the same server.
    """

    keys: frozenset[str]
    families: tuple[str, ...]
    labels: frozenset[str]
    own: frozenset[str]
    had: frozenset[str]
    elsewhere: frozenset[str] = frozenset()
    kin: frozenset[str] = frozenset()

    def is_elsewhere(self, mark: Landmark) -> bool:
        """Say whether a landmark names another server's tool, and no text named it before."""
        if mark.concept != landmarks.FOREIGN or mark.key in self.had or mark.key in self.own:
            return False
        return mark.key in self.elsewhere

    def is_news_of_effect(self, mark: Landmark) -> bool:
        """Say whether a landmark names one of the server's own tools that acts, where it was not named before."""
        return mark.key in self.own and mark.key not in self.had and not _EFFECTS.isdisjoint(_parts(mark.key))

    def is_news_of_own(self, mark: Landmark) -> bool:
        """Say whether a landmark names another of the server's own tools that was not named before."""
        if mark.concept != landmarks.FOREIGN or mark.key in self.had:
            return False
        return mark.key in self.own or not self.kin.isdisjoint(_parts(mark.key))

    def has(self, mark: Landmark) -> bool:
        """Say whether a landmark is no news."""
        if mark.concept == landmarks.FIELD:
            return False
        if mark.key in self.keys:
            return True
        if mark.concept == landmarks.ADDRESS:
            return landmarks.label(mark.key) in self.labels
        return mark.concept == landmarks.FOREIGN and mark.key.startswith(self.families)


def known(old: str, context: TextContext) -> Known:
    """Gather what is known before a text is read. `old` is the same text as it was approved."""
    about = _about(context.own_names, context.item, context.purpose, context.known)
    coined = _own(context.coined)[0]
    if coined:
        about = replace(about, keys=about.keys | coined, own=about.own | coined)
    if context.elsewhere:
        about = replace(about, elsewhere=_own(context.elsewhere)[0])
    if context.first:
        about = replace(about, kin=_kin(context.item))
    new = _keys(old) - about.had
    return replace(about, keys=about.keys | new, had=about.had | new) if new else about


def names_known(facts: Known, context: TextContext) -> Known:
    """Leave only the server's own names of what is known: what approved texts named is told again."""
    mine = _own(frozenset({context.item})) if context.item else (frozenset(), (), frozenset())
    names = facts.own | mine[0]
    return replace(facts, keys=names, labels=_own(context.own_names)[2] | mine[2], had=names)


@lru_cache(maxsize=64)
def _about(own_names: frozenset[str], item: str, purpose: str, approved: str) -> Known:
    """Gather what is the same for all texts of an item."""
    keys, families, labels = _own(own_names)
    mine = _own(frozenset({item})) if item else (frozenset(), (), frozenset())
    had = _keys(approved) | _keys(purpose) | mine[0]
    return Known(keys | had, families + mine[1], labels | mine[2] | _labels(purpose), keys, had)


@lru_cache(maxsize=64)
def _own(names: frozenset[str]) -> tuple[frozenset[str], tuple[str, ...], frozenset[str]]:
    """Give names in their spellings, families and host labels."""
    keys: set[str] = set()
    families: set[str] = set()
    labels: set[str] = set()
    for name in names:
        folded = fold(name).text
        keys.update((folded, folded.replace("-", "_"), folded.replace("_", "-")))
        parts = [word.text for word in words(folded)]
        labels.update(parts)
        if len(parts) > 1 and len(parts[0]) >= 4 and parts[0] not in _PLAIN_FIRST:
            families.update((f"{parts[0]}_", f"{parts[0]}-"))
    return frozenset(keys), tuple(sorted(families)), frozenset(labels - vocabulary())


@lru_cache(maxsize=64)
def _kin(item: str) -> frozenset[str]:
    """Give the words of a name that say what it is about."""
    named = (word.text for word in words(fold(item).text))
    return frozenset(word for word in named if len(word) >= _KIN and word not in _PLAIN_FIRST | _EFFECTS)


def _parts(name: str) -> list[str]:
    """Give the words of a name in snake or kebab case."""
    return name.replace("-", "_").split("_")


@lru_cache(maxsize=64)
def _labels(purpose: str) -> frozenset[str]:
    """Give the words of a purpose that a host can be named for."""
    return frozenset(word.text for word in words(fold(purpose).text) if len(word.text) > 3) - vocabulary()


@lru_cache(maxsize=64)
def _keys(text: str) -> frozenset[str]:
    """Give the keys of all landmarks of a text, without the addresses and files of a sentence that forbids something.

    A tool that is not to be used is known all the same; a file that is not to be read is not one to read.
    """
    if not text:
        return frozenset()
    folded = fold(text).text
    named = {mark.key for mark in (*landmarks.names(folded), *landmarks.camel_names(text))}
    marks = sorted((*landmarks.addresses(folded), *landmarks.others(folded)), key=lambda mark: mark.start)
    places = iter(sentences(folded) if marks else ())
    start, end = 0, 0
    for mark in marks:
        while end <= mark.start and (place := next(places, None)):
            start, end = place
        if mark.concept != landmarks.SAMPLE and not denials(folded[start:end]):
            named.add(mark.key)
    return frozenset(named)
