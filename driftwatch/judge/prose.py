"""Text that came with a change which means nothing else: a model may read it, so it is never only another spelling."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from driftwatch.judge.context import Context
from driftwatch.judge.names import words
from driftwatch.judge.parameters import schema_changes
from driftwatch.judge.pointer import split
from driftwatch.judge.schema import OUTPUT, WORDED, Direction, Edit, judged
from driftwatch.judge.texts import texts
from driftwatch.model import Change, ChangeKind, Kind

_PHRASE = 2
"""How many words in a row (or letters of other scripts, which need no gaps) are no more than a name."""


def respelled(context: Context) -> tuple[tuple[Edit, str], ...]:
    """Give every schema change that leaves what is accepted as it was, with the first new text in it, if any."""
    return context.once(_respelled)


def new_text(context: Context, change: Change) -> str:
    """Give the first text of a changed value that its item did not hold before; nothing where there is none."""
    known = context.once(_Known)
    return next((said for said in _prose(change) if not known.holds(change, said)), "")


def _respelled(context: Context) -> tuple[tuple[Edit, str], ...]:
    found = []
    for one in chain(schema_changes(context), (one for _, one in judged(context, OUTPUT))):
        edit = one.edit
        if edit.keyword and one.direction is Direction.SAME:
            # A title or a description that stands by itself has a rule of its own.
            own = edit.keyword in WORDED and not edit.rest
            found.append((edit, "" if own else new_text(context, edit.change)))
    return tuple(found)


class _Known:
    """The texts that each changed item held before, read when the first of its changes asks."""

    def __init__(self, context: Context) -> None:
        self._before = {look.after.place: look.before for look in context.altered()}
        self._said: dict[tuple[Kind, str, int], frozenset[str]] = {}

    def holds(self, change: Change, said: str) -> bool:
        place = (change.kind, change.key, change.occurrence)
        if place not in self._said:
            before = self._before.get(place)
            held = texts(before.raw) if before is not None else ()
            self._said[place] = frozenset(_squeezed(text.said) for text in held)
        return _squeezed(said) in self._said[place]


def _prose(change: Change) -> Iterator[str]:
    """Give every text of a changed value, and the name that came with it, that is more than a name.

    Nor is the name of what a text stands in more than that, as in titles that are generated.
    """
    if change.change is ChangeKind.VALUE_ADDED:
        yield from (name for name in split(change.pointer)[-1:] if _is_phrase(name))
    for text in texts(change.after):
        holder = split(change.pointer + text.pointer)[-2:-1]
        if _is_phrase(text.said) and not (holder and words(text.said) == words(holder[0])):
            yield text.said


def _is_phrase(said: str) -> bool:
    return len(said.split()) > _PHRASE or (not said.isascii() and len(said) > _PHRASE)


def _squeezed(text: str) -> str:
    return " ".join(text.split())
