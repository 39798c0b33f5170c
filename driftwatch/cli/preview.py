"""preview: see what another version of a server would show before it is rolled out, and approve just that."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.ending import run_to_end
from driftwatch.cli.exits import HIGH, ExitCode, code_for
from driftwatch.cli.files import name_of, read_json
from driftwatch.cli.ground import now, person, settings_of
from driftwatch.cli.moments import read_moment, short
from driftwatch.cli.options import By, Explain, Full, ServerName, Show, ShowHidden, Threshold, Written, checked
from driftwatch.cli.previewed import Look, print_end, print_shown
from driftwatch.cli.review import Note, sure
from driftwatch.cli.terminal import progress
from driftwatch.config import given
from driftwatch.config.schema import ServerConfig
from driftwatch.errors import UnreadableInputError, UsageError
from driftwatch.judge.intake import Intake, read
from driftwatch.model import Actor, Ahead, Severity
from driftwatch.report.formats import Form
from driftwatch.review import candidate as made
from driftwatch.review.ahead import end_of, replaced
from driftwatch.review.candidate import Candidate
from driftwatch.review.preview import LOOKS, Preview, chosen
from driftwatch.review.preview import approve as approve_shown
from driftwatch.review.preview import preview as verb
from driftwatch.run import logs
from driftwatch.run.wiring import World

app = commands()

_ONE = "Say what to look at: one of --version, --command, --url and --file."

Version = Annotated[
    str,
    typer.Option(
        "--version",
        metavar="VERSION",
        help="Put this version of its package into the command (npx, uvx, pipx, docker, podman, …). Beside another "
        "option: which version that is.",
    ),
]
CommandLine = Annotated[
    str, typer.Option("--command", metavar="LINE", help="Start this instead, in one word: 'npx -y pkg@1.2.4 --flag'.")
]
Url = Annotated[str, typer.Option("--url", metavar="URL", help="Look at this address instead.")]
File = Annotated[str, typer.Option("--file", metavar="FILE", help="Take a captured list, as compare does; - is stdin.")]
Credentials = Annotated[
    bool | None,
    typer.Option(
        "--with-credentials/--without-credentials",
        help="With a --url on another host: send it the server's headers, or look without them.",
        show_default=False,
    ),
]
Once = Annotated[bool, typer.Option("--once", help="Look once; else twice, to see whether it shows the same again.")]

Approving = Annotated[
    bool,
    typer.Option(
        "--approve", help="Approve just what it shows, ahead of the roll-out: it is shown, and you are asked."
    ),
]
Exactly = Annotated[
    str | None,
    typer.Option(
        "--digest",
        metavar="DIGEST",
        help="With --approve: the list that you read. You are not asked, and another list is refused.",
    ),
]
Until = Annotated[
    str | None,
    typer.Option("--until", metavar="TIME", help="With --approve: how long it is good, as 2026-03-01. Else 30 days."),
]
_HELP = """
Look at another version of a server before it is rolled out, and say what would change.

It is started beside the live server, as the configuration says (in its sandbox), and judged against what is approved.
Nothing is recorded, nobody is told, and the server itself is left alone.
"""
_UNTIL_HINT = "Write it as 2026-03-01, or as 2026-03-01T12:00 (UTC)."


@app.command(help=_HELP)
def preview(
    context: typer.Context,
    server: ServerName,
    *,
    version: Version = "",
    command: CommandLine = "",
    url: Url = "",
    file: File = "",
    credentials: Credentials = None,
    once: Once = False,
    approve: Approving = False,
    digest: Exactly = None,
    until: Until = None,
    note: Note = "",
    by: By = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Approve without asking.")] = False,
    fail_on: Threshold = [HIGH],  # noqa: B006 - typer reads it and never changes it
    output: Written = Form.TEXT,
    show: Show = Severity.INFO,
    full: Full = False,
    explain: Explain = False,
    show_hidden: ShowHidden = False,
) -> None:
    """Look at a candidate, print what it came to, and approve it where that is wanted."""
    asked = _Asked(version, command, url, file, credentials=credentials, once=once)
    wish = _wish(now(context), approve=approve, digest=digest, until=until, note=note, by=by, yes=yes)
    look = Look(output, tuple(fail_on), show, full=full, hidden=show_hidden, explain=explain)
    raise typer.Exit(_previewed(context, server, asked, wish, look))


@dataclass(frozen=True)
class _Asked:
    """What a person wants looked at: the options as they were given."""

    version: str
    command: str
    url: str
    file: str
    credentials: bool | None
    once: bool


def _previewed(context: typer.Context, server: str, asked: _Asked, wish: _Wish | None, look: Look) -> ExitCode:
    """Do what the options say; give what to end with."""
    if wish is not None and look.form is not Form.TEXT and not (wish.digest or wish.yes):
        raise UsageError("Nobody can read this and be asked.", hint="Say which list with --digest, or add --yes.")
    settings = settings_of(context, secrets=True)
    logs.configure(form=settings.daemon.log_format, level="error", secrets=[settings])
    candidate = _candidate(settings.ready(server), asked)
    terminal = call_of(context).terminal
    with World.open(settings, clock=call_of(context).clock) as world:
        seen = _look(world, candidate, looks=1 if asked.once or candidate.capture is not None else LOOKS)
        print_shown(terminal, seen, look)
        waiting = {one.id for one in world.store.waiting_aheads(seen.server, world.clock())} if wish else set()
        ahead = _approved(world, seen, wish) if wish is not None else None
        # One that waited already and is given back took nothing's place just now.
        before = replaced(world.store, ahead) if ahead is not None and ahead.id not in waiting else None
    print_end(terminal, seen, look, ahead, asked=wish is not None, replaced=before)
    found = seen.report.findings if seen.report is not None and ahead is None else ()
    return code_for(look.fail_on, found, unseen=seen.failure is not None)


@dataclass(frozen=True)
class _Wish:
    """What a person wants approved: who and why, how long, which list, and whether to ask."""

    by: Actor
    note: str
    digest: str | None
    until: datetime | None
    yes: bool


def _wish(
    at: datetime, *, approve: bool, digest: str | None, until: str | None, note: str, by: str | None, yes: bool
) -> _Wish | None:
    """Read the options of an approval, None where nothing is to be approved.

    Raises:
        UsageError: they are there without --approve, or are not what they should be.

    """
    if not approve:
        if digest or until or note or by or yes:
            raise UsageError("--digest, --until, --note, --by and --yes go with --approve.", hint="Add it.")
        return None
    end = read_moment(until, hint=_UNTIL_HINT) if until else None
    end_of(at, end)  # Said now, not once the candidate was started.
    return _Wish(person(by), note, checked(digest), end, yes)


def _approved(world: World, seen: Preview, wish: _Wish) -> Ahead:
    """Approve what was shown, once a person said yes or named the very list."""
    snapshot = chosen(seen, wish.digest)
    if wish.digest is None:
        version = f" {seen.version}" if seen.version else ""
        sure(f"Approve {short(snapshot.digest)} of {seen.server}{version} ahead of its roll-out?", yes=wish.yes)
    return approve_shown(
        world.store,
        world.settings,
        seen,
        digest=wish.digest,
        by=wish.by,
        note=wish.note,
        now=world.clock(),
        until=wish.until,
    )


def _candidate(live: ServerConfig, asked: _Asked) -> Candidate:
    """Make of the options what is to be looked at.

    Raises:
        UsageError: they do not say one thing, or what they say cannot be looked at.

    """
    ways = (asked.command, asked.url, asked.file)
    if sum(map(bool, ways)) > 1 or not any((asked.version, *ways)):
        raise UsageError("It is not clear what to look at.", hint=_ONE)
    if asked.credentials is not None and not asked.url:
        raise UsageError("--with-credentials and --without-credentials go with --url.", hint="Leave them out.")
    if asked.command:
        found = made.started_by(live, given.by_line(live.name, asked.command, environ=os.environ, base=Path.cwd()))
    elif asked.url:
        sse = live.transport == "sse" and asked.url.partition("?")[0].rstrip("/").endswith("/sse")
        there = given.by_url(live.name, asked.url, sse=sse, environ=os.environ)
        found = made.reached_at(live, there, credentials=asked.credentials)
    elif asked.file:
        found = made.captured(live, _capture(asked.file), name_of(asked.file))
    else:
        return made.at_version(live, asked.version)
    return made.known_as(found, asked.version) if asked.version else found


def _capture(file: str) -> Intake:
    decoded, oddities = read_json(file)
    try:
        return read(decoded, oddities)
    except UnreadableInputError as error:
        raise UnreadableInputError(f"{name_of(file)}: {error.message}", hint=error.hint) from error


def _look(world: World, candidate: Candidate, *, looks: int) -> Preview:
    """Look so many times, with a bar on a terminal."""
    with progress("Looking", [_turn(number) for number in range(1, looks + 1)]) as done, world.trial() as fetcher:
        work = verb(
            world.store,
            world.settings,
            fetcher,
            candidate,
            now=world.clock,
            looks=looks,
            looked=lambda number: done(_turn(number)),
        )
        return run_to_end(work)


def _turn(number: int) -> str:
    return f"start {number}"
