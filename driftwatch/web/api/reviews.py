"""Decisions: a person approves or rejects the very list that they were shown, whole or item by item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Final, Literal

from fastapi import Request
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from driftwatch.errors import BaselineMovedError, StaleReviewError
from driftwatch.model import Baseline, Decision, Kind, Place, Review
from driftwatch.review.approve import approve as approve_list
from driftwatch.review.approve import reject as reject_list
from driftwatch.review.choice import Choice, refuse_moved
from driftwatch.review.witnessed import reject_shown, to_agents
from driftwatch.web.access import Person, Reviewer, Viewer
from driftwatch.web.api.answers import answer
from driftwatch.web.api.asking import USUAL, Body, Cursor, Digest, Key, Limit, Note, Server, number
from driftwatch.web.api.asking import cursor as written
from driftwatch.web.api.part import part
from driftwatch.web.api.problems import problems
from driftwatch.web.api.servers import BaselineShape, baseline_json
from driftwatch.web.api.shapes import Digest as ShownDigest
from driftwatch.web.api.shapes import Moment, Next, PlaceShape, moment, place_json, shape
from driftwatch.web.desk import Desk, TheDesk
from driftwatch.web.pages.server import known
from driftwatch.web.problems import TooLateError

router = part("reviews", "/servers/{server}")

_ITEMS: Final = 5_000
"""Items in one decision: more than a server may show of a kind is decided on as a whole."""

_TRIES: Final = 5


class PlaceBody(Body):
    """One item that is decided on; a rename is two of them, an item that went is named as it was."""

    kind: Kind
    key: Annotated[Key, Field(description="The name or URI; empty for `server` and `launch`.")] = ""
    occurrence: Annotated[int, Field(strict=True, ge=0, le=1_000_000, description="From 0, of those of one name.")] = 0

    @property
    def place(self) -> Place:
        """The place in a list."""
        return (self.kind, self.key, self.occurrence)


class DecisionBody(Body):
    """What every decision says."""

    digest: Annotated[
        Digest,
        Field(description="The list that you were shown, whole; for a rejection also one that agents were shown."),
    ]
    expected_baseline: Annotated[
        Digest | None,
        Field(description="What it was compared with: with another one meanwhile nothing is written. Null: whatever."),
    ] = None
    items: Annotated[
        list[PlaceBody] | None,
        Field(min_length=1, max_length=_ITEMS, description="Only these items of it; null: all of it."),
    ] = None
    identities: Annotated[
        str | None,
        Field(
            max_length=64,
            description="The mark that the difference gave: what other identities are shown is approved along, as it "
            "was then. Null: the list alone.",
        ),
    ] = None
    note: Note = ""
    if_changed: Annotated[
        Literal["refuse", "decide"],
        Field(description="Where the server shows another list by now: refuse, or `decide` on this one all the same."),
    ] = "refuse"

    @property
    def choice(self) -> Choice:
        """What is decided on, and what is held against what the server shows by now."""
        return Choice(
            items=None if self.items is None else tuple(one.place for one in self.items),
            # What nobody says that they were shown is not approved.
            alone=self.identities is None,
            shown=self.digest if self.if_changed == "refuse" else None,
            baseline=self.expected_baseline,
            identities=self.identities,
        )


@shape
class ApprovedShape(TypedDict):
    """An approval, and what the server is compared with now."""

    server: str
    digest: ShownDigest
    """The list that was approved, or items of it."""
    items: list[PlaceShape] | None
    baseline: BaselineShape


@shape
class ReviewShape(TypedDict):
    """One decision of one person on one list."""

    server: str
    digest: ShownDigest
    decision: Decision
    by: str
    origin: Annotated[str, Field(examples=["web 192.0.2.7"])]
    """From where; empty for one of a time when that was not kept."""
    at: Moment
    note: str
    items: list[PlaceShape]
    """What it is about; empty for all of the list."""
    baseline: ShownDigest
    """What it made the baseline; empty for a rejection."""
    ahead: str | None
    """The approval ahead that it came from."""


@shape
class ReviewsShape(TypedDict):
    """Some decisions, newest first."""

    entries: list[ReviewShape]
    next: Next


_AGAIN: Final = "That was decided before: nothing was written, and this is the same answer."


@router.get(
    "/reviews",
    response_model=ReviewsShape,
    operation_id="list_reviews",
    summary="List decisions",
    responses=problems(404),
)
def reviews(
    request: Request, desk: TheDesk, _: Viewer, server: Server, *, limit: Limit = USUAL, cursor: Cursor = ""
) -> Response:
    """Give what people decided about a server, newest first."""
    found, older = desk.store.review_page(known(desk, server), before=number("reviews", cursor), limit=limit)
    following = None if older is None else written("reviews", older)
    return answer(request, {"entries": [review_json(one) for one in found], "next": following})


@router.post(
    "/approvals",
    status_code=201,
    response_model=ApprovedShape,
    operation_id="approve",
    summary="Approve a list",
    response_description="It is the baseline now.",
    responses={200: {"description": _AGAIN, "model": ApprovedShape}, **problems(404, 409, 413)},
)
def approve(request: Request, desk: TheDesk, person: Reviewer, server: Server, body: DecisionBody) -> Response:
    """Make a list the baseline, or put items of it into the baseline that there is.

    The digest names what is approved, so to send the same again changes nothing. Where the server shows something else
    by now, or another list was approved meanwhile, nothing is written: see the difference again.
    """
    name = known(desk, server)
    baseline, is_new = _approved(desk, name, body, person)
    desk.wake()
    answered: ApprovedShape = {
        "server": name,
        "digest": body.digest,
        "items": None if body.choice.items is None else [place_json(one) for one in sorted(set(body.choice.items))],
        "baseline": baseline_json(baseline),
    }
    return answer(request, answered, 201 if is_new else 200)


@router.post(
    "/rejections",
    status_code=201,
    response_model=ReviewShape,
    operation_id="reject",
    summary="Reject a list",
    response_description="It is written down. The baseline stays, and the alert stays open.",
    responses={200: {"description": _AGAIN, "model": ReviewShape}, **problems(404, 409, 413)},
)
def reject(request: Request, desk: TheDesk, person: Reviewer, server: Server, body: DecisionBody) -> Response:
    """Say no to a list, or to items of it. The same decision by the same person is kept once in a row.

    What agents were shown is named by its own digest, and refused as a whole: `to_agents` of the difference.
    """
    name, store = known(desk, server), desk.store
    before = next(iter(store.reviews(name, limit=1)), None)
    try:
        if shown := to_agents(store, name, body.digest, in_part=body.items is not None):
            return _refused_to_agents(request, desk, name, shown, body=body, person=person)
        review = reject_list(
            store,
            name,
            digest=body.digest,
            by=person.actor,
            note=body.note,
            now=desk.clock(),
            choice=body.choice,
        )
    except BaselineMovedError as error:
        raise _too_late(desk, name, error) from error
    return answer(request, review_json(review), 200 if review == before else 201)


def _refused_to_agents(
    request: Request, desk: Desk, name: str, shown: Sequence[str], *, body: DecisionBody, person: Person
) -> Response:
    """Say no to what agents were shown, which no look of driftwatch's own moves."""
    store, held = desk.store, replace(body.choice, shown=None, identities=None)
    refuse_moved(store.state(name), held, "")
    before = store.reviews(name)
    (review,) = reject_shown(store, name, shown, by=person.actor, note=body.note, now=desk.clock())
    return answer(request, review_json(review), 200 if review in before else 201)


def review_json(review: Review) -> ReviewShape:
    """Write a decision."""
    return {
        "server": review.server,
        "digest": review.digest,
        "decision": review.decision,
        "by": review.by,
        "origin": review.origin,
        "at": moment(review.at),
        "note": review.note,
        "items": [place_json(one) for one in review.items],
        "baseline": review.approves,
        "ahead": review.ahead or None,
    }


def _approved(desk: Desk, name: str, body: DecisionBody, person: Person) -> tuple[Baseline, bool]:
    """Approve, and say whether that is news. Of two who send the same at the same time one does it."""
    for left in reversed(range(_TRIES)):
        before = desk.store.baseline(name)
        try:
            baseline = approve_list(
                desk.store,
                desk.settings,
                name,
                digest=body.digest,
                by=person.actor,
                note=body.note,
                now=desk.clock(),
                choice=body.choice,
            )
            return baseline, baseline != before
        except BaselineMovedError as error:
            if isinstance(error, StaleReviewError) or not left:
                raise _too_late(desk, name, error) from error
    raise AssertionError("the last try answers")


def _too_late(desk: Desk, name: str, error: BaselineMovedError) -> TooLateError:
    """Say along what the server shows now."""
    state = desk.store.state(name)
    return TooLateError(error, shown=state.last_digest, baseline=state.baseline.digest if state.baseline else "")
