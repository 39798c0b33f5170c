"""Which entries of a host's file are servers that are watched. Reads the configuration only."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence

from driftwatch.config.arguments import masked
from driftwatch.config.contents import shown_url
from driftwatch.config.inventory import WatchedFile
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.config.secret import MASK, Unresolved, shown
from driftwatch.judge.beside import Watch, WatchedAs, Watching
from driftwatch.judge.entries import address, package_of
from driftwatch.model import Item, Json, Kind, Snapshot
from driftwatch.watch.supply.launch import configured


def watching_of(settings: Settings, live: Snapshot) -> Watching | None:
    """Give what is watched beside the entries of `live`, None where it is no file."""
    if Kind.ENTRY not in live.sections:
        return None
    servers = [server for server in settings.servers if server.enabled]
    known = [_watch(server) for server in servers]
    reached = list(map(_Reached, servers))
    return Watching(tuple(known), tuple(_entries(live.of(Kind.ENTRY), reached)))


def watching_key(settings: Settings, server: ServerConfig | None) -> str:
    """Name what `watching_of` rests on, in a word; empty for what is no file. With another one, judge anew."""
    if not isinstance(server, WatchedFile):
        return ""
    launches = [[one.name, one.enabled, configured(one)] for one in settings.servers]
    return hashlib.sha256(json.dumps(launches, sort_keys=True).encode("ascii")).hexdigest()[:12]


def _watch(server: ServerConfig) -> Watch:
    return Watch(server.name, package_of(configured(server)), address(server.url) if server.url else "")


class _Reached:
    """How a configured server is reached, spelled as the entries of files are."""

    def __init__(self, server: ServerConfig) -> None:
        self.name = server.name
        command = str.__str__(server.command)
        words = [str.__str__(word) for word in server.args]
        self.line = (command, *(shown(word) for word in masked(command, words))) if command else ()
        known = server.url and not isinstance(server.url, Unresolved)
        self.url = _plain_url(shown_url(str.__str__(server.url))) if known else ""

    def is_of(self, raw: dict[str, Json]) -> bool:
        """Say whether an entry is reached in the same way; what either side masks or fills in may be anything."""
        command, args, url = raw.get("command"), raw.get("args"), raw.get("url")
        if isinstance(command, str) and command:
            words = [word for word in args if isinstance(word, str)] if isinstance(args, list) else []
            return _alike(self.line, (command, *words))
        return bool(self.url) and isinstance(url, str) and self.url == _plain_url(url)


def _entries(items: Sequence[Item], reached: Sequence[_Reached]) -> Iterator[WatchedAs]:
    """Give the entries that are watched: by how they are reached, else by name."""
    urls = {one.url: one for one in reversed(reached) if one.url}
    by_program: dict[str, list[_Reached]] = {}
    for one in reached:
        by_program.setdefault(one.line[0] if one.line else "", []).append(one)
    names = {one.name for one in reached}
    for item in items:
        raw = item.raw if isinstance(item.raw, dict) else {}
        command, url = raw.get("command"), raw.get("url")
        there = by_program.get(command, []) if isinstance(command, str) and command else []
        there = there or ([urls[_plain_url(url)]] if isinstance(url, str) and _plain_url(url) in urls else [])
        same = next((one for one in there if one.is_of(raw)), None)
        if same is not None:
            yield WatchedAs(item.key, same.name, same=True)
        elif item.key in names:
            yield WatchedAs(item.key, item.key, same=False)


def _alike(one: Sequence[str], other: Sequence[str]) -> bool:
    return len(one) == len(other) and all(
        mine == theirs or any(mark in word for word in (mine, theirs) for mark in (MASK, "${"))
        for mine, theirs in zip(one, other, strict=True)
    )


def _plain_url(url: str) -> str:
    """Give a URL without its query, a slash at its end, and what names the same host in another way."""
    address_part, _, _ = url.partition("?")
    scheme, mark, rest = address_part.rstrip("/").partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme.lower()}{mark}{host.lower().removesuffix(':443' if scheme == 'https' else ':80')}{slash}{path}"
