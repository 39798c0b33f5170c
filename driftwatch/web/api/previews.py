"""Previews: what another version of a server would show, and its approval ahead of the roll-out."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import Path, Request
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from driftwatch.errors import NothingToDoError, StaleReviewError, UnknownIdError
from driftwatch.report import to_json
from driftwatch.review.ahead import replaced
from driftwatch.review.preview import Preview
from driftwatch.review.preview import approve as approve_shown
from driftwatch.review.previewed import doubts
from driftwatch.web.access import Reviewer, Viewer
from driftwatch.web.api.ahead import AheadShape, ahead_json
from driftwatch.web.api.answers import answer
from driftwatch.web.api.asking import Body, Digest, Moment, Note, Server
from driftwatch.web.api.part import part
from driftwatch.web.api.problems import problems
from driftwatch.web.api.shapes import Digest as ShownDigest
from driftwatch.web.api.shapes import Moment as ShownMoment
from driftwatch.web.api.shapes import Report, moment, moment_if, shape
from driftwatch.web.desk import TheDesk
from driftwatch.web.pages.server import known
from driftwatch.web.problems import TooLateError
from driftwatch.web.trials import TheTrials, Trial, Trials, TrialState

router = part("previews", "/servers/{server}/previews")

Id = Annotated[str, Path(max_length=80, description="The id of the preview.", examples=["prv_5f2b1c0d9e8a7b6c"])]


class PreviewBody(Body):
    """What is to be previewed."""

    version: Annotated[
        str,
        Field(min_length=1, max_length=200, description="Put into the server's command.", examples=["1.8.1"]),
    ]


class AheadBody(Body):
    """Which list of a preview is approved, and for how long."""

    digest: Annotated[Digest, Field(description="The list that you read.")]
    until: Annotated[Moment | None, Field(description="How long it is good; null: 30 days.")] = None
    note: Note = ""


@shape
class ListShape(TypedDict):
    """One list that the candidate showed."""

    digest: ShownDigest
    looks: int
    """At so many of the looks it showed this one."""
    report: Report


@shape
class FailureShape(TypedDict):
    """Why something could not be looked at."""

    code: Annotated[str, Field(examples=["start-failed"])]
    detail: str


@shape
class SeenShape(TypedDict):
    """What a preview came to."""

    failure: FailureShape | None
    """Why it could not be seen: then there is nothing to approve."""
    ran: str
    """The version that really ran; empty where nobody could tell it."""
    steady: bool
    """Whether it showed one list, each time."""
    approved: bool
    """Whether that is the very list that is approved."""
    baseline: ShownDigest
    """What it was compared with; empty where nothing was seen yet."""
    lists: list[ListShape]
    """What it showed, the worst first: more than one are two faces."""
    notes: list[str]
    """What keeps one from relying on it, in sentences."""
    ahead: AheadShape | None
    """The approval ahead that waits for just this."""


@shape
class ApprovedAheadShape(AheadShape):
    """An approval ahead that was given."""

    replaced: AheadShape | None
    """The approval of the same that waited, and that this one took the place of."""


@shape
class PreviewShape(TypedDict):
    """A preview that was asked for. It is remembered until the daemon ends, or others took its place."""

    id: Annotated[str, Field(examples=["prv_5f2b1c0d9e8a7b6c"])]
    server: str
    version: str
    what: Annotated[str, Field(examples=["@example/forge-mcp@1.8.1 instead of @example/forge-mcp@1.8.0"])]
    state: TrialState
    by: str
    at: ShownMoment
    ended_at: ShownMoment | None
    looks: int
    """So many looks are over, of `looks_wanted`."""
    looks_wanted: int
    trouble: str
    """Why driftwatch failed at it; empty where it did not."""
    seen: SeenShape | None
    """What it came to; null until it is done."""


@shape
class PreviewsShape(TypedDict):
    """The previews of a server that are remembered, newest first."""

    entries: list[PreviewShape]


@router.get(
    "",
    response_model=PreviewsShape,
    operation_id="list_previews",
    summary="List previews",
    responses=problems(404),
)
def previews(request: Request, desk: TheDesk, _: Viewer, trials: TheTrials, server: Server) -> Response:
    """Give the previews of a server that are remembered: a few, the newest first."""
    name, now = known(desk, server), desk.clock()
    return answer(request, {"entries": [preview_json(one, now) for one in trials.of(name)]})


@router.post(
    "",
    status_code=202,
    response_model=PreviewShape,
    operation_id="begin_preview",
    summary="Begin a preview",
    response_description="It has begun; `Location` says where to ask what it came to.",
    responses=problems(404, 409, 413, 429),
)
def begin(
    request: Request, desk: TheDesk, person: Reviewer, trials: TheTrials, server: Server, *, body: PreviewBody
) -> Response:
    """Start another version of a local server beside the live one, in its sandbox, and look at it twice.

    Neither the live server nor what is known of it is touched. It takes about a minute. Where no sandbox works, it is
    refused: use the command line.
    """
    name = desk.settings.server(server).name
    trial, _ = trials.begin(name, body.version, by=person.actor)
    there = f"/api/v1/servers/{name}/previews/{trial.id}"
    return answer(request, preview_json(trial, desk.clock()), 202, headers={"location": there})


@router.get(
    "/{preview}",
    response_model=PreviewShape,
    operation_id="get_preview",
    summary="Get a preview",
    responses=problems(404),
)
def preview(request: Request, desk: TheDesk, _: Viewer, trials: TheTrials, server: Server, *, preview: Id) -> Response:
    """Give one preview as it is now, with its reports once it is done."""
    return answer(request, preview_json(_found(trials, known(desk, server), preview), desk.clock()))


@router.post(
    "/{preview}/approval",
    status_code=201,
    response_model=ApprovedAheadShape,
    operation_id="approve_ahead",
    summary="Approve what a preview showed",
    response_description="It waits for the server to show just that.",
    responses={
        200: {"description": "The same approval waits already; nothing was written.", "model": ApprovedAheadShape},
        **problems(404, 409, 413),
    },
)
def approve(
    request: Request,
    desk: TheDesk,
    person: Reviewer,
    trials: TheTrials,
    server: Server,
    *,
    preview: Id,
    body: AheadBody,
) -> Response:
    """Approve a list ahead of its roll-out: when the server shows just that, nothing is raised."""
    name, store, now = known(desk, server), desk.store, desk.clock()
    trial = _found(trials, name, preview)
    if trial.seen is None:
        raise NothingToDoError("This preview has not shown anything.", hint="Wait until it is done.")
    waiting = {one.id for one in store.waiting_aheads(name, now)}
    try:
        made = approve_shown(
            store,
            desk.settings,
            trial.seen,
            digest=body.digest,
            by=person.actor,
            note=body.note,
            now=now,
            until=body.until,
        )
    except StaleReviewError as error:
        state = store.state(name)
        shown, baseline = state.last_digest, state.baseline.digest if state.baseline else ""
        raise TooLateError(error, shown=shown, baseline=baseline) from error
    is_old = made.id in waiting
    other = None if is_old else replaced(store, made)
    said: ApprovedAheadShape = {**ahead_json(made, now), "replaced": None if other is None else ahead_json(other, now)}
    return answer(request, said, 200 if is_old else 201)


def preview_json(trial: Trial, now: datetime) -> PreviewShape:
    """Write a preview."""
    return {
        "id": trial.id,
        "server": trial.server,
        "version": trial.candidate.version,
        "what": trial.candidate.what,
        "state": trial.state,
        "by": trial.by,
        "at": moment(trial.at),
        "ended_at": moment_if(trial.ended_at),
        "looks": trial.looks,
        "looks_wanted": trial.looks_wanted,
        "trouble": trial.trouble,
        "seen": None if trial.seen is None else _seen(trial.seen, now),
    }


def _seen(seen: Preview, now: datetime) -> SeenShape:
    failure = seen.failure
    return {
        "failure": None if failure is None else {"code": failure.code, "detail": failure.detail},
        "ran": seen.ran,
        "steady": seen.is_steady,
        "approved": seen.is_approved,
        "baseline": seen.baseline.digest if seen.baseline is not None else "",
        "lists": [
            {"digest": one.snapshot.digest, "looks": one.looks, "report": to_json(one.report)} for one in seen.lists
        ],
        "notes": [*seen.candidate.notes, *doubts(seen)],
        "ahead": None if seen.ahead is None else ahead_json(seen.ahead, now),
    }


def _found(trials: Trials, server: str, trial_id: str) -> Trial:
    trial = trials.find(trial_id)
    if trial.server != server:
        raise UnknownIdError("There is no preview of that id of this server.", hint="List them first.")
    return trial
