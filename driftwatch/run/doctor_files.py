"""The doctor's look at the configuration, and at who may read and write the files that driftwatch lives on."""

from __future__ import annotations

import asyncio
import stat
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any, Final

from driftwatch.config.hiding import is_harmless, is_secret_word
from driftwatch.config.isolation import sqlite_file
from driftwatch.config.load import find, load, load_rest
from driftwatch.config.policy import Known, expired
from driftwatch.config.schema import Settings
from driftwatch.config.secret import shown
from driftwatch.config.told import by_kind
from driftwatch.config.witnessing import settings_path, state_path
from driftwatch.config.words import InvalidConfigError, path_of
from driftwatch.errors import ConfigError
from driftwatch.model.amounts import many
from driftwatch.run.doctor_lines import Area, Line, State, Sure, aside
from driftwatch.store.holding import lock_path
from driftwatch.tell.templates import warnings_of

_OTHERS_READ: Final = stat.S_IROTH
_OTHERS_WRITE: Final = stat.S_IWOTH
_GROUP_WRITE: Final = stat.S_IWGRP

_NAMED: Final = 3
"""Places of secrets that are named."""


@dataclass(frozen=True)
class Read:
    """A configuration as far as it can be read: the settings (None: not at all), and the secrets' files that it reads.

    `whole` says that a daemon could start with it.
    """

    settings: Settings | None
    whole: bool
    path: Path | None
    secrets: tuple[str, ...]
    lines: tuple[Line, ...]


def read(path: Path | None, environ: Mapping[str, str], known: Known, *, now: datetime) -> Read:
    """Read the configuration; where secrets of it cannot be had, the rest of it all the same."""
    files: list[str] = []
    try:
        settings = load(path, environ, known=known, noted=files.append)
    except ConfigError as error:
        lines = tuple(_problems(error))
        place = _place(path, environ)
        rest = _rest(path, environ, known)
        if rest is None:
            return Read(None, whole=False, path=place, secrets=tuple(files), lines=lines)
        return Read(rest, whole=False, path=rest.path, secrets=tuple(files), lines=lines)
    lines = (_good(settings), *_warnings(settings, now))
    return Read(settings, whole=True, path=settings.path, secrets=tuple(files), lines=lines)


async def read_within(
    seconds: float, path: Path | None, environ: Mapping[str, str], known: Known, *, now: datetime
) -> Read:
    """Do as `read` within so many seconds: a disk may hang, and so may what gives a secret."""
    try:
        async with asyncio.timeout(seconds):
            return await aside(partial(read, path, environ, known, now=now))()
    except TimeoutError:
        what = f"it could not be read within {seconds:g} s, so hardly anything else was looked at"
        do = "Find out what hangs: its disk, a secret's file, or a program that gives a secret."
        line = Line(Area.CONFIGURATION, "configuration", "", State.PROBLEM, what, do, Sure.LIKELY)
        return Read(None, whole=False, path=None, secrets=(), lines=(line,))


def _rest(path: Path | None, environ: Mapping[str, str], known: Known) -> Settings | None:
    """Give the configuration without its secrets, or else without what is wrong in it, None where nothing is left."""
    for less in (partial(load, secrets=False), load_rest):
        try:
            return less(path, environ, known=known)
        except ConfigError:
            continue
    return None


def _place(path: Path | None, environ: Mapping[str, str]) -> Path | None:
    try:
        return find(path, environ, Path.cwd())
    except ConfigError:
        return None


def _problems(error: ConfigError) -> Iterator[Line]:
    area, check = Area.CONFIGURATION, "configuration"
    if not isinstance(error, InvalidConfigError):
        yield Line(area, check, "", State.PROBLEM, error.message, error.hint)
        return
    for one in error.problems:
        hint = f"{one.hint[:1].upper()}{one.hint[1:]}"
        yield Line(area, check, one.path, State.PROBLEM, one.message, hint)


def _good(settings: Settings) -> Line:
    kinds = f" ({by_kind(settings.channels)})" if settings.channels else ""
    counts = f"{many(len(settings.watched), 'server')}, {many(len(settings.channels), 'channel')}{kinds}"
    return Line(Area.CONFIGURATION, "configuration", "", State.OK, f"{settings.path}: it can be used: {counts}")


def _warnings(settings: Settings, now: datetime) -> Iterator[Line]:
    for said in (*settings.warnings, *expired(settings.policy, now), *warnings_of(settings.channels)):
        where, colon, rest = said.partition(": ")
        what, _, do = rest.partition(" — ") if colon else ("", "", "")
        subject = where if colon and " " not in where else ""
        if not subject:
            what, _, do = said.partition(" — ")
        hint = f"{do[:1].upper()}{do[1:]}"
        yield Line(Area.CONFIGURATION, "configuration-warning", subject, State.WARNING, what, hint, Sure.LIKELY)


def permissions(found: Read, environ: Mapping[str, str], home: Path, *, user: int) -> list[Line]:
    """Say who may read and write what they should not."""
    lines = [*_of_configuration(found.path), *_written_out(found.path)] if found.path is not None else []
    secrets = [*found.secrets, *(_keys(found.settings) if found.settings is not None else ())]
    for name in dict.fromkeys(secrets):
        lines += _private(Path(name), shown(name), "secret-file", "a secret")
    database = sqlite_file(found.settings.database_url) if found.settings is not None else None
    if database is not None:
        holds = "how servers are reached and what was decided"
        written = [database.with_name(f"{database.name}{ending}") for ending in ("", "-wal", "-shm")]
        # Who holds it may be read; and what servers keep is their owner's alone within its folder.
        open_ones = [lock_path(database), database.with_name(f"{database.name}.sandbox")]
        for one in (*written, *open_ones):
            lines += _private(one, str(one), "database-file", holds, reading=one not in open_ones)
        lines += _not_ours(database, user)
    lines += _private(settings_path(environ, home), "", "witness-settings", "a token of the daemon")
    lines += _private(state_path(environ, home), "", "witness-folder", "what agents were shown")
    if not any(line.state is not State.OK for line in lines):
        what = "nobody else may write the configuration, or read secrets and database"
        return [Line(Area.PERMISSIONS, "permissions", "", State.OK, what)]
    return lines


def _of_configuration(path: Path) -> Iterator[Line]:
    """Say who may write the configuration: it names programs, so they decide what runs as driftwatch."""
    for one, each in ((path, "it"), (path.parent, "its folder")):
        mode = _mode(one)
        if mode is None or (one != path and mode & stat.S_ISVTX):
            continue
        who = "everybody" if mode & _OTHERS_WRITE else "its group" if mode & _GROUP_WRITE else ""
        if who:
            what = f"{who} may write {each}, and so decide which programs driftwatch starts ({one})"
            state = State.PROBLEM if who == "everybody" else State.WARNING
            do = f"chmod {'o-w' if who == 'everybody' else 'g-w'} {quote(str(one))}"
            yield Line(Area.PERMISSIONS, "configuration-file", str(path), state, what, do)


def _written_out(path: Path) -> Iterator[Line]:
    """Say that everybody may read a configuration in which a secret stands itself."""
    mode = _mode(path)
    if mode is None or not mode & _OTHERS_READ:
        return
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return
    found = list(_literals(raw, ()))
    if found:
        what = f"every user of this machine may read it, and a secret stands in it: {', '.join(found[:_NAMED])}"
        do = f'chmod o-r {quote(str(path))}; or write {{file = "…"}} or {{env = "…"}} in its place.'
        yield Line(Area.PERMISSIONS, "configuration-file", str(path), State.PROBLEM, what, do, Sure.LIKELY)


def _literals(table: Mapping[str, Any], above: tuple[str, ...]) -> Iterator[str]:
    """Name the places at which a secret is written out, by what such places are called."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _literals(value, (*above, key))
            continue
        is_meant = isinstance(value, str) and is_secret_word(key) and not _says_where(key, above)
        if is_meant and value and "${" not in value and not is_harmless(value):
            yield path_of((*above, key))


def _says_where(key: str, above: tuple[str, ...]) -> bool:
    """Say whether a value tells how a secret is had, or where the key of a certificate lies: neither is one."""
    return key in {"env", "file", "credential"} or above[-1:] == ("client_cert",)


def _keys(settings: Settings) -> Iterator[str]:
    for server in settings.servers:
        if server.enabled and server.client_cert.key:
            yield server.client_cert.key


def _private(path: Path, name: str, check: str, holds: str, *, reading: bool = True) -> Iterator[Line]:
    """Say whether others may read what only its owner should, or write it."""
    mode, name = _mode(path), name or str(path)
    if mode is None:
        return
    bad = mode & (_OTHERS_WRITE | (_OTHERS_READ if reading else 0))
    if bad:
        deed = "read and write" if bad == _OTHERS_READ | _OTHERS_WRITE else "read" if bad == _OTHERS_READ else "write"
        what = f"every user of this machine may {deed} it, and it holds {holds}"
        yield Line(Area.PERMISSIONS, check, name, State.PROBLEM, what, f"chmod o-rwx {quote(name)}")


def _not_ours(database: Path, user: int) -> Iterator[Line]:
    """Say that another user's daemon works there: what this user may do says nothing of it."""
    try:
        owner = database.stat().st_uid
    except OSError:
        return
    if owner != user:
        what = f"the database belongs to user {owner}, and this is user {user}: what each of them may do differs"
        do = "Look as the user that the daemon runs as: sudo -u driftwatch driftwatch doctor"
        yield Line(Area.PERMISSIONS, "user", "", State.WARNING, what, do)


def _mode(path: Path) -> int | None:
    """Give the mode of what is there, None where nothing is, or it is no business of this user."""
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return None
