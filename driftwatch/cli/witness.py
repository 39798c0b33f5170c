"""witness: copy what an agent is shown, deliver the copies, and say how that goes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from driftwatch.cli import installing
from driftwatch.cli.app import call_of, commands
from driftwatch.cli.exits import ExitCode
from driftwatch.cli.forwarding import forwarding
from driftwatch.cli.ground import now, person, settings_of
from driftwatch.cli.moments import ago, read_moment
from driftwatch.cli.options import By, Format, Output, SettingsFile
from driftwatch.cli.stored import known, opened
from driftwatch.cli.terminal import Terminal, warn
from driftwatch.config.files import load_witness
from driftwatch.config.secret import shown
from driftwatch.config.witnessing import WitnessConfig, settings_path, state_path
from driftwatch.config.words import safe
from driftwatch.config.wrapped import UNNAMED, Wrapped
from driftwatch.errors import ConfigError, UsageError
from driftwatch.judge.text.visible import visible
from driftwatch.model import Json
from driftwatch.model.amounts import many
from driftwatch.watch.witness import entry
from driftwatch.watch.witness.courier import NOWHERE
from driftwatch.watch.witness.delivering import deliver, spool_of, take_marks
from driftwatch.watch.witness.spool import Spool
from driftwatch.watch.witness.standing import Status

SESSION = "session"
"""The command that stands for a wrapped session: its name may be left out."""


class _Witness(TyperGroup):
    """The commands of the witness; what is none of them is the name of a server whose session is to be wrapped."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that is called."""
        named = "--" not in args and args[:1] and args[0] in self.commands
        return super().resolve_command(ctx, args if named or args[:1] == [SESSION] else [SESSION, *args])


app = commands()
witness = typer.Typer(
    cls=_Witness,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    help="Copy what an agent in a host is shown, without standing in its way.",
)
app.add_typer(witness, name="witness")

witness.command("forward")(forwarding)


@witness.command(SESSION)
def _session(
    server: Annotated[str, typer.Argument(metavar="SERVER", help="As which server driftwatch watches it.")],
    command: Annotated[list[str], typer.Argument(metavar="COMMAND", help="What starts the server, after --.")],
    host: Annotated[str, typer.Option("--host", help="The name of the host that runs the agent.")] = UNNAMED,
    settings: SettingsFile = None,
) -> None:
    """Run a local server in its host's place, and copy what it shows. Ends as the server ends.

    The word `session` may be left out: driftwatch witness SERVER -- COMMAND.
    """
    if os.name != "posix":
        raise UsageError("A local session is witnessed on Linux and macOS only.", hint="Put the host's entry back.")
    raise typer.Exit(entry.run(Wrapped(server, command, host, str(settings or ""))))


@witness.command("status")
def _status(context: typer.Context, settings: SettingsFile = None, output: Output = Format.TEXT) -> None:
    """Say what waits to be delivered, how delivery goes, and what to do.

    Ends with 1 when something is wrong: the settings or the delivery, or looks were refused, set aside or dropped, or
    agents were led past the witness. Ends with 2 when looks cannot be kept.
    """
    state = _state(settings)
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json(_json(state))
    else:
        _say(terminal, state, now(context))
    raise typer.Exit(ExitCode.FOUND if state.is_wrong else ExitCode.OK)


@witness.command("deliver")
def _deliver(
    context: typer.Context,
    settings: SettingsFile = None,
    *,
    aside: Annotated[bool, typer.Option("--aside", help="Also what was set aside, once it is corrected.")] = False,
) -> None:
    """Deliver what waits now. Ends with 1 when some of it could not be."""
    config = load_witness(settings, os.environ, Path.home())
    if not config.url:
        raise ConfigError(NOWHERE, hint=_write(settings))
    spool = spool_of(config)
    try:
        if aside:
            spool.put_back()
        take_marks(spool, state_path(os.environ, Path.home()))
        came = deliver(spool, config, call_of(context).clock, at_once=True)
    except OSError as error:
        raise _unusable(spool, error) from error
    terminal = call_of(context).terminal
    terminal.say(f"{came.taken} delivered, {came.aside} set aside, {len(spool.waiting())} still wait.")
    if came.busy:
        warn("Another witness is delivering at this time.")
    elif came.failed is not None:
        warn(f"error: {came.failed.why}")
        warn(f"  {came.failed.hint}")
    elif came.held:
        warn("Some were refused for now. See why: driftwatch witness status")
    raise typer.Exit(ExitCode.FOUND if came.again or came.aside else ExitCode.OK)


@witness.command("clear")
def _clear(context: typer.Context, settings: SettingsFile = None) -> None:
    """Forget what went wrong, once you looked into it; what waits is delivered all the same.

    That is looks that were set aside (they are deleted) or dropped, and to where agents were led.
    """
    spool = spool_of(load_witness(settings, os.environ, Path.home()))
    try:
        spool.clear()
    except OSError as error:
        raise _unusable(spool, error) from error
    call_of(context).terminal.say("Cleared. See what is left: driftwatch witness status")


@witness.command("forget")
def _forget(
    context: typer.Context,
    server: Annotated[str, typer.Argument(metavar="SERVER", help="As which server driftwatch watches it.")],
    name: Annotated[str, typer.Argument(metavar="WITNESS", help="The name of the host or gateway.")],
    by: By = None,
) -> None:
    """Delete what a witness handed in, where nothing of it is left to decide, and make room for another one.

    This is done where the daemon keeps its database, not where the host runs.
    """
    settings = settings_of(context)
    with opened(context, settings) as store:
        store.forget_witness(known(settings, store, server), name, by=person(by))
    call_of(context).terminal.say(f"{server}: {visible(name)} is forgotten. If it hands in again, it begins anew.")


@dataclass(frozen=True, slots=True)
class _State:
    """How the witnesses of this user do; `error` and `hint` say what is wrong, empty for nothing."""

    settings: Path
    url: str
    folder: Path
    waiting: int
    status: Status
    error: str = ""
    hint: str = ""

    @property
    def dropped(self) -> int:
        """How many looks are gone because too many waited."""
        return sum(self.status.dropped.values())

    @property
    def is_wrong(self) -> bool:
        """Whether there is anything that a person should look into."""
        return bool(self.error or self.dropped or self.status.aside or self.status.away or self.status.held)

    def advice(self) -> Iterator[str]:
        """Give what to do about what went wrong, apart from `error` and what the daemon said of single looks."""
        status = self.status
        if self.dropped:
            yield "Dropped: see that looks are delivered, or let more wait: spool_looks, spool_bytes in the settings."
        if status.held:
            yield "Refused for now: it is tried again by itself while a witness runs, or by driftwatch witness deliver."
        if any(one.file for one in status.aside):
            where = self.folder / "aside"
            yield f"Set aside: kept in {where}. Once it is corrected: driftwatch witness deliver --aside"
        if status.away:
            yield "Led away: if the server has moved, give --upstream its new address; else ask who runs it."
        if self.dropped or status.aside or status.away:
            yield "When you have looked into it: driftwatch witness clear"


def _state(path: Path | None) -> _State:
    where = path or settings_path(os.environ, Path.home())
    error = hint = ""
    try:
        config = load_witness(path, os.environ, Path.home())
        if not config.url:
            error, hint = NOWHERE, _write(path)
    except ConfigError as wrong:
        # As a witness does that cannot use its settings: it keeps what it sees where it would without them.
        config = WitnessConfig(spool=str(state_path(os.environ, Path.home())))
        error, hint = wrong.message, wrong.hint
    spool = spool_of(config)
    try:
        spool.check()
        take_marks(spool, state_path(os.environ, Path.home()))
        waiting, status = len(spool.waiting()), spool.status()
    except OSError as wrong_folder:
        raise _unusable(spool, wrong_folder) from wrong_folder
    error, hint = (error, hint) if error else (status.error, status.hint)
    return _State(where, shown(config.url), spool.folder, waiting, status, error, hint)


def _say(terminal: Terminal, state: _State, at: datetime) -> None:
    status = state.status
    last = ago(read_moment(status.delivered_at, hint=""), at) if status.delivered_at else "never"
    terminal.say(f"Settings: {state.settings}")
    terminal.say(f"Daemon: {state.url or 'not known'}")
    terminal.say(f"Delivered: {status.delivered}, the last one {last}.")
    terminal.say(f"Waiting: {state.waiting}, in {state.folder}")
    if state.dropped:
        terminal.say(f"Dropped, because too many waited: {state.dropped}.")
    for held in status.held:
        times = f"{many(held.times, 'time')}, the last time {ago(read_moment(held.at, hint=''), at)}"
        _told(terminal, f"Refused for now, {safe(held.server)} in {safe(held.witness)}: {times}: {held.why}", held.hint)
    for one in status.aside:
        _told(terminal, f"Set aside, {safe(one.server)} in {safe(one.witness)}: {one.why}", one.hint)
    for led in status.away:
        when = ago(read_moment(led.at, hint=""), at)
        times = f"{led.times} times, the last time " if led.times > 1 else ""
        terminal.say(
            f"Led away, {safe(led.server)} in {safe(led.witness)}: {times}{when}, to {safe(led.to)}. "
            "What the agent was shown there was not seen: look into it."
        )
    if state.error:
        _told(terminal, f"Wrong: {state.error}", state.hint)
    for line in state.advice():
        terminal.say(line)


def _told(terminal: Terminal, what: str, hint: str) -> None:
    """Say what went wrong, which ends in one full stop and may have several lines, and below it what to do."""
    first, *more = what.split("\n")
    terminal.say(first if more or first.endswith((".", "!", "?")) else f"{first}.")
    for line in [*more, *([f"  {hint}"] if hint else [])]:
        terminal.say(line)


def _json(state: _State) -> Json:
    status = asdict(state.status)
    return {
        "version": 1,
        "settings": str(state.settings),
        "daemon": state.url,
        "spool": str(state.folder),
        "waiting": state.waiting,
        "delivered": status["delivered"],
        "delivered_at": status["delivered_at"] or None,
        "tried_at": status["tried_at"] or None,
        "dropped": state.dropped,
        "held": list(status["held"]),
        "aside": list(status["aside"]),
        "led_away": list(status["away"]),
        "error": state.error,
        "hint": state.hint,
        "advice": list(state.advice()),
    }


def _write(path: Path | None) -> str:
    return f"Write url and token into {path or settings_path(os.environ, Path.home())}."


def _unusable(spool: Spool, error: OSError) -> UsageError:
    where = "" if error.filename in {None, str(spool.folder)} else f" ({error.filename})"
    message = f"The folder {spool.folder} cannot be used: {error.strerror}{where}."
    hint = (
        "Looks cannot wait in it. Check its owner and the disk, or name another one: spool in the witness's settings."
    )
    return UsageError(message, hint=hint)


installing.register(witness.command)
