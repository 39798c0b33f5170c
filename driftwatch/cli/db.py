"""db: the schema of the database, and whether all of it is sound."""

from __future__ import annotations

from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.exits import ExitCode
from driftwatch.cli.ground import now, settings_of
from driftwatch.cli.moments import iso, moment
from driftwatch.cli.options import Format, Output
from driftwatch.errors import StoreError
from driftwatch.model import Json
from driftwatch.model.amounts import many, weight
from driftwatch.model.commands import command
from driftwatch.store.copies import Facts, Inspection, inspect, upgrade
from driftwatch.store.holding import Holder, holder_of
from driftwatch.store.place import path_of
from driftwatch.store.schema import HEAD, revision_of

app = commands()
db = commands()
app.add_typer(db, name="db", help="See to the schema of the database, and whether it is sound.")

NoBackup = Annotated[bool, typer.Option("--no-backup", help="Make no backup of the database as it was.")]


@db.command("upgrade")
def _upgrade(context: typer.Context, no_backup: NoBackup = False) -> None:
    """Bring the database up to date. It is copied first, beside itself; a daemon must not be running."""
    url = settings_of(context).database_url
    say = call_of(context).terminal.say
    if revision_of(path_of(url)) is None:
        say(f"There is no database at {path_of(url)} yet; driftwatch run makes one.")
        return
    before, kept = upgrade(url, now=now(context), backup=not no_backup)
    if before == HEAD:
        say(f"The database {path_of(url)} is up to date (schema {HEAD}).")
        return
    say(f"The database {path_of(url)} has the schema {HEAD} now; it had {before}.")
    if kept is not None:
        say(
            f"As it was before, it is in {kept}. To go back: the earlier driftwatch, and "
            f"{command('restore', kept.name)}"
        )


@db.command()
def current(context: typer.Context, output: Output = Format.TEXT) -> None:
    """Say which schema the database has, which one this driftwatch needs, and who holds it. Ends with 1 for another."""
    url = settings_of(context).database_url
    found = revision_of(path_of(url))
    if found is None:
        raise StoreError(f"There is no database at {path_of(url)} yet.", hint="Start driftwatch run first.")
    holder = holder_of(url)
    terminal = call_of(context).terminal
    if output is Format.JSON:
        held: Json = None if holder is None else {"pid": holder.pid, "doing": holder.doing, "since": holder.since}
        terminal.json({"version": 1, "schema": found, "needed": HEAD, "current": found == HEAD, "held_by": held})
    else:
        terminal.say(f"The database {path_of(url)} has the schema {found}.")
        needs = f"This driftwatch needs {HEAD}: driftwatch db upgrade"
        terminal.say("It is up to date." if found == HEAD else needs)
        terminal.say(_held_words(holder))
    raise typer.Exit(ExitCode.OK if found == HEAD else ExitCode.FOUND)


def _held_words(holder: Holder | None) -> str:
    return "No daemon watches with it." if holder is None else f"It is held by {holder.words}."


@db.command()
def check(context: typer.Context, output: Output = Format.TEXT) -> None:
    """Look through all of the database: its pages, what its rows refer to, its audit log. Ends with 1 when not good.

    It only reads, and may be done while the daemon runs; it takes some seconds for each gigabyte.
    """
    path = path_of(settings_of(context).database_url)
    if revision_of(path) is None:
        raise StoreError(f"There is no database at {path} yet.", hint="Start driftwatch run first.")
    found = inspect(path)
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json({"version": 1, **inspection_json(found)})
    else:
        terminal.say(f"{path}: {facts_words(found.facts)}")
        for line in verdict(found):
            terminal.say(line)
    raise typer.Exit(ExitCode.OK if _is_good(found) else ExitCode.FOUND)


def verdict(found: Inspection) -> list[str]:
    """Say what was found in a file, and what to do about it."""
    if found.damage:
        lines = ["It is damaged:", *(f"  {one}" for one in found.damage)]
        return [*lines, "Keep it as it is, and restore the last good backup: driftwatch restore FILE"]
    lines = ["Its pages are sound, and every row has what it refers to."]
    if found.verified is None:
        return [*lines, f"Its schema is {found.facts.revision}: its audit log is verified after driftwatch db upgrade."]
    if found.verified.good:
        return [
            *lines,
            f"Its audit log is whole, and agrees with it: {many(found.verified.count, 'entry', 'entries')}.",
        ]
    return [*lines, "Its audit log does not hold, or says something else. See what: driftwatch audit verify"]


def facts_words(facts: Facts) -> str:
    """Say in a line what a database holds."""
    looked = f"last look {moment(facts.last_look)}" if facts.last_look else "no look yet"
    servers = f"{many(facts.servers, 'server')} ({facts.approved} approved)"
    return (
        f"schema {facts.revision}, {weight(facts.size)}, {servers}, "
        f"{many(facts.open_alerts, 'open alert')}, {many(facts.entries, 'audit entry', 'audit entries')}, {looked}"
    )


def inspection_json(found: Inspection) -> dict[str, Json]:
    """Give what was found in a file as plain JSON."""
    facts = found.facts
    return {
        "schema": facts.revision,
        "bytes": facts.size,
        "servers": facts.servers,
        "approved": facts.approved,
        "open_alerts": facts.open_alerts,
        "audit_entries": facts.entries,
        "last_look_at": iso(facts.last_look) if facts.last_look else None,
        "damage": list(found.damage),
        "audit_good": None if found.verified is None else found.verified.good,
        "good": _is_good(found),
    }


def _is_good(found: Inspection) -> bool:
    return not found.damage and (found.verified is None or found.verified.good)
