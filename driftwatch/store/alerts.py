"""Alerts, and the findings of each server's latest judgement."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, Select, delete, insert, select, update

from driftwatch.errors import BaselineMovedError
from driftwatch.model import Alert, AlertKind, AlertState, Decision, Finding, Review
from driftwatch.store.codec import pack, pack_findings, unpack, unpack_findings
from driftwatch.store.tables import alerts, findings


def write(connection: Connection, alert: Alert) -> None:
    """Write an alert as it is to be from now on.

    Raises:
        BaselineMovedError: meanwhile it was resolved, or another alert of its kind was opened on its server.

    """
    before = connection.execute(select(alerts).where(alerts.c.id == alert.id)).one_or_none()
    if before is None:
        if alert.state is AlertState.OPEN and opened(connection, alert.server, alert.kind) is not None:
            raise BaselineMovedError(f"An alert on {alert.server!r} was opened while the check ran.")
        connection.execute(insert(alerts).values(id=alert.id, **_values(alert)))
        return
    if before.state is AlertState.RESOLVED:
        raise BaselineMovedError(f"The alert on {alert.server!r} was resolved while the check ran.")
    values = _values(alert)
    if before.snapshot_digest == alert.snapshot_digest:
        # A person may have rejected this snapshot since the caller read the alert.
        values["reviewed"] = alert.reviewed or before.reviewed
    connection.execute(update(alerts).where(alerts.c.id == alert.id).values(**values))


def _values(alert: Alert) -> dict[str, Any]:
    return {
        "server": alert.server,
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
    }


def _alert(row: Row[Any]) -> Alert:
    return Alert(
        id=row.id,
        server=row.server,
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
    )


def opened(connection: Connection, server: str, kind: AlertKind) -> Alert | None:
    """Give the open alert of that kind on a server; there is at most one."""
    query = select(alerts).where(alerts.c.server == server, alerts.c.kind == kind, alerts.c.state == AlertState.OPEN)
    row = connection.execute(query).one_or_none()
    return None if row is None else _alert(row)


def listed(connection: Connection, server: str | None, state: AlertState | None, limit: int) -> list[Alert]:
    """Give alerts, newest first."""
    query: Select[Any] = select(alerts).order_by(alerts.c.opened_at.desc(), alerts.c.id).limit(limit)
    if server is not None:
        query = query.where(alerts.c.server == server)
    if state is not None:
        query = query.where(alerts.c.state == state)
    return [_alert(row) for row in connection.execute(query)]


def is_over(connection: Connection, alert: Alert) -> bool:
    """Say whether the alert is to be resolved and was resolved already."""
    kept = connection.scalar(select(alerts.c.state).where(alerts.c.id == alert.id))
    return alert.state is AlertState.RESOLVED and kept is AlertState.RESOLVED


def mark_rejected(connection: Connection, review: Review) -> None:
    """Write on the open drift alert that a person said no to the snapshot that it is about."""
    connection.execute(
        update(alerts)
        .where(
            alerts.c.server == review.server,
            alerts.c.kind == AlertKind.DRIFT,
            alerts.c.state == AlertState.OPEN,
            alerts.c.snapshot_digest == review.digest,
        )
        .values(reviewed=Decision.REJECTED.value)
    )


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
