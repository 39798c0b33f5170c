"""reload: the daemon reads its configuration anew, and this says how that went."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.exits import ExitCode
from driftwatch.cli.ground import settings_of
from driftwatch.cli.terminal import warn
from driftwatch.config.schema import Settings
from driftwatch.errors import ConfigError, UsageError
from driftwatch.store.holding import Holder, Reload, holder_of, lock_path
from driftwatch.store.place import path_of

app = commands()

_STEP = 0.05
"""Seconds between two looks for how it went."""


@app.command()
def reload(
    context: typer.Context,
    patience: Annotated[float, typer.Option("--timeout", min=1, help="Seconds to wait for how it went.")] = 60.0,
) -> None:
    """Let the daemon read its configuration anew, and say how that went. One that cannot work changes nothing."""
    settings = _readable(context)
    holder = _daemon(settings)
    number = holder.reload.begun + 1
    _ask(holder, settings)
    how = _outcome(settings, holder, number, patience)
    if how is None:
        warn(f"The daemon (process {holder.pid}) has not said within {patience:g} seconds how it went. See its log.")
        raise typer.Exit(ExitCode.FOUND)
    if how.code:
        warn("The new configuration was not taken; the daemon goes on with the one before it.")
        for line in f"error: {how.words}".split("\n"):
            warn(line)
        raise typer.Exit(how.code)
    call_of(context).terminal.say(how.words)


def _readable(context: typer.Context) -> Settings:
    """Read the configuration, to know where the daemon's lock is; what is wrong with it need not be asked."""
    try:
        return settings_of(context)
    except ConfigError as error:
        hint = f"{error.hint} Nothing was asked of the daemon: it goes on as before.".strip()
        raise ConfigError(error.message, hint=hint) from error


def _daemon(settings: Settings) -> Holder:
    holder = holder_of(settings.database_url)
    if holder is None or holder.doing != "run" or not holder.pid:
        what = "No daemon watches" if holder is None else f"{holder.words} is at work"
        hint = "Start it: driftwatch run. A daemon keeps to the [database] url that it began with until its next start."
        raise UsageError(f"{what} with the database {path_of(settings.database_url)}.", hint=hint)
    return holder


def _ask(holder: Holder, settings: Settings) -> None:
    refused = f"The daemon (process {holder.pid}) cannot be asked"
    if not _has_open(holder.pid, lock_path(path_of(settings.database_url))):
        hint = "Ask it where it runs: systemctl reload driftwatch, or this command in its container."
        raise UsageError(f"{refused}: here that is the number of another program.", hint=hint)
    try:
        os.kill(holder.pid, signal.SIGHUP)
    except PermissionError:
        hint = "Call this as the user that runs it, or as root: systemctl reload driftwatch"
        raise UsageError(f"{refused} by this user.", hint=hint) from None
    except ProcessLookupError:
        raise UsageError(f"{refused}: it has ended.", hint="Start it: driftwatch run") from None


def _has_open(pid: int, lock: Path) -> bool:
    """Say whether a process is the one that holds the lock: behind the wall of a container, numbers mean others.

    Where that cannot be seen, what holds the lock is taken at its word.
    """
    wanted = lock.stat()
    try:
        opened = list(Path(f"/proc/{pid}/fd").iterdir())
    except PermissionError:
        return True
    except OSError:
        return not Path("/proc/self/fd").exists()
    for one in opened:
        with suppress(OSError):
            if os.path.samestat(one.stat(), wanted):
                return True
    return False


def _outcome(settings: Settings, asked: Holder, number: int, patience: float) -> Reload | None:
    """Wait for the end of a reload that began after this was asked for; None when it does not come in time."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        holder = holder_of(settings.database_url)
        if holder is None or holder.pid not in {asked.pid, 0}:
            raise UsageError("The daemon has ended meanwhile.", hint="See its log, and start it: driftwatch run")
        if holder.reload.done >= number:
            return holder.reload
        time.sleep(_STEP)
    return None
