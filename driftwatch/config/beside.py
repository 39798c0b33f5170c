"""What the local servers that driftwatch starts mean for its pages and its own files: they run beside both."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from driftwatch.config.isolation import sqlite_file
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.config.secret import Unresolved, shown
from driftwatch.config.words import path_of, quoted, safe
from driftwatch.model.amounts import many

_LOOPBACK: Final = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1/128"))
_NAMED: Final = 3

CODE: Final = frozenset(
    {".bash", ".cjs", ".dll", ".exs", ".jar", ".js", ".lua", ".mjs", ".mts", ".php", ".pl", ".py", ".pyz", ".rb", ".sh"}
    | {".ts", ".tsx", ".zsh"}
)
"""How the names of files end that an interpreter is given to run."""


def proxy_warnings(settings: Settings) -> Iterator[str]:
    """Say so where a server could speak as the proxy: it connects from this machine, as a proxy on it does."""
    web = settings.web
    network = next((one for one in web.proxy_from if _is_loopback(one)), None)
    able = [one.name for one in settings.servers if _reaches_this_machine(one)]
    if not web.enabled or network is None or not able:
        return
    named = ", ".join(safe(name, limit=40) for name in able[:_NAMED]) + ", …" * (len(able) > _NAMED)
    who = f"{many(len(able), 'local server')} ({named})"
    if web.proxy_header is None:
        yield (
            f"web.proxy_from: {who} can connect from {quoted(shown(network))} too, and forge X-Forwarded-For: the audit"
            ' log and the limits on guessing would go by it — write network = "off" for local servers, or let the'
            " proxy connect from another address"
        )
        return
    yield (
        f"web.proxy_header: {who} can connect from {quoted(shown(network))} as the proxy does, name any person in"
        f" {shown(web.proxy_header)}, and approve what it shows itself — let the proxy connect from another address or"
        ' network namespace, or write network = "off" for local servers, or take proxy_header out and sign in by'
        " password (docs/web.md)"
    )


def _is_loopback(network: str) -> bool:
    if isinstance(network, Unresolved):
        return False
    # Networks of different versions never overlap; only those of the same may be asked.
    read = ipaddress.ip_network(network)
    return any(read.version == one.version and read.overlaps(one) for one in _LOOPBACK)


def _reaches_this_machine(server: ServerConfig) -> bool:
    """Say whether a server is started here with a network that has driftwatch's loopback in it, for some time."""
    is_open = server.sandbox.kind == "none" or server.sandbox.network != "off"
    return server.enabled and bool(server.command) and is_open


def hidden_warnings(settings: Settings, base: Path) -> Iterator[str]:
    """Say so where a server starts in a folder that its sandbox hides, as driftwatch's own files are in it.

    `base` is the folder of the configuration. One warning for each server: moving these files mends all of it.
    """
    database = sqlite_file(settings.database_url)
    own = [real for one in (base, database) if one is not None and (real := _real(one)) is not None]
    for server in settings.servers:
        if server.enabled and server.command and server.sandbox.kind in {"auto", "bwrap"}:
            found = next(_hidden(server, own), None)
            if found is not None:
                key, what = found
                yield (
                    f"{path_of(('servers', server.name, *key))}: {what} — move driftwatch.toml and its database into a"
                    ' folder of their own, or write sandbox = "none" for this server if you trust it (docs/sandbox.md)'
                )


def _hidden(server: ServerConfig, own: list[Path]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Give the key of what is hidden from a server, and what that means for it."""
    if isinstance(server.cwd, Unresolved):
        return
    if server.cwd is not None and (place := _real(Path(server.cwd))) is not None and _holds(place, own):
        what = "holds driftwatch's own configuration or database, so in the sandbox it is empty"
        yield ("cwd",), f"{quoted(shown(server.cwd))} {what}: modules and files that the server has there are missing"
    for index, word in enumerate(server.args):
        if isinstance(word, Unresolved) or Path(word).suffix not in CODE:
            continue
        script = _real(Path(server.cwd or "", word))
        if script is not None and _is_file(script) and _holds(script.parent, own):
            what = (
                "lies in a folder that holds driftwatch's own configuration or database, so the sandbox shows it alone"
            )
            yield ("args", index), f"{quoted(shown(word))} {what}: modules and files beside it are missing"


def _holds(folder: Path, own: list[Path]) -> bool:
    return any(one.is_relative_to(folder) for one in own)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _real(path: Path) -> Path | None:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return None
