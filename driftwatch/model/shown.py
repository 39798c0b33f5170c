"""What a server showed: documents, items, snapshots, and what differs between two of them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

Json: TypeAlias = Any
"""A decoded JSON value: None, bool, int, float, str, list or dict with string keys."""

Document: TypeAlias = dict[str, Json]
"""All that a server showed, in wire spelling.

Keys, each optional: `serverInfo`, `capabilities`, `protocolVersion`, `instructions`, `tools`, `prompts`,
`resources`, `resourceTemplates`. A fetch always writes the four lists; a key that is missing was not looked at.
Four more are ours and never come from a server: `cacheScopes` (method to `public`, `private` or both), `launch` (an
object: how the server was reached), `entries` (a list: what a host's configuration file holds) and `promptBodies` (a
list: what a witness saw prompts read as).
"""


class Kind(StrEnum):
    """What an item is. The value is the public spelling in findings."""

    SERVER = "server"
    TOOL = "tool"
    PROMPT = "prompt"
    RESOURCE = "resource"
    RESOURCE_TEMPLATE = "resource_template"
    LAUNCH = "launch"
    """How the server is started or reached: ours to write, never the server's."""
    ENTRY = "entry"
    """One server entry of a host's configuration file."""
    PROMPT_BODY = "prompt_body"
    """What a prompt reads as once an agent asked for it. Only a witness sees one."""

    @property
    def noun(self) -> str:
        """The word for one of these, in messages for people."""
        return self.value.replace("_", " ")

    @property
    def nouns(self) -> str:
        """The word for more than one of these, or for none."""
        if self.noun.endswith("y"):
            return f"{self.noun[:-1]}ies"
        return f"{self.noun}es" if self.noun.endswith("ch") else f"{self.noun}s"


Place: TypeAlias = tuple[Kind, str, int]
"""What makes an item the same item in two snapshots: its kind, its key, and its occurrence among those of that key."""


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something about the raw form of an item or a listing that no honest sender needs.

    `code` is a stable word (`not-an-object`, `no-key`, `duplicate-name`, `too-deep`, `invalid-utf8`,
    `lone-surrogate`, `duplicate-key`, `not-finite`, …); `pointer` leads into the item's raw JSON. `earlier` is what was
    read and lost to a later value, as an object with that key, until the snapshot is taken, which keeps it.
    """

    code: str
    pointer: str = ""
    detail: str = ""
    earlier: Json = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Item:
    """One tool, prompt, resource, resource template, or the server document.

    `key` is the tool's or prompt's name, the resource's URI, the template's URI template, and empty for the
    server (and for an item that has no usable key). `occurrence` tells items with the same key apart, from 0.
    `raw` is the JSON as received; `digest` is `sha256:` plus 64 hex digits over its canonical form.
    """

    kind: Kind
    key: str
    raw: Json
    digest: str
    occurrence: int = 0
    oddities: tuple[Oddity, ...] = ()

    @property
    def place(self) -> Place:
        """What makes this item the same item in another snapshot."""
        return (self.kind, self.key, self.occurrence)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that a server showed at one moment, content-addressed and immutable.

    `items` are in one total order (kind, key, occurrence). `sections` names the kinds that were looked at:
    a kind that is not in it was not asked for, which is not the same as empty.
    """

    items: tuple[Item, ...]
    digest: str
    sections: frozenset[Kind] = field(default_factory=lambda: frozenset(Kind))

    def of(self, kind: Kind) -> tuple[Item, ...]:
        """Give the items of one kind, in order."""
        return tuple(item for item in self.items if item.kind is kind)

    @property
    def body(self) -> str:
        """64 hex digits for what the server itself shows: all but the launch, which is ours."""
        shown = [f"{item.kind} {item.occurrence} {item.digest}" for item in self.items if item.kind is not Kind.LAUNCH]
        asked = sorted(self.sections - {Kind.LAUNCH})
        return hashlib.sha256("\n".join([*asked, "", *sorted(shown)]).encode()).hexdigest()


class ChangeKind(StrEnum):
    """What sort of difference a change is."""

    ITEM_ADDED = "item-added"
    ITEM_REMOVED = "item-removed"
    ITEM_RENAMED = "item-renamed"
    VALUE_ADDED = "value-added"
    VALUE_REMOVED = "value-removed"
    VALUE_CHANGED = "value-changed"


@dataclass(frozen=True, slots=True)
class Change:
    """One fact of difference between a baseline and what is live. No severity, no wording.

    `pointer` is a JSON Pointer into the item's raw JSON (empty for whole-item changes). `before` and `after`
    are the values there, `None` where there is none (the kind tells an absent value from a null).
    `key` is the live item's key (the baseline's for a removal); `before_key` differs from it only in a rename.
    """

    change: ChangeKind
    kind: Kind
    key: str
    pointer: str = ""
    before: Json = None
    after: Json = None
    before_key: str = ""
    occurrence: int = 0
