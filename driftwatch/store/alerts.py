"""Alerts, and the findings of each server's latest judgement."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from driftwatch.errors import AlertMovedError
from driftwatch.model import Acknowledged, Alert, AlertKind, AlertState, Finding, Review
from driftwatch.store.codec import pack, pack_findings, unpack, unpack_findings
from driftwatch.store.records import AlertOutline
from driftwatch.store.tables import alerts, findings


def write(connection: Connection, alert: Alert, *, expected: Alert | None = None) -> None:
    """Write an alert as it is to be from now on.

    Raises:
        AlertMovedError: meanwhile it was resolved, or another alert of its kind was opened on its server; or it is no
            longer as it was `expected` to be.

    """
    before = connection.execute(select(alerts).where(alerts.c.id == alert.id).with_for_update()).one_or_none()
    if before is None:
        if alert.state.stands and standing(connection, alert.server, alert.kind, alert.channel) is not None:
            raise AlertMovedError(f"An alert on {alert.server!r} was opened meanwhile.")
        try:
            connection.execute(insert(alerts).values(id=alert.id, **_values(alert)))
        except IntegrityError as error:
            raise AlertMovedError(f"An alert on {alert.server!r} was opened meanwhile.") from error
        return
    if before.state is AlertState.RESOLVED:
        raise AlertMovedError(f"The alert on {alert.server!r} was resolved meanwhile.")
    if expected is not None and alert_of(before) != expected:
        raise AlertMovedError(f"The alert {alert.id} has changed meanwhile.")
    connection.execute(update(alerts).where(alerts.c.id == alert.id).values(**_values(alert)))


def _values(alert: Alert) -> dict[str, Any]:
    known = alert.acknowledged
    return {
        "server": alert.server,
        "channel": alert.channel,
        "kind": alert.kind,
        "state": alert.state,
        "severity": alert.severity,
        "opened_at": alert.opened_at,
        "updated_at": alert.updated_at,
        "resolved_at": alert.resolved_at,
        "baseline_digest": alert.baseline_digest,
        "snapshot_digest": alert.snapshot_digest,
        "reason": alert.reason,
        "summary": alert.summary,
        "reviewed": alert.reviewed,
        "findings": pack_findings(alert.findings),
        "told": pack(sorted(alert.told)),
        "acknowledged": known
        and pack({"by": known.by, "at": known.at.isoformat(), "note": known.note, "known": sorted(known.known)}),
        "muted": pack(sorted(alert.muted)) if alert.muted else None,
        "escalated": pack(sorted(alert.escalated)) if alert.escalated else None,
        "told_at": alert.told_at,
        "reminders": alert.reminders,
        "waiting_since": alert.waiting_since,
        "refused": pack(sorted(alert.refused)) if alert.refused else None,
    }


def alert_of(row: Row[Any]) -> Alert:
    """Read one row."""
    return Alert(
        id=row.id,
        server=row.server,
        channel=row.channel,
        kind=row.kind,
        state=row.state,
        severity=row.severity,
        opened_at=row.opened_at,
        updated_at=row.updated_at,
        baseline_digest=row.baseline_digest,
        snapshot_digest=row.snapshot_digest,
        findings=unpack_findings(row.findings),
        told=frozenset(unpack(row.told)),
        resolved_at=row.resolved_at,
        reason=row.reason,
        summary=row.summary,
        reviewed=row.reviewed,
        acknowledged=_acknowledged(row.acknowledged),
        muted=frozenset(unpack(row.muted)) if row.muted else frozenset(),
        escalated=frozenset(unpack(row.escalated)) if row.escalated else frozenset(),
        told_at=row.told_at,
        reminders=row.reminders,
        waiting_since=row.waiting_since,
        refused=frozenset(unpack(row.refused)) if row.refused else frozenset(),
    )


def _acknowledged(packed: bytes | None) -> Acknowledged | None:
    if packed is None:
        return None
    known = unpack(packed)
    return Acknowledged(
        by=known["by"],
        at=datetime.fromisoformat(known["at"]),
        note=known["note"],
        known=frozenset(known["known"]),
    )


_STANDING = select(alerts).where(
    alerts.c.server == bindparam("of"),
    alerts.c.channel == bindparam("on"),
    alerts.c.kind == bindparam("as"),
    alerts.c.state != AlertState.RESOLVED,
)
"""Put together once: every look asks it several times."""


def standing(connection: Connection, server: str, kind: AlertKind, channel: str = "") -> Alert | None:
    """Give the alert of that kind on a server or channel that is not over; there is at most one."""
    row = connection.execute(_STANDING, {"of": server, "on": channel, "as": kind}).one_or_none()
    return None if row is None else alert_of(row)


def find(connection: Connection, prefix: str) -> list[Alert]:
    """Give the alerts whose id begins so, two at most: enough to know whether it is one."""
    query = select(alerts).where(alerts.c.id.startswith(prefix, autoescape=True)).order_by(alerts.c.id).limit(2)
    return [alert_of(row) for row in connection.execute(query)]


def listed(connection: Connection, server: str | None, *, stands: bool, limit: int) -> list[Alert]:
    """Give alerts, newest first; with `stands` only those that are not over."""
    query: Select[Any] = select(alerts).order_by(alerts.c.opened_at.desc(), alerts.c.id).limit(limit)
    if server is not None:
        query = query.where(alerts.c.server == server)
    if stands:
        query = query.where(alerts.c.state != AlertState.RESOLVED)
    return [alert_of(row) for row in connection.execute(query)]


def outlines(connection: Connection) -> list[AlertOutline]:
    """Give the little that says whether anything is to be done about an alert, of all that are not over."""
    columns = (alerts.c.id, alerts.c.server, alerts.c.kind, alerts.c.state, alerts.c.severity)
    times = (alerts.c.opened_at, alerts.c.waiting_since, alerts.c.told_at, alerts.c.muted, alerts.c.escalated)
    rows = connection.execute(select(*columns, *times).where(alerts.c.state != AlertState.RESOLVED))
    return [
        AlertOutline(
            id=row.id,
            server=row.server,
            kind=row.kind,
            state=row.state,
            severity=row.severity,
            waiting_since=row.waiting_since or row.opened_at,
            told_at=row.told_at,
            muted=row.muted is not None,
            escalated=frozenset(unpack(row.escalated)) if row.escalated else frozenset(),
        )
        for row in rows
    ]


def is_over(connection: Connection, alert: Alert) -> bool:
    """Say whether the alert is to be resolved and was resolved already."""
    kept = connection.scalar(select(alerts.c.state).where(alerts.c.id == alert.id))
    return alert.state is AlertState.RESOLVED and kept is AlertState.RESOLVED


def mark_rejected(connection: Connection, review: Review, refused: Collection[str] = ()) -> None:
    """Write on the open drift alert that a person said no to the snapshot that it is about, or to items of it.

    Of what is `refused` besides, that it said no to these of its findings.
    """
    alert = standing(connection, review.server, AlertKind.DRIFT)
    if alert is None:
        return
    said_no = alert.refused_by(review) if alert.snapshot_digest == review.digest else alert
    said_no = replace(said_no, refused=said_no.refused | alert.identities.intersection(refused))
    if said_no != alert:
        marked = _values(said_no)
        mark = {name: marked[name] for name in ("reviewed", "refused")}
        connection.execute(update(alerts).where(alerts.c.id == alert.id).values(**mark))


def replace_findings(connection: Connection, server: str, found: tuple[Finding, ...]) -> None:
    """Keep what the latest judgement found. Earlier ones can be judged again from the snapshots."""
    connection.execute(delete(findings).where(findings.c.server == server))
    rows = [
        {
            "server": server,
            "position": position,
            "rule": finding.rule,
            "severity": finding.severity,
            "body": pack_findings((finding,)),
        }
        for position, finding in enumerate(found)
    ]
    if rows:
        connection.execute(insert(findings), rows)


def latest_findings(connection: Connection, server: str) -> tuple[Finding, ...]:
    """Give what the latest judgement of a server found, in the order it was handed in."""
    query = select(findings.c.body).where(findings.c.server == server).order_by(findings.c.position)
    return tuple(finding for body in connection.scalars(query) for finding in unpack_findings(body))
