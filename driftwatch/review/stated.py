"""What a repository's files state of each MCP server, to the last word: read to be compared, never started. Pure.

`starts` has what can be started to be looked at. Here is what nobody can look at for a pull request: URLs, values of
variables and headers, folders, and whatever else stands in an entry. Values are compared, and shown only where they are
no secrets.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from driftwatch.config import hosts, shapes
from driftwatch.config.hiding import is_harmless, is_secret_word, looks_secret
from driftwatch.config.urls import mask_url
from driftwatch.config.words import path_of, quoted, safe
from driftwatch.errors import UnreadableInputError
from driftwatch.model import Json
from driftwatch.review.startable import is_steering
from driftwatch.review.starts import OWN, holds_servers, line_of

_MEANINGLESS: Final = frozenset(
    {
        *(
            "enabled",
            "disabled",
            "name",
            "description",
            "labels",
            "timeout",
            "interval",
            "limits",
            "notices",
            "rehearse",
        ),
        *("alert_after", "cloaking_period", "expect", "policy"),
        *("startup_timeout_sec", "startup_timeout_ms", "tool_timeout_sec"),
    }
)
"""What changes neither what is reached nor what it may do; policy and expectations are those of the base anyway."""
_OWN_WORDS: Final = frozenset({"command", "args", "url", "env", "headers", "cwd", "type", "transport"})
_NAMED: Final = 8


@dataclass(frozen=True, slots=True)
class Stated:
    """One server as a file has it. `raw` is for comparing alone: it may hold secrets. `url` may be shown."""

    server: str
    file: str
    line: int
    raw: Mapping[str, Json]
    url: str = ""

    @property
    def words(self) -> Json:
        """The command line as it is written; None where there is none."""
        return [self.raw["command"], self.raw.get("args") or []] if self.raw.get("command") else None

    @property
    def is_remote(self) -> bool:
        """Whether it is reached by a URL."""
        return bool(self.raw.get("url")) and self.words is None

    @property
    def transport(self) -> Json:
        """The transport that it says, else the usual one."""
        return self.raw.get("type", self.raw.get("transport", "http" if self.is_remote else "stdio"))

    def table(self, key: str) -> dict[str, Json]:
        """Give its variables, or its headers."""
        found = self.raw.get(key)
        return dict(found) if isinstance(found, Mapping) else {} if found is None else {"(all)": found}

    @property
    def rest(self) -> dict[str, Json]:
        """All else that it says and that means something."""
        return {key: value for key, value in self.raw.items() if key not in _OWN_WORDS | _MEANINGLESS}

    @property
    def meant(self) -> tuple[Json, ...]:
        """All that is compared."""
        about = (self.words, self.raw.get("url") or None, self.transport, self.raw.get("cwd") or None, self.rest)
        return (*about, self.table("env"), self.table("headers"))


def stated_of(path: str, text: str) -> Iterator[tuple[str, Stated]]:
    """Give what a file states of servers that are switched on, each by its place in the file; none for other files.

    Raises:
        UnreadableInputError: it looks like such a file, and cannot be read.

    """
    if PurePosixPath(path).name == OWN:
        yield from _own(path, text)
    elif holds_servers(path, text):
        known = {one.place: one for one in hosts.read_host_file(text, name=path).entries}
        for section, servers in shapes.read(text, name=path).sections:
            for original, raw in servers.items() if isinstance(servers, Mapping) else ():
                place = path_of((*section, original))
                entry = known.get(place)
                said = shapes.unwrapped(shapes.plain(raw))[0] if isinstance(raw, Mapping) else {"entry": raw}
                if said.get("disabled") is True or said.get("enabled") is False:
                    continue
                name = entry.name if entry is not None else safe(original, limit=60)
                url = mask_url(entry.url) if entry is not None else "that is no address"
                yield place, Stated(name, path, line_of(text, f'"{original}"', original), said, url)


def _own(path: str, text: str) -> Iterator[tuple[str, Stated]]:
    try:
        servers = tomllib.loads(text).get("servers")
    except (ValueError, RecursionError) as error:
        raise UnreadableInputError(f"{path} is not TOML: {str(error)[:200]}.") from None
    for name, table in servers.items() if isinstance(servers, Mapping) else ():
        said = table if isinstance(table, Mapping) else {"entry": table}
        if said.get("enabled") is not False:
            line = line_of(text, f"servers.{name}", name)
            yield (
                f"servers.{name}",
                Stated(safe(name, limit=60), path, line, said, mask_url(str(said.get("url") or ""))),
            )


def differences(was: Stated | None, now: Stated, *, is_looked: bool) -> Iterator[str]:
    """Say in what a server is stated otherwise, beside what a look at its command tells. Nothing secret is in it.

    `was` is None for a new one. `is_looked` says that its command is started and looked at by itself.
    """
    if now.is_remote:
        yield from _remote(was, now)
    elif now.words is None:
        if was is None or was.meant != now.meant:
            yield "has neither a command nor a URL that can be read"
        return
    elif not is_looked and was is not None and was.words != now.words:
        yield "is started by another command line, and where it differs is a part that is not shown"
    if was is not None and was.is_remote == now.is_remote and was.transport != now.transport:
        yield f"has another transport: {quoted(str(now.transport), limit=40)}"
    fresh = was is None or was.is_remote != now.is_remote
    yield from _variables({} if was is None else was.table("env"), now.table("env"), fresh=fresh)
    yield from _names("headers", {} if was is None or fresh else was.table("headers"), now.table("headers"))
    before = None if was is None else was.raw.get("cwd") or None
    if (now.raw.get("cwd") or None) != before:
        yield (
            f"starts in another folder: {_value('cwd', now.raw['cwd'])}"
            if now.raw.get("cwd")
            else "names no folder now"
        )
    rest = {} if was is None else was.rest
    keys = [key for key in sorted({*rest, *now.rest}) if rest.get(key) != now.rest.get(key)]
    if keys and was is not None:
        yield f"has other settings: {_listed(keys)}"


def _remote(was: Stated | None, now: Stated) -> Iterator[str]:
    if was is None:
        yield f"is new, and reached by the URL {now.url}"
    elif not was.is_remote:
        yield f"was started by a command, and is reached by the URL {now.url} now"
    elif was.raw["url"] != now.raw["url"]:
        same = was.url == now.url
        yield (
            f"has another URL, in a part that is not shown: {now.url}"
            if same
            else (f"was reached by the URL {was.url}, and is reached by {now.url} now")
        )


def _variables(was: Mapping[str, Json], now: Mapping[str, Json], *, fresh: bool) -> Iterator[str]:
    """Say which variables changed; of a server that is new only those that are not the server's own to read."""
    if fresh:
        was, now = {}, {name: value for name, value in now.items() if is_steering(name)}
    added = [f"{safe(name, limit=60)} = {_value(name, now[name])}" for name in sorted(now.keys() - was.keys())]
    changed = sorted(name for name in now.keys() & was.keys() if now[name] != was[name])
    other = [f"{safe(name, limit=60)} = {_value(name, now[name])}" for name in changed]
    gone = sorted(was.keys() - now.keys())
    if added:
        yield f"is given variables that are new: {_cut(added)}"
    if other:
        yield f"is given variables that hold something else: {_cut(other)}"
    if gone:
        yield f"is no longer given the variables {_listed(gone)}"


def _names(what: str, was: Mapping[str, Json], now: Mapping[str, Json]) -> Iterator[str]:
    for said, names in (
        (f"sends {what} that are new", now.keys() - was.keys()),
        (f"sends {what} that hold something else", {one for one in now.keys() & was.keys() if now[one] != was[one]}),
        (f"no longer sends the {what}", was.keys() - now.keys()),
    ):
        if names:
            yield f"{said}: {_listed(sorted(names))}"


def _value(name: str, value: Json) -> str:
    """Give a value where it is plainly no secret, else say that it is not shown."""
    text = str(value)
    is_plain = is_harmless(text) or is_steering(name) or name == "cwd"
    is_shown = isinstance(value, str | int | float) and is_plain and not is_secret_word(name) and not looks_secret(text)
    return quoted(text, limit=80) if is_shown else "(not shown)"


def _listed(names: list[str]) -> str:
    return _cut([safe(name, limit=60) for name in names])


def _cut(parts: list[str]) -> str:
    more = f" and {len(parts) - _NAMED} more" if len(parts) > _NAMED else ""
    return ", ".join(parts[:_NAMED]) + more
