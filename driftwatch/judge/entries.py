"""Reading the entries of hosts' files: how one is started, in words, and what it resembles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from driftwatch.judge.names import skeleton, words
from driftwatch.judge.text.visible import visible
from driftwatch.model import Item, Json

SHORTEST = 5
"""Names shorter than this (characters) are one letter away from too many others to say so."""
SWAPPED = 3
"""From this length on (characters) two letters that changed places are told."""
LONGEST = 100
"""Longer names are not held against others."""
MOST = 20_000
"""How many known names are held against new ones."""
ANYBODYS = frozenset({"mcp", "server", "client", "cli", "sdk", "app", "tool", "tools", "model", "context", "protocol"})
"""Words that make no name: two packages that have only these in common have nothing in common."""
_ECOSYSTEMS = ("npm:", "pypi:", "oci:", "jsr:", "url:")
_DIGITS = re.compile(r"\d+")
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_SAID = 160
SWITCH = "/disabled"
"""Where an entry says that the host has it switched off."""


@dataclass(frozen=True)
class Resembled:
    """A known name that another one resembles, and how: `looks`, `letter`, `swapped` or `scope`."""

    name: str
    how: str


def how(entry: Json) -> str:
    """Say how an entry is reached, in a line that is safe to show; empty where it does not say."""
    raw = entry if isinstance(entry, dict) else {}
    parts = [raw.get("command"), *(raw["args"] if isinstance(raw.get("args"), list) else [])]
    line = " ".join(part for part in parts if isinstance(part, str) and part)
    said = line or raw.get("url")
    if not isinstance(said, str) or not said:
        return ""
    seen = visible(said[: _SAID + 1])
    cut = f"{seen[:_SAID]}…" if len(seen) > _SAID else seen
    return f"It {'starts' if line else 'connects to'} `{cut}`."


def witnessed(entry: Json) -> str:
    """Say through which witness an entry is started, in a sentence that is safe to show; empty where through none."""
    witness = entry.get("witness") if isinstance(entry, dict) else None
    if not isinstance(witness, dict):
        return ""
    program = visible(str(witness.get("program", ""))[:_SAID])
    return f"It is started through `{program} witness`: see that this is the program of driftwatch."


def is_off(item: Item) -> bool:
    """Say whether the host has an entry switched off: then it starts nothing."""
    return isinstance(item.raw, dict) and item.raw.get("disabled") is True


def package_of(raw: Json) -> str:
    """Give the package that an entry is started from as `npm:name`, empty where none is named."""
    package = raw.get("package") if isinstance(raw, dict) else None
    if not isinstance(package, dict):
        return ""
    ecosystem, name = package.get("ecosystem"), package.get("name")
    return f"{ecosystem}:{name}" if isinstance(ecosystem, str) and isinstance(name, str) and name else ""


def host_of(raw: Json) -> str:
    """Give host and port of an entry's URL, empty where it has none that can be read."""
    url = raw.get("url") if isinstance(raw, dict) else None
    return address(url) if isinstance(url, str) else ""


def address(url: str) -> str:
    """Give host and port of a URL, empty where it has none that can be read."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".")
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        return ""
    return f"{host}:{port}" if host else ""


class Known:
    """Names that are known, such that one that resembles one of them is found in time that does not grow with them."""

    def __init__(self, names: Iterable[str]) -> None:
        """Index the names."""
        self._names = dict.fromkeys(sorted({name for name in names if name})[:MOST])
        self._looks: dict[str, str] = {}
        self._near: dict[str, str] = {}
        self._bare: dict[str, str] = {}
        self._swapped: dict[str, str] = {}
        for name in self._names:
            plain = skeleton(name[:LONGEST])
            self._looks.setdefault(plain, name)
            self._bare.setdefault(_bare(name), name)
            for part in _shortened(plain):
                self._near.setdefault(part, name)
            for other in _swaps(plain):
                self._swapped.setdefault(other, name)

    def like(self, name: str) -> Resembled | None:
        """Give a known name that this one resembles and is not: same to look at, one letter apart, in another scope."""
        own = _own(name)
        if name in self._names or len(name) > LONGEST or not own:
            return None
        plain = skeleton(name)
        if plain in self._looks:
            return Resembled(self._looks[plain], "looks")
        if len(own) < SHORTEST:
            swapped = self._swapped.get(plain, "")
            return Resembled(swapped, "swapped") if swapped else None
        for part in _shortened(plain):
            near = self._near.get(part, "")
            if near and not _only_numbers(name.casefold(), near.casefold()):
                return Resembled(near, "letter")
        other = self._bare.get(_bare(name)) if name.startswith("npm:") and not set(words(own)) <= ANYBODYS else None
        return Resembled(other, "scope") if other else None


def _shortened(name: str) -> Iterator[str]:
    """Give a name, and the same without each of its letters: two names share one exactly when they are near."""
    if SHORTEST <= len(name) <= LONGEST:
        yield name
        yield from (name[:at] + name[at + 1 :] for at in range(len(name)))


def _swaps(name: str) -> Iterator[str]:
    """Give a short name with each two neighbouring letters in each other's place; digits stay where they are."""
    for at in range(len(name) - 1 if SWAPPED <= len(name) < SHORTEST else 0):
        one, two = name[at], name[at + 1]
        if one != two and one.isalpha() and two.isalpha():
            yield f"{name[:at]}{two}{one}{name[at + 2 :]}"


def _only_numbers(one: str, other: str) -> bool:
    """Say whether names differ in their numbers only, as honest families do."""
    return _DIGITS.sub("0", one) == _DIGITS.sub("0", other)


def _bare(name: str) -> str:
    """Give a package's name without its scope."""
    ecosystem, colon, rest = name.partition(":")
    return f"{ecosystem}{colon}{rest.rpartition('/')[2]}"


def _own(name: str) -> str:
    """Give what of a name is a word of its own: no ecosystem, no scope, no port."""
    return _bare(name).rpartition(":")[2] if name.startswith(_ECOSYSTEMS) else name.partition(":")[0]
