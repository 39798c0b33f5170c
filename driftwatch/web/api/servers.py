"""Servers: how each stands, and a look now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias

from fastapi import Query, Request
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from driftwatch.config.schema import ServerConfig
from driftwatch.errors import NothingToDoError
from driftwatch.model import AlertKind, Baseline, BaselineState, Face, ServerState, Severity, Verdict
from driftwatch.report import plain
from driftwatch.report.asides import passed_json
from driftwatch.report.lastlook import look_json
from driftwatch.review.passed import passed_by, passed_everywhere
from driftwatch.review.standing import Awaited, Stand, Standing, stand, stands, why
from driftwatch.review.waiting import faces_now
from driftwatch.store.records import AlertOutline
from driftwatch.watch.rehearsal import can_rehearse
from driftwatch.web.access import Reviewer, Viewer
from driftwatch.web.api.answers import answer
from driftwatch.web.api.asking import USUAL, Cursor, Filter, Limit, Server, page_of
from driftwatch.web.api.part import part
from driftwatch.web.api.problems import problems
from driftwatch.web.api.shapes import AheadWaits, Digest, Moment, Next, moment, moment_if, shape
from driftwatch.web.desk import TheDesk
from driftwatch.web.pages.server import known

router = part("servers", "/servers")

Alerts: TypeAlias = dict[str, str]


@shape
class BaselineShape(TypedDict):
    """What a server is compared with."""

    digest: Digest
    state: BaselineState
    """Whether a person approved it, or the first list that was seen stands in for one."""
    since: Moment
    by: str
    """Who approved it; empty where nobody did."""
    note: str


@shape
class ServerShape(TypedDict):
    """How one server stands."""

    name: Annotated[str, Field(examples=["notes"])]
    standing: Standing
    words: Annotated[str, Field(examples=["drift, worst high"])]
    """The same for people."""
    worst: Severity | None
    """The worst that was found and that the policy does not hide."""
    rejected: bool
    """Whether somebody said no to the list that it shows, or to all that agents were shown instead."""
    agents_await: list[Awaited]
    """What something else that an agent was shown waits for: a look of driftwatch's own, or a person."""
    hidden: int
    """So many findings the policy keeps from alerts."""
    alert: str | None
    """The drift alert on it that is not over."""
    enabled: bool
    """Whether it is looked at."""
    transport: Annotated[str, Field(examples=["http"])]
    """`http`, `sse` or `stdio`; `file` for a host's file; empty where it is no longer in the configuration."""
    reached: Annotated[str, Field(examples=["https://mcp.example.com/notes/mcp"])]
    """Its address or command, without secrets."""
    labels: dict[str, str]
    digest: Digest
    """What it showed last; empty where nothing was seen yet."""
    baseline: BaselineShape | None
    last_look_at: Moment | None
    last_ok_at: Moment | None
    """The last look that saw a whole list."""
    next_look_at: Moment | None
    failures: int
    """Failed looks in a row, up to now."""
    trouble: str
    """Why the last look failed; empty where it did not."""
    looks: int
    ahead_waits: AheadWaits


@shape
class FaceShape(TypedDict):
    """How what one identity is shown stands to what driftwatch itself is shown."""

    identity: str
    verdict: Verdict
    cause: str
    """Why it may differ (`credential`, `era`, `capabilities`); empty for no reason that the protocol knows."""
    looked_at: Moment | None
    failures: int


@shape
class WholeServerShape(ServerShape):
    """How one server stands, and what is known of the last look at it."""

    shows: Annotated[dict[str, int], Field(examples=[{"tool": 12, "server": 1}])]
    """How many items of each kind it shows."""
    listing: dict[str, Any] | None
    """How the last whole look went: protocol, pages with their freshness, what the server asked of us."""
    identities: list[FaceShape]
    calm_at: Moment | None
    """While it goes to and fro: when it will have been calm for long enough."""


@shape
class ServersShape(TypedDict):
    """Some servers, by name."""

    entries: list[ServerShape]
    next: Next


@shape
class AskedShape(TypedDict):
    """That a look was asked for. What comes of it shows in the server once it is done."""

    server: str
    asked_at: Moment
    last_look_at: Moment | None
    """The last look before: once the server has another one, it is done."""


@router.get("", response_model=ServersShape, operation_id="list_servers", summary="List servers")
def servers(
    request: Request,
    desk: TheDesk,
    _: Viewer,
    *,
    standing: Annotated[Standing | None, Query(description="Only those that stand so.")] = None,
    severity: Annotated[Severity | None, Query(description="Only those with a finding as bad as this.")] = None,
    label: Annotated[Filter, Query(description="Only those with this label.", examples=["team=web"])] = "",
    q: Annotated[Filter, Query(description="Only those with this in their name.")] = "",
    limit: Limit = USUAL,
    cursor: Cursor = "",
) -> Response:
    """Give how servers stand, by name. Those that only the database remembers are among them."""
    store, now = desk.store, desk.clock()
    states, alerts, wanted = store.states(), _alerts(store.alert_outlines()), q.strip().casefold()
    found = [
        server_json(desk.settings.find(name), states.get(name, ServerState(name)), one, alerts)
        for name, one in stands(desk.settings, store, now).items()
        if wanted in name.casefold()
    ]
    fitting = [one for one in found if _fits(one, standing, severity, label)]
    shown, following = page_of("servers", fitting, cursor, limit, lambda one: one["name"])
    passed = passed_everywhere(store, now, [one["name"] for one in shown])
    for one in shown:
        one["ahead_waits"] = passed_json(passed.get(one["name"], ()))
    return answer(request, {"entries": shown, "next": following})


@router.get(
    "/{server}",
    response_model=WholeServerShape,
    operation_id="get_server",
    summary="Get a server",
    responses=problems(404),
)
def server(request: Request, desk: TheDesk, _: Viewer, server: Server) -> Response:
    """Give how one server stands, and how the last look at it went."""
    name, store = known(desk, server), desk.store
    state, config = store.state(name), desk.settings.find(name)
    waits, refused = bool(store.uncompared(name)), name in store.refused_last()
    standing = stand(config, state, store.findings(name, hidden=True), refused, desk.clock(), waits=waits)
    faces: list[FaceShape] = [_face(one) for one in faces_now(store, name)]
    body: WholeServerShape = {
        **server_json(config, state, standing, _alerts(store.alert_outlines())),
        "ahead_waits": passed_json(passed_by(store, name, None, desk.clock())),
        "shows": {kind.value: number for kind, number in store.kinds(state.last_digest).items()},
        "listing": plain(look_json(state.listing)),
        "identities": faces,
        "calm_at": moment_if(state.calm_at),
    }
    return answer(request, body)


@router.post(
    "/{server}/look",
    status_code=202,
    response_model=AskedShape,
    operation_id="look_now",
    summary="Ask for a look now",
    responses=problems(404, 409),
)
def look(
    request: Request,
    desk: TheDesk,
    _: Reviewer,
    server: Server,
    *,
    again: Annotated[
        bool,
        Query(
            description="Look again at what it showed last, as before a decision: afresh, and under another client "
            "name. See `looked_again` of the difference."
        ),
    ] = False,
) -> Response:
    """Have the daemon look at a server now. Another look that is planned for soon is brought forward."""
    name = known(desk, server)
    config = desk.settings.find(name)
    if config is None or not config.enabled:
        raise NothingToDoError(f"{name} is not looked at.", hint="Switch it on in the configuration, and start anew.")
    state = desk.store.state(name)
    if again and desk.again is not None and state.last_digest and can_rehearse(config):
        desk.again(name)
    else:
        desk.look(name)
    body: AskedShape = {
        "server": name,
        "asked_at": moment(desk.clock()),
        "last_look_at": moment_if(state.last_look_at),
    }
    return answer(request, body, 202)


def server_json(config: ServerConfig | None, state: ServerState, standing: Stand, alerts: Alerts) -> ServerShape:
    """Write how a server stands; `alerts` has the drift alerts that are not over, by server. What waits is left out."""
    off = standing.standing in {Standing.OFF, Standing.UNKNOWN}
    return {
        "name": state.server,
        "standing": standing.standing,
        "words": standing.words,
        "worst": standing.worst,
        "rejected": standing.rejected,
        "agents_await": list(standing.awaits),
        "hidden": len(standing.hidden),
        "alert": alerts.get(state.server),
        "enabled": config is not None and config.enabled,
        "transport": config.sort if config is not None else "",
        "reached": config.shown_url or config.shown_command if config is not None else "",
        "labels": dict(sorted(config.labels.items())) if config is not None else {},
        "digest": state.last_digest,
        "baseline": None if state.baseline is None else baseline_json(state.baseline),
        "last_look_at": moment_if(state.last_look_at),
        "last_ok_at": moment_if(state.last_ok_at),
        "next_look_at": None if off else moment_if(state.next_look_at),
        "failures": state.failures,
        "trouble": why(state) if state.failures else "",
        "looks": state.looks,
        "ahead_waits": [],
    }


def baseline_json(baseline: Baseline) -> BaselineShape:
    """Write a baseline."""
    return {
        "digest": baseline.digest,
        "state": baseline.state,
        "since": moment(baseline.since),
        "by": baseline.by,
        "note": baseline.note,
    }


def _face(face: Face) -> FaceShape:
    return {
        "identity": face.identity,
        "verdict": face.verdict,
        "cause": face.cause,
        "looked_at": moment_if(face.looked_at),
        "failures": face.failures,
    }


def _alerts(outlines: Sequence[AlertOutline]) -> Alerts:
    return {one.server: one.id for one in outlines if one.kind is AlertKind.DRIFT}


def _fits(one: ServerShape, standing: Standing | None, severity: Severity | None, label: str) -> bool:
    return (
        (standing is None or one["standing"] is standing)
        and (severity is None or (one["worst"] is not None and one["worst"] >= severity))
        and (not label or any(f"{key}={value}" == label for key, value in one["labels"].items()))
    )
