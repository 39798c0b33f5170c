"""An alert for programs, as commands print it and the API sends it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from driftwatch.model import Alert, Finding, Json, Silence
from driftwatch.report import finding_json
from driftwatch.tell.silence import silenced_by


def kept_back(alert: Alert, silences: Sequence[Silence]) -> list[tuple[Finding, Silence]]:
    """Give what of an alert that is not over is kept back, and by which silence."""
    found = [(one, silenced_by(one, alert.server, silences)) for one in alert.findings if alert.state.stands]
    return [(finding, silence) for finding, silence in found if silence is not None]


def alert_json(alert: Alert, silences: Sequence[Silence]) -> dict[str, Json]:
    """Give one alert for programs."""
    known_by = alert.acknowledged
    kept = kept_back(alert, silences)
    return {
        "id": alert.id,
        "server": alert.server,
        "channel": alert.channel,
        "kind": alert.kind.value,
        "state": alert.state.value,
        "severity": alert.severity.value,
        "opened_at": _iso(alert.opened_at),
        "updated_at": _iso(alert.updated_at),
        "resolved_at": _iso(alert.resolved_at),
        "told_at": _iso(alert.told_at),
        "reminders": alert.reminders,
        "escalated": sorted(alert.escalated),
        "acknowledged": known_by and {"by": known_by.by, "at": _iso(known_by.at), "note": known_by.note},
        "reason": alert.reason,
        "reviewed": alert.reviewed,
        "rejected": [finding.fingerprint for finding in alert.rejected],
        "summary": alert.summary,
        "baseline_digest": alert.baseline_digest,
        "snapshot_digest": alert.snapshot_digest,
        "findings": [finding_json(finding) for finding in alert.findings],
        "silenced": [
            {"fingerprint": finding.fingerprint, "silence": silence.id, "until": _iso(silence.until)}
            for finding, silence in kept
        ],
    }


def _iso(at: datetime | None) -> Json:
    return None if at is None else at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
