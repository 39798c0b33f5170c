"""What a server showed: its lists over time, one list whole, its items, and two lists compared."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import Path, Query, Request
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from driftwatch.errors import UnknownDigestError, UnknownIdError
from driftwatch.judge.composite import differing
from driftwatch.judge.snapshot import document_of
from driftwatch.judge.text.visible import visible
from driftwatch.model import BaselineState, Item, Kind, Sighting, Snapshot
from driftwatch.report import plain, to_json
from driftwatch.report.again import again_json
from driftwatch.report.arrived import arrival_json
from driftwatch.report.asides import passed_json, rejected_json
from driftwatch.review.again import looked_again
from driftwatch.review.approve import mark_of, shown
from driftwatch.review.passed import passed_by
from driftwatch.review.reading import between, report_of
from driftwatch.review.refused import rejected_beside
from driftwatch.review.rejected import rejected_of
from driftwatch.review.witnessed import standing_shown
from driftwatch.store.store import Store
from driftwatch.web.access import Viewer
from driftwatch.web.api.answers import answer
from driftwatch.web.api.asking import USUAL, Cursor, Filter, Limit, Server, cursor, number
from driftwatch.web.api.part import part
from driftwatch.web.api.problems import problems
from driftwatch.web.api.servers import BaselineShape, baseline_json
from driftwatch.web.api.shapes import (
    AheadWaits,
    Digest,
    LookedAgain,
    Moment,
    Next,
    PlaceShape,
    Raw,
    Rejections,
    Report,
    moment,
    place_json,
    shape,
)
from driftwatch.web.desk import Desk, TheDesk
from driftwatch.web.links import read_key
from driftwatch.web.pages.server import known

router = part("snapshots", "/servers/{server}")

LATEST: Final = "latest"
BASELINE: Final = "baseline"
_WHICH: Final = f"The digest of a list, or enough of its beginning; `{LATEST}`: shown last; `{BASELINE}`: its baseline."

_Which = Annotated[str, Path(max_length=80, description=_WHICH, examples=[LATEST])]
_Side = Annotated[str, Query(max_length=80, description=_WHICH)]


@shape
class SightingShape(TypedDict):
    """A stretch of time over which a server showed one list."""

    digest: Digest
    first_seen: Moment
    last_seen: Moment
    looks: int
    arrival: dict[str, Any] | None
    """How it came to show this one: what the look before had promised, and what was kept of it. Null: the first."""


@shape
class SightingsShape(TypedDict):
    """Some of the lists that a server showed, newest first."""

    entries: list[SightingShape]
    next: Next


@shape
class SnapshotShape(TypedDict):
    """All that a server showed at one moment."""

    digest: Digest
    sections: list[Kind]
    """The kinds that were looked at: one that is not among them was not asked for."""
    count: Annotated[dict[str, int], Field(examples=[{"tool": 12, "server": 1}])]
    document: Annotated[dict[str, Any], Field(description="As `driftwatch export` writes it. Hostile.")]


@shape
class OddityShape(TypedDict):
    """Something about the raw form of an item that no honest sender needs."""

    code: str
    pointer: str
    detail: str


@shape
class ItemShape(PlaceShape):
    """One tool, prompt, resource or template, or what the server says of itself."""

    digest: Digest
    oddities: list[OddityShape]
    raw: Raw


@shape
class ItemsShape(TypedDict):
    """Some items of a list, in order."""

    snapshot: Digest
    found: int
    """How many there are in all."""
    entries: list[ItemShape]
    next: Next


@shape
class DifferenceShape(TypedDict):
    """Two lists of a server, judged beside each other."""

    server: str
    baseline: BaselineShape | None
    """What the server is compared with now: the `expected_baseline` of a decision."""
    digest: Digest
    """The later list: the `digest` of a decision."""
    is_latest: bool
    """Whether that is what the server shows now."""
    identities: str
    """What other identities are shown, as a mark: the `identities` of an approval; empty where there is nothing."""
    places: list[PlaceShape]
    """Where the two lists differ: what can be decided item by item, once a baseline is approved."""
    to_agents: list[Digest]
    """What agents were shown and stands: the `digest` of a rejection; an approval with `identities` settles it."""
    rejections: Rejections
    ahead_waits: AheadWaits
    looked_again: LookedAgain
    report: Report


@router.get(
    "/snapshots",
    response_model=SightingsShape,
    operation_id="list_snapshots",
    summary="List what a server showed",
    responses=problems(404),
)
def snapshots(
    request: Request, desk: TheDesk, _: Viewer, server: Server, *, limit: Limit = USUAL, cursor: Cursor = ""
) -> Response:
    """Give which lists a server showed when, newest first; one that came back is there twice."""
    name = known(desk, server)
    found, older = desk.store.sightings_before(name, number("snapshots", cursor), limit=limit)
    return answer(request, {"entries": [_sighting(one) for one in found], "next": _next("snapshots", older)})


@router.get(
    "/snapshots/{digest}",
    response_model=SnapshotShape,
    operation_id="get_snapshot",
    summary="Get a list whole",
    responses=problems(404),
)
def snapshot(request: Request, desk: TheDesk, _: Viewer, server: Server, digest: _Which) -> Response:
    """Give one list with all its items, as received."""
    found = listed(desk, known(desk, server), digest)
    body: SnapshotShape = {
        "digest": found.digest,
        "sections": sorted(found.sections),
        "count": {kind.value: len(found.of(kind)) for kind in Kind if found.of(kind)},
        "document": plain(document_of(found)),
    }
    return answer(request, body)


@router.get(
    "/snapshots/{digest}/items",
    response_model=ItemsShape,
    operation_id="list_items",
    summary="List the items of a list",
    responses=problems(404),
)
def items(
    request: Request,
    desk: TheDesk,
    _: Viewer,
    server: Server,
    digest: _Which,
    *,
    kind: Annotated[Kind, Query(description="Of which kind.")] = Kind.TOOL,
    q: Annotated[Filter, Query(description="Only those with this in their name.")] = "",
    limit: Limit = USUAL,
    cursor: Cursor = "",
) -> Response:
    """Give the items of one kind of a list, each as received."""
    wanted = resolved(desk.store, known(desk, server), digest)
    after = number("items", cursor)
    found = desk.store.item_page(wanted, kind, text=q.strip(), spelled=visible, after=after, limit=limit)
    body: ItemsShape = {
        "snapshot": wanted,
        "found": found.found,
        "entries": [item_json(one) for one in found.items],
        "next": _next("items", found.after),
    }
    return answer(request, body)


@router.get(
    "/snapshots/{digest}/item",
    response_model=ItemShape,
    operation_id="get_item",
    summary="Get one item of a list",
    responses=problems(404),
)
def item(
    request: Request,
    desk: TheDesk,
    _: Viewer,
    server: Server,
    digest: _Which,
    *,
    kind: Annotated[Kind, Query(description="Of which kind.")] = Kind.TOOL,
    key: Annotated[str, Query(max_length=20_000, description="Its name or URI.", examples=["read_note"])] = "",
    wire: Annotated[
        str,
        Query(max_length=40_000, description="In place of `key`: its name as the inside of a JSON string."),
    ] = "",
    occurrence: Annotated[int, Query(ge=0, le=1_000_000, description="Which of those of that name, from 0.")] = 0,
) -> Response:
    """Give one item as received."""
    name = known(desk, server)
    wanted, named = resolved(desk.store, name, digest), read_key(key, wire)
    found = None if named is None else desk.store.item(wanted, (kind, named, occurrence))
    if found is None:
        raise UnknownIdError(f"There is no such {kind.noun} in that list.", hint="List them: /items")
    return answer(request, item_json(found))


@router.get(
    "/difference",
    response_model=DifferenceShape,
    operation_id="get_difference",
    summary="Compare two lists",
    responses=problems(404),
)
def difference(
    request: Request,
    desk: TheDesk,
    _: Viewer,
    server: Server,
    *,
    before: Annotated[_Side, Query(alias="from")] = BASELINE,
    after: Annotated[_Side, Query(alias="to")] = LATEST,
) -> Response:
    """Judge what a server shows beside its baseline, or any of its lists beside any other one.

    Beside the baseline all that is known of the server is held against it, as in a look; until a person approves, that
    is also what the list says by itself.
    """
    name, store, now = known(desk, server), desk.store, desk.clock()
    state, live = store.state(name), listed(desk, name, after)
    if before == BASELINE:
        baseline = None if state.baseline is None else store.snapshot(state.baseline.digest)
        stands = state.baseline is not None and state.baseline.state is BaselineState.APPROVED
        was = baseline if stands or baseline != live else None
        report = report_of(store, desk.settings, state, live, before=was, now=now)
    else:
        was = listed(desk, name, before)
        report = between(desk.settings, name, was, live, now)
    body: DifferenceShape = {
        "server": name,
        "baseline": None if state.baseline is None else baseline_json(state.baseline),
        "digest": live.digest,
        "is_latest": live.digest == state.last_digest,
        "identities": mark_of(store.faces(name)),
        "places": [] if was is None else [place_json(place) for place in differing(was, live)],
        "to_agents": list(standing_shown(store, name)),
        "rejections": rejected_json(
            (
                *(rejected_of(store, name, live, differing(was, live)) if was is not None else ()),
                *rejected_beside(store, name),
            )
        ),
        "ahead_waits": passed_json(passed_by(store, name, live, now)),
        "looked_again": again_json(looked_again(store, desk.settings, name, live.digest)),
        "report": to_json(report),
    }
    return answer(request, body)


def resolved(store: Store, server: str, which: str) -> str:
    """Give the digest of the list that is meant.

    Raises:
        UnknownDigestError: the server showed none such.

    """
    state = store.state(server)
    if which not in {LATEST, BASELINE}:
        return store.resolve_digest(server, which)
    found = state.last_digest if which == LATEST else state.baseline.digest if state.baseline is not None else ""
    if not found:
        raise UnknownDigestError(f"Nothing was seen yet on {server}.", hint="Ask for a look, then try again.")
    return found


def listed(desk: Desk, server: str, which: str) -> Snapshot:
    """Give the list that is meant; raises as `resolved`."""
    return shown(desk.store, server, resolved(desk.store, server, which))


def item_json(item: Item) -> ItemShape:
    """Write an item."""
    return {
        **place_json(item.place),
        "digest": item.digest,
        "oddities": [{"code": one.code, "pointer": one.pointer, "detail": one.detail} for one in item.oddities],
        "raw": plain(item.raw),
    }


def _sighting(one: Sighting) -> SightingShape:
    return {
        "digest": one.digest,
        "first_seen": moment(one.first_seen),
        "last_seen": moment(one.last_seen),
        "looks": one.looks,
        "arrival": plain(arrival_json(one.arrival)),
    }


def _next(of: str, place: int | None) -> str | None:
    return None if place is None else cursor(of, place)
