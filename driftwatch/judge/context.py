"""What a rule sees: the two snapshots, what differs between them, and what new text was heard to say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from driftwatch.judge.diff import Difference
from driftwatch.judge.facts import NO_FACTS, Facts
from driftwatch.judge.text import Signal
from driftwatch.model import Change, ChangeKind, Finding, Item, Kind, Snapshot

_Made = TypeVar("_Made")

VALUES = frozenset({ChangeKind.VALUE_ADDED, ChangeKind.VALUE_REMOVED, ChangeKind.VALUE_CHANGED})
"""The changes that are about a value inside an item."""


@dataclass(frozen=True)
class Look:
    """One live item to judge: what it was (None: new, or there is no baseline) and what changed in it."""

    before: Item | None
    after: Item
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True)
class Text:
    """One string of an item: where it stands, whether it is a value or a property name, and what it says."""

    pointer: str
    target: str
    said: str


@dataclass(frozen=True)
class Heard:
    """What one string gained over what the item said before; or what several say together, which are then `parts`.

    `fresh`: nobody approved the item. `across` are the items of the parts where that is more than one: the pointers of
    parts and spans then begin with the item's key.
    """

    item: Item
    text: Text
    before: str
    signals: tuple[Signal, ...]
    parts: tuple[Text, ...] = ()
    fresh: bool = False
    across: tuple[Item, ...] = ()


@dataclass(frozen=True)
class Unread:
    """The new strings that were not read because the look holds too much: how many, how long, of which items.

    `apart` are the items whose strings were read one by one only, not as one text.
    """

    texts: int = 0
    characters: int = 0
    items: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()


@dataclass(frozen=True)
class Context:
    """All that a rule sees. `baseline` is None in a scan; `found` is filled for the rules that come last only.

    `heard` is what the reading of new text came to, done once for all rules; `unread` is what was left out of it.
    `facts` are what is known beside the two lists.
    """

    baseline: Snapshot | None
    live: Snapshot
    changes: tuple[Change, ...] = ()
    differences: tuple[Difference, ...] = ()
    heard: tuple[Heard, ...] = ()
    unread: Unread = Unread()
    found: tuple[Finding, ...] = ()
    facts: Facts = NO_FACTS
    _made: dict[object, Any] = field(default_factory=dict, repr=False, compare=False)

    def once(self, make: Callable[[Context], _Made]) -> _Made:
        """Give what a function makes of the snapshots and their difference, made for the first rule that asks.

        It is kept over all rules: the function must not look at `found`, which is filled on the way.
        """
        if make not in self._made:
            self._made[make] = make(self)
        made: _Made = self._made[make]
        return made

    def looks(self, *kinds: Kind) -> Iterator[Look]:
        """Give the live items to judge: every one in a scan, those that changed or are new otherwise."""
        wanted = kinds or tuple(Kind)
        if self.baseline is None:
            yield from (Look(None, item) for item in self.live.items if item.kind in wanted)
            return
        for difference in self.differences:
            before, after = difference.pair.before, difference.pair.after
            if after is not None and after.kind in wanted:
                yield Look(before, after, difference.changes)

    def altered(self, *kinds: Kind) -> Iterator[Look]:
        """Give the items that are on both sides and differ (the server's and the launch's document also when new)."""
        for look in self.looks(*kinds):
            if self.baseline is not None and (look.before is not None or look.after.kind in (Kind.SERVER, Kind.LAUNCH)):
                yield look

    def values(self, *kinds: Kind) -> Iterator[Change]:
        """Give the changes of single values inside items, removed documents of the server included."""
        for change in self.changes:
            if change.change in VALUES and change.kind in (kinds or tuple(Kind)):
                yield change
