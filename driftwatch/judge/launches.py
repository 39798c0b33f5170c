"""Reading how servers are started or reached: a server's own launch, and the entries of hosts' files, alike.

The keys are those of `watch/supply/launch.py`. Nothing here trusts their types: an entry may hold anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from driftwatch.judge import pointer as at
from driftwatch.judge.context import VALUES, Context, Look
from driftwatch.judge.text.visible import visible
from driftwatch.model import Change, ChangeKind, Finding, Item, Json, Kind

STARTED = (Kind.LAUNCH, Kind.ENTRY)
"""The kinds of items that say how a server is started or reached."""

_PORTS = {"http": 80, "https": 443}
_NUMBER = re.compile(r"\d+")
_VERSION = re.compile(r"\d+(?:\.\d+)*")
_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "registration_endpoint", "issuer")


@dataclass(frozen=True)
class Move:
    """One launch that changed: the raw document before and after, and its changes by the first key of the pointer."""

    item: Item
    before: dict[str, Json]
    after: dict[str, Json]
    changes: dict[str, tuple[Change, ...]]

    @property
    def whose(self) -> str:
        """Name the entry for a message; empty for a server's own launch."""
        return f"Entry “{visible(self.item.key[:60])}”: " if self.item.kind is Kind.ENTRY else ""

    def both(self, key: str) -> tuple[Json, Json]:
        """Give the value of a key before and after, `at.ABSENT` where there is none."""
        return self.before.get(key, at.ABSENT), self.after.get(key, at.ABSENT)

    def tables(self, key: str) -> tuple[dict[str, Json], dict[str, Json]]:
        """Give the object at a key before and after, an empty one where there is none."""
        return table(self.before, key), table(self.after, key)

    @property
    def by_other_means(self) -> bool:
        """Say whether a command became an address or the other way round: then nothing else compares."""
        return is_local(self.before) != is_local(self.after)


def moves(context: Context) -> Iterator[Move]:
    """Give every launch and entry that is on both sides and differs."""
    for look in context.looks(*STARTED):
        before = _object(look.before)
        if context.baseline is not None and look.before is not None:
            changes: dict[str, list[Change]] = {}
            for change in look.changes:
                if change.change in VALUES:
                    changes.setdefault(_first(change.pointer), []).append(change)
            by_key = {key: tuple(found) for key, found in changes.items()}
            yield Move(look.after, before, _object(look.after), by_key)


def learnt(context: Context) -> Iterator[Look]:
    """Give the launch that the baseline does not know of."""
    for look in context.looks(Kind.LAUNCH):
        if context.baseline is not None and look.before is None:
            yield look


def fresh(context: Context) -> Iterator[Item]:
    """Give the launches and entries that nobody has seen before: all in a scan, new entries in a comparison."""
    for look in context.looks(*STARTED):
        if context.baseline is None or (look.before is None and look.after.kind is Kind.ENTRY):
            yield look.after


def table(raw: Json, key: str) -> dict[str, Json]:
    """Give the object at a key, an empty one where there is none."""
    value = raw.get(key) if isinstance(raw, dict) else None
    return value if isinstance(value, dict) else {}


def text(raw: Json, key: str) -> str:
    """Give the text at a key, empty where there is none."""
    value = raw.get(key) if isinstance(raw, dict) else None
    return value if isinstance(value, str) else ""


def texts(value: Json) -> list[str]:
    """Give the texts of a list, an empty list where it is none."""
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def apart_from_package(raw: dict[str, Json], args: Sequence[str]) -> list[str]:
    """Give the arguments of a launch with the package as it was asked for taken out."""
    asked = text(table(raw, "package"), "asked")
    return [word.replace(asked, "\0") for word in args] if asked else list(args)


def is_local(raw: dict[str, Json]) -> bool:
    """Say whether a launch starts a command."""
    return bool(text(raw, "command"))


def origin(url: Json) -> tuple[str, str]:
    """Give scheme, and host with port, of a URL in lower case; empty where they cannot be read."""
    if not isinstance(url, str):
        return "", ""
    try:
        parts = urlsplit(url.strip())
        port = parts.port or _PORTS.get(parts.scheme.lower(), 0)
    except ValueError:
        return "", ""
    host = (parts.hostname or "").rstrip(".")
    return parts.scheme.lower(), f"{host}:{port}" if host else ""


def endpoints(raw: Json) -> Iterator[tuple[str, str]]:
    """Give each address that sign-in metadata name, with its place below the launch."""
    oauth = table(raw, "oauth")
    for number, server in enumerate(texts(oauth.get("servers"))):
        yield at.join("/oauth/servers", number), server
    for name in _ENDPOINTS:
        if text(oauth, name):
            yield f"/oauth/{name}", text(oauth, name)


def is_older(version: str, than: str) -> bool:
    """Say whether a version is an older one, by its numbers; versions without numbers are not."""
    one, other = ([int(part[:18]) for part in _NUMBER.findall(which)[:6]] for which in (version, than))
    return bool(one) and bool(other) and one < other


def same_but_version(one: str, other: str) -> bool:
    """Say whether two paths differ only in the numbers in them."""
    return _VERSION.sub("#", one) == _VERSION.sub("#", other)


def told_at(finding: Finding, pointers: Sequence[str]) -> Finding:
    """Give a finding that speaks of several places of its item."""
    places = tuple((finding.item, pointer) for pointer in dict.fromkeys(pointers))
    return finding if len(places) < 2 else replace(finding, places=places)


def came(changes: Sequence[Change], pointer: str) -> ChangeKind | None:
    """Say whether the value at a place came or went as a whole; None where it did neither."""
    return next(
        (one.change for one in changes if one.pointer == pointer and one.change is not ChangeKind.VALUE_CHANGED), None
    )


def _object(item: Item | None) -> dict[str, Json]:
    return item.raw if item is not None and isinstance(item.raw, dict) else {}


def _first(pointer: str) -> str:
    return next(iter(at.split(pointer)), "")
