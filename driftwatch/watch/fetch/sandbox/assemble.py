"""From a server's entry to what its sandbox shows: the system, the program, what is configured, and stand-ins."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from driftwatch.config.schema import ServerConfig
from driftwatch.watch.fetch.sandbox.able import Able
from driftwatch.watch.fetch.sandbox.guard import Guard
from driftwatch.watch.fetch.sandbox.needs import Asked, needs
from driftwatch.watch.fetch.sandbox.runners import Runner
from driftwatch.watch.fetch.sandbox.view import HOME, View, is_of_system, system
from driftwatch.watch.fetch.start import Start, Walls
from driftwatch.watch.supply.digests import regular

_SETTINGS = (".npmrc", ".config/pip/pip.conf", ".config/uv/uv.toml")
"""Where people keep which registry their package runners use."""

_SECRET = re.compile(r"^\s*[_/]|auth|passw|token|secret|user|email|://[^/\s]*@|\$\{", re.IGNORECASE)
_MOST = 65536
_OWN = ("HOME", "USER", "LOGNAME", "SHELL", "TMPDIR")


@dataclass(frozen=True)
class Room:
    """What one start in a sandbox is made from, besides the server's entry.

    `environment` is what the process would get without a sandbox, `cwd` the folder it would start in. `home` is the
    person's home folder, `kept` the server's own, None for one that is new each time. `cache` is a runner's,
    `may_write` says whether it may fill it; `more` are variables that come on top. `trusts` are files and folders with
    certificates.
    """

    able: Able
    guard: Guard
    environment: Mapping[str, str]
    cwd: str
    home: str = ""
    kept: Path | None = None
    runner: Runner | None = None
    cache: Path | None = None
    may_write: bool = False
    network: bool = True
    more: Mapping[str, str] | None = None
    trusts: tuple[str, ...] = ()


def sandboxed(server: ServerConfig, words: tuple[str, ...], room: Room) -> Start:
    """Give the start of a command in a sandbox. Reads the disk."""
    environment = _environment(server, room)
    home = environment["HOME"]
    base = system(home, network=room.network)
    folders, files = _named(server, words, environment)
    read = {*base.read, *server.sandbox.read, *_program(server, words, room), *_cached(room), *_trusted(room)}
    write = {*server.sandbox.write, *([str(room.cache)] if room.cache and room.may_write else [])}
    # What lies in a folder that it may write is its own: shown apart it could not be written, and a link that it left
    # there would be followed from outside.
    read.update(one for one in files if room.guard.allows_file(one) and not _is_within(one, {*read, *write}))
    kept = {home: str(room.kept)} if room.kept is not None else {}
    scratch = {"/tmp", *([] if kept else [home])}  # noqa: S108 - the sandbox's own
    if room.cache is not None and not room.may_write and str(room.cache) not in read:
        scratch.add(str(room.cache))
    shown = {*read, *write}
    wanted = {room.cwd, *folders} - scratch - {home}
    view = View(
        read=tuple(sorted(read - write)),
        write=tuple(sorted(write)),
        empty=(*base.empty, *sorted(one for one in wanted if not _is_within(one, shown))),
        scratch=tuple(sorted(scratch)),
        kept=kept,
        links=base.links,
        files={**base.files, **(_settings(room.home, home) if room.runner is not None else {})},
    )
    walls = Walls(room.able.program, room.able.features, view, server.sandbox, room.network)
    return Start(words, environment, room.cwd, walls, "bubblewrap")


def _environment(server: ServerConfig, room: Room) -> dict[str, str]:
    """Give the variables inside: a home and a user of the sandbox's own, unless the configuration says otherwise."""
    own = {"HOME": HOME, "USER": "sandbox", "LOGNAME": "sandbox", "SHELL": "/bin/sh", "TMPDIR": "/tmp"}  # noqa: S108
    configured = {name: secret.reveal() for name, secret in server.env.items() if name in _OWN}
    return {**room.environment, **own, **configured, **(room.more or {})}


def _program(server: ServerConfig, words: tuple[str, ...], room: Room) -> Iterator[str]:
    """Give what the command needs, and the folder that it is configured to start in where that may be shown."""
    path = room.environment.get("PATH", os.defpath)
    asked = Asked(words, path, room.cwd, lambda command, path: shutil.which(command, path=path))
    yield from needs(asked, room.guard)
    places = [server.cwd] if server.cwd else []
    if room.runner is not None:
        yield from needs(replace(asked, words=(server.command,)), room.guard)
        places += [os.path.normpath(os.path.join(room.cwd, one)) for one in room.runner.places()]  # noqa: PTH118
    yield from (one for one in places if Path(one).is_file() or (Path(one).is_dir() and room.guard.allows(one)))


def _cached(room: Room) -> Iterator[str]:
    """Give what is shown of a cache that may only be read.

    Of npm's everything. Of uv's each folder by itself: beside them lie the locks that it makes, in memory. None of
    them is followed if it is a link: what was fetched may have put it there.
    """
    if room.cache is None or room.may_write or room.runner is None:
        return
    if room.runner.is_npm:
        yield str(room.cache)
        return
    yield from (str(one) for one in room.cache.iterdir() if one.is_dir() and not one.is_symlink())


def _trusted(room: Room) -> Iterator[str]:
    """Give what is shown of the files and folders with certificates."""
    for one in (os.path.normpath(place) for place in room.trusts):
        path = Path(one)
        if (path.is_file() and room.guard.allows_file(one)) or (path.is_dir() and room.guard.allows(one)):
            yield one


def _named(server: ServerConfig, words: Iterable[str], environment: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Give the folders and the files that the configuration points the server at, in its arguments and variables.

    The files are shown to it; of the folders only that they are there.
    """
    values = [environment[name] for name in server.env if name in environment and name not in {"PATH", *_OWN}]
    parts = {part for word in (*words, *values) for part in (word, word.partition("=")[2])}
    places = sorted(os.path.normpath(one) for one in parts if one.startswith("/") and "\0" not in one)
    folders = [one for one in places if os.path.isdir(one)]  # noqa: PTH112
    return folders, [one for one in places if os.path.isfile(one)]  # noqa: PTH113


def _is_within(path: str, shown: Collection[str]) -> bool:
    """Say whether a place is shown already, by itself or with what it lies in."""
    return path == "/" or is_of_system(path) or any(path == one or path.startswith(f"{one}/") for one in shown)


def _settings(outside: str, inside: str) -> dict[str, bytes]:
    """Give the person's settings of package runners as far as no line of them may hold a secret."""
    found = {}
    for name in _SETTINGS if outside.startswith("/") else ():
        try:
            with regular(Path(outside, name)) as file:
                lines = file.read(_MOST).decode("utf-8", "replace").splitlines()
        except (OSError, ValueError):
            continue
        kept = [line for line in lines if not _SECRET.search(line)]
        # Half a table of TOML may mean something else than the whole.
        if kept and (len(kept) == len(lines) or not name.endswith(".toml")):
            found[f"{inside}/{name}"] = "\n".join([*kept, ""]).encode()
    return found
