"""The tables of host files to watch: `[inventory.NAME]`, and what such a file is to all that looks at servers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from driftwatch.config.schema import Intervals, ServerConfig
from driftwatch.config.secret import Filled, Unresolved, hidden, shown
from driftwatch.config.shapes import UNREAD
from driftwatch.config.table import Conflict, Table
from driftwatch.config.values import Count, Line, Name, Seconds, Switch, Text


class InventoryConfig(Table):
    """One file of an MCP host to watch for servers that come, go or change."""

    name: Name = Field(description="The table's own name. It must not be that of a server.")
    file: Line = Field(
        description="The file in which a host keeps its servers, in JSON or TOML: absolute, `~/…`, or relative to this "
        "file's folder. Links are followed."
    )
    host: Line | None = Field(default=None, description='Whose file it is, in your own words, e.g. `"Cursor"`.')
    interval: Seconds = Field(default=60.0, description="Time between two looks at the file.")
    optional: Switch = Field(
        default=False,
        description="Whether the file may be absent. It then counts as a file without entries, so that its first entry "
        "is told; else its absence is a look that failed.",
    )
    alert_after: Count = Field(default=3, description="Failed looks in a row before an alert says so.")
    labels: dict[Line, Text] = Field(default={}, description="Words of your own that go into alerts.")
    enabled: Switch = Field(default=True, description="Whether to watch this file.")

    @classmethod
    def conflicts(cls, given: Mapping[str, Any]) -> Iterator[Conflict]:
        """Refuse what cannot be read."""
        file = given.get("file")
        if isinstance(file, str) and file.lower().endswith(UNREAD):
            yield Conflict("file", "this is YAML, which driftwatch does not read", "name a file in JSON or TOML")


class WatchedFile(ServerConfig):
    """A host's file, looked at as a server is: one name space, one schedule, one store, one way to approve.

    It has neither a URL nor a command, and none of the keys that go with them means anything here.
    """

    file: Text = ""
    host_name: str = ""
    optional: bool = False

    @classmethod
    def of(cls, table: InventoryConfig) -> WatchedFile:
        """Make it of its table. A file costs nothing to look at, so failures do not slow its looks down."""
        every = table.interval
        return cls(
            name=table.name,
            file=table.file,
            host_name=table.host or "",
            optional=table.optional,
            interval=Intervals(default=every, floor=every, ceiling=every),
            alert_after=table.alert_after,
            labels=table.labels,
            enabled=table.enabled,
            notices=False,
            rehearse=False,
        )

    @classmethod
    def prepare(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Give the values as they are."""
        return given

    @classmethod
    def conflicts(cls, given: Mapping[str, Any]) -> Iterator[Conflict]:  # noqa: ARG003 - a file has none of a server's
        """Give nothing: the table was checked."""
        yield from ()

    @property
    def sort(self) -> str:
        """What is looked at."""
        return "file"

    @property
    def missing(self) -> tuple[str, ...]:
        """What a look would need and is not to be had here."""
        return (self.file.words[0],) if isinstance(self.file, Unresolved) else ()

    @property
    def shown_command(self) -> str:
        """The file as it may be shown."""
        return shown(self.file)


def placed(table: dict[str, Any], base: Path, environ: Mapping[str, str]) -> dict[str, Any]:
    """Make the file's path absolute; `~/` is the home of who runs driftwatch. Wrong types are left to the schema."""
    file = table.get("file")
    if not isinstance(file, str) or not file or "\0" in file or isinstance(file, Unresolved):
        return table
    home = environ.get("HOME", "")
    path = str(Path(home) / file[2:]) if file.startswith("~/") and home else str(base / file)
    if not isinstance(file, Filled):
        return {**table, "file": path}
    return {**table, "file": Filled(path, shown=file.shown, hidden=hidden(file))}


def taken_twice(tables: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[tuple[str, str], str, str]]:
    """Give the place, what is wrong and what to do for each file with the name of a server."""
    for name in tables["inventory"]:
        if name in tables["servers"]:
            yield ("inventory", name), "a server has this name already", "give the file another name"
