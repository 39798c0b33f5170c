"""How a look went, and what is remembered between looks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from driftwatch.model.shown import Document, Json, Kind, Oddity


class Era(StrEnum):
    """Which of the two protocol eras a server was spoken to in."""

    HANDSHAKE = "handshake"
    MODERN = "modern"


@dataclass(frozen=True, slots=True)
class Page:
    """What one page of a list said about its own freshness. `ttl_ms` is None when absent or unusable.

    `odd` says in our own words what of it was there and could not be used as it stood; empty for nothing.
    """

    method: str
    number: int
    items: int
    ttl_ms: int | None = None
    cache_scope: str | None = None
    odd: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """How a complete look went, beside what it showed: kept of the last one only.

    `pages` are those of all lists in the order asked for, and of `server/discover` in the modern era; page number 0
    is a declared list that the server does not know. `asked` names what the server asked of us and was declined.
    On a connection that is held for notices, `asked`, `noise_lines` and `received_bytes` count since it was opened.
    `era` is None for a file, which speaks no protocol.
    """

    era: Era | None
    protocol_version: str
    pages: tuple[Page, ...] = ()
    asked: tuple[str, ...] = ()
    noise_lines: int = 0
    received_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Listed:
    """A complete walk over everything that the server declares.

    `ttl_ms` is the smallest freshness of all pages in milliseconds (None: no page gave one); `listens` says whether
    the server declares `listChanged` for any list; `asked` names what it asked of us and was declined
    (`sampling/createMessage`, `roots/list`, `elicitation/create`). `era` is None for a file, which speaks no protocol.
    """

    document: Document
    era: Era | None
    protocol_version: str
    pages: tuple[Page, ...] = ()
    ttl_ms: int | None = None
    listens: bool = False
    asked: tuple[str, ...] = ()
    oddities: tuple[Oddity, ...] = ()
    received_bytes: int = 0
    noise_lines: int = 0
    launch: Json = None
    """How the server was reached, as the document has it under `launch` (see `watch/supply/launch.py`)."""
    unsettled: tuple[str, ...] = ()
    """The keys of `launch` that could not be had this time for no fault of theirs: what was known of them stays."""

    @property
    def listing(self) -> Listing:
        """What is kept of this look beside the document."""
        return Listing(
            era=self.era,
            protocol_version=self.protocol_version,
            pages=self.pages,
            asked=self.asked,
            noise_lines=self.noise_lines,
            received_bytes=self.received_bytes,
        )


@dataclass(frozen=True, slots=True)
class Unreachable:
    """Nobody answered as an MCP server: no connection, no start, a time-out, a server error.

    `code` is a stable word (`timeout`, `connect`, `dns`, `tls`, `closed-early`, `start-failed`, `http-status`, …).
    """

    code: str
    detail: str
    status: int | None = None
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class Malformed:
    """Something answered, but not with a listing that can be read whole; it is never diffed.

    `code` is a stable word (`html`, `invalid-json`, `too-large`, `too-many-pages`, `repeated-cursor`,
    `too-many-items`, `input-required`, `list-error`, `flood`, …).
    """

    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The server, or our own policy, said no: credentials, a rate limit, a redirect to another origin.

    `code` is a stable word (`unauthorized`, `forbidden`, `not-found`, `rate-limited`, `redirected`, …);
    `retry_after` is in seconds.
    """

    code: str
    detail: str
    status: int | None = None
    retry_after: float | None = None


Failure: TypeAlias = Unreachable | Malformed | Refused
"""Every way in which a look can fail. A failed look never reads as clean."""

Outcome: TypeAlias = Listed | Failure
"""What one look at a server came to."""


class BaselineState(StrEnum):
    """Whether a person approved the baseline, or the first list seen stands in for one."""

    PROVISIONAL = "provisional"
    APPROVED = "approved"


@dataclass(frozen=True, slots=True)
class Baseline:
    """The snapshot that a server is compared with, who set it, when and why."""

    server: str
    digest: str
    state: BaselineState
    since: datetime
    by: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class ServerState:
    """What driftwatch remembers about one server between looks."""

    server: str
    era: Era | None = None
    last_look_at: datetime | None = None
    last_ok_at: datetime | None = None
    next_look_at: datetime | None = None
    failures: int = 0
    last_outcome: str = ""
    last_detail: str = ""
    last_digest: str = ""
    judged: str = ""
    """What the last judgement rested on: baseline digest, snapshot digest and rule-set version in one string."""
    baseline: Baseline | None = None
    looks: int = 0
    listing: Listing | None = None
    """How the last complete look went; None before the first."""
    calm_at: datetime | None = None
    """While the server goes to and fro: when it will have been calm for long enough. None while it does not."""
    sighted: int = 0
    """The number of the newest sighting of any server when this was read."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """How a server came to show another list than before: what the look before had promised, and what was kept of it.

    `previous` is the digest that it showed before, `quiet` the seconds since it was last seen to show that. `fresh`
    names the kinds that changed while the server's own `ttlMs` still called them fresh and no notice ended that, as
    (kind, ttlMs). `promised` names the changed kinds of which it had said that it would give notice (`listChanged`);
    `noticed` says whether it did, None where nobody listened all the while or that list never promised anything.
    Eras, protocol revisions and self-reported versions are (before, after).
    """

    previous: str
    quiet: float
    fresh: tuple[tuple[Kind, int], ...] = ()
    promised: tuple[Kind, ...] = ()
    noticed: bool | None = None
    eras: tuple[str, str] = ("", "")
    protocols: tuple[str, str] = ("", "")
    versions: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Sighting:
    """A stretch of time over which a server showed one snapshot. `arrival` is None for the first one.

    `body` is the snapshot's `body`: equal in two sightings that differ only in how the server is reached.
    """

    server: str
    digest: str
    first_seen: datetime
    last_seen: datetime
    looks: int = 1
    arrival: Arrival | None = None
    body: str = ""
