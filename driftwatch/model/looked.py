"""How a look went, and what is remembered between looks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from driftwatch.model.shown import Document, Oddity


class Era(StrEnum):
    """Which of the two protocol eras a server was spoken to in."""

    HANDSHAKE = "handshake"
    MODERN = "modern"


@dataclass(frozen=True, slots=True)
class Page:
    """What one page of a list said about its own freshness. `ttl_ms` is None when absent or unusable."""

    method: str
    number: int
    items: int
    ttl_ms: int | None = None
    cache_scope: str | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """A complete walk over everything that the server declares.

    `ttl_ms` is the smallest freshness of all pages in milliseconds (None: no page gave one); `listens` says whether
    the server declares `listChanged` for any list; `asked` names what it asked of us and was declined
    (`sampling/createMessage`, `roots/list`, `elicitation/create`).
    """

    document: Document
    era: Era
    protocol_version: str
    pages: tuple[Page, ...] = ()
    ttl_ms: int | None = None
    listens: bool = False
    asked: tuple[str, ...] = ()
    oddities: tuple[Oddity, ...] = ()
    received_bytes: int = 0
    noise_lines: int = 0


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


class Decision(StrEnum):
    """What a person decided in a review."""

    APPROVED = "approved"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Review:
    """One decision of one person on one snapshot."""

    server: str
    digest: str
    decision: Decision
    by: str
    at: datetime
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


@dataclass(frozen=True, slots=True)
class Sighting:
    """A stretch of time over which a server showed one snapshot."""

    server: str
    digest: str
    first_seen: datetime
    last_seen: datetime
    looks: int = 1
