"""What the commands of the lock file do: which servers, what is written, what is held against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

import typer

from driftwatch.cli.app import call_of
from driftwatch.cli.ending import run_to_end
from driftwatch.cli.exits import ExitCode
from driftwatch.cli.files import name_of, only_one_stdin, read_json, read_text
from driftwatch.cli.ground import now
from driftwatch.cli.locked import put, written_lines
from driftwatch.cli.stored import opened
from driftwatch.cli.terminal import progress, warn
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.errors import UnreadableInputError, UsageError
from driftwatch.judge.intake import read
from driftwatch.judge.snapshot import take
from driftwatch.model import Failure, Snapshot
from driftwatch.model.amounts import many
from driftwatch.model.commands import command
from driftwatch.report.subject import Judged
from driftwatch.review import lock as verb
from driftwatch.review.lockfile import NAME, Locked, Read, content_name, portable, read_lock
from driftwatch.run import logs
from driftwatch.run.scratch import look_once, scratch

_BARE: Final = "  Its digests alone: it was written without {0}, which would hold what they are of. To have it: {1}"
_OLDER: Final = (
    "The lock file is of an older driftwatch, which did not note what lies beside it: a file taken out there is"
    " not missed. Write it anew: driftwatch lock write"
)


def write_lock(
    context: typer.Context,
    settings: Settings,
    path: Path,
    servers: Sequence[str],
    *,
    from_look: bool,
    content: bool,
    check: bool,
) -> ExitCode:
    """Write the lock file and what lies beside it, or say what would be written; give what to end with.

    Raises:
        UsageError: there is nothing to write.

    """
    reads, terminal = beside(path), call_of(context).terminal
    wanted = _wanted(settings, servers)
    before = _before(reads, path, named=bool(servers))
    lists, missing = _looked(context, settings, wanted, before) if from_look else _approved(context, settings, wanted)
    gone = [name for name in before if settings.find(name) is None and not servers]
    kept = {name: one for name, one in before.items() if name not in gone}
    made = verb.files_of(lists, kept, read=reads, content=content, path=path.name)
    texts = {**verb.without(before, gone, reads), **made.texts}
    changed = {name: text for name, text in texts.items() if reads(name) != text}
    if not lists and not gone:
        raise UsageError("There is nothing to write.", hint=_nothing(missing, from_look=from_look))
    for line in written_lines(changed, missing, kept, made.bare, gone, check=check):
        terminal.say(line)
    if not check:
        put(path.parent, changed)
    if from_look:
        terminal.say("This is what they show now: nobody approved it here. Read it before you commit it.")
    terminal.say(f"{many(len(lists), 'server')}: {'it would change' if check and changed else 'done'}.")
    unseen = ExitCode.UNSEEN if from_look and missing else ExitCode.OK
    return ExitCode.FOUND if check and changed else unseen


def place_of_lock(settings: Settings, file: Path | None) -> Path:
    """Say where the lock file is."""
    if file is not None:
        return file.absolute()
    return (settings.path.parent if settings.path is not None else Path.cwd()) / NAME


def _before(reads: Read, path: Path, *, named: bool) -> dict[str, Locked]:
    """Read the lock file that is to be written; one that cannot be read is made anew where all of it is.

    Raises:
        UnreadableInputError: it cannot be read, and what it has of other servers is to stay.

    """
    try:
        return read_lock(reads, path.name) or {}
    except UnreadableInputError as error:
        if named:
            raise
        warn(f"{error.message} It is made anew.")
        return {}


def _base(settings: Settings) -> Path | None:
    """Give the folder that paths in a launch are relative to: that of the configuration."""
    return settings.path.parent if settings.path is not None else None


def beside(path: Path) -> Read:
    """Give what reads the lock file and the files beside it."""

    def text(name: str) -> str | None:
        place = path.parent / name
        return read_text(str(place)) if place.exists() else None

    return text


def _wanted(settings: Settings, names: Sequence[str]) -> list[ServerConfig]:
    """Give the servers that are meant.

    Raises:
        UnknownServerError: one is not configured.
        UsageError: two have names that some file systems cannot tell apart.

    """
    wanted = [settings.server(name) for name in dict.fromkeys(names)]
    wanted = wanted or [server for server in settings.servers if server.enabled]
    folded: dict[str, str] = {}
    for server in wanted:
        other = folded.setdefault(server.name.casefold(), server.name)
        if other != server.name:
            message = f"{other} and {server.name} would be one file where case does not count."
            raise UsageError(message, hint="Give one of them another name.")
    return wanted


def _approved(
    context: typer.Context, settings: Settings, wanted: Sequence[ServerConfig]
) -> tuple[dict[str, Snapshot], dict[str, str]]:
    """Give what people approved, and why there is nothing of the others."""
    with opened(context, settings) as store:
        found = {server.name: verb.approved(store, server.name, _base(settings)) for server in wanted}
    lists = {name: shown for name, shown in found.items() if shown is not None}
    return lists, {name: "nothing is approved of it" for name, shown in found.items() if shown is None}


def _looked(
    context: typer.Context, settings: Settings, wanted: Sequence[ServerConfig], before: Mapping[str, Locked]
) -> tuple[dict[str, Snapshot], dict[str, str]]:
    """Look at the servers, and give what they show, and why there is nothing of the others."""
    logs.configure(form=settings.daemon.log_format, level="error", secrets=[settings])
    found = _look(context, settings, wanted, before)
    lists = {name: shown for name, shown in found.items() if isinstance(shown, Snapshot)}
    missing = {name: f"{why.code}: {why.detail}" for name, why in found.items() if not isinstance(why, Snapshot)}
    return lists, missing


def _look(
    context: typer.Context, settings: Settings, wanted: Sequence[ServerConfig], before: Mapping[str, Locked]
) -> dict[str, Snapshot | Failure]:
    known = {name: one.content for name, one in before.items() if one.content is not None}
    ready = [settings.ready(server.name) for server in wanted]
    with (
        scratch(settings, clock=call_of(context).clock) as world,
        progress("Looking", [server.name for server in ready]) as done,
    ):
        return run_to_end(look_once(world, ready, known, base=_base(settings), on_done=done)) if ready else {}


def verified(
    context: typer.Context,
    settings: Settings,
    path: Path,
    *,
    names: Sequence[str],
    files: Mapping[str, str],
) -> list[Judged]:
    """Hold each server against the lock file: those named, else all that are configured or in the file.

    Raises:
        UnreadableInputError: there is no lock file, or it cannot be read.

    """
    logs.configure(form=settings.daemon.log_format, level="error", secrets=[settings])
    locked = kept_lock(beside(path), path)
    shown: dict[str, Snapshot] = {name: portable(_capture(file), _base(settings)) for name, file in files.items()}
    every = names or [*[server.name for server in settings.servers if server.enabled], *locked]
    asked = list(dict.fromkeys([*every, *files] if names or not files else files))
    looks = [one for one in map(settings.find, asked) if one and one.name in locked and one.name not in shown]
    found = {**_look(context, settings, looks, locked), **shown}
    at = now(context)
    judged = (_judged(settings, name, locked.get(name), found.get(name), at) for name in asked)
    return [verb.placed(one, *_line(path, one.subject.server)) for one in judged]


def kept_lock(reads: Read, path: Path) -> dict[str, Locked]:
    """Read the lock file.

    Raises:
        UnreadableInputError: there is none, or it cannot be read.

    """
    # A lock file of another name may share the folder with this one: what lies there is then not all of its own.
    there = {f"{one.parent.name}/{one.name}" for one in (path.parent / content_name("x")).parent.glob("*.json")}
    locked = read_lock(reads, path.name, there=there if path.name == NAME else ())
    if locked is None:
        raise UnreadableInputError(f"There is no lock file {path}.", hint="Write one: driftwatch lock write")
    if any(one.is_older for one in locked.values()):
        warn(_OLDER)
    return locked


def unlooked(context: typer.Context, settings: Settings, path: Path, *, names: Sequence[str]) -> ExitCode:
    """Say whether the lock file fits the configuration, without a look at anything."""
    locked, terminal, code = kept_lock(beside(path), path), call_of(context).terminal, ExitCode.OK
    wanted = {server.name: server for server in _wanted(settings, names)}
    for name in dict.fromkeys([*wanted, *([] if names else locked)]):
        one, server = locked.get(name), wanted.get(name) or settings.find(name)
        if one is None:
            said = "it is not in the lock file"
        elif server is None:
            said = "it is in the lock file, and not configured"
        else:
            said = verb.outdated(one, server, _base(settings))
        code = ExitCode.FOUND if said else code
        terminal.say(f"{name}: {said or 'the lock file has it'}.")
        if one is not None and one.content is None:
            terminal.say(_BARE.format(content_name(name), command("lock", "write", name)))
    return code


def _judged(
    settings: Settings, name: str, locked: Locked | None, live: Snapshot | Failure | None, at: datetime
) -> Judged:
    """Hold one server against what the lock file has of it."""
    if locked is None:
        return verb.unseen(name, "it is not in the lock file", settings=settings, now=at)
    if live is None:
        return verb.unseen(name, "it is in the lock file, and not configured", settings=settings, now=at)
    if isinstance(live, Snapshot):
        return verb.compared(locked, live, settings=settings, now=at)
    return verb.unseen(name, f"{live.code}: {live.detail}", settings=settings, now=at)


def _line(path: Path, server: str) -> tuple[str, int]:
    """Say where a lock file below the folder that we are in names a server."""
    here = Path.cwd()
    if not path.is_relative_to(here) or not path.exists():
        return "", 0
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    line = next((number for number, text in enumerate(lines, 1) if text.startswith(f'    "{server}": {{')), 1)
    return path.relative_to(here).as_posix(), line


def captures(words: Sequence[str]) -> dict[str, str]:
    """Read which captured list is of which server, as `SERVER=FILE`.

    Raises:
        UsageError: one does not say both, or more than one is stdin.

    """
    found = dict(map(_pair, words))
    only_one_stdin(*found.values())
    return found


def _pair(word: str) -> tuple[str, str]:
    name, equals, file = word.partition("=")
    if not equals or not name or not file:
        raise UsageError(f"{word!r} does not say which server a file is of.", hint="Write it as --file SERVER=FILE.")
    return name, file


def _capture(file: str) -> Snapshot:
    decoded, oddities = read_json(file)
    try:
        found = read(decoded, oddities)
    except UnreadableInputError as error:
        raise UnreadableInputError(f"{name_of(file)}: {error.message}", hint=error.hint) from error
    return take(found.document, found.oddities)


def _nothing(missing: Mapping[str, str], *, from_look: bool) -> str:
    if from_look or not missing:
        return "Name servers that are configured and can be looked at."
    return "Approve first (driftwatch approve SERVER), or write what they show now: --from-look."
