"""backup and restore: the whole database as one file, and back again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.db import facts_words, inspection_json, verdict
from driftwatch.cli.exits import ExitCode
from driftwatch.cli.files import STDIN
from driftwatch.cli.ground import now, person, settings_of
from driftwatch.cli.moments import moment
from driftwatch.cli.options import By, Format, Output
from driftwatch.errors import UsageError
from driftwatch.model.amounts import many
from driftwatch.store.copies import Facts, Restored, back_up, restore
from driftwatch.store.place import path_of
from driftwatch.store.schema import HEAD

app = commands()

File = Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")]


@app.command()
def backup(
    context: typer.Context,
    file: File,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    output: Output = Format.TEXT,
) -> None:
    """Copy the whole database as it is now into one file, also while the daemon runs; the copy is looked through.

    It holds what the database does, so keep it as safe. Ends with 1 where the audit log does not hold.
    """
    _no_stream(file)
    found = back_up(settings_of(context).database_url, file, force=force)
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json({"version": 1, "file": str(file), **inspection_json(found)})
    else:
        terminal.say(f"The backup is in {file}: {facts_words(found.facts)}.")
        for line in verdict(found):
            terminal.say(line)
    raise typer.Exit(ExitCode.OK if found.verified is None or found.verified.good else ExitCode.FOUND)


@app.command("restore")
def _restore(
    context: typer.Context,
    file: File,
    force: Annotated[
        bool, typer.Option("--force", help="Also a backup whose audit log does not hold: somebody changed it by hand.")
    ] = False,
    by: By = None,
) -> None:
    """Put a backup in the place of the database, once all of it was looked through. The daemon must not be running.

    What was there is kept beside it, and what differs is said.
    """
    _no_stream(file)
    url = settings_of(context).database_url
    done = restore(url, file, now=now(context), by=person(by), force=force)
    say = call_of(context).terminal.say
    say(f"The database {path_of(url)} is the backup {file} now: {facts_words(done.now)}.")
    if done.kept is not None:
        say(f"What was there is in {done.kept}{'' if done.before else ', as it lay there: it could not be read'}.")
    for line in _differences(done):
        say(line)
    if done.now.revision != HEAD:
        say("It is of an earlier version. Bring it up to date: driftwatch db upgrade")


def _no_stream(file: Path) -> None:
    """Refuse standard input and output.

    Raises:
        UsageError: it is `-`.

    """
    if str(file) == STDIN:
        raise UsageError(
            "A backup is a file, not a stream.", hint="Name a file: driftwatch backup driftwatch-backup.db"
        )


def _differences(done: Restored) -> list[str]:
    """Say what is otherwise than before, one thing a line."""
    if done.before is None:
        return []
    rows = [
        (name, was, now)
        for (name, was), (_, now) in zip(_compared(done.before), _compared(done.now), strict=True)
        if was != now
    ]
    if not rows:
        return ["Nothing that is counted differs from it."]
    lost = done.before.entries - done.now.entries
    warned = [f"{many(lost, 'entry', 'entries')} of the audit log were written after the backup, and are only there."]
    return [
        "",
        "What differs:",
        *(f"  {name}: {now}, was {was}" for name, was, now in rows),
        *(warned if lost > 0 else []),
    ]


def _compared(facts: Facts) -> list[tuple[str, str]]:
    return [
        ("last look", moment(facts.last_look)),
        ("alerts open", f"{facts.open_alerts:,}"),
        ("servers", f"{facts.servers:,}"),
        ("servers approved", f"{facts.approved:,}"),
        ("entries in the audit log", f"{facts.entries:,}"),
        ("schema", facts.revision),
    ]
