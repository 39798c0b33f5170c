"""What the sandboxes of a configuration come to on this machine, in a line for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from driftwatch.config.packages import asked
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.config.words import safe
from driftwatch.watch.fetch.sandbox.able import Able, able

_AS_CONFIGURED = "none, as configured"
_ENGINES = frozenset({"docker", "podman", "nerdctl"})


def is_engine(server: ServerConfig) -> bool:
    """Say whether a command starts a container by itself: it needs the engine's socket, and is a sandbox of its own."""
    name = server.command.rpartition("/")[2]
    return name in _ENGINES or any(one.ecosystem == "oci" for one in asked(server.command, server.args))


def sandbox_words(
    settings: Settings, environ: Mapping[str, str], *, tried: Callable[[Mapping[str, str]], Able] = able
) -> str:
    """Say what the local servers run in here; empty where all run in nothing, as configured, or there are none.

    Tries bubblewrap where one needs it.
    """
    parts: dict[str, list[str]] = {}
    found: Able | None = None
    for server in settings.servers:
        if not server.enabled or not server.command:
            continue
        if server.sandbox.kind in {"auto", "bwrap"} and not is_engine(server):
            found = found or tried(environ)
        parts.setdefault(_of(server, found), []).append(server.name)
    if set(parts) <= {_AS_CONFIGURED}:
        return ""
    told = [f"{what}: {_names(names)}" if len(parts) > 1 else what for what, names in parts.items()]
    return "; ".join(told)


def _of(server: ServerConfig, found: Able | None) -> str:
    kind = server.sandbox.kind
    if kind == "none":
        return _AS_CONFIGURED
    if is_engine(server):
        return "a container of its own"
    if kind == "container":
        return "a container"
    if found is None or not found.reason:
        return "bubblewrap"
    return f"{'NOT WORKING' if kind == 'bwrap' else 'none'}, because {found.reason}"


def _names(names: list[str]) -> str:
    shown = ", ".join(safe(name, limit=40) for name in names[:4])
    return f"{shown}, … ({len(names)} servers)" if len(names) > 4 else shown
