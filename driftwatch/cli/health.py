"""healthcheck: asked every half minute in a container, so it loads neither the daemon nor the pages."""

from __future__ import annotations

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.exits import ExitCode
from driftwatch.cli.ground import now, settings_of
from driftwatch.run import health

app = commands()


@app.command()
def healthcheck(context: typer.Context) -> None:
    """Say whether the daemon looks and delivers on time. Ends with 0 or 1; made for containers.

    That no channel takes messages is said, and ends with 0: to start the daemon again would not help.
    """
    well, words = health.healthcheck(settings_of(context), now=now(context))
    call_of(context).terminal.say(words)
    raise typer.Exit(ExitCode.OK if well else ExitCode.FOUND)
