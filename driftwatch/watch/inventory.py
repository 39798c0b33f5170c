"""Looking at a host's file as at a server: what it lists, or why that could not be seen.

The document is `{"entries": [...]}`. An entry has `name`, the `section` of the file that it stands in, the keys of a
launch (see `supply.launch`; a file's may be of a `transport` that driftwatch does not speak), and where they say
something: `witness` (of an entry that is started through a witness: by which program, as which server, in which host;
the launch is then what that wraps), `disabled`, `settings` (all else that the file says of it), `sealed` (a digest for
each part with masked values) and `odd` (what it is where it is no object).

Half a file is no file: what cannot be read whole is a failed look, never a list without entries. The same stands for a
file that is not there, unless its table calls it optional.
"""

from __future__ import annotations

import asyncio
import os
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from driftwatch.config import contents
from driftwatch.config.contents import Entry, NoTableError
from driftwatch.config.identities import IdentityConfig
from driftwatch.config.inventory import WatchedFile
from driftwatch.config.schema import ServerConfig
from driftwatch.config.words import quoted
from driftwatch.errors import UnreadableInputError
from driftwatch.model import Document, Era, Json, Listed, Malformed, Oddity, Outcome, Page, Refused, Unreachable
from driftwatch.watch.fetch.base import Fetcher
from driftwatch.watch.supply.launch import stated

LARGEST = 32 * 2**20
"""Bytes that a host's file may have: one that keeps its whole state beside its servers can be large."""

MOST_ENTRIES = 1000
"""Entries of one file. More are no list that a person keeps."""

_SETTLED = 2.0
"""Seconds after which a file that was not written to is known by its times alone: clocks of files are coarse."""

_TORN_TRIES = 3

Mark: TypeAlias = tuple[int, int, int, int, int]
"""What tells that a file is as it was, without reading it: device, number, size, and both of its times of change."""


@dataclass
class FileFetcher:
    """Looks at files. It remembers what it read last, so that a file that was not touched is not read again.

    `clock` gives the seconds since 1970, as the times of files do.
    """

    clock: Callable[[], float] = time.time
    _known: dict[str, tuple[Mark, Listed]] = field(default_factory=dict)

    async def fetch(self, server: WatchedFile) -> Outcome:
        """Give what the file lists, or why that could not be seen. Nothing that is in it raises."""
        return await asyncio.to_thread(self.look, server)

    def look(self, server: WatchedFile) -> Outcome:
        """Look at once; blocks."""
        try:
            return self._read(server)
        except FileNotFoundError:
            self._known.pop(server.name, None)
            if server.optional:
                return _listed((), (), 0)
            return Unreachable("no-file", f"there is no file {quoted(server.shown_command, limit=200)}")
        except PermissionError as error:
            return Refused("forbidden", f"the file may not be read by this user ({error.strerror})")
        except (OSError, ValueError) as error:
            return Unreachable(
                "file-error", f"the file cannot be read ({getattr(error, 'strerror', None) or 'no path'})"
            )

    def _read(self, server: WatchedFile) -> Outcome:
        path = str(server.file)
        # A pipe that nobody writes to must not hold the look: it is opened without waiting, and then refused.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb", buffering=0) as file:  # noqa: PTH123 - it is open already
            mark = _mark(os.fstat(handle))
            known = self._known.get(server.name)
            if known is not None and known[0] == mark:
                return known[1]
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                return Malformed("not-a-file", "this is a folder, a pipe or a device and no file")
            for _ in range(_TORN_TRIES):
                data = _take(file.fileno())
                now = _mark(os.fstat(handle))
                if now == mark:
                    break
                mark = now
            else:
                return Malformed("torn", "the file is being written again and again")
        outcome = read(data, name=Path(path).name)
        if isinstance(outcome, Listed) and self.clock() - max(mark[3], mark[4]) / 1e9 > _SETTLED:
            self._known[server.name] = (mark, outcome)
        else:
            self._known.pop(server.name, None)
        return outcome


class FilesToo:
    """A fetcher that looks at files itself and has another one look at servers."""

    def __init__(self, servers: Fetcher) -> None:
        """Take who looks at servers."""
        self._servers = servers
        self._files = FileFetcher()

    async def fetch(self, server: ServerConfig, *, era: Era | None, identity: IdentityConfig | None = None) -> Outcome:
        """Give what the server or file shows, or why it could not be seen; a file shows the same to everybody."""
        if isinstance(server, WatchedFile):
            return await self._files.fetch(server)
        return await self._servers.fetch(server, era=era, identity=identity)


def read(data: bytes, *, name: str) -> Outcome:
    """Give what the bytes of a host's file list; `name` decides between JSON and TOML."""
    if len(data) > LARGEST:
        return Malformed("too-large", f"the file has more than {LARGEST // 2**20} MiB")
    try:
        found, twice = contents.read(data.decode("utf-8-sig"), name=name, largest=LARGEST)
    except UnicodeDecodeError as error:
        return Malformed("not-utf8", f"byte {error.start} is not UTF-8")
    except NoTableError as error:
        return Malformed("no-table", f"{error} holds no table of servers")
    except UnreadableInputError as error:
        return Malformed("unreadable", error.message)
    if len(found) > MOST_ENTRIES:
        return Malformed("too-many-items", f"the file lists {len(found)} servers, and {MOST_ENTRIES} are read")
    return _listed(found, twice, len(data))


def document_of(entries: tuple[Entry, ...]) -> Document:
    """Give the document of a file with these entries."""
    return {"entries": [_entry(entry) for entry in entries]}


def _listed(entries: tuple[Entry, ...], twice: tuple[str, ...], size: int) -> Listed:
    page = Page("entries", 1, len(entries))
    oddities = tuple(Oddity("duplicate-key", "", f"{quoted(key)} stands twice") for key in twice)
    return Listed(
        document_of(entries), era=None, protocol_version="", pages=(page,), oddities=oddities, received_bytes=size
    )


def _entry(entry: Entry) -> dict[str, Json]:
    own: dict[str, Json] = {"name": entry.name, "section": entry.section}
    if entry.odd:
        return {**own, "odd": entry.odd}
    if entry.command:
        launch = stated(transport="stdio", command=entry.command, args=entry.args, env=entry.env, cwd=entry.cwd or None)
    else:
        launch = stated(transport="http", url=entry.url, headers=entry.headers) | {"env": list(entry.env)}
    if entry.command and entry.url:  # Hosts differ on which of the two they take.
        launch |= {"url": entry.url, "headers": list(entry.headers)}
    more = {
        "settings": dict(entry.settings),
        "sealed": dict(entry.sealed),
        "witness": dict(entry.witness),
        "disabled": entry.disabled,
    }
    return {**own, **launch, "transport": entry.transport, **{key: value for key, value in more.items() if value}}


def _take(handle: int) -> bytes:
    """Read a file from its start, one byte more than is allowed at most."""
    os.lseek(handle, 0, os.SEEK_SET)
    parts, left = [], LARGEST + 1
    while left > 0 and (part := os.read(handle, min(left, 2**20))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _mark(seen: os.stat_result) -> Mark:
    return seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns
