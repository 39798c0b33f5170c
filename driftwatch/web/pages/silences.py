"""Silences: what nobody wants to hear of for a time; making one, and ending one before its time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from driftwatch.config.units import seconds
from driftwatch.errors import UnknownIdError, UsageError
from driftwatch.model import Severity
from driftwatch.model.amounts import many
from driftwatch.review import attend
from driftwatch.tell.silence import kept_back_by
from driftwatch.web.access import Reviewer, Sent, TheForm, Viewer
from driftwatch.web.api.asking import spot, spot_cursor
from driftwatch.web.desk import Desk, TheDesk
from driftwatch.web.pages.asked import REFUSALS, Words, onward, refusal
from driftwatch.web.templates import page

router = APIRouter(prefix="/silences", include_in_schema=False, default_response_class=Response)

PAGE: Final = 50
"""Silences on one page."""

_FIELDS: Final = ("server", "tool", "rule", "severity", "lasts", "reason")
_ENDED: Final = ("good", "The silence is ended. What it kept back, and is still there, is told within moments.")

_Typed = Annotated[str, Query(max_length=2_000)]


@router.get("")
def silences(
    request: Request,
    desk: TheDesk,
    _: Viewer,
    *,
    everything: Annotated[bool, Query(alias="all")] = False,
    after: Annotated[str, Query(max_length=1_000)] = "",
    made: Words = "",
    ended: Words = "",
    server: _Typed = "",
    tool: _Typed = "",
    rule: _Typed = "",
    severity: Words = "",
) -> Response:
    """Show the silences, and a form for another one, which may be filled in already."""
    notices = [_ENDED] if ended else []
    if made:
        notices += _made(desk, made)
    typed = {"server": server, "tool": tool, "rule": rule, "severity": severity}
    return _page(request, desk, notices=notices, typed=typed, everything=everything, after=after)


@router.post("/add")
def add(request: Request, desk: TheDesk, person: Reviewer, form: TheForm) -> Response:
    """Make a silence."""
    typed = {name: form.text(name) for name in _FIELDS}
    if form.refused is not None:
        return _page(request, desk, 400, notices=[("bad", form.refused)], typed=typed)
    now = desk.clock()
    try:
        made = attend.silence(
            desk.store,
            server=form.text("server"),
            tool=form.text("tool"),
            rule=form.text("rule"),
            severity=_severity(form),
            reason=form.text("reason"),
            by=person.actor,
            now=now,
            until=end_of(form.text("lasts"), now),
        )
    except REFUSALS as error:
        status, words = refusal(error)
        return _page(request, desk, status, notices=[("bad", words)], typed=typed)
    return RedirectResponse(f"/silences?made={made.id}", 303)


@router.post("/{silence_id}/end")
def end(request: Request, desk: TheDesk, person: Reviewer, silence_id: str, form: TheForm) -> Response:
    """End a silence before its time."""
    if form.refused is not None:
        return _page(request, desk, 400, notices=[("bad", form.refused)])
    try:
        attend.unsilence(desk.store, silence_id, by=person.actor, now=desk.clock())
    except UnknownIdError:
        raise
    except REFUSALS as error:
        status, words = refusal(error)
        return _page(request, desk, status, notices=[("bad", words)])
    desk.wake()
    return RedirectResponse("/silences?ended=1", 303)


def end_of(text: str, now: datetime) -> datetime:
    """Read when a silence ends: after a time such as `2h`, or at a day or moment in UTC.

    Raises:
        UsageError: it is neither.

    """
    text = text.strip()
    length = seconds(text)
    if length is not None:
        return now + timedelta(seconds=min(length, 2 * attend.LONGEST.total_seconds()))
    try:
        # A day is meant to its end.
        day = datetime.combine(date.fromisoformat(text), time(), UTC)
        return day + timedelta(days=1)
    except (ValueError, OverflowError):
        pass
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise UsageError(
            "Say for how long.", hint="Write 2h or 7d, or until when: 2026-03-01, or 2026-03-01T12:00 (UTC)."
        ) from None


def _severity(form: Sent) -> Severity:
    try:
        return Severity(form.text("severity"))
    except ValueError:
        raise UsageError(
            "Say up to which severity it keeps back.", hint=f"It is one of {', '.join(Severity)}."
        ) from None


def _made(desk: Desk, silence_id: str) -> list[tuple[str, str]]:
    """Say what a silence that was just made comes to."""
    try:
        silence = desk.store.silence(silence_id)
    except UnknownIdError:
        return []
    count = attend.kept_back_now(desk.store, silence)
    words = f"The silence keeps back what is found {kept_back_by(silence)}."
    words += f" Of what is open now that is {many(count, 'finding')}."
    found = [("good", words)]
    if attend.is_for_nobody(desk.settings, desk.store, silence):
        found.append(("warn", f"No server is called {silence.server} by now: is that misspelt? It waits for one."))
    return found


def _page(
    request: Request,
    desk: Desk,
    status: int = 200,
    *,
    notices: Sequence[tuple[str, str]] = (),
    typed: Mapping[str, str] | None = None,
    everything: bool = False,
    after: str = "",
) -> Response:
    now = desk.clock()
    place = spot("silences", after)
    stretch = desk.store.silence_page(at=None if everything else now, after=place, limit=PAGE)
    asked = {"all": "1" if everything else ""}
    return page(
        request,
        "silences.html",
        status,
        notices=notices,
        rows=[(one, one.holds(now)) for one in stretch.rows],
        everything=everything,
        asked=asked,
        first=not after,
        following=onward(asked, spot_cursor("silences", stretch.after)),
        typed={**dict.fromkeys(_FIELDS, ""), "severity": Severity.HIGH.value}
        | {name: value for name, value in (typed or {}).items() if value},
        severities=list(Severity),
    )
