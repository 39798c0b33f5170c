"""witness: copy what an agent is shown, deliver the copies, and say how that goes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from driftwatch.cli import installing
from driftwatch.cli.app import call_of, commands
from driftwatch.cli.exits import ExitCode
from driftwatch.cli.forwarding import forwarding
from driftwatch.cli.ground import now, person, settings_of
from driftwatch.cli.options import By, Format, Output, SettingsFile
from driftwatch.cli.stored import known, opened
from driftwatch.cli.terminal import warn
from driftwatch.cli.witnessstatus import advised, as_json, say, state_of, unusable, what_to_do, what_to_write
from driftwatch.config.files import load_witness
from driftwatch.config.witnessing import state_path
from driftwatch.config.wrapped import UNNAMED, Wrapped
from driftwatch.errors import ConfigError, UsageError
from driftwatch.judge.text.visible import visible
from driftwatch.watch.witness import entry
from driftwatch.watch.witness.courier import NOWHERE
from driftwatch.watch.witness.delivering import deliver, spool_of, take_marks

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
    state = state_of(settings)
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json(as_json(state))
    else:
        say(terminal, state, now(context))
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
        raise ConfigError(NOWHERE, hint=what_to_write(settings))
    spool = spool_of(config)
    try:
        if aside:
            spool.put_back()
        take_marks(spool.keep, state_path(os.environ, Path.home()))
        came = deliver(spool, config, call_of(context).clock, at_once=True)
    except OSError as error:
        raise unusable(spool, error) from error
    terminal = call_of(context).terminal
    terminal.say(f"{came.taken} delivered, {came.aside} set aside, {len(spool.waiting())} still wait.")
    if came.busy:
        warn("Another witness is delivering at this time.")
    elif came.failed is not None:
        warn(f"error: {came.failed.why}")
        warn(f"  {what_to_do(came.failed.hint, settings)}")
    elif came.held:
        warn(f"Some were refused for now. See why: {advised('status', settings=settings)}")
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
        raise unusable(spool, error) from error
    call_of(context).terminal.say(f"Cleared. See what is left: {advised('status', settings=settings)}")


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


installing.register(witness.command)
