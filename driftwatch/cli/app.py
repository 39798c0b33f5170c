"""The command tree. A command's module is imported when the command is called, not before.

So `driftwatch compare` loads neither the database nor the daemon.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from typer.core import CompletionItem, TyperGroup  # type: ignore[attr-defined]
from typer.main import get_command, get_group

from driftwatch import __version__
from driftwatch.cli.moments import wall_clock
from driftwatch.cli.terminal import Colour, Terminal

COMMANDS = {
    "run": "daemon",
    "reload": "reload",
    "check": "look",
    "status": "listing",
    "show": "show",
    "diff": "review",
    "preview": "preview",
    "approve": "review",
    "reject": "review",
    "ahead": "ahead",
    "lock": "lock",
    "bumps": "bumps",
    "history": "history",
    "replay": "replay",
    "alerts": "alerts",
    "silences": "silences",
    "deliveries": "deliveries",
    "audit": "audit",
    "servers": "servers",
    "channels": "channels",
    "inventory": "inventory",
    "supply": "supply",
    "witness": "witness",
    "compare": "offline",
    "scan": "offline",
    "export": "history",
    "rules": "rules",
    "hosts": "hosts",
    "user": "people",
    "token": "tokens",
    "config": "configuration",
    "import": "configuration",
    "completion": "completion",
    "backup": "backup",
    "restore": "backup",
    "prune": "pruning",
    "vacuum": "pruning",
    "db": "db",
    "demo": "daemon",
    "selftest": "daemon",
    "healthcheck": "health",
    "doctor": "doctor",
}
"""Every command and the module of this room that holds it, in the order of the help."""

ASKED_BY_A_SHELL = "_DRIFTWATCH_COMPLETE"
"""The variable by which a shell asks what could come next: Typer names it after the program."""


@dataclass(slots=True)
class Call:
    """The global options, which may stand before the command or after it, their terminal, and the clock."""

    config: Path | None = None
    terminal: Terminal = field(default_factory=lambda: Terminal(Colour.AUTO, os.environ))
    debug: bool = False
    clock: Callable[[], datetime] = wall_clock


def call_of(context: typer.Context) -> Call:
    """Give the global options of this call."""
    return context.ensure_object(Call)


class Commands(TyperGroup):
    """The commands by name, loaded on demand."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 — Typer's signature
        """Give the names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 — Typer's signature
        """Load one command, None when there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        with _loading():
            module = import_module(f"driftwatch.cli.{COMMANDS[cmd_name]}")
        return _with_global_options(get_group(module.app).commands[cmd_name])

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Say which commands could be meant, by name alone: a person waits, and loading them all takes seconds."""
        if not incomplete or incomplete[0].isalpha():
            return [CompletionItem(name) for name in COMMANDS if name.startswith(incomplete)]
        return super().shell_complete(ctx, incomplete)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that is called; the suggestions for a misspelt one need every name."""
        self.commands = dict.fromkeys(COMMANDS, cast("Any", None))
        return super().resolve_command(ctx, args)


@contextmanager
def _loading() -> Iterator[None]:
    """Collect no garbage meanwhile: modules are none, and looking through them makes `run` start an eighth slower."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _with_global_options(one: Any) -> Any:
    """Let a command, and those inside it, take the global options too, so that it does not matter where they stand."""
    for param in get_command(_anywhere).params:
        param.expose_value = False
        one.params.append(param)
    for inner in getattr(one, "commands", {}).values():
        _with_global_options(inner)
    return one


def commands() -> typer.Typer:
    """Make the app of one module: plain help, so that it reads the same in a pipe, a page and a terminal."""
    return typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(value: bool) -> None:
    """Print the version and end."""
    if value:
        print(f"driftwatch {__version__}")
        raise typer.Exit


_CONFIG = "The configuration. Default: DRIFTWATCH_CONFIG, ./driftwatch.toml."
_COLOUR = "When to colour the output."
_DEBUG = "Show tracebacks of errors."


def _take_config(context: typer.Context, value: Path | None) -> Path | None:
    """Keep which configuration is meant."""
    call_of(context).config = value or call_of(context).config
    return value


def _take_colour(context: typer.Context, value: Colour | None) -> Colour | None:
    """Keep when to colour."""
    if value is not None:
        call_of(context).terminal = Terminal(value, os.environ)
    return value


def _take_debug(context: typer.Context, value: bool) -> bool:
    """Keep whether tracebacks are shown."""
    call_of(context).debug = value or call_of(context).debug
    return value


@app.callback()
def driftwatch(
    config: Annotated[Path | None, typer.Option("--config", "-c", help=_CONFIG, callback=_take_config)] = None,
    colour: Annotated[Colour, typer.Option("--colour", help=_COLOUR, callback=_take_colour)] = Colour.AUTO,
    debug: Annotated[bool, typer.Option("--debug", help=_DEBUG, callback=_take_debug)] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Tell people when an MCP server that they approved is no longer the server that they approved."""


_anywhere = commands()


@_anywhere.command()
def _after_the_command(
    config: Annotated[
        Path | None, typer.Option("--config", "-c", help=_CONFIG, callback=_take_config, hidden=True)
    ] = None,
    colour: Annotated[Colour | None, typer.Option("--colour", help=_COLOUR, callback=_take_colour, hidden=True)] = None,
    debug: Annotated[bool, typer.Option("--debug", help=_DEBUG, callback=_take_debug, hidden=True)] = False,
) -> None:
    """Hold the global options as a command takes them: not shown in its help, and not handed to its function."""


def command() -> Any:
    """Build the whole command, for `main` and for the tests that walk it."""
    return get_command(app)
