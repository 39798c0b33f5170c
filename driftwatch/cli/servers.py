"""servers: what is configured, as a table or JSON; and a server's other name."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.faces import face_lines, faces_by_server, faces_json
from driftwatch.cli.ground import now, person, settings_of
from driftwatch.cli.listing import supply_json
from driftwatch.cli.moments import span
from driftwatch.cli.options import By, Format, Output
from driftwatch.cli.stored import opened
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.config.values import HOW_TO_NAME, is_name
from driftwatch.config.words import quoted
from driftwatch.errors import StoreError, UsageError
from driftwatch.model import Face, Json
from driftwatch.store.holding import held

app = commands()
servers = commands()
app.add_typer(servers, name="servers")


@servers.callback(invoke_without_command=True)
def _servers(context: typer.Context, output: Output = Format.TEXT) -> None:
    """List the configured servers. Secrets are never shown."""
    if context.invoked_subcommand is not None:
        return
    settings = settings_of(context)
    terminal = call_of(context).terminal
    faces: dict[str, dict[str, Face]] = {}
    # What is configured is listed whatever the state of the database; without one nobody handed anything in.
    with suppress(StoreError), opened(context, settings, read_only=True) as store:
        faces = faces_by_server(store)
    if output is Format.JSON:
        found = [
            {**_server_json(server), "identities": faces_json(settings, server, faces.get(server.name, {}))}
            for server in settings.servers
        ]
        terminal.json({"version": 1, "servers": found, **_beside_json(settings)})
        return
    if not settings.watched:
        terminal.say("No server is configured. Add one to the configuration, or try: driftwatch import FILE")
        return
    terminal.table(("server", "transport", "where", "every"), list(map(_server_row, settings.watched)))
    terminal.say()
    for server in settings.servers:
        for line in face_lines(settings, server, faces.get(server.name, {}), now(context)):
            terminal.say(line)
    terminal.say(f"Supply watch: {settings.supply.words}.")


@servers.command()
def rename(
    context: typer.Context,
    old: Annotated[str, typer.Argument(metavar="OLD", help="The name that it had.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The name that it has in the configuration now.")],
    by: By = None,
) -> None:
    """Let all that is known of a server be known under another name: its approval, its history, its alerts.

    The daemon must not be running, and nothing may have been looked at under the new name yet.
    """
    settings, clock = settings_of(context), now(context)
    if not is_name(new):
        raise UsageError(f"{quoted(new)} cannot be the name of a server.", hint=_sentence(HOW_TO_NAME))
    with held(settings.database_url, doing="servers rename", now=clock), opened(context, settings) as store:
        store.rename_server(old, new, by=person(by), at=clock)
    say = call_of(context).terminal.say
    say(f"All that was known of {old} is known of {new} now.")
    if settings.find(old) is not None:
        say(f"{old} is still in the configuration: it would be looked at as one that was never seen.")
    if settings.find(new) is None:
        say(f"{new} is not in the configuration yet: give its table that name before you start the daemon.")


def _sentence(hint: str) -> str:
    return f"{hint[:1].upper()}{hint[1:]}."


def _server_row(server: ServerConfig) -> tuple[str, ...]:
    """Give the cells of one configured server or file."""
    return (
        server.name,
        server.sort if server.enabled else f"{server.sort} (off)",
        server.shown_url or server.shown_command,
        span(timedelta(seconds=server.interval.default)),
    )


def _beside_json(settings: Settings) -> dict[str, Json]:
    """Give for programs what is watched beside the servers: the hosts' files, and packages."""
    files = [{"name": file.name, "file": file.shown_command, "enabled": file.enabled} for file in settings.files]
    return {"files": files, **supply_json(settings)}


def _server_json(server: ServerConfig) -> dict[str, Json]:
    """Give one configured server for programs, with the names of headers and variables but not their values."""
    return {
        "name": server.name,
        "transport": server.transport,
        "enabled": server.enabled,
        "url": server.shown_url,
        "command": server.shown_command,
        "headers": sorted(server.headers),
        "env": sorted(server.env),
        "interval": server.interval.model_dump(mode="json"),
        "alert_after": server.alert_after,
        "notices": server.notices,
        "labels": dict(server.labels),
    }
