"""The part of the Store that health and metrics read from: many small facts, each kind of them in one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from sqlalchemy import Connection, func, select

from driftwatch.model import (
    AlertKind,
    AlertState,
    Baseline,
    ChannelHealth,
    DeliveryState,
    ServerState,
    Severity,
    TestimonyState,
)
from driftwatch.store import channels, claims
from driftwatch.store.access_tables import audit
from driftwatch.store.codec import unpack_findings
from driftwatch.store.engine import reading, size, try_writing, wal_size
from driftwatch.store.shelf import Shelf
from driftwatch.store.tables import alerts, baselines, deliveries, findings, servers
from driftwatch.store.witness_tables import witnessed

Known: TypeAlias = dict[bytes, tuple[tuple[Severity, bool], ...]]
"""Of findings, as they are kept: the severity of each, and whether the policy hides it."""

_WAIT = (DeliveryState.PENDING, DeliveryState.HELD)


@dataclass(frozen=True, slots=True)
class Pulse:
    """What tells whether looks and deliveries happen.

    `states` say nothing of how the last look went. `due_at` is when the next message can be sent, None where none
    waits. `tampered` says that the audit log was found not to hold.
    """

    states: Mapping[str, ServerState]
    due_at: datetime | None
    channels: Mapping[str, ChannelHealth]
    tampered: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many messages of one kind wait for a channel, and when the oldest of them was made."""

    count: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Figures:
    """What there is to count in the database, as of one moment.

    `findings` are counted by severity, and whether the policy keeps them from alerts; `found` names the servers that
    have others. `waiting` is by channel and by pending or held. `sizes` are bytes, `audited` entries of the audit log.
    """

    pulse: Pulse
    findings: Mapping[tuple[Severity, bool], int]
    found: frozenset[str]
    alerts: Mapping[tuple[AlertKind, Severity, AlertState], int]
    waiting: Mapping[tuple[str, DeliveryState], Waiting]
    witnessed: Mapping[TestimonyState, int]
    audited: int
    sizes: Mapping[str, int]


class FigureShelf(Shelf):
    """The part of the Store that health and metrics read from."""

    def pulse(self, *, channels: Collection[str]) -> Pulse:
        """Give what tells whether looks happen, and deliveries to these channels."""
        with reading(self._engine) as connection:
            return _pulse(connection, channels)

    def figures(self, *, channels: Collection[str], known: Known | None = None) -> Figures:
        """Count what there is; see `pulse` for the channels.

        `known` is what the call before learned of the findings, and is brought up to date: to unpack those of a
        thousand servers takes longer than all the rest.
        """
        with reading(self._engine) as connection:
            found, with_some = _findings(connection, {} if known is None else known)
            return Figures(
                pulse=_pulse(connection, channels),
                findings=found,
                found=with_some,
                alerts=_alerts(connection),
                waiting=_waiting(connection),
                witnessed=_witnessed(connection),
                audited=connection.scalar(select(func.max(audit.c.seq))) or 0,
                sizes={"main": size(connection), "wal": wal_size(self._engine)},
            )

    def try_writing(self, patience: float) -> None:
        """Begin to write, and write nothing: others are waited for so many seconds.

        Raises:
            StoreError: the database cannot be written, or others write to it for longer.

        """
        try_writing(self._engine, patience)


def _pulse(connection: Connection, names: Collection[str]) -> Pulse:
    tampered = select(alerts.c.id).where(
        alerts.c.server == "",
        alerts.c.channel == "",
        alerts.c.kind == AlertKind.AUDIT,
        alerts.c.state != AlertState.RESOLVED,
    )
    return Pulse(
        states=_states(connection),
        due_at=claims.next_at(connection, names),
        channels=channels.listed(connection),
        tampered=connection.execute(tampered).first() is not None,
    )


def _states(connection: Connection) -> dict[str, ServerState]:
    """Give the states without what is packed in them: to unpack that of a thousand servers takes its time."""
    kept = ("name", "last_look_at", "last_ok_at", "next_look_at", "failures", "last_outcome", "last_digest", "looks")
    current = (baselines.c.server == servers.c.name) & baselines.c.superseded_at.is_(None)
    marked = [baselines.c[name].label(f"b_{name}") for name in ("digest", "state", "since")]
    query = select(*(servers.c[name] for name in kept), *marked).outerjoin(baselines, current)
    return {
        row.name: ServerState(
            server=row.name,
            last_look_at=row.last_look_at,
            last_ok_at=row.last_ok_at,
            next_look_at=row.next_look_at,
            failures=row.failures,
            last_outcome=row.last_outcome,
            last_digest=row.last_digest,
            looks=row.looks,
            baseline=Baseline(row.name, row.b_digest, row.b_state, row.b_since) if row.b_digest is not None else None,
        )
        for row in connection.execute(query)
    }


def _findings(connection: Connection, known: Known) -> tuple[Counter[tuple[Severity, bool]], frozenset[str]]:
    counted: Counter[tuple[Severity, bool]] = Counter()
    found: set[str] = set()
    learned: Known = {}
    for server, body in connection.execute(select(findings.c.server, findings.c.body)):
        learned[body] = these = known[body] if body in known else _unpacked(body)
        counted.update(these)
        if not all(hidden for _, hidden in these):
            found.add(server)
    known.clear()
    known.update(learned)
    return counted, frozenset(found)


def _unpacked(body: bytes) -> tuple[tuple[Severity, bool], ...]:
    return tuple((one.severity, bool(one.hidden)) for one in unpack_findings(body))


def _alerts(connection: Connection) -> dict[tuple[AlertKind, Severity, AlertState], int]:
    groups = (alerts.c.kind, alerts.c.severity, alerts.c.state)
    query = select(*groups, func.count().label("number")).where(alerts.c.state != AlertState.RESOLVED)
    return {(row.kind, row.severity, row.state): row.number for row in connection.execute(query.group_by(*groups))}


def _waiting(connection: Connection) -> dict[tuple[str, DeliveryState], Waiting]:
    """Count from the index alone, which has the rows in the order in which they were made."""
    groups = (deliveries.c.channel, deliveries.c.state)
    query = select(*groups, func.count().label("number"), func.min(deliveries.c.seq).label("first"))
    rows = connection.execute(query.where(deliveries.c.state.in_(_WAIT)).group_by(*groups)).all()
    made = select(deliveries.c.seq, deliveries.c.created_at).where(deliveries.c.seq.in_([row.first for row in rows]))
    since = {row.seq: row.created_at for row in connection.execute(made)}
    return {(row.channel, row.state): Waiting(row.number, since[row.first]) for row in rows}


def _witnessed(connection: Connection) -> dict[TestimonyState, int]:
    query = select(witnessed.c.state, func.count().label("number")).group_by(witnessed.c.state)
    return {row.state: row.number for row in connection.execute(query)}
