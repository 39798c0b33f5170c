"""Alerts: what is open, what each is about, and to say that one knows of it. Batches: several told in one message."""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

from fastapi import Path, Query, Request
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from driftwatch.errors import UnknownIdError
from driftwatch.model import Alert, AlertKind, AlertState, Delivery, EventKind, Severity, Silence
from driftwatch.report.shape import count
from driftwatch.review import attend
from driftwatch.review.meant import alerts_meant, alerts_of
from driftwatch.store.pages import AlertsWanted
from driftwatch.store.store import Store
from driftwatch.tell.alertjson import alert_json
from driftwatch.web.access import Reviewer, Viewer
from driftwatch.web.api.answers import answer
from driftwatch.web.api.asking import USUAL, Body, Cursor, Filter, Limit, Note, exactly, spot, spot_cursor
from driftwatch.web.api.part import part
from driftwatch.web.api.problems import problems
from driftwatch.web.api.shapes import Digest, Finding, Moment, Next, moment, moment_if, shape
from driftwatch.web.desk import TheDesk

router = part("alerts")

Id = Annotated[str, Path(max_length=80, description="Its id.", examples=["alr_1a2b3c"])]
BatchId = Annotated[str, Path(max_length=80, description="The id of the message.", examples=["msg_1a2b3c"])]


class AcknowledgementBody(Body):
    """What somebody says who knows of an alert."""

    note: Note = ""


@shape
class AcknowledgedShape(TypedDict):
    """That somebody knows of an alert."""

    by: str
    at: Moment
    note: str


@shape
class AlertShape(TypedDict):
    """One alert."""

    id: Annotated[str, Field(examples=["alr_1a2b3c4d5e6f"])]
    server: str
    """Empty where it is about no server."""
    channel: str
    """The channel that it is about; empty for none."""
    kind: AlertKind
    state: AlertState
    severity: Severity
    summary: str
    opened_at: Moment
    updated_at: Moment
    resolved_at: Moment | None
    told_at: Moment | None
    """When anybody was told last."""
    reminders: int
    acknowledged: AcknowledgedShape | None
    reason: Annotated[str, Field(examples=["approved"])]
    """Why it is over; empty while it is not."""
    reviewed: str
    """`rejected` when somebody said no to the list; else empty."""
    baseline_digest: Digest
    snapshot_digest: Digest
    counts: Annotated[dict[str, int], Field(examples=[{"critical": 0, "high": 1, "medium": 0, "low": 0, "info": 0}])]
    """Its findings by severity."""


@shape
class SilencedShape(TypedDict):
    """A finding that a silence keeps back."""

    fingerprint: str
    silence: str
    until: Moment


@shape
class WholeAlertShape(AlertShape):
    """One alert with all of its findings."""

    escalated: list[str]
    """The routes that passed it on."""
    rejected: list[str]
    """The fingerprints of the findings that somebody said no to."""
    findings: list[Finding]
    silenced: list[SilencedShape]


@shape
class AlertsShape(TypedDict):
    """Some alerts, those that were opened last first."""

    entries: list[AlertShape]
    next: Next


@shape
class BatchShape(TypedDict):
    """A message that told of several alerts at once."""

    id: str
    channel: str
    route: str
    created_at: Moment | None
    alerts: list[AlertShape]
    """What it told of, as it is now."""


@router.get("/alerts", response_model=AlertsShape, operation_id="list_alerts", summary="List alerts")
def alerts(
    request: Request,
    desk: TheDesk,
    _: Viewer,
    *,
    state: Annotated[
        AlertState | Literal["standing", "all"],
        Query(description="In which state; `standing`: not over, whether or not somebody knows of it."),
    ] = "all",
    kind: Annotated[AlertKind | None, Query(description="About what.")] = None,
    severity: Annotated[Severity | None, Query(description="As bad as this, or worse.")] = None,
    server: Annotated[Filter, Query(description="About this server.")] = "",
    channel: Annotated[Filter, Query(description="About this channel.")] = "",
    limit: Limit = USUAL,
    cursor: Cursor = "",
) -> Response:
    """Give alerts, those that were opened last first."""
    states = [one for one in AlertState if one == state or (state == "standing" and one.stands)]
    wanted = AlertsWanted(states, kind, severity, server or None, channel or None)
    found = desk.store.alert_page(wanted, after=spot("alerts", cursor), limit=limit)
    entries = [outline(one) for one in found.rows]
    return answer(request, {"entries": entries, "next": spot_cursor("alerts", found.after)})


@router.get(
    "/alerts/{alert}",
    response_model=WholeAlertShape,
    operation_id="get_alert",
    summary="Get an alert",
    responses=problems(404),
)
def alert(request: Request, desk: TheDesk, _: Viewer, alert: Id) -> Response:
    """Give one alert with all of its findings."""
    found = desk.store.alert(alert)
    exactly(alert, found.id)
    return answer(request, whole(found, desk.store.silences(at=desk.clock())))


@router.post(
    "/alerts/{alert}/acknowledge",
    response_model=WholeAlertShape,
    operation_id="acknowledge_alert",
    summary="Say that you know of an alert",
    responses=problems(404, 409, 413),
)
def acknowledge(request: Request, desk: TheDesk, person: Reviewer, alert: Id, body: AcknowledgementBody) -> Response:
    """Nobody is reminded of it any more, until it grows; those who were told hear who knows."""
    now = desk.clock()
    wanted = exactly(alert, desk.store.alert(alert).id)
    done = attend.acknowledge(desk.store, desk.settings, wanted, by=person.actor, note=body.note, now=now)
    desk.wake()
    return answer(request, whole(done.alert, desk.store.silences(at=now)))


@router.get(
    "/batches/{batch}",
    response_model=BatchShape,
    operation_id="get_batch",
    summary="Get a batch",
    responses=problems(404),
)
def batch(request: Request, desk: TheDesk, _: Viewer, batch: BatchId) -> Response:
    """Give what a message about several alerts told of, as it is now."""
    return answer(request, _batch_json(desk.store, _batch(desk.store, batch)))


@router.post(
    "/batches/{batch}/acknowledge",
    response_model=BatchShape,
    operation_id="acknowledge_batch",
    summary="Say that you know of all in a batch",
    responses=problems(404, 409, 413),
)
def acknowledge_all(
    request: Request, desk: TheDesk, person: Reviewer, batch: BatchId, body: AcknowledgementBody
) -> Response:
    """Acknowledge every alert of it that is not over."""
    message = _batch(desk.store, batch)
    for one in alerts_meant(desk.store, [message.id]):
        attend.acknowledge(desk.store, desk.settings, one, by=person.actor, note=body.note, now=desk.clock())
    desk.wake()
    return answer(request, _batch_json(desk.store, message))


def outline(alert: Alert) -> AlertShape:
    """Write an alert without its findings."""
    known = alert.acknowledged
    return {
        "id": alert.id,
        "server": alert.server,
        "channel": alert.channel,
        "kind": alert.kind,
        "state": alert.state,
        "severity": alert.severity,
        "summary": alert.summary,
        "opened_at": moment(alert.opened_at),
        "updated_at": moment(alert.updated_at),
        "resolved_at": moment_if(alert.resolved_at),
        "told_at": moment_if(alert.told_at),
        "reminders": alert.reminders,
        "acknowledged": None if known is None else {"by": known.by, "at": moment(known.at), "note": known.note},
        "reason": alert.reason,
        "reviewed": alert.reviewed,
        "baseline_digest": alert.baseline_digest,
        "snapshot_digest": alert.snapshot_digest,
        "counts": count(alert.findings),
    }


def whole(alert: Alert, silences: list[Silence]) -> WholeAlertShape:
    """Write an alert; `silences` are those in force."""
    said: dict[str, Any] = alert_json(alert, silences)
    return cast("WholeAlertShape", {**outline(alert), **said})


def _batch(store: Store, asked: str) -> Delivery:
    found = store.delivery(asked)
    exactly(asked, found.id)
    if found.event is not EventKind.BATCH:
        raise UnknownIdError(f"The message {found.id} tells of one thing only.", hint="See it under /deliveries.")
    return found


def _batch_json(store: Store, message: Delivery) -> BatchShape:
    told = dict.fromkeys(alerts_of(store, message))
    return {
        "id": message.id,
        "channel": message.channel,
        "route": message.route,
        "created_at": moment_if(message.created_at),
        "alerts": [outline(store.alert(one)) for one in told],
    }
