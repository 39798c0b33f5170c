"""deliveries: the outbox, one message in full, and what a person does about messages that do not arrive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.ground import now, person, settings_of
from driftwatch.cli.messages import CHARS, result_words, waits_of
from driftwatch.cli.moments import ago, iso, moment
from driftwatch.cli.options import By, Format, Limit, OnServer, Output
from driftwatch.cli.stored import known, opened
from driftwatch.cli.terminal import Terminal, warn
from driftwatch.config.schema import Settings
from driftwatch.config.words import closest, did_you_mean, quoted
from driftwatch.errors import UsageError
from driftwatch.model import Delivery, DeliveryState, EventKind, Json
from driftwatch.model.commands import command
from driftwatch.report import plain
from driftwatch.review import attend
from driftwatch.store.records import Wait, Wanted
from driftwatch.store.store import Store
from driftwatch.tell.templates import trouble_of
from driftwatch.tell.words import plain_text, words_of

app = commands()
deliveries = commands()
app.add_typer(deliveries, name="deliveries")

_ROOM = 20_000
"""Characters of a message that are shown as text; all of it is in the JSON."""

_MEMBERS = 10_000
"""Members of a batch that are looked at."""


def _state(written: str | DeliveryState) -> DeliveryState:
    """Read the state of a message."""
    try:
        return DeliveryState(written.lower())
    except ValueError:
        words = [state.value for state in DeliveryState]
        near = closest(written, words)
        hint = f"; did you mean {near}?" if near else ""
        raise typer.BadParameter(f"{written!r} is none of {', '.join(words)}{hint}") from None


InState = Annotated[
    DeliveryState | None,
    typer.Option("--state", metavar="STATE", parser=_state, help=f"Only messages that are {', '.join(DeliveryState)}."),
]
Ids = Annotated[list[str], typer.Argument(metavar="ID...", help="Their ids, or the beginnings of them.")]
SomeIds = Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Their ids, or the beginnings of them.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="Its id, or the beginning of it.")]
OfChannel = Annotated[str | None, typer.Option("--channel", metavar="NAME", help="Only messages for this channel.")]


@deliveries.callback(invoke_without_command=True)
def _deliveries(
    context: typer.Context,
    state: InState = None,
    channel: OfChannel = None,
    server: OnServer = None,
    *,
    limit: Limit = 50,
    output: Output = Format.TEXT,
) -> None:
    """List the outbox: what was sent, what waits, what was given up, newest first."""
    if context.invoked_subcommand is not None:
        return
    wanted, settings = Wanted(state=state, channel=channel, server=server), settings_of(context)
    with opened(context, settings) as store:
        found = store.deliveries(wanted=wanted, limit=limit)
        if not found:
            _refuse_unknown(settings, store, channel, server)
        waits = waits_of(store, found, now(context))
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json({"version": 1, "deliveries": [_json(delivery, waits) for delivery in found]})
    elif not found and wanted == Wanted():
        terminal.say("The outbox is empty: there was nothing to tell yet.")
    elif not found:
        terminal.say("No message fits.")
    else:
        columns = ("id", "state", "channel", "server", "event", "created", "result")
        terminal.table(columns, _rows(found, now(context), waits), whole=2)


@deliveries.command()
def show(context: typer.Context, message: Id, output: Output = Format.TEXT) -> None:
    """Show a message: how it has fared, what it says, and for several alerts in one what went into it."""
    with opened(context, settings_of(context)) as store:
        found = store.delivery(message)
        members = store.deliveries(wanted=Wanted(batch=found.id), limit=_MEMBERS)
        waits = waits_of(store, [found], now(context))
    members = list(reversed(members))
    terminal = call_of(context).terminal
    if output is Format.JSON:
        whole = {"delivery": _json(found, waits), "payload": plain(dict(found.payload))}
        terminal.json({"version": 1, **whole, "members": [_json(one) for one in members]})
        return
    for line in _history(found, now(context), waits):
        terminal.say(line)
    if members:
        terminal.say()
        columns = ("id", "server", "event", "created", "alert")
        terminal.table(columns, [_member(one) for one in members], whole=1)
    terminal.say()
    _print_message(terminal, found)


@deliveries.command()
def retry(
    context: typer.Context,
    ids: SomeIds = None,
    dead: Annotated[bool, typer.Option("--dead", help="All that were given up.")] = False,
    channel: OfChannel = None,
    *,
    by: By = None,
    output: Output = Format.TEXT,
) -> None:
    """Send messages again, at once and with all their attempts before them."""
    settings = settings_of(context)
    if bool(ids) == dead or (channel is not None and not dead):
        raise UsageError("Say which messages to send again.", hint="Give their ids, or --dead [--channel NAME].")
    with opened(context, settings) as store:
        at, who = now(context), person(by)
        if dead:
            done = attend.retry_dead(store, channel=channel, by=who, now=at)
            _refuse_unknown(settings, store, None if done.sent or done.left else channel)
        else:
            done = attend.retry(store, ids or (), by=who, now=at)
        waits = waits_of(store, done.sent, at)
    _warn_of_gone_channels(settings, done.sent)
    terminal = call_of(context).terminal
    if output is Format.JSON:
        sent, left = ([_json(one, waits) for one in rows] for rows in (done.sent, done.left))
        terminal.json({"version": 1, "sent_again": sent, "left": left})
        return
    _print_retried(terminal, done)


def _print_retried(terminal: Terminal, done: attend.Retried) -> None:
    for one in done.sent:
        terminal.say(f"{one.id}: goes to {one.channel} again, at the next check, or when the daemon runs.")
    for one in done.left:
        terminal.say(f"{one.id}: left, for what it tells of is over. To take it out: driftwatch deliveries cancel")
    if not done.sent and not done.left:
        terminal.say("There is nothing to send again.")


@deliveries.command()
def cancel(context: typer.Context, ids: Ids, by: By = None, output: Output = Format.TEXT) -> None:
    """Take messages out that were not delivered. Nobody gets them; they stay in the list."""
    with opened(context, settings_of(context)) as store:
        done = attend.cancel(store, ids, by=person(by), now=now(context))
        unheard = attend.unheard(store, done)
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json({"version": 1, "cancelled": [_json(one) for one in done], "unheard": list(unheard)})
        return
    for one in done:
        terminal.say(f"{one.id}: taken out; {one.channel} does not get it, unless it is being sent at this moment.")
    for name in unheard:
        warn(
            f"warning: nobody was told of the alert {name}, and nobody will be until it grows. Read it with: "
            f"{command('alerts', 'show', name[:CHARS])} - or send the message after all: driftwatch deliveries retry"
        )


def _refuse_unknown(settings: Settings, store: Store, channel: str | None, server: str | None = None) -> None:
    """Refuse names that no channel and no server has, where nothing was found for them: they may be misspelt.

    Raises:
        UsageError: there is no such channel or server.

    """
    names = {*(one.name for one in settings.channels), *store.channel_health()}
    if channel is not None and channel not in names:
        hint = did_you_mean(channel, sorted(names))
        raise UsageError(f"No channel is called {quoted(channel)}.", hint=hint[:1].upper() + hint[1:])
    if server is not None:
        known(settings, store, server)


def _warn_of_gone_channels(settings: Settings, sent: Sequence[Delivery]) -> None:
    """Say so where a message goes to a channel that is no longer there: it will be given up again."""
    there = {channel.name for channel in settings.channels}
    for name in sorted({one.channel for one in sent} - there):
        warn(f"warning: no channel is called {name} any more, so its messages will be given up again.")


def _rows(found: Sequence[Delivery], at: datetime, waits: Mapping[str, Wait]) -> list[tuple[str, ...]]:
    """Give the cells of the deliveries."""
    return [
        (
            one.id[:CHARS],
            one.state.value,
            one.channel,
            one.server or "-",
            one.event.value,
            ago(one.created_at, at),
            result_words(one, at, waits),
        )
        for one in found
    ]


def _member(one: Delivery) -> tuple[str, ...]:
    return (one.id[:CHARS], one.server or "-", one.event.value, moment(one.created_at), one.alert_id[:CHARS])


def _history(one: Delivery, at: datetime, waits: Mapping[str, Wait]) -> Iterator[str]:
    """Say how a message has fared, as far as that is known."""
    what = "several alerts" if one.event is EventKind.BATCH else f"{one.event.value}, alert {one.alert_id}"
    yield f"{one.id}: {what}"
    yield f"for {one.channel}, by the route {one.route}" if one.route else f"for {one.channel}"
    yield f"created {moment(one.created_at)}; {one.state.value}; {result_words(one, at, waits)}"
    if trouble := trouble_of(one.payload):
        yield f"A template of {one.channel} failed, so it is in driftwatch's own words: {trouble}"


def _print_message(terminal: Terminal, one: Delivery) -> None:
    """Print what a message says. One that another version of driftwatch wrote may not be readable as text."""
    try:
        words = words_of(one.payload)
        text = plain_text(words, _ROOM)
    except (LookupError, TypeError, ValueError, AttributeError):
        terminal.say("What it says cannot be shown as text. See it with: --format json")
        return
    for line in (words.title, "", *text.split("\n")):
        terminal.say(line)


def _json(delivery: Delivery, waits: Mapping[str, Wait] = MappingProxyType({})) -> dict[str, Json]:
    """Give one delivery for programs, without its body."""
    wait = waits.get(delivery.id, Wait())
    return {
        "id": delivery.id,
        "channel": delivery.channel,
        "server": delivery.server,
        "alert_id": delivery.alert_id,
        "event": delivery.event.value,
        "state": delivery.state.value,
        "attempts": delivery.attempts,
        "created_at": iso(delivery.created_at),
        "next_attempt_at": iso(delivery.next_attempt_at),
        "waits_for": wait.behind or None,
        "leased_until": iso(wait.leased_until),
        "last_result": delivery.last_result,
        "route": delivery.route,
        "batch": delivery.batch,
        "template_trouble": trouble_of(delivery.payload) or None,
    }
