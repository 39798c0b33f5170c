"""The shapes of hosts' files: where their servers stand, and what one is made of whatever the host calls it.

JSON with comments: `mcpServers` (Claude Desktop, Claude Code, Cursor and others; Claude Code's user file has it again
under `projects`), `servers` with `inputs` (VS Code, also under `mcp` in its settings), `context_servers` (Zed).
TOML: `mcp_servers` (Codex). Hosts that write YAML are not read: no YAML reader is among what driftwatch needs to run.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from driftwatch.config import jsonc
from driftwatch.config.words import quoted, safe
from driftwatch.config.wrapped import Wrapped, launcher, read_back
from driftwatch.errors import UnreadableInputError
from driftwatch.model import Json

LOOKED_FOR = "mcpServers, servers, mcp.servers, mcp_servers, context_servers or projects.*.mcpServers"
"""The sections that are read, in words."""

UNREAD = (".yaml", ".yml")
"""How the names of files end that cannot be read."""

_LARGEST = 4 * 2**20
_DEEPEST = 64
_TOP = ("mcpServers", "servers", "mcp.servers", "mcp_servers", "context_servers")
_URLS = ("serverUrl", "httpUrl")


@dataclass(frozen=True, slots=True)
class Shape:
    """A host's file, taken apart: its sections (each with its place in the file), its inputs, keys written twice."""

    sections: tuple[tuple[tuple[str, ...], Json], ...]
    inputs: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Witness:
    """The witness before the command of an entry: the words that start it, and what it wraps."""

    program: tuple[str, ...]
    wrapped: Wrapped


def read(text: str, *, name: str, largest: int = _LARGEST) -> Shape:
    """Take a host's file apart; it is TOML when its name says so, else JSON. `largest` is in characters.

    Raises:
        UnreadableInputError: it is neither, or too large.

    """
    return _shape(*document(text, name=name, largest=largest))


def document(text: str, *, name: str, largest: int = _LARGEST) -> tuple[dict[str, Json], tuple[str, ...]]:
    """Decode a host's file, and give the keys that stand in it twice; raises as `read` does."""
    if name.lower().endswith(UNREAD):
        raise UnreadableInputError(
            f"{quoted(name)} is YAML, which driftwatch does not read.", hint="Name another file."
        )
    if is_toml(name):
        return _toml(text, name, largest), ()
    return jsonc.read(text, name=name, largest=largest)


def is_toml(name: str) -> bool:
    """Say whether a file is TOML, by its name."""
    return name.lower().endswith(".toml")


def _shape(document: Mapping[str, Json], twice: tuple[str, ...]) -> Shape:
    return Shape(tuple(_sections(document)), tuple(_inputs(document)), twice)


def names_servers(document: Json) -> bool:
    """Say whether a decoded file is one that lists servers for a host."""
    return isinstance(document, Mapping) and any(isinstance(section, Mapping) for _, section in _sections(document))


def plain(raw: Mapping[str, Json]) -> dict[str, Json]:
    """Give one server's entry with the usual key for what its host calls otherwise; all else stays as it is."""
    entry = dict(raw)
    for key in _URLS:
        if isinstance(entry.get(key), str) and not entry.get("url"):
            entry["url"] = entry.pop(key)
    if isinstance(command := entry.get("command"), Mapping):
        inner = {key: command[key] for key in ("args", "env") if key in command}
        entry = {**entry, **inner, "command": command.get("path")}
    headers = dict(_table(entry, "headers", "http_headers"))
    headers |= {name: _variable(value) for name, value in _table(entry, "env_http_headers")}
    if isinstance(token := entry.get("bearer_token_env_var"), str):
        headers["Authorization"] = f"Bearer {_variable(token)}"
    if headers and not isinstance(entry.get("headers"), Mapping):
        entry["headers"] = headers
        for key in ("http_headers", "env_http_headers", "bearer_token_env_var"):
            entry.pop(key, None)
    return entry


def unwrapped(entry: Mapping[str, Json]) -> tuple[dict[str, Json], Witness | None]:
    """Give a plain entry as it would be without a witness before its command, and that witness."""
    own = dict(entry)
    line = line_of(own)
    program = launcher(line)
    found = read_back(line)
    if found is None:
        return own, None
    args = own["args"]
    own |= {"command": found.command[0], "args": args[len(args) - len(found.command) + 1 :]}
    return own, Witness(program, found)


def line_of(entry: Mapping[str, Json]) -> tuple[str, ...]:
    """Give the command line of a plain entry, its program first; none where it is not written as one."""
    command, args = entry.get("command"), entry.get("args", [])
    if not isinstance(command, str) or not command or not isinstance(args, list):
        return ()
    if any(isinstance(word, bool) or not isinstance(word, str | int | float) for word in args):
        return ()
    return (command, *map(str, args))


def _variable(name: Json) -> str:
    return f"${{env:{name}}}"


def _table(entry: Mapping[str, Json], *keys: str) -> Iterator[tuple[str, Json]]:
    for key in keys:
        if isinstance(found := entry.get(key), Mapping):
            yield from found.items()


def _sections(document: Mapping[str, Json]) -> Iterator[tuple[tuple[str, ...], Json]]:
    for key in _TOP:
        if key in document:
            yield (key,), document[key]
    settings, projects = document.get("mcp"), document.get("projects")
    if isinstance(settings, Mapping) and "servers" in settings:
        yield ("mcp", "servers"), settings["servers"]
    for folder, project in projects.items() if isinstance(projects, Mapping) else ():
        if isinstance(project, Mapping) and project.get("mcpServers"):
            yield ("projects", folder, "mcpServers"), project["mcpServers"]


def _inputs(document: Mapping[str, Json]) -> Iterator[str]:
    settings = document.get("mcp")
    for inputs in (document.get("inputs"), settings.get("inputs") if isinstance(settings, Mapping) else None):
        for one in inputs if isinstance(inputs, list) else ():
            if isinstance(one, Mapping) and isinstance(one.get("id"), str):
                yield one["id"]


def _toml(text: str, name: str, largest: int) -> dict[str, Json]:
    if len(text) > largest:
        raise UnreadableInputError(f"{quoted(name)} is too large.", hint="Name the file that lists the servers.")
    try:
        return {key: _json(value, 0) for key, value in tomllib.loads(text.removeprefix("\ufeff")).items()}
    except RecursionError:
        raise UnreadableInputError(f"{quoted(name)} is nested too deeply.", hint="Is it a host's file?") from None
    except ValueError as error:
        message = f"{quoted(name)} is not TOML: {safe(str(error))}."
        raise UnreadableInputError(message, hint="Correct it there, or name another file.") from None


def _json(value: Json, depth: int) -> Json:
    """Give TOML's values as JSON's: dates and times become text."""
    if depth > _DEEPEST:
        raise RecursionError
    if isinstance(value, Mapping):
        return {key: _json(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_json(inner, depth + 1) for inner in value]
    return value if isinstance(value, bool | int | float | str) else str(value)
