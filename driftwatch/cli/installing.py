"""witness install, uninstall, list: the witness in the files of hosts."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from pathlib import Path
from typing import Annotated

import typer

from driftwatch.cli.app import call_of
from driftwatch.cli.exits import ExitCode
from driftwatch.cli.ground import now, settings_of
from driftwatch.cli.moments import iso
from driftwatch.cli.options import By, Format, Output
from driftwatch.cli.starting import starts, tried
from driftwatch.cli.terminal import ask, interactive, warn
from driftwatch.cli.witnessconfig import Wanted, announced, make, ready
from driftwatch.cli.witnessstatus import advised
from driftwatch.config.arguments import masked
from driftwatch.config.contents import shown_url
from driftwatch.config.hostedit import REMOTE, Change, Launch, launches
from driftwatch.config.hostfiles import PROGRAMS, HostProgram, named, whose
from driftwatch.config.inventory import WatchedFile
from driftwatch.config.schema import Settings
from driftwatch.config.secret import shown
from driftwatch.config.values import HOW_TO_NAME, is_name
from driftwatch.config.witnessing import installs_path, settings_path
from driftwatch.config.words import did_you_mean, path_of, quoted
from driftwatch.config.wrapped import UNNAMED, VERB
from driftwatch.errors import DriftwatchError, UsageError
from driftwatch.model import Json
from driftwatch.model.amounts import many
from driftwatch.model.commands import command
from driftwatch.watch.witness.filing import hold
from driftwatch.watch.witness.installing import UNWATCHED, Plan, Undone, install, plan, uninstall
from driftwatch.watch.witness.remembering import Memories

Where = Annotated[
    str, typer.Argument(metavar="HOST|FILE", help="A host, such as cursor, or the file in which it keeps its servers.")
]

Servers = Annotated[list[str] | None, typer.Option("--server", metavar="NAME", help="Only this server; repeatable.")]
Called = Annotated[
    str | None, typer.Option("--host", metavar="NAME", help="What the witness calls the host. Default: by its file.")
]
Url = Annotated[str, typer.Option("--url", metavar="URL", help="Where the daemon answers, if it is not the one here.")]
TokenFile = Annotated[
    Path | None, typer.Option("--token-file", metavar="FILE", help="A file that holds a token of the scope looks.")
]
Config = Annotated[
    Path | None,
    typer.Option("--settings", metavar="FILE", help="The witness's settings. Default: witness.toml in your settings."),
]

DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be changed, and change nothing.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


@dataclass(frozen=True, slots=True)
class _File:
    """A host's file, with the name of its host for the witness and for people."""

    path: Path
    host: str
    name: str


def install_(
    context: typer.Context,
    where: Where,
    *,
    server: Servers = None,
    host: Called = None,
    url: Url = "",
    token_file: TokenFile = None,
    config: Config = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    by: By = None,
) -> None:
    """Put the witness before the local servers in a host's file that driftwatch watches.

    Only their commands and arguments change. The file is kept as it was; `driftwatch witness uninstall` puts it back.
    """
    wanted, settings = Wanted(config, url, token_file), settings_of(context)
    plans = _plans(where, host, settings, server or (), wanted)
    say = call_of(context).terminal.say
    for line in _foretold(plans, wanted, settings):
        say(line)
    if dry_run:
        say("Nothing was changed: this was a dry run.")
    elif any(one.changes for one in plans):
        _sure("Write this?", yes=yes)
        done = _written(plans, lambda: make(context, wanted, settings, by=by), iso(now(context)) or "")
        for line in chain(done, _afterwards(where, plans, settings, config)):
            say(line)


def _plans(
    where: str, host: str | None, settings: Settings, servers: Sequence[str], wanted: Wanted
) -> tuple[Plan, ...]:
    """Plan the install into each file that is meant.

    Raises:
        UsageError: there is none, or one of them cannot be used.
        UnknownServerError: a server is named that is not configured.

    """
    if os.name != "posix":
        raise UsageError("A local session is witnessed on Linux and macOS only.", hint="See docs/witness.md.")
    for name in servers:
        settings.server(name)
    config = ready(wanted, settings)
    files = _files(where, host)
    return tuple(plan(one.path, one.host, settings, starts(), only=servers, config=config) for one in files)


def _foretold(plans: Sequence[Plan], wanted: Wanted, settings: Settings) -> Iterator[str]:
    """Say what would be done; it ends the command where that is nothing."""
    for one in plans:
        yield from _lines(one, settings)
    if not any(one.changes for one in plans):
        yield "There is nothing to change."
        there = any(choice.launch.wrapped for one in plans for choice in one.choices)
        raise typer.Exit(ExitCode.OK if there else ExitCode.FOUND)
    yield from announced(wanted, settings)


def _written(plans: Sequence[Plan], make_settings: Callable[[], Sequence[str]], at: str) -> Iterator[str]:
    """Do what was planned; say what was done."""
    for program in {change.new_line[: change.new_line.index(VERB)] for one in plans for change in one.changes}:
        tried(program)
    yield from make_settings()
    memories = _memories()
    for one in plans:
        if one.changes:
            install(one, memories, at)
            yield f"{one.held.path}: {many(len(one.changes), 'server')} witnessed from the next start on."


def uninstall_(context: typer.Context, where: Where) -> None:
    """Take the witness out of a host's file again. Needs neither a configuration nor the daemon nor a database.

    A file that nobody wrote since is to the byte what it was before. In one that the host wrote anew, only the commands
    and arguments change.
    """
    terminal, memories = call_of(context).terminal, _memories()
    files = _files(
        where, None, known=[one.file for one in memories.all() if (found := named(where)) and one.host == found.id]
    )
    failed = False
    for one in files:
        try:
            for line in _undone(uninstall(one.path, memories)):
                terminal.say(line)
        except DriftwatchError as error:
            if len(files) == 1:
                raise
            warn(f"error: {error.message}")
            warn(f"  {error.hint}")
            failed = True
    settings = settings_path(os.environ, Path.home())
    if not memories.all() and settings.is_file():
        terminal.say(f"The witness's settings stay: {settings}. Its token is among: driftwatch token")
    raise typer.Exit(ExitCode.USAGE if failed else ExitCode.OK)


def list_(context: typer.Context, output: Output = Format.TEXT) -> None:
    """List the servers in the files of the hosts that are known, and which of them are witnessed."""
    memories = _memories()
    known = {path.resolve(): (one.id, path) for one in PROGRAMS for path in _paths(one) if path.is_file()}
    for memory in memories.all():
        known.setdefault(memory.file, (memory.host, memory.file))
    rows = [row for host, path in known.values() for row in _rows(host, path)]
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json({"version": 1, "servers": [_json(*row) for row in rows]})
    elif not rows:
        terminal.say("No file of a host that is known by name names a server.")
    else:
        for (host, path), servers in groupby(rows, key=lambda row: row[:2]):
            terminal.say(f"{host}: {_short(path)}")
            for _, _, one in servers:
                terminal.say(f"  {path_of(one.place)}: {_stands(one)}")


# --------------------------------------------------------------- which files


def _files(where: str, host: str | None, known: Sequence[Path] = ()) -> list[_File]:
    """Find the files that are meant.

    Raises:
        UsageError: there are none.

    """
    if host is not None and not is_name(host):
        raise UsageError(f"{quoted(host)} cannot be the name of a host.", hint=f"It must {HOW_TO_NAME}.")
    found = named(where)
    if found is None or Path(where).is_file():
        return [_file(Path(where), host)]
    paths = _paths(found)
    there = [path for path in paths if path.is_file()]
    there += [path for path in known if path not in {one.resolve() for one in there}]
    if not there:
        looked = " and ".join(str(path) for path in paths)
        message = f"{found.name} keeps its servers in {looked}, and there is no such file."
        raise UsageError(message, hint="Name the file if it is elsewhere: driftwatch witness install FILE")
    return [_File(path, host or found.id, found.name) for path in there]


def _file(path: Path, host: str | None) -> _File:
    if not path.exists() and os.sep not in str(path) and "." not in str(path):
        names = [one.id for one in PROGRAMS]
        hint = did_you_mean(str(path), names)
        raise UsageError(
            f"There is neither a host nor a file {quoted(str(path))}.", hint=f"{hint[:1].upper()}{hint[1:]}"
        )
    owner = whose(Path(os.path.normpath(path.absolute())), sys.platform, os.environ, Path.home())
    return _File(path, host or (owner.id if owner else UNNAMED), owner.name if owner else str(path))


def _paths(host: HostProgram) -> tuple[Path, ...]:
    return host.paths(sys.platform, os.environ, Path.home())


def _memories() -> Memories:
    return Memories(installs_path(os.environ, Path.home()))


# --------------------------------------------------------------- what is said


def _lines(planned: Plan, settings: Settings) -> Iterator[str]:
    """Say what would become of each server, before and after as command lines without what may be secret."""
    yield f"{planned.held.path}:"
    changes = {change.place: change for change in planned.changes}
    if not planned.choices:
        yield "  It names no servers, or none of those that were asked for."
    for one in planned.choices:
        change = changes.get(one.launch.place)
        where = path_of(one.launch.place)
        if change is None:
            yield f"  {where}: left as it is: {one.why}."
            if one.why == REMOTE and one.server:
                way = ("--upstream", shown_url(one.launch.url), "--listen", "127.0.0.1:8700", "--host", planned.host)
                yield f"    To witness it: {command('witness', 'forward', one.server, *way)}"
            continue
        yield f"  {where}: witnessed as {one.server}"
        yield f"    - {_line(change.line)}"
        yield f"    + {_wrapped_line(change)}"
        if not one.same:
            reached = settings.server(one.server).shown_command or "a URL"
            yield f"    driftwatch itself reaches {one.server} otherwise: {reached}"
    if any(one.why == UNWATCHED for one in planned.choices):
        yield f"  Tables for what is not watched: {command('import', str(planned.held.path))}"


def _line(line: Sequence[str]) -> str:
    """Give a command line as it may be shown."""
    command, *words = line
    return " ".join([command, *map(shown, masked(command, words))])


def _wrapped_line(change: Change) -> str:
    front = change.new_line[: len(change.new_line) - len(change.line)]
    return f"{' '.join(front)} {_line(change.line)}"


def _afterwards(where: str, plans: Sequence[Plan], settings: Settings, given: Path | None) -> Iterator[str]:
    """Say what a person does next."""
    status = advised("status", settings=given)
    yield f"Restart the host, so that it starts its servers anew. Then: {status}"
    yield f"To take it out again: {command('witness', 'uninstall', where)}"
    paths = {one.held.path for one in plans if one.changes}
    for file in settings.files:
        if isinstance(file, WatchedFile) and Path(str.__str__(file.file)).resolve() in paths:
            yield f"driftwatch watches this file as {file.name}, and will tell the change. Approve it after a look."
    for path in paths:
        if any((above / ".git").exists() for above in path.parents):
            yield f"{path} is in a repository: whoever else uses it has no driftwatch at this place. Do not commit it."


def _undone(undone: Undone) -> Iterator[str]:
    if undone.gone:
        yield f"{undone.file}: it is gone; what was remembered of it is deleted."
    elif undone.exact:
        yield f"{undone.file}: it is as it was before install, to the byte."
    elif undone.done:
        names = ", ".join(quoted(one.name) for one in undone.done)
        yield f"{undone.file}: unwrapped: {names}. The rest of the file was left as it is."
    else:
        yield f"{undone.file}: nothing in it was put there by install."
    for one in undone.left:
        yield f"  {quoted(one.name)} goes through a witness that install did not put there; it was left alone."


def _rows(host: str, path: Path) -> Iterator[tuple[str, Path, Launch]]:
    try:
        held = hold(path)
        for launch in launches(held.text, name=held.path.name):
            yield host, path, launch
    except DriftwatchError as error:
        warn(f"warning: {error.message}")


def _short(path: Path) -> str:
    """Give a path as a person would write it."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def _stands(one: Launch) -> str:
    if one.wrapped is not None:
        gone = "" if Path(one.line[0]).is_file() else f"; but {one.line[0]} is not there"
        return f"witnessed, as {one.wrapped.server} in {one.wrapped.host}{gone}"
    return f"not witnessed: {one.why}" if one.why else "not witnessed"


def _json(host: str, path: Path, one: Launch) -> dict[str, Json]:
    wrapped = one.wrapped
    witness: Json = {"server": wrapped.server, "host": wrapped.host, "program": one.line[0]} if wrapped else None
    return {"host": host, "file": str(path), "place": list(one.place), "witness": witness, "why_not": one.why or None}


def _sure(question: str, *, yes: bool) -> None:
    """Ask a person.

    Raises:
        UsageError: there is nobody to ask.

    """
    if yes:
        return
    if not interactive():
        raise UsageError("Nobody is here to confirm.", hint="Nothing was changed. Add --yes, or look with --dry-run.")
    if not ask(question):
        warn("Nothing was changed.")
        raise typer.Exit(ExitCode.FOUND)


def register(add: Callable[[str], Callable[[Callable[..., None]], object]]) -> None:
    """Add these commands to those of the witness."""
    add("install")(install_)
    add("uninstall")(uninstall_)
    add("list")(list_)
