"""The nouns of driftwatch: frozen values that every room shares.

Nothing here does I/O, reads a clock or judges. Wire names keep their wire spelling inside JSON
Pointers (RFC 6901) and raw items; Python names are snake_case. Times are aware `datetime`s in UTC.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeAlias

Json: TypeAlias = Any
"""A decoded JSON value: None, bool, int, float, str, list or dict with string keys."""

Document: TypeAlias = dict[str, Json]
"""All that a server showed, in wire spelling.

Keys, each optional: `serverInfo`, `capabilities`, `protocolVersion`, `instructions`, `tools`, `prompts`,
`resources`, `resourceTemplates`. A fetch always writes the four lists; a key that is missing was not looked at.
"""


class Severity(StrEnum):
    """How bad a finding is. Ordered: compare with `<` and `>=`, or use `rank`."""

    INFO = "info"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """0 for info up to 4 for critical."""
        return list(Severity).index(self)

    def __lt__(self, other: str) -> bool:
        """Compare by rank, not by spelling."""
        return self.rank < Severity(other).rank

    def __le__(self, other: str) -> bool:
        """Compare by rank, not by spelling."""
        return self.rank <= Severity(other).rank

    def __gt__(self, other: str) -> bool:
        """Compare by rank, not by spelling."""
        return self.rank > Severity(other).rank

    def __ge__(self, other: str) -> bool:
        """Compare by rank, not by spelling."""
        return self.rank >= Severity(other).rank


class Confidence(StrEnum):
    """How sure a rule is of its judgement."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Kind(StrEnum):
    """What an item is. The value is the public spelling in findings."""

    SERVER = "server"
    TOOL = "tool"
    PROMPT = "prompt"
    RESOURCE = "resource"
    RESOURCE_TEMPLATE = "resource_template"


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something about the raw form of an item or a listing that no honest sender needs.

    `code` is a stable word (`not-an-object`, `no-key`, `duplicate-name`, `too-deep`, `invalid-utf8`,
    `lone-surrogate`, `duplicate-key`, `not-finite`, …); `pointer` leads into the item's raw JSON.
    """

    code: str
    pointer: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One tool, prompt, resource, resource template, or the server document.

    `key` is the tool's or prompt's name, the resource's URI, the template's URI template, and empty for the
    server (and for an item that has no usable key). `occurrence` tells items with the same key apart, from 0.
    `raw` is the JSON as received; `digest` is `sha256:` plus 64 hex digits over its canonical form.
    """

    kind: Kind
    key: str
    raw: Json
    digest: str
    occurrence: int = 0
    oddities: tuple[Oddity, ...] = ()

    @property
    def place(self) -> tuple[Kind, str, int]:
        """What makes this item the same item in another snapshot."""
        return (self.kind, self.key, self.occurrence)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that a server showed at one moment, content-addressed and immutable.

    `items` are in one total order (kind, key, occurrence). `sections` names the kinds that were looked at:
    a kind that is not in it was not asked for, which is not the same as empty.
    """

    items: tuple[Item, ...]
    digest: str
    sections: frozenset[Kind] = field(default_factory=lambda: frozenset(Kind))

    def of(self, kind: Kind) -> tuple[Item, ...]:
        """Give the items of one kind, in order."""
        return tuple(item for item in self.items if item.kind is kind)


class ChangeKind(StrEnum):
    """What sort of difference a change is."""

    ITEM_ADDED = "item-added"
    ITEM_REMOVED = "item-removed"
    ITEM_RENAMED = "item-renamed"
    VALUE_ADDED = "value-added"
    VALUE_REMOVED = "value-removed"
    VALUE_CHANGED = "value-changed"


@dataclass(frozen=True, slots=True)
class Change:
    """One fact of difference between a baseline and what is live. No severity, no wording.

    `pointer` is a JSON Pointer into the item's raw JSON (empty for whole-item changes). `before` and `after`
    are the values there, `None` where there is none (the kind tells an absent value from a null).
    `key` is the live item's key (the baseline's for a removal); `before_key` differs from it only in a rename.
    """

    change: ChangeKind
    kind: Kind
    key: str
    pointer: str = ""
    before: Json = None
    after: Json = None
    before_key: str = ""
    occurrence: int = 0


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text that a finding points at.

    `pointer` leads to the string (inside the item's raw JSON); `start` and `end` are offsets in code points into
    it as received. `target` is `value`, or `key` when the text is the last property name of the pointer.
    `decoded` is what the stretch says once undone (base64, tags block, …), empty when it is plain.
    """

    pointer: str
    start: int
    end: int
    decoded: str = ""
    target: str = "value"


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule's judgement of one place. Its identity is data, never wording.

    Public: `rule`, `severity`, `kind`, `item`, `items`, `pointer` and `message` keep their meaning between releases.
    `item` is the name or URI (empty for the server); `items` holds all of them where one finding groups several.
    """

    rule: str
    severity: Severity
    kind: Kind
    item: str
    pointer: str
    message: str
    items: tuple[str, ...] = ()
    confidence: Confidence = Confidence.HIGH
    before: Json = None
    after: Json = None
    spans: tuple[Span, ...] = ()
    category: str = ""

    @property
    def fingerprint(self) -> str:
        """32 hex digits over rule, place and the value found there; a reworded message does not move it."""
        what = [self.rule, self.kind.value, self.item, list(self.items), self.pointer, self.before, self.after]
        text = json.dumps(what, sort_keys=True, ensure_ascii=True, default=str)
        return hashlib.sha256(text.encode("ascii")).hexdigest()[:32]

    @property
    def order(self) -> tuple[Any, ...]:
        """The one total order of findings: worst first, then by place and rule."""
        return (-self.severity.rank, self.kind.value, self.item, self.pointer, self.rule, self.fingerprint)


@dataclass(frozen=True, slots=True)
class Report:
    """What a comparison or a scan found, worst first.

    `notes` says what was not looked at (a section that one side does not have, a limit that cut something).
    """

    findings: tuple[Finding, ...]
    baseline_digest: str = ""
    live_digest: str = ""
    changes: tuple[Change, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def worst(self) -> Severity | None:
        """The highest severity found, or None when nothing was found."""
        return max((finding.severity for finding in self.findings), default=None)


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


class AlertKind(StrEnum):
    """What an alert is about: the server's list differs, or the server could not be looked at."""

    DRIFT = "drift"
    HEALTH = "health"


class AlertState(StrEnum):
    """Where an alert is in its life."""

    OPEN = "open"
    RESOLVED = "resolved"


class EventKind(StrEnum):
    """What there is to tell about an alert."""

    OPENED = "opened"
    UPDATED = "updated"
    RESOLVED = "resolved"


@dataclass(frozen=True, slots=True)
class Alert:
    """What is to be told about one server, with all of its findings.

    `told` holds the fingerprints already told, so that the same drift is told once. `reason` says why it was
    resolved (`back-to-baseline`, `approved`, `looked-again`). `reviewed` is `rejected` when a person said no.
    """

    id: str
    server: str
    kind: AlertKind
    state: AlertState
    severity: Severity
    opened_at: datetime
    updated_at: datetime
    baseline_digest: str = ""
    snapshot_digest: str = ""
    findings: tuple[Finding, ...] = ()
    told: frozenset[str] = frozenset()
    resolved_at: datetime | None = None
    reason: str = ""
    summary: str = ""
    reviewed: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing to tell about one alert; becomes one delivery per channel that wants it."""

    kind: EventKind
    alert: Alert
    new: tuple[Finding, ...] = ()
    drill: bool = False


class DeliveryState(StrEnum):
    """Where an outbox row is."""

    PENDING = "pending"
    DELIVERED = "delivered"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Delivery:
    """One event for one channel: an outbox row.

    `id` (`msg_…`) is the message id on every attempt; `payload` is the channel-neutral JSON body.
    """

    id: str
    channel: str
    server: str
    alert_id: str
    event: EventKind
    payload: Mapping[str, Json]
    state: DeliveryState = DeliveryState.PENDING
    attempts: int = 0
    created_at: datetime | None = None
    next_attempt_at: datetime | None = None
    last_result: str = ""


class SendVerdict(StrEnum):
    """What a channel says about one attempt; one loop owns the retry policy."""

    DONE = "done"
    RETRY = "retry"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class SendResult:
    """The outcome of one attempt. `detail` never holds a secret; `retry_after` is in seconds."""

    verdict: SendVerdict
    detail: str
    retry_after: float | None = None


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


def worst_of(findings: Sequence[Finding]) -> Severity:
    """Give the highest severity among the findings, info when there are none."""
    return max((finding.severity for finding in findings), default=Severity.INFO)
