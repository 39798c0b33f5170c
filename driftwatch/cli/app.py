"""The command tree. A command's module is imported when the command is called, not before.

So `driftwatch compare` loads neither the database nor the daemon.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command, get_group

from driftwatch import __version__
from driftwatch.cli.terminal import Colour, Terminal

COMMANDS = {
    "run": "daemon",
    "check": "look",
    "status": "listing",
    "show": "show",
    "diff": "review",
    "approve": "review",
    "reject": "review",
    "history": "history",
    "alerts": "listing",
    "deliveries": "listing",
    "servers": "listing",
    "compare": "offline",
    "scan": "offline",
    "export": "history",
    "rules": "rules",
    "config": "configuration",
    "import": "configuration",
    "demo": "daemon",
    "selftest": "daemon",
    "healthcheck": "daemon",
}
"""Every command and the module of this room that holds it, in the order of the help."""


@dataclass(frozen=True, slots=True)
class Call:
    """What stands before the command: the global options, and the terminal that they describe."""

    config: Path | None
    terminal: Terminal
    debug: bool


def call_of(context: typer.Context) -> Call:
    """Give the global options of this call."""
    return cast("Call", context.obj)


class Commands(TyperGroup):
    """The commands by name, loaded on demand."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 — Typer's signature
        """Give the names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 — Typer's signature
        """Load one command, None when there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"driftwatch.cli.{COMMANDS[cmd_name]}")
        return get_group(module.app).commands[cmd_name]


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


@app.callback()
def driftwatch(
    context: typer.Context,
    config: Annotated[
        Path | None,
        typer.Option("--config", "-c", help="The configuration. Default: DRIFTWATCH_CONFIG, ./driftwatch.toml."),
    ] = None,
    colour: Annotated[Colour, typer.Option("--colour", help="When to colour the output.")] = Colour.AUTO,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")] = False,
    version: Annotated[  # noqa: ARG001 — the callback does the work
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Tell people when an MCP server that they approved is no longer the server that they approved."""
    context.obj = Call(config=config, terminal=Terminal(colour, os.environ), debug=debug)


def command() -> Any:
    """Build the whole command, for `main` and for the tests that walk it."""
    return get_command(app)
