"""Every metric that there is, by name: what kind it is, what it says, and what its labels can be.

This is what `/metrics` is made by and what docs/metrics.md is made of. Values of labels are words of driftwatch and
names of the configuration; nothing that a server sends can become one, so that no server can make more of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from driftwatch.model import AlertKind, Part, Severity, TestimonyState
from driftwatch.review.standing import Standing
from driftwatch.run.tally import ATTEMPTS, ENDS, OUTCOMES

SERVER: Final = "server"
CHANNEL: Final = "channel"

NOT_CONFIGURED: Final = "(not configured)"
"""The channel of messages that wait for one that the configuration does not have any more."""


class Type(StrEnum):
    """What a number is: one that goes up and down, one that only grows, or how values are spread."""

    GAUGE = "gauge"
    COUNTER = "counter"
    HISTOGRAM = "histogram"


class Group(StrEnum):
    """What a metric is about: the headings of its page."""

    DAEMON = "The daemon"
    SERVERS = "Servers"
    LOOKS = "Looks"
    FOUND = "Findings and alerts"
    TOLD = "Messages"
    WITNESS = "Witnesses"
    KEPT = "Database and audit log"


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric. `labels` gives each label with its values; empty ones are said elsewhere.

    `stored` says that it is read from the database: it survives a restart, and is left out while that cannot be read.
    """

    name: str
    type: Type
    group: Group
    help: str
    labels: tuple[tuple[str, tuple[str, ...]], ...] = ()
    stored: bool = True

    @property
    def per_server(self) -> bool:
        """Whether there is one series (or more) for each server."""
        return any(name == SERVER for name, _ in self.labels)

    @property
    def label_names(self) -> tuple[str, ...]:
        """The names of its labels, in order."""
        return tuple(name for name, _ in self.labels)


def _gauge(name: str, group: Group, said: str, *, stored: bool = True, **labels: Iterable[str]) -> Metric:
    return Metric(f"driftwatch_{name}", Type.GAUGE, group, said, _labels(labels), stored)


def _counter(name: str, group: Group, said: str, *, stored: bool = False, **labels: Iterable[str]) -> Metric:
    return Metric(f"driftwatch_{name}_total", Type.COUNTER, group, said, _labels(labels), stored)


def _histogram(name: str, group: Group, said: str) -> Metric:
    return Metric(f"driftwatch_{name}", Type.HISTOGRAM, group, said, stored=False)


def _labels(labels: dict[str, Iterable[str]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((name, tuple(str(value) for value in values)) for name, values in labels.items())


_ANY: Final = ()

BUILD: Final = _gauge(
    "build_info",
    Group.DAEMON,
    "Always 1; the labels say what runs.",
    stored=False,
    version=_ANY,
    python=_ANY,
    rules=_ANY,
)
READY: Final = _gauge("ready", Group.DAEMON, "1 while /readyz says yes, 0 while it says no.", stored=False)
CHECK: Final = _gauge(
    "check_ok", Group.DAEMON, "1 while a part of the daemon does its work, as /readyz says.", stored=False, check=Part
)
READABLE: Final = _gauge(
    "database_readable", Group.DAEMON, "0 when what is read from the database could not be had this time.", stored=False
)

SERVERS: Final = _gauge(
    "servers", Group.SERVERS, "Servers by how they stand, as `driftwatch status` says it.", state=Standing
)
STALENESS: Final = _gauge(
    "staleness_seconds",
    Group.SERVERS,
    "Time since the last look that worked, of the server for which that is longest. One that no look ever worked at "
    "does not count here, but among those that could not be looked at.",
)
LAG: Final = _gauge(
    "next_look_lag_seconds", Group.SERVERS, "How long the look is overdue that is overdue for longest; 0 for none."
)
SERVER_STATE: Final = _gauge(
    "server_state", Group.SERVERS, "1 for the state that a server is in.", server=_ANY, state=Standing
)
SERVER_OK: Final = _gauge(
    "server_last_success_timestamp_seconds", Group.SERVERS, "When a look last worked; 0 for never.", server=_ANY
)
SERVER_NEXT: Final = _gauge(
    "server_next_look_timestamp_seconds", Group.SERVERS, "When the next look is due; 0 for not planned.", server=_ANY
)
SERVER_FAILURES: Final = _gauge("server_failures", Group.SERVERS, "Failed looks in a row.", server=_ANY)
SERVER_LOOKS: Final = _counter(
    "server_looks", Group.SERVERS, "Looks that were recorded, ever.", stored=True, server=_ANY
)

LOOKS: Final = _counter("looks", Group.LOOKS, "Looks since the start, by what they came to.", outcome=OUTCOMES)
TOOK: Final = _histogram(
    "look_duration_seconds", Group.LOOKS, "How long looks took, from their begin until they were recorded."
)
LATE: Final = _histogram(
    "look_start_lag_seconds", Group.LOOKS, "How long after they were due looks began: they wait for one another."
)
FETCHED: Final = _counter(
    "fetched_bytes", Group.LOOKS, "Bytes of what servers sent, decompressed, also of looks that failed."
)
NOTICES: Final = _counter("notices", Group.LOOKS, "Notices that a list changed.")
STREAMS: Final = _gauge("notice_streams", Group.LOOKS, "Streams of notices that stand.", stored=False)
RECONNECTS: Final = _counter(
    "stream_reconnects", Group.LOOKS, "Streams of notices that ended and are opened anew, by why.", reason=ENDS
)

FINDINGS: Final = _gauge(
    "findings", Group.FOUND, "Findings that stand, without those that the policy hides.", severity=Severity
)
HIDDEN: Final = _gauge("findings_hidden", Group.FOUND, "Findings that the policy hides.", severity=Severity)
ALERTS: Final = _gauge(
    "alerts",
    Group.FOUND,
    "Alerts that stand; `acknowledged` when a person said that they know.",
    kind=AlertKind,
    severity=Severity,
    state=("open", "acknowledged"),
)

OUTBOX: Final = _gauge(
    "outbox_messages",
    Group.TOLD,
    "Messages that wait: to be sent (`pending`), or for others to be sent with (`held`). Those for channels that are "
    f"not configured any more have `{NOT_CONFIGURED}` as their channel.",
    channel=_ANY,
    state=("pending", "held"),
)
OLDEST: Final = _gauge(
    "outbox_oldest_age_seconds",
    Group.TOLD,
    "Age of the oldest message that waits to be sent; 0 for none.",
    channel=_ANY,
)
DELIVERIES: Final = _counter(
    "deliveries",
    Group.TOLD,
    "Attempts to send a message since the start, by what they came to.",
    channel=_ANY,
    outcome=ATTEMPTS.values(),
)
CHANNEL_FAILURES: Final = _gauge("channel_failures", Group.TOLD, "Failed attempts in a row.", channel=_ANY)
CHANNEL_DEAD: Final = _gauge(
    "channel_given_up", Group.TOLD, "Messages given up since the channel last took one.", channel=_ANY
)

WITNESSED: Final = _gauge(
    "witness_looks",
    Group.WITNESS,
    "Lists that agents were shown and that are kept, by how they stand to what driftwatch is shown.",
    state=TestimonyState,
)

SIZE: Final = _gauge(
    "database_size_bytes",
    Group.KEPT,
    "Size of the database, and of the file beside it that has what was written last.",
    file=("main", "wal"),
)
AUDIT_GOOD: Final = _gauge("audit_good", Group.KEPT, "0 while the database is known to have been changed by hand.")
AUDIT_ENTRIES: Final = _gauge("audit_entries", Group.KEPT, "Entries of the audit log.")
AUDIT_AT: Final = _gauge(
    "audit_verified_timestamp_seconds",
    Group.KEPT,
    "When the audit log was gone through last; 0 before the first time since the start.",
    stored=False,
)

METRICS: Final = (
    BUILD, READY, CHECK, READABLE,
    SERVERS, STALENESS, LAG, SERVER_STATE, SERVER_OK, SERVER_NEXT, SERVER_FAILURES, SERVER_LOOKS,
    LOOKS, TOOK, LATE, FETCHED, NOTICES, STREAMS, RECONNECTS,
    FINDINGS, HIDDEN, ALERTS,
    OUTBOX, OLDEST, DELIVERIES, CHANNEL_FAILURES, CHANNEL_DEAD,
    WITNESSED,
    SIZE, AUDIT_GOOD, AUDIT_ENTRIES, AUDIT_AT,
)  # fmt: skip
"""All of them, in the order in which they are told. A new one is a line here, and where it is counted."""
