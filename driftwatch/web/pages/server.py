"""One server: what it is, how it stands, what to do, its story, and what it shows now."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Annotated, Any, Final
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from driftwatch.config.schema import ServerConfig
from driftwatch.errors import UsageError
from driftwatch.judge.snapshot import document_of
from driftwatch.model import AlertKind, Kind, ServerState, Sighting, is_witness
from driftwatch.report import plain
from driftwatch.report.lastlook import amiss_words, list_words, spoken_words
from driftwatch.review.approve import shown
from driftwatch.review.passed import passed_by
from driftwatch.review.standing import AWAITED, Stand, stand, why
from driftwatch.review.waiting import faces_now
from driftwatch.store.store import Store
from driftwatch.web.access import Reviewer, TheForm, Viewer
from driftwatch.web.desk import Desk, TheDesk
from driftwatch.web.pages.rows import ServerRow, server_row
from driftwatch.web.pages.timeline import Entry, timeline, within
from driftwatch.web.pages.tools import text_of, tool_row
from driftwatch.web.pages.witnessed import rows_of
from driftwatch.web.templates import page

router = APIRouter(prefix="/servers/{name}", include_in_schema=False, default_response_class=Response)

RECENT: Final = 8
"""Lists of the story on the page of the server; the rest has a page of its own."""

STRETCH: Final = 25
"""Lists of the story on one page of its own."""

FEW: Final = 25
"""Tools on the page of the server."""

_CHOICES: Final = 60
"""Lists that can be chosen to be compared: the newest ones."""

Before = Annotated[int | None, Query(ge=1)]


@router.get("")
def server(request: Request, desk: TheDesk, _: Viewer, name: str, asked: str = "") -> Response:
    """Show one server."""
    name = known(desk, name)
    store, now = desk.store, desk.clock()
    state, config = store.state(name), desk.settings.find(name)
    row, standing = row_of(desk, state, config)
    entries, older, _since = story(store, name, before=None, limit=RECENT)
    digest, aheads = state.last_digest, store.waiting_aheads(name, now)
    faces = faces_now(store, name)
    tools = store.item_page(digest, Kind.TOOL, after=None, limit=FEW)
    return page(
        request,
        "server.html",
        notices=[("", "A look was asked for. What comes of it shows here as soon as it is done.")] if asked else (),
        server=name,
        row=row,
        itself=(Kind.SERVER, "", 0),
        standing=standing.standing.value,
        state=state,
        config=config,
        labels=row.labels,
        said=_said_of_itself(store, digest),
        why=why(state) if state.failures else "",
        listing=state.listing,
        spoken=spoken_words(state.listing) if state.listing else "",
        lists=list(list_words(state.listing)) if state.listing else [],
        amiss=list(amiss_words(state.listing)) if state.listing else [],
        notices_too=_gives_notice(store, digest, config),
        faces=[one for one in faces if not is_witness(one.identity)],
        awaits=[AWAITED[what] for what in standing.awaits],
        witnesses=rows_of(faces, store.gaps(name)),
        aheads=aheads,
        passed={one.id: one for one in passed_by(store, name, None, now, aheads)},
        alert=store.open_alert(name, AlertKind.DRIFT) or store.open_alert(name, AlertKind.HEALTH),
        entries=entries,
        older=older,
        choices=choices(store.sightings(name, limit=_CHOICES), state),
        tools=[tool_row(item) for item in tools.items],
        found=tools.found,
        kinds={kind: count for kind, count in store.kinds(digest).items() if kind not in {Kind.SERVER, Kind.LAUNCH}},
    )


@router.post("/look")
def look(desk: TheDesk, _: Reviewer, name: str, form: TheForm) -> Response:
    """Ask for a look now."""
    name = known(desk, name)
    config = desk.settings.find(name)
    if form.refused is not None:
        raise UsageError(form.refused, hint="")
    if config is None or not config.enabled:
        raise UsageError(f"{name} is not looked at.", hint="Switch it on in the configuration, and start anew.")
    desk.look(name)
    return RedirectResponse(f"/servers/{name}?asked=1", 303)


@router.post("/forget")
def forget(desk: TheDesk, person: Reviewer, name: str, form: TheForm) -> Response:
    """Forget a witness for which nothing stands."""
    name = known(desk, name)
    if form.refused is not None:
        raise UsageError(form.refused, hint="")
    desk.store.forget_witness(name, form.text("witness"), by=person.actor)
    return RedirectResponse(f"/servers/{quote(name, safe='')}", 303)


@router.get("/history")
def history(request: Request, desk: TheDesk, _: Viewer, name: str, before: Before = None) -> Response:
    """Show the whole story, a stretch at a time."""
    name = known(desk, name)
    entries, older, since = story(desk.store, name, before=before, limit=STRETCH)
    return page(
        request,
        "history.html",
        server=name,
        entries=entries,
        first=before is None,
        following=f"before={older}" if older else "",
        since=since,
    )


@router.get("/export")
def export(desk: TheDesk, _: Viewer, name: str, digest: Annotated[str, Query(max_length=80)] = "") -> Response:
    """Give a list as JSON, as `driftwatch export` does."""
    name = known(desk, name)
    snapshot = shown(desk.store, name, digest or None)
    body = json.dumps(plain(document_of(snapshot)), ensure_ascii=True, indent=2)
    file = f"{name}-{snapshot.digest.removeprefix('sha256:')[:12]}.json"
    headers = {"content-disposition": f'attachment; filename="{file}"'}
    return Response(body, media_type="application/json", headers=headers)


def known(desk: Desk, name: str) -> str:
    """Accept a server that is configured, or that the database remembers from earlier.

    Raises:
        UnknownServerError: it is neither.

    """
    if desk.settings.find(name) is None and desk.store.state(name).last_look_at is not None:
        return name
    return desk.settings.server(name).name


def row_of(desk: Desk, state: ServerState, config: ServerConfig | None) -> tuple[ServerRow, Stand]:
    """Say how one server stands."""
    store = desk.store
    found = store.findings(state.server, hidden=True)
    waits, refused = bool(store.uncompared(state.server)), state.server in store.refused_last()
    standing = stand(config, state, found, refused, desk.clock(), waits=waits)
    drifts = [one for one in store.alert_outlines() if (one.server, one.kind) == (state.server, AlertKind.DRIFT)]
    return server_row(config, state, standing, drifts[0] if drifts else None), standing


def story(
    store: Store, name: str, *, before: int | None, limit: int
) -> tuple[list[Entry], int | None, datetime | None]:
    """Give a stretch of the story, newest first, what the next one is asked for by, and where this one begins."""
    seen, older = store.sightings_before(name, before, limit=limit)
    later = store.sightings_before(name, before + 1, limit=1)[0] if before is not None else []
    wanted = {one.digest for one in seen} | {one.arrival.previous for one in seen if one.arrival is not None}
    since = seen[-1].first_seen if older and seen else None
    entries = timeline(
        seen,
        store.places(wanted),
        reviews=store.reviews(name),
        baselines=store.baselines(name),
        aheads=store.aheads(name),
    )
    return within(entries, since=since, before=later[0].first_seen if later else None), older, since


def choices(sightings: list[Sighting], state: ServerState) -> list[tuple[str, str]]:
    """Give the lists that can be compared, newest first, each once, with words to tell them apart."""
    baseline = state.baseline.digest if state.baseline is not None else ""
    found: dict[str, str] = {}
    for one in reversed(sightings):
        marks = ["now"] if one.digest == state.last_digest else []
        marks += ["baseline"] if one.digest == baseline else []
        words = f"{one.first_seen:%Y-%m-%d %H:%M} · {one.digest.removeprefix('sha256:')[:12]}"
        found.setdefault(one.digest, " · ".join([words, *marks]))
    if baseline and baseline not in found:
        found[baseline] = f"baseline · {baseline.removeprefix('sha256:')[:12]}"
    return list(found.items())


def _said_of_itself(store: Store, digest: str) -> dict[str, str]:
    """Give what the server calls itself, in its own words."""
    item = store.item(digest, (Kind.SERVER, "", 0))
    info: Any = item.raw.get("serverInfo") if item is not None and isinstance(item.raw, dict) else None
    return {key: text for key in ("name", "title", "version") if (text := text_of(info, key))}


def _gives_notice(store: Store, digest: str, config: ServerConfig | None) -> bool:
    """Say whether a change notice brings a look before its time."""
    item = store.item(digest, (Kind.SERVER, "", 0))
    said = item.raw.get("capabilities") if item is not None and isinstance(item.raw, dict) else None
    lists = said.values() if isinstance(said, dict) else ()
    promised = any(isinstance(one, dict) and one.get("listChanged") is True for one in lists)
    return promised and config is not None and config.notices
