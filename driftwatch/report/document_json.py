"""Reports of one or several servers as one JSON document. Its schema is `report.schema.json` beside this file. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from driftwatch.model import Json
from driftwatch.report.again import again_json
from driftwatch.report.asides import passed_json, rejected_json
from driftwatch.report.shape import SHAPE_VERSION, count, to_json, written
from driftwatch.report.subject import Fails, Judged, Subject


def to_json_document(judged: Sequence[Judged], fails: Fails) -> str:
    """Write the reports with what each is about, in the order given, as JSON in ASCII."""
    found = [finding for one in judged for finding in one.report.findings]
    worst = max((finding.severity for finding in found), default=None)
    return written(
        {
            "version": SHAPE_VERSION,
            "worst": worst.value if worst is not None else None,
            "counts": count(found),
            "fails": any(fails(finding) for finding in found),
            "reports": [_report(one, fails) for one in judged],
        }
    )


def _report(judged: Judged, fails: Fails) -> dict[str, Json]:
    return {
        "subject": _subject(judged.subject),
        "trouble": judged.trouble,
        "fails": any(fails(finding) for finding in judged.report.findings),
        **to_json(judged.report),
    }


def _subject(subject: Subject) -> dict[str, Json]:
    return {
        "server": subject.server,
        "before": subject.before,
        "after": subject.after,
        "approved_by": subject.approved_by,
        "approved_at": _iso(subject.approved_at),
        "before_version": subject.before_version,
        "after_version": subject.after_version,
        "reached": subject.reached,
        "looked_at": _iso(subject.looked_at),
        "rejections": rejected_json(subject.rejected),
        "ahead_waits": passed_json(subject.passed),
        "looked_again": again_json(subject.again),
        "file": subject.file,
        "line": subject.line,
    }


def _iso(at: datetime | None) -> Json:
    return None if at is None else at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
