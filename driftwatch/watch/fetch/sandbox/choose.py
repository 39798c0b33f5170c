"""Which sandbox a local server gets, and how it is started in it. One is kept for many looks."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import anyio
import anyio.to_thread
import structlog

from driftwatch.config.isolation import sqlite_file
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.model import Unreachable
from driftwatch.watch.fetch.answers import FailedLookError
from driftwatch.watch.fetch.sandbox import container
from driftwatch.watch.fetch.sandbox.able import Able, able
from driftwatch.watch.fetch.sandbox.assemble import Room, sandboxed
from driftwatch.watch.fetch.sandbox.guard import Guard
from driftwatch.watch.fetch.sandbox.runners import (
    OFFLINE,
    certificates,
    fetched_npm,
    runner_of,
    secrets_in,
    to_fetch_with,
    variables,
    ways,
)
from driftwatch.watch.fetch.sandbox.said import is_engine
from driftwatch.watch.fetch.sandbox.shelf import Shelf, made
from driftwatch.watch.fetch.start import Start, minimal_environment, plain

log = structlog.get_logger()

_FRESH = 60.0
"""Seconds for which a package that is not pinned counts as fetched: a look may start its server twice."""

Run = Callable[[Start], Awaitable[str]]
"""Runs something to its end; gives what it said where it failed, nothing where it did not."""


@dataclass
class Sandboxes:
    """Chooses sandboxes.

    `private` are driftwatch's own files, which no server sees. In `folder` each server has its home folder, and its
    package runner what it fetched, apart from every other's.
    """

    folder: Path
    private: Sequence[Path] = ()
    try_it: Callable[[Mapping[str, str]], Able] = able
    _tried: dict[str, Able] = field(default_factory=dict)
    _fetched: dict[Path, float] = field(default_factory=dict)
    _locks: dict[Path, anyio.Lock] = field(default_factory=dict)
    _warned: bool = False

    @classmethod
    def of(cls, settings: Settings, environ: Mapping[str, str]) -> Sandboxes:
        """Keep what servers keep beside the database, where driftwatch can write for certain."""
        database = sqlite_file(settings.database_url)
        if database is None:
            cache = environ.get("XDG_CACHE_HOME") or f"{environ.get('HOME', '/tmp')}/.cache"  # noqa: S108
            return cls(Path(cache, "driftwatch", "sandbox"), tuple(filter(None, [settings.path])))
        folder = database.with_name(f"{database.name}.sandbox")
        return cls(folder, tuple(filter(None, [database, settings.path])))

    def apart(self, folder: Path) -> Sandboxes:
        """Give the same with another folder: what is tried out must not touch what is watched."""
        return Sandboxes(folder, self.private, self.try_it, self._tried)

    def able(self, environ: Mapping[str, str]) -> Able:
        """Say whether bubblewrap works here; it is tried once for each search path."""
        path = environ.get("PATH", "")
        if path not in self._tried:
            self._tried[path] = self.try_it(environ)
        return self._tried[path]

    def open_because(self, server: ServerConfig, environ: Mapping[str, str]) -> str:
        """Say why a server would start here without a sandbox, or not at all for want of one; empty otherwise."""
        kind = server.sandbox.kind
        if not server.command or kind == "container" or is_engine(server):
            return ""
        return 'sandbox is "none" for it' if kind == "none" else self.able(environ).reason

    async def start_of(self, server: ServerConfig, environ: Mapping[str, str], run: Run) -> Start:
        """Decide how a server is started. Its package is fetched first, with `run`, where its runner can do that.

        Raises:
            FailedLookError: it must run in a sandbox and none works here, or its package cannot be fetched.

        """
        kind = server.sandbox.kind
        if kind == "none" or is_engine(server):
            return plain(server, environ)
        if kind == "container":
            return _contained(server, environ)
        found = await anyio.to_thread.run_sync(self.able, environ)
        if not found.reason:
            return await self._inside(server, environ, found, run)
        if kind == "bwrap":
            raise FailedLookError(Unreachable("start-failed", f"it must run in a sandbox, and {found.reason}"))
        self._warn(found.reason)
        return plain(server, environ)

    def _warn(self, reason: str) -> None:
        if not self._warned:
            self._warned = True
            log.warning("local servers run without a sandbox", action="no-sandbox", reason=reason)

    async def _inside(self, server: ServerConfig, environ: Mapping[str, str], found: Able, run: Run) -> Start:
        room = await anyio.to_thread.run_sync(self._room, server, environ, found)
        runner = runner_of(server.command, server.args)
        words = (server.command, *server.args)
        if runner is None:
            return await anyio.to_thread.run_sync(sandboxed, server, words, room)
        shelf = Shelf(self.folder / server.name, words)
        cache = await anyio.to_thread.run_sync(made, shelf.folder)
        room = replace(room, runner=runner, cache=cache, more=variables(cache))
        if runner.fetches_first:
            async with self._locks.setdefault(cache, anyio.Lock()):
                said = await self._fetch(server, room, environ, shelf, run)
                start = await anyio.to_thread.run_sync(_of_fetched, server, room)
            if start is not None:
                return replace(start, note=f"its package could not be fetched anew: {said}") if said else start
            if said:
                raise FailedLookError(Unreachable("start-failed", f"its package cannot be fetched: {said}"))
        offline = {} if server.sandbox.network == "on" else OFFLINE
        room = replace(room, may_write=True, more={**variables(cache), **offline})
        return await anyio.to_thread.run_sync(sandboxed, server, words, room)

    def _room(self, server: ServerConfig, environ: Mapping[str, str], found: Able) -> Room:
        home = environ.get("HOME", "")
        kept = made(self.folder / server.name / "home") if server.sandbox.home == "kept" else None
        return Room(
            found,
            Guard.of([home, os.path.expanduser("~")], (*self.private, self.folder)),  # noqa: PTH111 - the user has a home without HOME
            minimal_environment(environ, server),
            cwd=server.cwd or os.getcwd(),  # noqa: PTH109
            home=home,
            kept=kept,
            network=server.sandbox.network == "on",
        )

    async def _fetch(self, server: ServerConfig, room: Room, environ: Mapping[str, str], shelf: Shelf, run: Run) -> str:
        """Fetch a package, where that is not done yet for good; give what the runner said where it failed.

        It is fetched by the way that packages come on this machine, which the server itself learns nothing of.
        """
        if room.runner is None:
            return ""
        now, last = anyio.current_time(), self._fetched.get(shelf.folder)
        if (room.runner.is_pinned and await anyio.to_thread.run_sync(shelf.is_fetched)) or (
            last is not None and now - last < _FRESH
        ):
            return ""
        # Not in the server's home: what it keeps there must not tell where its next package comes from.
        own = to_fetch_with(room.environment)
        with_ways = {**ways(environ, own), **own}
        fetching = replace(room, environment=with_ways, trusts=certificates(with_ways), kept=None)
        fetching = replace(fetching, may_write=True, network=True)
        start = await anyio.to_thread.run_sync(sandboxed, server, room.runner.to_fetch, fetching)
        said = await run(replace(start, secrets=secrets_in(start.env)))
        if not said:
            self._fetched[shelf.folder] = anyio.current_time()
            await anyio.to_thread.run_sync(shelf.note)
        return said


def _of_fetched(server: ServerConfig, room: Room) -> Start | None:
    """Give the start of a package that was fetched, from a cache that it cannot write; None where none is there."""
    if room.runner is None or room.cache is None or not any(room.cache.iterdir()):
        return None
    if not room.runner.is_npm:
        more = {**(room.more or {}), **OFFLINE}
        return sandboxed(server, (server.command, *server.args), replace(room, more=more))
    found = fetched_npm(room.runner, room.cache)
    if found is None:
        return None
    path = f"{found.programs}:{room.environment.get('PATH', os.defpath)}"
    return sandboxed(server, found.words, replace(room, environment={**room.environment, "PATH": path}))


def _contained(server: ServerConfig, environ: Mapping[str, str]) -> Start:
    engine = next(filter(None, (shutil.which(one, path=environ.get("PATH")) for one in container.ENGINES)), None)
    if engine is None:
        said = "it must run in a container, and neither podman nor docker is on the PATH"
        raise FailedLookError(Unreachable("start-failed", said))
    name = f"driftwatch-{server.name}-{secrets.token_hex(4)}"
    kind = engine.rpartition("/")[2]
    words = container.arguments(
        kind, server.sandbox, (server.command, *server.args), name=name, variables=server.env, cwd=server.cwd
    )
    environment = minimal_environment(environ, server)
    return Start((engine, *words), environment, around=f"a container ({kind})", ending=container.ending(engine, name))
