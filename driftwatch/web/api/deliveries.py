"""Deliveries: what was sent to whom, what waits, what was given up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Path, Query, Request
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from driftwatch.model import Delivery, DeliveryState, EventKind
from driftwatch.report import plain
from driftwatch.review import attend
from driftwatch.store.records import Wait, Wanted
from driftwatch.store.store import Store
from driftwatch.tell.templates import trouble_of
from driftwatch.web.access import Reviewer, Viewer
from driftwatch.web.api.answers import answer
from driftwatch.web.api.asking import USUAL, Body, Cursor, Filter, Limit, Moment, exactly, number
from driftwatch.web.api.asking import cursor as written
from driftwatch.web.api.part import part
from driftwatch.web.api.problems import problems
from driftwatch.web.api.shapes import Moment as ShownMoment
from driftwatch.web.api.shapes import Next, moment_if, shape
from driftwatch.web.desk import Desk, TheDesk

router = part("deliveries", "/deliveries")

Id = Annotated[str, Path(max_length=80, description="Its id.", examples=["msg_1a2b3c"])]


class RetryBody(Body):
    """Which of the messages that were given up are sent again."""

    channel: Annotated[str | None, Field(max_length=200, description="Those for this channel; null: for all.")] = None


@shape
class DeliveryShape(TypedDict):
    """One event for one channel."""

    id: Annotated[str, Field(examples=["msg_1a2b3c4d5e6f"])]
    """The id of the message on every attempt."""
    channel: str
    server: str
    """Empty where it is about none, or about several."""
    alert: str | None
    """The alert that it tells of; null for a batch."""
    event: EventKind
    state: DeliveryState
    attempts: int
    created_at: ShownMoment | None
    next_attempt_at: ShownMoment | None
    waits_for: str | None
    """The older message that must go first."""
    leased_until: ShownMoment | None
    """While it is being sent."""
    last_result: str
    route: str
    batch: str | None
    """The message that tells of it together with others."""


@shape
class WholeDeliveryShape(DeliveryShape):
    """One message with what it says."""

    payload: Annotated[dict[str, Any], Field(description="What is told: docs/webhook.md.")]
    template_trouble: str | None
    """What went wrong with the channel's own templates."""


@shape
class RetriedShape(TypedDict):
    """What became of messages that were given up."""

    sent: list[str]
    """The ids of those that are sent again."""
    left: list[str]
    """Of those that are not: what they tell of is over."""


@shape
class DeliveriesShape(TypedDict):
    """Some messages, newest first."""

    entries: list[DeliveryShape]
    next: Next


@router.get("", response_model=DeliveriesShape, operation_id="list_deliveries", summary="List messages")
def deliveries(
    request: Request,
    desk: TheDesk,
    _: Viewer,
    *,
    state: Annotated[DeliveryState | None, Query(description="In which state.")] = None,
    channel: Annotated[Filter, Query(description="For this channel.")] = "",
    server: Annotated[Filter, Query(description="About this server.")] = "",
    alert: Annotated[Filter, Query(description="About this alert: its id.")] = "",
    batch: Annotated[Filter, Query(description="That went into this message: its id.")] = "",
    since: Annotated[Moment | None, Query(description="Made then or later.")] = None,
    limit: Limit = USUAL,
    cursor: Cursor = "",
) -> Response:
    """Give messages, newest first."""
    wanted = Wanted(state, channel or None, server or None, batch or None, alert or None, since)
    found = desk.store.delivery_page(wanted, before=number("deliveries", cursor), limit=limit)
    waits = desk.store.waits([one.id for one in found.rows], now=desk.clock())
    following = None if found.before is None else written("deliveries", found.before)
    return answer(request, {"entries": [delivery_json(one, waits) for one in found.rows], "next": following})


@router.post(
    "/retry",
    response_model=RetriedShape,
    operation_id="retry_dead_deliveries",
    summary="Send again what was given up",
    responses=problems(413),
)
def retry_dead(request: Request, desk: TheDesk, person: Reviewer, body: RetryBody) -> Response:
    """Send again what was given up, for one channel or for all; what tells of alerts that are over is left."""
    done = attend.retry_dead(desk.store, channel=body.channel, by=person.actor, now=desk.clock())
    desk.wake()
    answered: RetriedShape = {"sent": [one.id for one in done.sent], "left": [one.id for one in done.left]}
    return answer(request, answered)


@router.get(
    "/{delivery}",
    response_model=WholeDeliveryShape,
    operation_id="get_delivery",
    summary="Get a message",
    responses=problems(404),
)
def delivery(request: Request, desk: TheDesk, _: Viewer, delivery: Id) -> Response:
    """Give one message with what it says."""
    return answer(request, _whole(desk, _found(desk.store, delivery)))


@router.post(
    "/{delivery}/retry",
    response_model=WholeDeliveryShape,
    operation_id="retry_delivery",
    summary="Send a message again",
    responses=problems(404, 409),
)
def retry(request: Request, desk: TheDesk, person: Reviewer, delivery: Id) -> Response:
    """Send a message again at once, with all its attempts before it."""
    wanted = _found(desk.store, delivery).id
    attend.retry(desk.store, [wanted], by=person.actor, now=desk.clock())
    desk.wake()
    return answer(request, _whole(desk, desk.store.delivery(wanted)))


@router.post(
    "/{delivery}/cancel",
    response_model=WholeDeliveryShape,
    operation_id="cancel_delivery",
    summary="Take a message out",
    responses=problems(404, 409),
)
def cancel(request: Request, desk: TheDesk, person: Reviewer, delivery: Id) -> Response:
    """Take out a message that was not delivered: nobody is sent it."""
    wanted = _found(desk.store, delivery).id
    attend.cancel(desk.store, [wanted], by=person.actor, now=desk.clock())
    return answer(request, _whole(desk, desk.store.delivery(wanted)))


def delivery_json(delivery: Delivery, waits: Mapping[str, Wait]) -> DeliveryShape:
    """Write a message without what it says; `waits` has what messages wait for, by id."""
    wait = waits.get(delivery.id, Wait())
    return {
        "id": delivery.id,
        "channel": delivery.channel,
        "server": delivery.server,
        "alert": delivery.alert_id or None,
        "event": delivery.event,
        "state": delivery.state,
        "attempts": delivery.attempts,
        "created_at": moment_if(delivery.created_at),
        "next_attempt_at": moment_if(delivery.next_attempt_at),
        "waits_for": wait.behind or None,
        "leased_until": moment_if(wait.leased_until),
        "last_result": delivery.last_result,
        "route": delivery.route,
        "batch": delivery.batch or None,
    }


def _whole(desk: Desk, delivery: Delivery) -> WholeDeliveryShape:
    return {
        **delivery_json(delivery, desk.store.waits([delivery.id], now=desk.clock())),
        "payload": plain(dict(delivery.payload)),
        "template_trouble": trouble_of(delivery.payload) or None,
    }


def _found(store: Store, asked: str) -> Delivery:
    found = store.delivery(asked)
    exactly(asked, found.id)
    return found
