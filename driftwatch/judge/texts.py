"""Every string of an item that a model or a host may read: values and property names, at any depth."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from driftwatch.judge import pointer as at
from driftwatch.judge.context import Look, Text
from driftwatch.judge.names import words
from driftwatch.model import Item, Json, Kind

NAMED = frozenset({Kind.TOOL, Kind.PROMPT})
"""The kinds whose items are called by name, with parameters."""
APPROVED_UP_TO = 65_536
"""How much approved text (code points) of an item is taken into account."""

_ADDRESS_FIELD = re.compile(r"/(?:icons/\d+/src|websiteUrl|\$schema|\$id|\$ref)$")
_META_KEY = re.compile(r"/_meta/[\w.-]{1,64}(?:~1[\w.-]{1,64})?$", re.ASCII)
_OTHER_SCRIPTS = 200
"""How many names in other scripts, which have no gaps between words, are looked for one by one."""


def texts(raw: Json) -> Iterator[Text]:
    """Give every string inside a value, property names included."""
    for place, value in at.walk(raw):
        if isinstance(value, str):
            yield Text(place, "value", value)
        elif isinstance(value, dict):
            yield from (Text(at.join(place, key), "key", key) for key in value)


class Approved:
    """The strings of an item's approved form, asked whether they hold a string of its live form."""

    def __init__(self, before: Item | None) -> None:
        """Read the approved form; None is an item that nobody approved."""
        approved = list(texts(before.raw)) if before is not None else []
        self._everywhere = frozenset(text.said for text in approved)
        self.shown = frozenset(text.said for text in approved if not _aside(text))
        """Those that a model was shown: what was only in `_meta` is new when it moves into a description."""

    def hold(self, text: Text) -> bool:
        """Say whether a string was approved where hosts keep things for themselves, or else where models read."""
        return text.said in (self._everywhere if _aside(text) else self.shown)


def _aside(text: Text) -> bool:
    """Say whether a string stands where hosts keep things for themselves."""
    return at.covers("/_meta", text.pointer)


class OwnNames:
    """The names of a server's own tools, prompts and parameters, found again in a text in time linear in the text."""

    _longest = 6
    """Longer names are known by their first word only."""

    def __init__(self, names: Iterable[str]) -> None:
        """Index the names by their words."""
        self._by_words: dict[tuple[str, ...], list[str]] = {}
        self._by_first: dict[str, str] = {}
        self._sizes: dict[str, set[int]] = {}
        self._other: list[str] = []
        for name in sorted(set(names)):
            parts = words(name)
            if not name.isascii() and len(self._other) < _OTHER_SCRIPTS:
                self._other.append(name)
            if parts:
                self._by_words.setdefault(parts, []).append(name)
                self._by_first.setdefault(parts[0], name)
                if len(parts) <= self._longest:
                    self._sizes.setdefault(parts[0], set()).add(len(parts))

    def within(self, said: Iterable[str]) -> frozenset[str]:
        """Give the names that the texts mention, and one name of each family whose first word they mention."""
        text = "\n".join(said)
        spoken = words(text)
        found = {self._by_first[word] for word in set(spoken) if word in self._by_first}
        starts = [(start, size) for start, word in enumerate(spoken) for size in self._sizes.get(word, ())]
        for parts in {spoken[start : start + size] for start, size in starts}:
            found.update(self._by_words.get(parts, ()))
        return frozenset(found | {name for name in self._other if name in text})


def names_of(item: Item) -> Iterator[str]:
    """Give the names of a tool or prompt and of its parameters."""
    if item.kind in NAMED:
        yield from (name for name in (item.key, *parameters(item)) if name)


def parameters(item: Item) -> tuple[str, ...]:
    """Give the names of a tool's or prompt's top-level parameters."""
    if not isinstance(item.raw, dict):
        return ()
    properties = at.follow(item.raw, ["inputSchema", "properties"])
    arguments = item.raw.get("arguments")
    named = [entry.get("name") for entry in arguments if isinstance(entry, dict)] if isinstance(arguments, list) else []
    return (*(properties if isinstance(properties, dict) else ()), *(name for name in named if isinstance(name, str)))


def purpose(look: Look) -> str:
    """Give what an item is for: its name and its approved description. What nobody approved excuses nothing."""
    if look.before is None:
        return look.after.key[:APPROVED_UP_TO]
    key, raw = look.before.key, look.before.raw
    description = raw.get("description") if isinstance(raw, dict) else None
    said = f"{key}: {description}" if isinstance(description, str) else key
    return said[:APPROVED_UP_TO]


def unreadable(text: Text) -> bool:
    """Say whether there is nothing to read: an address that only programs follow, a plain property name."""
    if text.target == "value" and text.said.isascii() and _ADDRESS_FIELD.search(text.pointer):
        return not any(char.isspace() for char in text.said)
    if text.target == "key" and _META_KEY.search(text.pointer):
        return True
    return text.target == "key" and text.said.isascii() and text.said.isprintable() and len(words(text.said)) <= 2
