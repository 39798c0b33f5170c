"""The files of MCP hosts: which servers are in them, and how driftwatch's own file would name them.

The shapes are those of `shapes`. Pure: text in, entries out. No literal secret of a host's file is in what comes out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from driftwatch.config import shapes, toml
from driftwatch.config.entries import HostEntry, SkippedError, read_entry
from driftwatch.config.hiding import Hider, Names, Variable
from driftwatch.config.values import is_name
from driftwatch.config.words import path_of, quoted
from driftwatch.errors import UnreadableInputError
from driftwatch.model import Json

__all__ = ["HostEntry", "HostFile", "Variable", "read_host_file", "to_toml"]


@dataclass(frozen=True, slots=True)
class HostFile:
    """What a host's file holds: the servers that driftwatch can watch, and what to say about the rest of it."""

    entries: tuple[HostEntry, ...]
    notes: tuple[str, ...] = ()

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All variables to be set before driftwatch starts, each once."""
        return _variables(self.entries)


@dataclass
class _Reader:
    names: Names
    inputs: frozenset[str]
    used: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)

    def entries(self, place: tuple[str, ...], servers: Json) -> Iterator[HostEntry]:
        """Read all servers of one section; what cannot be watched is a note."""
        if not isinstance(servers, Mapping):
            self.notes.append(f"{path_of(place)} is not an object, so no server was read from it")
            return
        for original, raw in servers.items():
            where = path_of((*place, original))
            name, said = self._name(original)
            hider = Hider(name, self.names, self.inputs, notes=said)
            try:
                entry = read_entry(raw, name=name, original=original, place=where, hider=hider)
            except SkippedError as error:
                self.notes.append(f"{where} was left out: {error}")
                continue
            self.used.add(name)
            yield entry

    def _name(self, original: str) -> tuple[str, list[str]]:
        """Give a name that driftwatch can use and nothing else has, and say so when it is another."""
        name, notes = original, []
        if not is_name(original):
            kept = "".join(char if char.isascii() and (char.isalnum() or char in "._-") else "-" for char in original)
            name = kept.strip("._-")[:64] or "server"
            notes.append(f"the host calls it {quoted(original)}, which cannot be a name here: it is {name} now")
        number, wished = 2, name
        while name in self.used:
            name, number = f"{wished[:60]}-{number}", number + 1
        if name != wished:
            notes.append(f"another server is already called {wished}, so this one is {name}")
        return name, notes


def read_host_file(text: str, *, name: str) -> HostFile:
    """Read the file of an MCP host. `name` is what the file is called in messages.

    Raises `UnreadableInputError` when it lists no servers, or is not JSON (comments and trailing commas allowed; TOML
    where the name ends in `.toml`).
    """
    shape = shapes.read(text, name=name)
    if not shape.sections:
        message = f"{quoted(name)} lists no MCP servers: there is no {shapes.LOOKED_FOR} in it."
        raise UnreadableInputError(message, hint="Name the file in which your MCP host keeps its servers.")
    reader = _Reader(Names.beside(text), frozenset(shape.inputs))
    entries = tuple(entry for place, servers in shape.sections for entry in reader.entries(place, servers))
    notes = [f"{quoted(key)} is there twice; the last one counts, as for the host" for key in shape.twice]
    return HostFile(entries, tuple(notes + reader.notes))


def to_toml(entries: Iterable[HostEntry]) -> str:
    """Give the entries as a part of a `driftwatch.toml`, with what a person must know as comments."""
    entries = tuple(entries)
    lines: list[str] = []
    if needed := _variables(entries):
        lines.append("# Set these variables where driftwatch is started. What may be a secret was not copied;")
        lines.append("# look over the rest once, above all arguments and paths.")
        lines += [line for one in needed for line in toml.comment(f"  {one.name} = {one.holds}")]
    for entry in entries:
        lines += ["", *_entry(entry)] if lines else _entry(entry)
    return "\n".join(lines) + "\n" if lines else ""


def _variables(entries: Iterable[HostEntry]) -> tuple[Variable, ...]:
    holds: dict[str, str] = {}
    for entry in entries:
        for variable in entry.variables:
            holds.setdefault(variable.name, variable.holds)
    return tuple(Variable(name, what) for name, what in holds.items())


def _entry(entry: HostEntry) -> list[str]:
    lines = [line for note in entry.unpinned for line in toml.comment(f"Not pinned: {note}")]
    lines += [line for note in entry.notes for line in toml.comment(f"Note: {note}")]
    name = toml.key(entry.name)
    lines.append(f"[servers.{name}]")
    lines += [] if entry.enabled else ["enabled = false"]
    lines += ['transport = "sse"'] if entry.transport == "sse" else []
    lines += [f"{key} = {toml.string(text)}" for key in ("url", "command", "cwd") if (text := getattr(entry, key))]
    lines += [f"args = {toml.array(entry.args)}"] if entry.args else []
    headers = dict(entry.headers)
    bearer = headers.get("Authorization", "")
    if bearer.startswith("Bearer ") and (reference := _reference(bearer.removeprefix("Bearer "))):
        lines.append(f"bearer = {_value(reference)}")
        del headers["Authorization"]
    for table, values in (("headers", headers), ("env", dict(entry.env))):
        lines += [f"[servers.{name}.{table}]"] if values else []
        lines += [f"{toml.key(key)} = {_value(text)}" for key, text in values.items()]
    return lines


def _reference(text: str) -> str:
    """Give `text` when it is a reference to one variable and nothing else."""
    inner = text[2:-1]
    return text if text == f"${{{inner}}}" and inner.isidentifier() and inner.isascii() else ""


def _value(text: str) -> str:
    return f"{{ env = {toml.string(text[2:-1])} }}" if _reference(text) else toml.string(text)
