"""Silences: what nobody wants to hear of for a time."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from fastapi import Path, Query, Request
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from driftwatch.model import Severity, Silence
from driftwatch.review import attend
from driftwatch.web.access import Reviewer, Viewer
from driftwatch.web.api.answers import answer
from driftwatch.web.api.asking import USUAL, Body, Cursor, Limit, Moment, Note, exactly, spot, spot_cursor
from driftwatch.web.api.part import part
from driftwatch.web.api.problems import problems
from driftwatch.web.api.shapes import Moment as ShownMoment
from driftwatch.web.api.shapes import Next, moment, moment_if, shape
from driftwatch.web.desk import TheDesk

router = part("silences", "/silences")

Id = Annotated[str, Path(max_length=80, description="Its id.", examples=["sil_1a2b3c"])]
_Pattern = Annotated[str, Field(max_length=500, description="A name, with `*` and `?`; empty for any.")]


class SilenceBody(Body):
    """What is to be kept back. It names at least one of server, tool and rule."""

    server: _Pattern = ""
    tool: _Pattern = ""
    rule: _Pattern = ""
    severity: Annotated[Severity, Field(description="The worst that is kept back; what is worse is told.")] = (
        Severity.HIGH
    )
    until: Annotated[Moment, Field(description="A year from now at the most.")]
    reason: Annotated[Note, Field(min_length=1)]


@shape
class SilenceShape(TypedDict):
    """One silence."""

    id: Annotated[str, Field(examples=["sil_1a2b3c4d5e6f"])]
    server: str
    tool: str
    rule: str
    severity: Severity
    """The worst that is kept back."""
    reason: str
    by: str
    created_at: ShownMoment
    until: ShownMoment
    in_force: bool
    ended_at: ShownMoment | None
    """When somebody ended it before its time."""
    ended_by: str


@shape
class SilencesShape(TypedDict):
    """Some silences, newest first."""

    entries: list[SilenceShape]
    next: Next


@router.get("", response_model=SilencesShape, operation_id="list_silences", summary="List silences")
def silences(
    request: Request,
    desk: TheDesk,
    _: Viewer,
    *,
    state: Annotated[Literal["in-force", "all"], Query(description="Those in force now, or all.")] = "in-force",
    limit: Limit = USUAL,
    cursor: Cursor = "",
) -> Response:
    """Give silences, newest first."""
    now = desk.clock()
    at = now if state == "in-force" else None
    found = desk.store.silence_page(at=at, after=spot("silences", cursor), limit=limit)
    entries = [silence_json(one, now) for one in found.rows]
    return answer(request, {"entries": entries, "next": spot_cursor("silences", found.after)})


@router.post(
    "",
    status_code=201,
    response_model=SilenceShape,
    operation_id="add_silence",
    summary="Add a silence",
    responses=problems(413),
)
def add(request: Request, desk: TheDesk, person: Reviewer, body: SilenceBody) -> Response:
    """Keep back for a time what fits. When it ends, what is still there is told again."""
    now = desk.clock()
    made = attend.silence(
        desk.store,
        server=body.server,
        tool=body.tool,
        rule=body.rule,
        severity=body.severity,
        reason=body.reason,
        by=person.actor,
        now=now,
        until=body.until,
    )
    there = {"location": f"/api/v1/silences/{made.id}"}
    return answer(request, silence_json(made, now), 201, headers=there)


@router.get(
    "/{silence}",
    response_model=SilenceShape,
    operation_id="get_silence",
    summary="Get a silence",
    responses=problems(404),
)
def silence(request: Request, desk: TheDesk, _: Viewer, silence: Id) -> Response:
    """Give one silence."""
    found = desk.store.silence(silence)
    exactly(silence, found.id)
    return answer(request, silence_json(found, desk.clock()))


@router.post(
    "/{silence}/end",
    response_model=SilenceShape,
    operation_id="end_silence",
    summary="End a silence",
    responses=problems(404, 409),
)
def end(request: Request, desk: TheDesk, person: Reviewer, silence: Id) -> Response:
    """End a silence before its time. What it kept back is told."""
    now = desk.clock()
    wanted = exactly(silence, desk.store.silence(silence).id)
    ended = attend.unsilence(desk.store, wanted, by=person.actor, now=now)
    desk.wake()
    return answer(request, silence_json(ended, now))


def silence_json(silence: Silence, now: datetime) -> SilenceShape:
    """Write a silence."""
    return {
        "id": silence.id,
        "server": silence.server,
        "tool": silence.tool,
        "rule": silence.rule,
        "severity": silence.severity,
        "reason": silence.reason,
        "by": silence.by,
        "created_at": moment(silence.created_at),
        "until": moment(silence.until),
        "in_force": silence.holds(now),
        "ended_at": moment_if(silence.ended_at),
        "ended_by": silence.ended_by,
    }
