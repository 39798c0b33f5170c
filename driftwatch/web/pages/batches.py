"""A message that told of several alerts at once: which ones, how they stand now, and acknowledging all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from driftwatch.errors import NothingToDoError
from driftwatch.model import Actor, AlertState, Delivery, EventKind
from driftwatch.model.amounts import many
from driftwatch.review import attend
from driftwatch.review.meant import alerts_meant
from driftwatch.review.said import NOTE
from driftwatch.store.pages import AlertsWanted
from driftwatch.tell.words import words_of
from driftwatch.web.access import Reviewer, TheForm, Viewer
from driftwatch.web.desk import Desk, TheDesk
from driftwatch.web.pages import alerting
from driftwatch.web.pages.asked import REFUSALS, onward, refusal
from driftwatch.web.pages.messages import fate
from driftwatch.web.templates import page

router = APIRouter(prefix="/batches/{batch}", include_in_schema=False, default_response_class=Response)

PAGE: Final = 50
"""Alerts on one page."""

_MANY: Final = Query(ge=0, le=1_000_000)


@router.get("")
def batch(
    request: Request,
    desk: TheDesk,
    _: Viewer,
    batch: str,
    *,
    after: Annotated[str, Query(max_length=1_000)] = "",
    done: Annotated[int | None, _MANY] = None,
) -> Response:
    """Show what a message told of, and how that stands now."""
    message = desk.store.delivery(batch)
    if message.event is not EventKind.BATCH:
        return RedirectResponse(f"/alerts/{quote(message.alert_id, safe='')}", 303)
    words = f"You said that you know of {many(done, 'alert')}." if done is not None else ""
    return _page(request, desk, message, notices=[("good", words)] if words else (), after=after)


@router.post("/acknowledge")
def acknowledge(request: Request, desk: TheDesk, person: Reviewer, batch: str, form: TheForm) -> Response:
    """Write down that somebody knows of all that stands of it."""
    message, note = desk.store.delivery(batch), form.text("note")
    if form.refused is not None:
        return _page(request, desk, message, 400, notices=[("bad", form.refused)], note=note)
    new = 0
    try:
        for one in alerts_meant(desk.store, [message.id]):
            new += _known(desk, one, by=person.actor, note=note)
    except REFUSALS as error:
        status, words = refusal(error)
        return _page(request, desk, message, status, notices=[("bad", words)], note=note)
    desk.wake()
    return RedirectResponse(f"/batches/{message.id}?done={new}", 303)


def _known(desk: Desk, alert: str, *, by: Actor, note: str) -> bool:
    """Acknowledge one alert; False where somebody did so before, or it has just ended."""
    try:
        return attend.acknowledge(desk.store, desk.settings, alert, by=by, note=note, now=desk.clock()).is_new
    except NothingToDoError:
        return False


def _page(
    request: Request,
    desk: Desk,
    message: Delivery,
    status: int = 200,
    *,
    notices: Sequence[tuple[str, str]] = (),
    note: str = "",
    after: str = "",
) -> Response:
    wanted = AlertsWanted(batch=message.id)
    found, following = alerting.open_first(desk.store, wanted, after, PAGE)
    counts = desk.store.alert_counts(wanted)
    return page(
        request,
        "batch.html",
        status,
        notices=notices,
        message=message,
        words=words_of(message.payload),
        fate=fate(message, now=desk.clock()),
        rows=[alerting.row_of(one) for one in found],
        counts=alerting.counted(counts),
        left=counts.get(AlertState.OPEN, 0),
        first=not after,
        following=onward({}, following),
        note=note,
        longest=NOTE,
    )
