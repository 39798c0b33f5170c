"""The values of this room: what is known about a text, and what was seen in it."""

from __future__ import annotations

from dataclasses import dataclass, field

from driftwatch.model import Confidence, Kind, Severity, Span


@dataclass(frozen=True)
class TextContext:
    """Where a text stands and what it belongs to.

    `own_names` are the names of this server's own tools and prompts and their parameters: steering to them is
    ordinary. `coined` are those of them that nobody approved: they are known by their whole spelling, and neither
    other names with the same beginning nor hosts that are called like them are. `purpose` is the tool's name and
    its *baseline* description: what it says it is for. `pointer` leads to the text inside the item's raw JSON;
    `target` is `key` when the text is the pointer's last property name.
    `known` is further text that was approved before (addresses in it are not new). `elsewhere` are names of other
    servers' tools that are mentioned: what reads like one of them is the name of a tool for certain. `first`: nothing
    was approved yet, so nobody knows whether the list that is seen is all of it. `fresh`: nobody approved the item.
    """

    own_names: frozenset[str] = field(default_factory=frozenset)
    coined: frozenset[str] = field(default_factory=frozenset, kw_only=True)
    elsewhere: frozenset[str] = field(default_factory=frozenset, kw_only=True)
    item: str = ""
    kind: Kind = Kind.TOOL
    pointer: str = ""
    purpose: str = ""
    target: str = "value"
    known: str = ""
    first: bool = field(default=False, kw_only=True)
    fresh: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Signal:
    """One thing seen in a text, with where and why.

    `spans` hold offsets in code points into the text as received; a span's `decoded` says what a disguise hid.
    `why` is one plain sentence. `id` names the entry of the signal table, so that a figure can be given per entry.
    """

    category: str
    severity: Severity
    confidence: Confidence
    spans: tuple[Span, ...]
    why: str
    id: str = ""


@dataclass(frozen=True)
class Hidden:
    """A run of characters of one class that shows nothing or deceives.

    `name` is in plain words, with the first code point; `decoded` is the message that the run spells, if any;
    `level` is info for a use that honest text has, low to high otherwise.
    """

    kind: str
    start: int
    end: int
    name: str
    level: Severity
    decoded: str = ""
