"""channels and channels test: who is told, how these places have been doing, and whether they can be reached now."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.ending import run_to_end
from driftwatch.cli.exits import ExitCode
from driftwatch.cli.ground import now, settings_of
from driftwatch.cli.moments import ago, iso, span
from driftwatch.cli.options import Format, Output
from driftwatch.cli.stored import opened
from driftwatch.cli.terminal import Terminal, warn
from driftwatch.config.channels import ChannelConfig
from driftwatch.config.schema import Settings
from driftwatch.errors import StoreError, UsageError
from driftwatch.model import ChannelHealth, Json, SendResult
from driftwatch.model.amounts import many
from driftwatch.run import logs
from driftwatch.run.trial import Tried, chosen, configured, try_out

app = commands()
channels = commands()
app.add_typer(channels, name="channels")


@channels.callback(invoke_without_command=True)
def _channels(context: typer.Context, output: Output = Format.TEXT) -> None:
    """List the configured channels, and how they have been doing. Secrets are never shown."""
    if context.invoked_subcommand is not None:
        return
    settings = settings_of(context)
    with opened(context, settings) as store:
        health = store.channel_health()
    found = [(channel, health.get(channel.name, ChannelHealth(channel.name))) for channel in settings.channels]
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json({"version": 1, "channels": [_channel_json(*one) for one in found]})
    elif not found:
        terminal.say("There is no channel, so nobody is told of anything. Add one: [channels.NAME] in the file.")
    else:
        rows = [_row(channel, known, now(context)) for channel, known in found]
        terminal.table(("channel", "kind", "where", "from", "how it does"), rows)


def _row(channel: ChannelConfig, health: ChannelHealth, at: datetime) -> tuple[str, ...]:
    return (channel.name, channel.kind, channel.shown_url, channel.min_severity.value, _doing(health, at))


def _doing(health: ChannelHealth, at: datetime) -> str:
    """Say how a channel has been doing."""
    given_up = f"; {health.dead} given up" if health.dead else ""
    if health.failing_since is not None:
        times = f"{many(health.failures, 'attempt')}"
        return f"failing for {span(at - health.failing_since)}, {times}: {health.last_result}{given_up}"
    return f"works, last {ago(health.last_ok_at, at)}{given_up}" if health.last_ok_at else f"nothing sent yet{given_up}"


def _channel_json(channel: ChannelConfig, health: ChannelHealth) -> dict[str, Json]:
    """Give one channel for programs, without its secrets."""
    return {
        "name": channel.name,
        "kind": channel.kind,
        "where": channel.shown_url,
        "min_severity": channel.min_severity.value,
        "axes": [axis.value for axis in channel.axes],
        "areas": list(channel.areas),
        "failures": health.failures,
        "failing_since": iso(health.failing_since),
        "last_ok_at": iso(health.last_ok_at),
        "last_result": health.last_result,
        "dead": health.dead,
    }


@channels.command("test")
def try_them(
    context: typer.Context,
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="The channels to test.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Test all of them.")] = False,
    output: Output = Format.TEXT,
) -> None:
    """Send channels a test alert, marked as a drill, and then its end; ends with 1 when one does not take both.

    Routes take no part, and nothing is written down but that a channel works again. `driftwatch selftest` tries the
    whole way of an alert.
    """
    if bool(names) == everything:
        raise UsageError("Say which channels to test.", hint="Give their names, or --all.")
    settings = settings_of(context, secrets=True)
    some = configured(settings) if everything else tuple(chosen(settings, names or []))
    logs.configure(level="error", secrets=[settings])
    tried = run_to_end(try_out(some, public_url=settings.daemon.public_url, clock=call_of(context).clock))
    _note(context, settings, tried)
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json({"version": 1, "channels": [_tried_json(one) for one in tried]})
    else:
        _print(terminal, tried)
    raise typer.Exit(ExitCode.OK if all(one.works for one in tried) else ExitCode.FOUND)


def _note(context: typer.Context, settings: Settings, tried: Sequence[Tried]) -> None:
    """Write down that channels work which are said to fail; where there is no database, nothing is said of any."""
    try:
        with opened(context, settings, read_only=True) as store:
            failing = {name for name, health in store.channel_health().items() if health.failures}
    except StoreError:
        return
    mended = [one for one in tried if one.works and one.channel.name in failing]
    if not mended:
        return
    try:
        with opened(context, settings) as store:
            for one in mended:
                store.note_channel(one.channel.name, one.opened, now=now(context))
    except StoreError as error:
        warn(f"warning: that they work again could not be written down: {error.message}")


def _print(terminal: Terminal, tried: Sequence[Tried]) -> None:
    for one in tried:
        terminal.say(f"{one.channel.name} ({one.channel.kind}): {one.words}")
        terminal.say(f"  {one.next}")
        if one.trouble:
            place = f"channels.{one.channel.name}"
            warn(f"warning: {place}: a template failed, so driftwatch's own words were sent: {one.trouble}")


def _tried_json(one: Tried) -> dict[str, Json]:
    """Give what came of one test for programs."""
    return {
        "name": one.channel.name,
        "kind": one.channel.kind,
        "works": one.works,
        "opened": _result_json(one.opened),
        "resolved": None if one.resolved is None else _result_json(one.resolved),
        "template_trouble": one.trouble,
        "next": one.next,
    }


def _result_json(result: SendResult) -> dict[str, Json]:
    return {"verdict": result.verdict.value, "detail": result.detail, "retry_after": result.retry_after}
