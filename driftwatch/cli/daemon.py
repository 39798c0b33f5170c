"""run, demo and selftest: the long-running side."""

from __future__ import annotations

import asyncio
import faulthandler
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.ending import run_to_end
from driftwatch.cli.ground import KNOWN, settings_of
from driftwatch.config.load import load
from driftwatch.config.schema import Settings
from driftwatch.run import daemon, logs, tracing
from driftwatch.run import demo as stories
from driftwatch.run import selftest as drill
from driftwatch.run.notify import Notify
from driftwatch.run.reload import Reading

app = commands()


@app.command()
def run(context: typer.Context) -> None:
    """Watch all configured servers until stopped, by Ctrl-C or SIGTERM."""
    settings = settings_of(context, secrets=True)
    hidden = tracing.secrets_of(os.environ)
    logs.configure(form=settings.daemon.log_format, level=settings.daemon.log_level, secrets=[settings, *hidden])
    # A fault, or the signal of a service manager to which nothing answers, leaves a trace of where each thread stood.
    with suppress(ValueError, RuntimeError):  # standard error is no file
        faulthandler.enable()
    call = call_of(context)
    with tracing.traced(settings.daemon, os.environ) as traces, logs.last_words():
        watching = daemon.run(
            settings,
            clock=call.clock,
            notify=Notify.of(os.environ),
            tracing=traces,
            reading=Reading(lambda: load(settings.path, os.environ, known=KNOWN), adopted=_log_by),
        )
        code = asyncio.run(watching)
    raise typer.Exit(code)


def _log_by(before: Settings, now: Settings) -> None:
    """Write the log as another configuration says. What is under way may still hold the secrets of the one before."""
    secrets = [before, now, *tracing.secrets_of(os.environ)]
    form, level = now.daemon.log_format, now.daemon.log_level
    if (form, level) == (before.daemon.log_format, before.daemon.log_level):
        logs.keep_out(*secrets)
    else:
        logs.configure(form=form, level=level, secrets=secrets)


@app.command()
def demo(
    context: typer.Context,
    stay: Annotated[bool, typer.Option("--stay", help="Keep everything running until Ctrl-C.")] = False,
) -> None:
    """Watch a real server turn on its user, step by step. Needs no configuration and no network."""
    logs.configure(level="error")
    raise typer.Exit(run_to_end(stories.demo(stay=stay, say=_voice(context))))


@app.command()
def selftest(
    context: typer.Context,
    patience: Annotated[float, typer.Option("--timeout", min=1, help="Seconds to wait for the deliveries.")] = 60.0,
) -> None:
    """Find out whether an alert reaches every configured channel. The messages are marked as a drill."""
    settings = settings_of(context, secrets=True)
    logs.configure(level="error", secrets=[settings])
    raise typer.Exit(run_to_end(drill.selftest(settings, say=_voice(context), patience=patience)))


def _voice(context: typer.Context) -> Callable[[str], None]:
    """Give the function that prints a story's lines."""
    terminal = call_of(context).terminal

    def say(text: str) -> None:
        for line in text.split("\n"):
            terminal.say(line)

    return say
