"""What is known of entries and packages beside the lists: which entries are watched, and what others said of packages.

Plain data that the rules read; see `facts`.
"""

from __future__ import annotations

from dataclasses import dataclass

from driftwatch.model import Kind, PackageNews


@dataclass(frozen=True)
class Watch:
    """A configured server: its name, the package it is started from (`npm:name`), the host and port it answers at."""

    server: str
    package: str = ""
    host: str = ""


@dataclass(frozen=True)
class WatchedAs:
    """An entry of a host's file that is a configured server: by how it is reached (`same`), or by its name only."""

    entry: str
    server: str
    same: bool


@dataclass(frozen=True)
class Watching:
    """What the configuration watches, beside the entries of one file."""

    servers: tuple[Watch, ...] = ()
    entries: tuple[WatchedAs, ...] = ()

    def of(self, entry: str) -> WatchedAs | None:
        """Give what is known of an entry, None when nothing watches it."""
        return next((one for one in self.entries if one.entry == entry), None)


@dataclass(frozen=True)
class Supplied:
    """What was learned of the package that an item is started from."""

    kind: Kind
    item: str
    news: PackageNews
