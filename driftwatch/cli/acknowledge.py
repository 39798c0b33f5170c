"""alerts ack: say that you know of alerts, by their ids, by a message that told of them, or of all that wait."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated

import typer

from driftwatch.cli.app import call_of
from driftwatch.cli.exits import ExitCode
from driftwatch.cli.ground import now, person, settings_of
from driftwatch.cli.messages import about_of
from driftwatch.cli.moments import moment
from driftwatch.cli.options import By, Format, Output
from driftwatch.cli.stored import known, opened
from driftwatch.cli.terminal import Terminal, ask, interactive, warn
from driftwatch.errors import NothingToDoError, UsageError
from driftwatch.model import Json, Silence
from driftwatch.model.amounts import many
from driftwatch.review import attend
from driftwatch.review.meant import alerts_meant, unanswered
from driftwatch.tell.alertjson import alert_json

Ids = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[ID]...",
        help="Their ids, or the beginnings of them; the id of a message (msg_…) means all that it tells of and stands.",
    ),
]
Note = Annotated[str, typer.Option("--note", metavar="TEXT", help="What you know; it is told along.")]
OfServer = Annotated[
    str | None, typer.Option("--server", metavar="SERVER", help="All of this server that nobody has acknowledged.")
]
Everything = Annotated[bool, typer.Option("--all", help="All that nobody has acknowledged.")]


def ack(
    context: typer.Context,
    ids: Ids = None,
    by: By = None,
    note: Note = "",
    *,
    server: OfServer = None,
    everything: Everything = False,
    output: Output = Format.TEXT,
) -> None:
    """Say that you know of alerts: nobody is reminded of them any more, until one grows.

    With --server or --all it says how many that are, and on a terminal asks first.
    """
    if [bool(ids), server is not None, everything].count(True) != 1:
        raise UsageError("Say which alerts you know of.", hint="Give their ids, or --server NAME, or --all.")
    settings, who, terminal = settings_of(context), person(by), call_of(context).terminal
    with opened(context, settings) as store:
        name = known(settings, store, server) if server is not None else None
        wanted = alerts_meant(store, ids) if ids else unanswered(store, name)
        if not ids:
            _ask_first(terminal, wanted, server, output)
        say_so = partial(attend.acknowledge, store, settings, by=who, note=note, now=now(context))
        done = _each(wanted, say_so, all_of_them=not ids)
        left = len(unanswered(store))
        silences = store.silences(at=now(context))
    if output is Format.JSON:
        terminal.json({"version": 1, "acknowledged": [_json(one, silences) for one in done], "unanswered": left})
    else:
        _print(terminal, done, left, counted=not ids or len(done) > len(ids))


def _ask_first(terminal: Terminal, wanted: Sequence[str], server: str | None, output: Format) -> None:
    """Say how many alerts that are, and ask on a terminal; a no ends it."""
    of = f" of {server}" if server is not None else ""
    if output is not Format.JSON:
        terminal.say(f"{_alerts(len(wanted))}{of} that nobody has acknowledged.")
    if wanted and interactive() and not ask(f"Acknowledge {'it' if len(wanted) == 1 else 'all of them'}?"):
        warn("Nothing was changed.")
        raise typer.Exit(ExitCode.FOUND)


def _each(
    wanted: Sequence[str], say_so: Callable[[str], attend.Acknowledgement], *, all_of_them: bool
) -> list[attend.Acknowledgement]:
    """Acknowledge alerts. Of all that there are, one that has just ended is none of them any more."""
    done = []
    for one in wanted:
        try:
            done.append(say_so(one))
        except NothingToDoError:
            if not all_of_them:
                raise
    return done


def _print(terminal: Terminal, done: Sequence[attend.Acknowledgement], left: int, *, counted: bool) -> None:
    for one in done:
        terminal.say(_words(one))
    if counted:
        terminal.say(f"{_alerts(sum(one.is_new for one in done))} acknowledged; {left} left that nobody has.")


def _json(done: attend.Acknowledgement, silences: Sequence[Silence]) -> dict[str, Json]:
    """Give what came of an acknowledgement for programs."""
    return {"alert": alert_json(done.alert, silences), "new": done.is_new, "queued": list(done.queued)}


def _words(done: attend.Acknowledgement) -> str:
    """Say what came of an acknowledgement."""
    alert, already = done.alert, done.alert.acknowledged
    name = f"{about_of(alert.server, alert.channel)} ({alert.id})"
    if not done.is_new and already is not None:
        return f"{name}: {already.by} said so at {moment(already.at)} already. Nothing was changed."
    count = len(done.queued)
    goes = f" {many(count, 'message')} about it: sent at the next check, or when the daemon runs."
    return f"{name}: acknowledged. Nobody is reminded of it any more, until it grows.{goes if count else ''}"


def _alerts(count: int) -> str:
    return f"{many(count, 'alert')}"
