"""Deliveries: what was sent, what waits and for what, what was given up; sending again and taking out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from driftwatch.errors import BaselineMovedError, NothingToDoError, UsageError
from driftwatch.model import Delivery, DeliveryState
from driftwatch.model.amounts import many
from driftwatch.review import attend
from driftwatch.store.records import Wanted
from driftwatch.tell.templates import trouble_of
from driftwatch.tell.words import plain_text, words_of
from driftwatch.web.access import Reviewer, TheForm, Viewer
from driftwatch.web.api.asking import cursor, number
from driftwatch.web.desk import Desk, TheDesk
from driftwatch.web.pages.asked import REFUSALS, OfState, Words, names, onward, options, refusal
from driftwatch.web.pages.messages import EVENTS, STATES, fate, may_be_taken_out, may_go_again
from driftwatch.web.templates import page

router = APIRouter(prefix="/deliveries", include_in_schema=False, default_response_class=Response)

PAGE: Final = 50
"""Messages on one page."""

_ROOM: Final = 40_000
"""Characters of a message that a page shows."""

_DONE: Final = {
    "retried": ("good", "It is sent again at once, with all its attempts before it."),
    "cancelled": ("good", "It is taken out. Nobody gets it, unless it was being sent at this very moment."),
}

_After = Annotated[str, Query(max_length=1_000)]
_Many = Annotated[int | None, Query(ge=0, le=10_000_000)]


@router.get("")
def deliveries(
    request: Request,
    desk: TheDesk,
    _: Viewer,
    *,
    state: OfState = None,
    channel: Words = "",
    server: Words = "",
    after: _After = "",
    again: _Many = None,
    left: _Many = None,
) -> Response:
    """Show the outbox."""
    notices = [("good", _again_words(again, left or 0))] if again is not None else []
    return _list(request, desk, notices=notices, state=state, channel=channel, server=server, after=after)


@router.get("/{message}")
def delivery(request: Request, desk: TheDesk, _: Viewer, message: str, done: Words = "") -> Response:
    """Show one message: how it fared, and what it says."""
    return _page(request, desk, desk.store.delivery(message), notices=[_DONE[done]] if done in _DONE else ())


@router.post("/retry")
def retry_dead(request: Request, desk: TheDesk, person: Reviewer, form: TheForm) -> Response:
    """Send again what was given up, of one channel or of all."""
    channel = form.text("channel")
    if form.refused is not None:
        return _list(request, desk, 400, notices=[("bad", form.refused)], channel=channel, state=DeliveryState.DEAD)
    done = attend.retry_dead(desk.store, channel=channel or None, by=person.actor, now=desk.clock())
    desk.wake()
    return RedirectResponse(f"/deliveries?again={len(done.sent)}&left={len(done.left)}", 303)


@router.post("/{message}/retry")
def retry(request: Request, desk: TheDesk, person: Reviewer, message: str, form: TheForm) -> Response:
    """Send a message again."""
    found = desk.store.delivery(message)
    if form.refused is not None:
        return _page(request, desk, found, 400, notices=[("bad", form.refused)])
    try:
        attend.retry(desk.store, [found.id], by=person.actor, now=desk.clock())
    except REFUSALS as error:
        return _refused(request, desk, found, error)
    desk.wake()
    return RedirectResponse(f"/deliveries/{found.id}?done=retried", 303)


@router.post("/{message}/cancel")
def cancel(request: Request, desk: TheDesk, person: Reviewer, message: str, form: TheForm) -> Response:
    """Take a message out."""
    found = desk.store.delivery(message)
    if form.refused is not None:
        return _page(request, desk, found, 400, notices=[("bad", form.refused)])
    try:
        attend.cancel(desk.store, [found.id], by=person.actor, now=desk.clock())
    except REFUSALS as error:
        return _refused(request, desk, found, error)
    return RedirectResponse(f"/deliveries/{found.id}?done=cancelled", 303)


def _refused(request: Request, desk: Desk, found: Delivery, error: UsageError | BaselineMovedError) -> Response:
    status, words = refusal(error)
    # What there is to do is on the page; the verb's hint names a command.
    if isinstance(error, NothingToDoError):
        words = error.message
    return _page(request, desk, desk.store.delivery(found.id), status, notices=[("bad", words)])


def _again_words(again: int, left: int) -> str:
    words = f"{many(again, 'message is', 'messages are')} sent again."
    more = f" {many(left, 'is', 'are')} left: what {'it tells' if left == 1 else 'they tell'} of is over."
    return words + (more if left else "")


def _list(
    request: Request,
    desk: Desk,
    status: int = 200,
    *,
    notices: Sequence[tuple[str, str]] = (),
    state: DeliveryState | None = None,
    channel: str = "",
    server: str = "",
    after: str = "",
) -> Response:
    store, now = desk.store, desk.clock()
    wanted = Wanted(state=state, channel=channel or None, server=server or None)
    found = store.delivery_page(wanted, before=number("deliveries", after), limit=PAGE)
    waits = store.waits([one.id for one in found.rows if one.state is DeliveryState.PENDING], now=now)
    asked = {"state": state, "channel": channel, "server": server}
    counts, known = store.counts(), store.channel_health()
    channels = {*(one.name for one in desk.settings.channels), *known, *([channel] if channel else [])}
    return page(
        request,
        "deliveries.html",
        status,
        notices=notices,
        rows=[(one, fate(one, waits.get(one.id), now), may_go_again(one), may_be_taken_out(one)) for one in found.rows],
        counts=counts,
        events=EVENTS,
        asked=asked,
        wanted=bool(state or channel or server),
        states=options(STATES),
        channels=[(name, name) for name in sorted(channels)],
        servers=names(desk.settings, server),
        first=not after,
        following=onward(asked, None if found.before is None else cursor("deliveries", found.before)),
    )


def _page(
    request: Request, desk: Desk, one: Delivery, status: int = 200, *, notices: Sequence[tuple[str, str]] = ()
) -> Response:
    store, now = desk.store, desk.clock()
    waits = store.waits([one.id], now=now) if one.state is DeliveryState.PENDING else {}
    words = words_of(one.payload)
    is_out = one.state is DeliveryState.CANCELLED
    return page(
        request,
        "delivery.html",
        status,
        notices=notices,
        one=one,
        fate=fate(one, waits.get(one.id), now),
        event=EVENTS[one.event],
        words=words,
        text=plain_text(words, _ROOM),
        trouble=trouble_of(one.payload) or "",
        again=may_go_again(one),
        out=may_be_taken_out(one),
        unheard=attend.unheard(store, [one]) if is_out else (),
        is_gone=one.channel not in {channel.name for channel in desk.settings.channels},
    )
