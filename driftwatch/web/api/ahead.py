"""Approvals ahead of a roll-out: what waits, what became of it, and to end one."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from fastapi import Path, Query, Request
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from driftwatch.model import Ahead
from driftwatch.review.ahead import end_ahead
from driftwatch.web.access import Reviewer, Viewer
from driftwatch.web.api.answers import answer
from driftwatch.web.api.asking import USUAL, Body, Cursor, Filter, Limit, Note, exactly, spot, spot_cursor
from driftwatch.web.api.part import part
from driftwatch.web.api.problems import problems
from driftwatch.web.api.shapes import Digest, Moment, Next, moment, moment_if, shape
from driftwatch.web.desk import TheDesk

router = part("ahead", "/ahead")

Id = Annotated[str, Path(max_length=80, description="Its id.", examples=["ahd_1a2b3c"])]


class AheadState(StrEnum):
    """Where an approval ahead is in its life."""

    WAITING = "waiting"
    USED = "used"
    ENDED = "ended"
    EXPIRED = "expired"


class EndBody(Body):
    """Why something ends before its time."""

    note: Note = ""


@shape
class AheadShape(TypedDict):
    """An approval of what a server does not show yet."""

    id: Annotated[str, Field(examples=["ahd_1a2b3c4d5e6f"])]
    server: str
    digest: Digest
    """The list that was reviewed."""
    version: str
    """The version of the package that it is for; empty: it is for no certain one."""
    state: AheadState
    by: str
    origin: str
    at: Moment
    until: Moment
    note: str
    used_at: Moment | None
    """When the server showed it, and it became the baseline."""
    ended_at: Moment | None
    ended_by: str


@shape
class AheadsShape(TypedDict):
    """Some approvals ahead, newest first."""

    entries: list[AheadShape]
    next: Next


@router.get("", response_model=AheadsShape, operation_id="list_ahead", summary="List approvals ahead")
def aheads(
    request: Request,
    desk: TheDesk,
    _: Viewer,
    *,
    server: Annotated[Filter, Query(description="Only those for this server.")] = "",
    state: Annotated[Literal["waiting", "all"], Query(description="Those that are still good, or all.")] = "all",
    limit: Limit = USUAL,
    cursor: Cursor = "",
) -> Response:
    """Give approvals ahead, newest first."""
    now = desk.clock()
    at = now if state == "waiting" else None
    found = desk.store.ahead_page(server=server or None, at=at, after=spot("ahead", cursor), limit=limit)
    entries = [ahead_json(one, now) for one in found.rows]
    return answer(request, {"entries": entries, "next": spot_cursor("ahead", found.after)})


@router.get(
    "/{ahead}",
    response_model=AheadShape,
    operation_id="get_ahead",
    summary="Get an approval ahead",
    responses=problems(404),
)
def ahead(request: Request, desk: TheDesk, _: Viewer, ahead: Id) -> Response:
    """Give one approval ahead."""
    found = desk.store.ahead(ahead)
    exactly(ahead, found.id)
    return answer(request, ahead_json(found, desk.clock()))


@router.post(
    "/{ahead}/end",
    response_model=AheadShape,
    operation_id="end_ahead",
    summary="End an approval ahead",
    responses=problems(404, 409, 413),
)
def end(request: Request, desk: TheDesk, person: Reviewer, ahead: Id, body: EndBody) -> Response:
    """End an approval before it is used: what the server shows then is judged as ever."""
    now = desk.clock()
    wanted = exactly(ahead, desk.store.ahead(ahead).id)
    ended = end_ahead(desk.store, wanted, by=person.actor, now=now, why=body.note)
    return answer(request, ahead_json(ended, now))


def ahead_json(ahead: Ahead, now: datetime) -> AheadShape:
    """Write an approval ahead."""
    return {
        "id": ahead.id,
        "server": ahead.server,
        "digest": ahead.digest,
        "version": ahead.version,
        "state": _state(ahead, now),
        "by": ahead.by,
        "origin": ahead.origin,
        "at": moment(ahead.at),
        "until": moment(ahead.until),
        "note": ahead.note,
        "used_at": moment_if(ahead.used_at),
        "ended_at": moment_if(ahead.ended_at),
        "ended_by": ahead.ended_by,
    }


def _state(ahead: Ahead, now: datetime) -> AheadState:
    if ahead.used_at is not None:
        return AheadState.USED
    if ahead.ended_at is not None:
        return AheadState.ENDED
    return AheadState.WAITING if ahead.waits(now) else AheadState.EXPIRED
