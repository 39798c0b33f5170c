"""Every string of an item that a model or a host may read: values and property names, at any depth."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import unquote, unquote_plus

from driftwatch.judge import pointer as at
from driftwatch.judge.context import Look, Text
from driftwatch.judge.names import words
from driftwatch.judge.schema.keywords import ARRAYS, INPUT, MAPS, NESTED, OUTPUT
from driftwatch.judge.text.denied import allowed
from driftwatch.model import Item, Json, Kind

NAMED = frozenset({Kind.TOOL, Kind.PROMPT})
"""The kinds whose items are called by name, with parameters."""
APPROVED_UP_TO = 65_536
"""How much approved text (code points) of an item is taken into account."""

_LINKED = re.compile(r"(?:/serverInfo)?/(?:icons/\d+/src|websiteUrl)")
"""Where addresses stand that only programs follow."""
_ADDRESS = re.compile(r"(?:https?://|data:image/)\S+", re.ASCII)
_META_KEY = re.compile(r"/_meta/[\w.-]{1,64}(?:~1[\w.-]{1,64})?", re.ASCII)
_REFERRING = frozenset({"$schema", "$id", "$ref"})
_SAMPLES = frozenset({"examples", "example", "enum", "default", "const"})
"""Keywords of a schema that hold values: what one says is not said to the model."""
_SHORT_NAME = 24
"""No sentence that asks for anything fits into a name as short as that."""
_ADDRESS_FEW = 7
"""So many words has an address that is no more than a scheme, a host and a short way."""
_SPELLED = 8192
_IN_BASE64, _TYPED = ";base64,", 100
"""What says of the rest of an address that it is in base64, and how far from the start of it."""
_CODES = 8
"""So many codes make a word at least."""
_CODE = 10
_LAST_CODE = 0x10FFFF
_CODE_DIGITS = re.compile(r"(?:0x|U\+|\\u)?[0-9A-Fa-f]{2,8}|\d{1,7}", re.ASCII)
_OTHER_SCRIPTS = 200
"""How many names in other scripts, which have no gaps between words, are looked for one by one."""


def texts(raw: Json) -> Iterator[Text]:
    """Give every string inside a value, property names included, and what is written code by code in a list."""
    for place, value in at.walk(raw):
        if isinstance(value, str):
            yield Text(place, "value", value)
        elif isinstance(value, list):
            coded = _coded(value)
            if coded:
                yield Text(place, "value", coded)
        elif isinstance(value, dict):
            yield from (Text(at.join(place, key), "key", key) for key in value)


def _coded(values: list[Json]) -> str:
    """Give a list of character codes, or of single characters, as the text that they make; empty for another list."""
    if len(values) < _CODES:
        return ""
    if all(type(value) is int or (type(value) is float and value.is_integer()) for value in values):
        return ", ".join(str(int(value)) for value in values) if 0 <= min(values) <= max(values) <= _LAST_CODE else ""
    if not all(isinstance(value, str) and 0 < len(value) <= _CODE for value in values):
        return ""
    if all(len(value) == 1 for value in values):
        return "".join(values)
    return " ".join(values) if all(_CODE_DIGITS.fullmatch(value) for value in values) else ""


class Approved:
    """The strings of an item's approved form, asked whether they hold a string of its live form."""

    def __init__(self, before: Item | None) -> None:
        """Read the approved form; None is an item that nobody approved."""
        approved = list(texts(before.raw)) if before is not None else []
        self._everywhere = frozenset(text.said for text in approved)
        shown = [text for text in approved if not _aside(text)]
        self.shown = frozenset(text.said for text in shown)
        """Those that a model was shown: what was only in `_meta` is new when it moves into a description."""
        self._stated = frozenset(text.said for text in shown if not _sample(text))
        """Those that were said to it: a sample value that moves into a description says something new."""

    def beside(self, text: Text) -> frozenset[str]:
        """Give the strings that vouch for one that stands where this one stands."""
        if _aside(text):
            return self._everywhere
        return self.shown if _sample(text) else self._stated

    def hold(self, text: Text) -> bool:
        """Say whether a string was approved where hosts keep things for themselves, or else where models read."""
        return text.said in self._everywhere and text.said in self.beside(text)


def _aside(text: Text) -> bool:
    """Say whether a string stands where hosts keep things for themselves."""
    return at.covers("/_meta", text.pointer)


def _sample(text: Text) -> bool:
    """Say whether a string is a sample value of a schema, or a part of one."""
    return not _SAMPLES.isdisjoint(text.pointer.split("/")) and _keyword(text.pointer)[0] in _SAMPLES


def _keyword(pointer: str) -> tuple[str, bool]:
    """Give the keyword of a schema that a pointer leads to or into, and whether it ends there."""
    head, *rest = at.split(pointer) or [""]
    if head not in (INPUT, OUTPUT):
        return "", False
    while rest:
        keyword = rest[0]
        named = (
            keyword in MAPS or keyword in ARRAYS or (keyword == "items" and at.is_index(rest[1] if rest[1:] else ""))
        )
        if not named and keyword not in NESTED:
            return keyword, len(rest) == 1
        rest = rest[2:] if named else rest[1:]
    return "", False


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
    """Give what an item is for: its name and its approved description, without what that forbids.

    What nobody approved excuses nothing.
    """
    if look.before is None:
        return look.after.key[:APPROVED_UP_TO]
    key, raw = look.before.key, look.before.raw
    description = raw.get("description") if isinstance(raw, dict) else None
    if not isinstance(description, str):
        return key[:APPROVED_UP_TO]
    return f"{key}: {allowed(description[:APPROVED_UP_TO])}"[:APPROVED_UP_TO]


def unreadable(text: Text, raw: Json) -> bool:
    """Say whether there is nothing to read: an address that only programs follow, a plain property name.

    `raw` is the item that the text stands in.
    """
    if text.target == "key":
        if _META_KEY.fullmatch(text.pointer):
            return True
        plain = text.said.isascii() and text.said.isprintable()
        return plain and len(text.said) <= _SHORT_NAME and len(words(text.said)) <= 2
    if linked(text) and _ADDRESS.fullmatch(text.said) is not None:
        return not _spells(text.said)
    return _refers(text.pointer) and (_plain_name(text.said) or _leads(text, raw))


def linked(text: Text) -> bool:
    """Say whether a string stands where an address is expected that only programs follow."""
    if text.target != "value":
        return False
    return _LINKED.fullmatch(text.pointer) is not None or (
        _refers(text.pointer) and _ADDRESS.fullmatch(text.said) is not None
    )


def _refers(pointer: str) -> bool:
    """Say whether a pointer leads to a keyword of a schema that refers to something."""
    last = pointer.rpartition("/")[2]
    return last in _REFERRING and _keyword(pointer) == (last, True)


def _spells(said: str) -> bool:
    """Say whether an address has so many words in it that they may be a sentence; a picture in base64 has none."""
    if said.startswith("data:"):
        return _IN_BASE64 not in said[:_TYPED]
    return len(said) > _SPELLED or len(words(unquote_plus(unquote(said)))) > _ADDRESS_FEW


def _plain_name(said: str) -> bool:
    """Say whether a text is a name too short to say anything else."""
    if not said.isascii() or any(char.isspace() for char in said):
        return False
    return len(said) <= _SHORT_NAME


def _leads(text: Text, raw: Json) -> bool:
    """Say whether a reference leads to something in the same schema, or in the item, whose names are read there."""
    if not text.said.startswith("#/"):
        return False
    schema = at.follow(raw, at.split(text.pointer)[:1], None)
    return any(at.get(root, text.said[1:], None) is not None for root in (schema, raw))
