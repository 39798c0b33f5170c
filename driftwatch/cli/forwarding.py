"""witness forward: stand in a remote server's place at an address of this machine, and copy what it shows."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from driftwatch.cli.app import call_of
from driftwatch.cli.options import SettingsFile
from driftwatch.cli.terminal import Terminal, warn
from driftwatch.config.wrapped import UNNAMED, Wrapped
from driftwatch.errors import UsageError
from driftwatch.watch.witness.entry import copyist
from driftwatch.watch.witness.forward import Forwarder, Listening, forward
from driftwatch.watch.witness.remote.upstream import Origin, OriginError, Upstream, trusting

_COPYIST = "driftwatch.watch.witness.remote.copyist"


As = Annotated[str, typer.Argument(metavar="SERVER", help="As which server driftwatch watches it.")]
To = Annotated[str, typer.Option("--upstream", metavar="URL", help="Where the server answers. Everything goes there.")]
At = Annotated[
    str, typer.Option("--listen", metavar="ADDRESS:PORT", help="Where the agent finds it, e.g. 127.0.0.1:8700.")
]
HostName = Annotated[str, typer.Option("--host", help="The name of the host that runs the agent.")]
Authorities = Annotated[
    Path | None, typer.Option("--ca-file", metavar="FILE", help="Trust these certificate authorities, and no others.")
]
Anywhere = Annotated[
    bool,
    typer.Option("--listen-anywhere", help="Allow an address that other machines reach: nobody has to sign in."),
]
Further = Annotated[
    list[str] | None,
    typer.Option("--allow-host", metavar="NAME", help="A further name by which agents may call this machine."),
]


def forwarding(
    context: typer.Context,
    server: As,
    *,
    upstream: To,
    listen: At,
    host: HostName = UNNAMED,
    ca_file: Authorities = None,
    listen_anywhere: Anywhere = False,
    allow_host: Further = None,
    settings: SettingsFile = None,
) -> None:
    """Pass an agent's requests on to one remote server, and copy what that shows. Runs until Ctrl-C or SIGTERM.

    Give the agent the address that is printed, in place of the server's own.
    """
    if os.name != "posix":
        raise UsageError("The forwarder runs on Linux and macOS only.")
    origin = _origin(upstream)
    listening = _listening(listen, anywhere=listen_anywhere, names=tuple(allow_host or ()))
    if (origin.host, origin.port) == (listening.host, listening.port):
        raise UsageError("--upstream and --listen are the same address.", hint="Listen on another port.")
    line = copyist(Wrapped(server, (), host, str(settings or "")), _COPYIST)
    forwarder = Forwarder(listening, Upstream(origin, _trust(origin, ca_file)), line, whose=(server, host))
    _run(forwarder, _ready(call_of(context).terminal, server, host, origin, listening), listen)


def _ready(terminal: Terminal, server: str, host: str, origin: Origin, listening: Listening) -> Callable[[int], None]:
    """Give what says where the agent finds the server, once it does."""

    def ready(port: int) -> None:
        named = f"[{listening.host}]" if ":" in listening.host else listening.host
        terminal.say(f"The agent's address for {server}: http://{named}:{port}{origin.path}")
        terminal.say(f"Everything goes on to {origin}, and what it shows is copied for {host}.")

    return ready


def _run(forwarder: Forwarder, ready: Callable[[int], None], listen: str) -> None:
    """Forward until it is ended.

    Raises:
        UsageError: it cannot listen there.

    """
    try:
        asyncio.run(forward(forwarder, ready))
    except OSError as error:
        why = error.strerror or str(error)
        raise UsageError(f"{listen} cannot be listened on: {why}.", hint="Choose another --listen.") from error


def _origin(url: str) -> Origin:
    try:
        origin = Origin.read(url)
    except OriginError as error:
        raise UsageError(f"--upstream cannot be used: {error}.", hint="E.g. https://mcp.example.com/mcp") from error
    if origin.scheme == "http" and not _is_loopback(origin.host):
        warn(f"warning: {origin} is reached without TLS: whoever is on the way reads and changes what passes.")
    return origin


def _trust(origin: Origin, ca_file: Path | None) -> ssl.SSLContext | None:
    if origin.scheme != "https":
        return None
    try:
        return trusting(ca_file)
    except OSError as error:
        raise UsageError(
            f"{ca_file} cannot be used as --ca-file: {error.strerror or 'there is no certificate in it'}.",
            hint="Give a file of certificates in PEM form.",
        ) from error


def _listening(where: str, *, anywhere: bool, names: tuple[str, ...]) -> Listening:
    host, colon, port = where.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise UsageError(f"{where!r} is no address and port.", hint="E.g. --listen 127.0.0.1:8700")
    if not anywhere and not _is_loopback(host):
        raise UsageError(
            f"{host} can be reached from other machines, and the forwarder asks nobody to sign in.",
            hint="Listen on 127.0.0.1; or say --listen-anywhere if that is what you want.",
        )
    return Listening(host, int(port), anywhere, names)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
