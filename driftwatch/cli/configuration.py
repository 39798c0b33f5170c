"""config check and import: is the configuration good, and how to come to one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.ending import run_to_end
from driftwatch.cli.files import name_of, read_text
from driftwatch.cli.ground import now, settings_of
from driftwatch.cli.terminal import safe_lines, warn
from driftwatch.config.hosts import HostFile, read_host_file, to_toml
from driftwatch.config.inventory import WatchedFile
from driftwatch.config.policy import expired
from driftwatch.config.schema import Settings
from driftwatch.config.told import by_kind
from driftwatch.config.urls import mask_database_url
from driftwatch.config.words import InvalidConfigError, Problem, path_of
from driftwatch.errors import UsageError
from driftwatch.run.trial import ask
from driftwatch.tell import templates
from driftwatch.watch.fetch.sandbox.said import sandbox_words

app = commands()
config = commands()
app.add_typer(config, name="config")


@config.callback(no_args_is_help=True)
def _config() -> None:
    """Work with the configuration."""


@config.command()
def check(context: typer.Context) -> None:
    """Check the configuration and say every problem in it. Ends with 3 when there is one."""
    settings = settings_of(context, secrets=True)
    asked = run_to_end(ask(settings.channels))
    _refuse(settings, asked.problems)
    for warning in (*settings.warnings, *asked.warnings, *expired(settings.policy, now(context))):
        warn(f"warning: {warning}")
    call_of(context).terminal.write(safe_lines(_words(settings)) + "\n")


def _refuse(settings: Settings, found: Sequence[Problem]) -> None:
    """Try the templates of every channel on messages of every kind; say what fails together with what was found.

    Raises:
        InvalidConfigError: there is a problem.

    """
    problems = [
        *found,
        *(
            Problem(path_of(("channels", channel.name, fault.key)), fault.message, "see docs/channels.md")
            for channel in settings.channels
            for fault in templates.check(channel)
        ),
    ]
    if problems:
        raise InvalidConfigError(problems, name=settings.path.name if settings.path else "The configuration")


def _words(settings: Settings) -> str:
    """Say what a good configuration holds."""
    files = sum(isinstance(file, WatchedFile) for file in settings.files)
    parts = [_count(len(settings.servers), "server")]
    parts += [_count(files, "file of a host", "files of hosts")] if files else []
    kinds = f" ({by_kind(settings.channels)})" if settings.channels else ""
    counts = ", ".join([*parts, _count(len(settings.channels), "channel") + kinds])
    counts += f", {_count(len(settings.routes), 'route')}" if settings.routes else ""
    opinion = f"\nsecond opinion: {settings.second_opinion.words}" if settings.second_opinion.enabled else ""
    sandbox = sandbox_words(settings, os.environ)
    around = f"\nsandbox of local servers: {sandbox}" if sandbox else ""
    return f"{settings.path}: good.\n{counts}; database {mask_database_url(settings.database_url)}{opinion}{around}"


def _count(number: int, one: str, more: str = "") -> str:
    return f"{number} {one if number == 1 else more or f'{one}s'}"


@app.command("import")
def import_(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A host's file (JSON, or TOML), or -.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write a new file; none is ever overwritten.")] = None,
) -> None:
    """Turn the file of an MCP host into server entries.

    Known are Claude Desktop, Claude Code, Cursor, VS Code, Zed and Codex, and hosts that write as one of them. Secrets
    are not copied: they become variables.
    """
    host = read_host_file(read_text(file), name=name_of(file))
    for line in _warnings(host):
        warn(f"warning: {line}")
    text = to_toml(host.entries)
    if out is None:
        call_of(context).terminal.write(text)
        return
    _write_new(out, text)
    warn(f"Wrote {out}. Check it: driftwatch --config {out} config check")


def _warnings(host: HostFile) -> Iterator[str]:
    """Say what a person must know: packages that may change by themselves, what was left out, what is to be set."""
    yield from host.notes
    for entry in host.entries:
        yield from (f"{entry.name}: not pinned: {what}" for what in entry.unpinned)
        yield from (f"{entry.name}: {what}" for what in entry.notes)
    for variable in host.variables:
        yield f"set {variable.name} where driftwatch is started: {variable.holds}"


def _write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet.

    Raises:
        UsageError: it is there, or it cannot be written.

    """
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise UsageError(f"{path} is there already.", hint="Choose another name; nothing was written.") from error
    except OSError as error:
        raise UsageError(f"Cannot write {path}: {error.strerror or error}.") from error
