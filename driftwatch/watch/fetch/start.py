"""How a local server's process is to be started, decided before it is: as it is configured, or in a sandbox."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from driftwatch.config.isolation import SandboxConfig
from driftwatch.config.schema import ServerConfig
from driftwatch.watch.fetch.sandbox.view import View

INHERITED = frozenset({"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TMPDIR"})
"""What a local server gets of driftwatch's own environment, besides `LC_*`; all else must be configured."""


def minimal_environment(environ: Mapping[str, str], server: ServerConfig) -> dict[str, str]:
    """Give the environment of a local server: the little that programs need, and what is configured."""
    inherited = {name: value for name, value in environ.items() if name in INHERITED or name.startswith("LC_")}
    return inherited | {name: secret.reveal() for name, secret in server.env.items()}


@dataclass(frozen=True)
class Walls:
    """What bubblewrap (`program`, with the optional `features` that it has) puts around a process."""

    program: str
    features: frozenset[str]
    view: View
    limits: SandboxConfig
    network: bool


@dataclass(frozen=True)
class Start:
    """A process to start: its words, its whole environment, its folder, and what is around it.

    `around` says in words what it runs in, empty for nothing; `ending` is a command to run once it has ended; `note` is
    what else to say should it fail; `secrets` is what must not be told of its log. In a container nothing of what
    really runs can be seen from outside (`opaque`).
    """

    words: tuple[str, ...]
    env: Mapping[str, str] = field(repr=False)
    cwd: str | None = None
    walls: Walls | None = None
    around: str = ""
    ending: tuple[str, ...] = ()
    note: str = ""
    secrets: tuple[str, ...] = field(default=(), repr=False)

    @property
    def opaque(self) -> bool:
        """Say whether what runs cannot be seen from outside."""
        return bool(self.ending)


def plain(server: ServerConfig, environ: Mapping[str, str]) -> Start:
    """Start the command as it is configured."""
    return Start((server.command, *server.args), minimal_environment(environ, server), server.cwd)
