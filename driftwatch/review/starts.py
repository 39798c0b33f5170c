"""What starts MCP servers in a repository: hosts' files and driftwatch's own, read as text that is not trusted. Pure.

Nothing is filled in from any environment, and no file that they name is read: a pull request may have written them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from driftwatch.config import hosts
from driftwatch.config.packages import Asked, asked
from driftwatch.config.values import is_name
from driftwatch.errors import UnreadableInputError
from driftwatch.model import Json

OWN: Final = "driftwatch.toml"
"""What driftwatch's own configuration is called."""

_SKIPPED: Final = frozenset({"node_modules", ".git", "vendor", ".venv", "venv"})
_LIKELY: Final = ("mcp", "claude", "cursor", "settings", "config", "codex", "gemini", "opencode", "kiro", "amazonq")
"""Words in the path of a file that may be a host's: all others are not even read."""
_ENDS: Final = (".json", ".jsonc", ".toml")
_MARK: Final = "ervers"
"""What every section that is read has in its name."""


@dataclass(frozen=True, slots=True)
class Start:
    """How a file starts a server.

    `words` are in driftwatch's spelling (`${NAME}` is a variable), `env` the names of the variables that it is given.
    `file` and `line` say where that stands.
    """

    server: str
    words: tuple[str, ...]
    env: tuple[str, ...] = ()
    file: str = ""
    line: int = 1

    @property
    def package(self) -> Asked | None:
        """The package that its program comes from, None where the command names none."""
        return next((one for one in asked(self.words[0], self.words[1:]) if one.main), None)

    def at(self, words: Sequence[str]) -> Start:
        """Give it with another command."""
        return replace(self, words=tuple(words))


def may_start(path: str) -> bool:
    """Say whether a file of a repository may be one that starts servers, by its path alone."""
    place = PurePosixPath(path)
    if _SKIPPED.intersection(place.parts) or not path.lower().endswith(_ENDS):
        return False
    return place.name == OWN or any(word in path.lower() for word in _LIKELY)


def starts_of(path: str, text: str) -> tuple[Start, ...]:
    """Give the servers that a file starts; none where it is no such file.

    Raises:
        UnreadableInputError: it looks like one, and cannot be read.

    """
    if PurePosixPath(path).name == OWN:
        return tuple(_own(path, text))
    if not holds_servers(path, text):
        return ()
    found = hosts.read_host_file(text, name=path)
    return tuple(
        Start(one.name, (one.command, *one.args), tuple(name for name, _ in one.env), path, line_of(text, one.original))
        for one in found.entries
        if one.command and one.enabled
    )


def holds_servers(path: str, text: str) -> bool:
    """Say whether a file is a host's that lists servers.

    Raises:
        UnreadableInputError: it looks like one, and cannot be read.

    """
    if _MARK not in text:
        return False
    try:
        hosts.read_host_file(text, name=path)
    except UnreadableInputError:
        if "mcp" in path.lower() or "mcpServers" in text:
            raise
        return False
    return True


def _own(path: str, text: str) -> Iterator[Start]:
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableInputError(f"{path} is not TOML: {str(error)[:200]}.") from None
    servers = raw.get("servers")
    for name, table in servers.items() if isinstance(servers, Mapping) else ():
        words = _words(table) if is_name(name) and isinstance(table, Mapping) else ()
        if words and table.get("enabled") is not False:
            env = table.get("env")
            names = tuple(env) if isinstance(env, Mapping) else ()
            yield Start(name, words, names, path, line_of(text, f"servers.{name}", name))


def _words(table: Mapping[str, Json]) -> tuple[str, ...]:
    command, args = table.get("command"), table.get("args", [])
    if not isinstance(command, str) or not command or not isinstance(args, list):
        return ()
    return (command, *args) if all(isinstance(word, str) for word in args) else ()


def line_of(text: str, *wanted: str) -> int:
    """Give the number of the first line that holds one of the words, the first word first; 1 where none does."""
    lines = text.splitlines()
    for word in wanted:
        for number, line in enumerate(lines, 1):
            if word in line:
                return number
    return 1
