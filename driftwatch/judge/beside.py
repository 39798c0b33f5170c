"""What is known beside the lists: which entries are watched, and what others said of packages and of texts.

Plain data that the rules read; see `facts`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from driftwatch.model import Kind, Opinion, PackageNews, Passage, Severity


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


@dataclass(frozen=True)
class Opinions:
    """What a model that a person configured said of texts, and about which texts it is asked.

    `known` gives the answers that are there already; it asks nobody. `least` is the least severity of a finding that
    it is asked about, `gained` says whether about new text without a finding too, and `room` how many characters of a
    text may be sent.
    """

    known: Callable[[Sequence[Passage]], Mapping[Passage, Opinion]]
    least: Severity = Severity.LOW
    gained: bool = False
    room: int = 8_000
