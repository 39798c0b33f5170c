"""prune and vacuum: dropping what was kept for long enough, and giving the room back."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import timedelta
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.ground import now, person, settings_of
from driftwatch.cli.options import By, Format, Output
from driftwatch.cli.stored import opened
from driftwatch.config.retention import RetentionConfig
from driftwatch.config.units import seconds
from driftwatch.errors import UsageError
from driftwatch.model.amounts import many, weight
from driftwatch.run.retention import retention_of
from driftwatch.store.copies import vacuum
from driftwatch.store.place import path_of
from driftwatch.store.records import Pruned, Retention

app = commands()

Age = Annotated[
    str | None,
    typer.Option(
        "--older-than",
        metavar="AGE",
        help="Drop what was over for longer than this, as 180d, whatever [retention] says of ages.",
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say how much that would be, and drop nothing.")]

_LEAST = timedelta(days=8)


@app.command()
def prune(
    context: typer.Context,
    *,
    dry_run: DryRun = False,
    older_than: Age = None,
    by: By = None,
    output: Output = Format.TEXT,
) -> None:
    """Drop what was kept for long enough by [retention]; the daemon does so once a day.

    Baselines, decisions, approvals ahead, the lists that they are about, alerts that are open, messages that wait, what
    witnesses handed in, and the audit log stay, whatever is asked for.
    """
    settings = settings_of(context)
    keep = _asked(settings.retention, older_than)
    with opened(context, settings) as store:
        at = now(context)
        found = store.would_prune(keep, now=at) if dry_run else store.prune(keep, now=at, by=person(by))
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json({"version": 1, "dry_run": dry_run, "dropped": asdict(found)})
    else:
        terminal.say(_words(found, dry_run=dry_run))
        if found.any and not dry_run:
            terminal.say("The room is used again for what comes. To give it back to the disk: driftwatch vacuum")


@app.command("vacuum")
def _vacuum(context: typer.Context, output: Output = Format.TEXT) -> None:
    """Make the database as small as what is in it.

    Whoever writes meanwhile waits, and for a while it takes twice as much room again.
    """
    url = settings_of(context).database_url
    before, after = vacuum(url)
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json({"version": 1, "bytes_before": before, "bytes": after})
    else:
        terminal.say(f"The database {path_of(url)} takes {weight(after)}; it took {weight(before)}.")


def _asked(config: RetentionConfig, older_than: str | None) -> Retention:
    """Give what is to be kept.

    Raises:
        UsageError: the age cannot be meant.

    """
    keep = retention_of(config)
    if older_than is None:
        return keep
    length = seconds(older_than)
    if length is None or timedelta(seconds=length) < _LEAST:
        hint = "Write it as 180d; at least 8d, over which looks are judged."
        raise UsageError(f"{older_than!r} is not an age that can be asked for.", hint=hint)
    age = timedelta(seconds=length)
    return replace(keep, looks=age, alerts=age, deliveries=age)


def _words(found: Pruned, *, dry_run: bool) -> str:
    if not found.any:
        return "Nothing was kept for longer than it is to be."
    parts = (
        many(found.looks, "look that is over", "looks that are over"),
        f"{many(found.lists, 'list')} that nothing else needs ({many(found.items, 'item')})",
        many(found.alerts, "alert that is over", "alerts that are over"),
        many(found.deliveries, "message"),
    )
    return f"{'Would be dropped' if dry_run else 'Dropped'}: {', '.join(parts)}."
