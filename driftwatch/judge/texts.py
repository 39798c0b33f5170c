"""Every string of an item that a model or a host may read: values and property names, at any depth."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from driftwatch.judge import pointer as at
from driftwatch.judge.context import Context, Heard, Look, Text
from driftwatch.judge.names import words
from driftwatch.judge.text import Signal, TextContext, examine
from driftwatch.model import Item, Json, Kind

_KNOWN_UP_TO = 65_536
"""How much approved text (code points) of an item is handed on as known."""

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


def listen(context: Context) -> Iterator[Heard]:
    """Give every string that gained signals over the item's approved text.

    Text that only moved inside the item is not new; what a string says that the item said elsewhere before is not.
    """
    own = OwnNames(name for item in context.live.items for name in _names(item))
    for look in context.looks():
        earlier = {text.said for text in texts(look.before.raw)} if look.before is not None else set()
        olds = {change.pointer: change.before for change in look.changes}
        known = "\n".join(sorted(earlier))[:_KNOWN_UP_TO]
        new = [text for text in texts(look.after.raw) if text.said not in earlier and not _unread(text)]
        names = own.within(text.said for text in new) if new else frozenset()
        for text in new:
            before = _before(look, olds, text)
            place = TextContext(
                names, look.after.key, look.after.kind, text.pointer, purpose(look), target=text.target, known=known
            )
            signals = tuple(
                signal for signal in examine(text.said, before, place) if not _moved(signal, text.said, known)
            )
            if signals:
                yield Heard(look.after, text, before, signals)


class OwnNames:
    """The names of a server's own tools, prompts and parameters, found again in a text in time linear in the text."""

    _longest = 6

    def __init__(self, names: Iterable[str]) -> None:
        """Index the names by their words."""
        self._by_words: dict[tuple[str, ...], list[str]] = {}
        self._by_first: dict[str, str] = {}
        self._other: list[str] = []
        for name in sorted(set(names)):
            parts = words(name)
            if not name.isascii() and len(self._other) < _OTHER_SCRIPTS:
                self._other.append(name)
            if parts:
                self._by_words.setdefault(parts, []).append(name)
                self._by_first.setdefault(parts[0], name)

    def within(self, said: Iterable[str]) -> frozenset[str]:
        """Give the names that the texts mention, and one name of each family whose first word they mention."""
        text = "\n".join(said)
        spoken = words(text)
        found = {self._by_first[word] for word in set(spoken) if word in self._by_first}
        for size in range(1, self._longest + 1):
            for parts in {spoken[start : start + size] for start in range(len(spoken) - size + 1)}:
                found.update(self._by_words.get(parts, ()))
        return frozenset(found | {name for name in self._other if name in text})


def _names(item: Item) -> Iterator[str]:
    if item.kind in (Kind.TOOL, Kind.PROMPT):
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
    """Give what an item says it is for: its name and its approved description (its own where none was approved)."""
    source = look.before or look.after
    description = source.raw.get("description") if isinstance(source.raw, dict) else None
    return f"{source.key}: {description}" if isinstance(description, str) else source.key


def _before(look: Look, olds: dict[str, Json], text: Text) -> str:
    if text.target == "key" or look.before is None:
        return ""
    old = olds[text.pointer] if text.pointer in olds else at.get(look.before.raw, text.pointer, None)
    return old if isinstance(old, str) else ""


def _unread(text: Text) -> bool:
    """Say whether there is nothing to read: an address that only programs follow, a plain property name."""
    if text.target == "value" and text.said.isascii() and _ADDRESS_FIELD.search(text.pointer):
        return not any(char.isspace() for char in text.said)
    if text.target == "key" and _META_KEY.search(text.pointer):
        return True
    return text.target == "key" and text.said.isascii() and text.said.isprintable() and len(words(text.said)) <= 2


def _moved(signal: Signal, said: str, known: str) -> bool:
    """Say whether all that a signal points at stood elsewhere in the item before."""
    return (
        bool(known)
        and bool(signal.spans)
        and all(span.end - span.start > 3 and said[span.start : span.end] in known for span in signal.spans)
    )
