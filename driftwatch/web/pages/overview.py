"""The overview: every server with how it stands, those first that wait for somebody."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from driftwatch.judge.text.visible import visible
from driftwatch.model import AlertKind
from driftwatch.model.amounts import noun
from driftwatch.review.passed import passed_everywhere
from driftwatch.review.standing import Standing, stands
from driftwatch.store.holding import reload_failed
from driftwatch.web.access import Viewer
from driftwatch.web.desk import Desk, TheDesk
from driftwatch.web.pages.rows import STATES, Picked, ServerRow, labels_of, page_of, picked, server_rows
from driftwatch.web.pages.spark import DAY, begin, spark
from driftwatch.web.templates import page

router = APIRouter(include_in_schema=False, default_response_class=Response)

PAGE: Final = 50
"""Servers on one page."""

_LONGEST: Final = 200
"""Characters of a filter; nothing that it could find is longer."""

_Filter = Annotated[str, Query(max_length=_LONGEST)]


@dataclass(frozen=True, slots=True)
class Tile:
    """One number over the list with the words for it, and where it leads."""

    number: int
    words: str
    href: str


@router.get("/")
def overview(
    request: Request,
    desk: TheDesk,
    _: Viewer,
    *,
    state: _Filter = "",
    label: _Filter = "",
    severity: _Filter = "",
    q: _Filter = "",
    after: _Filter = "",
) -> Response:
    """Show how all servers stand."""
    store, settings, now = desk.store, desk.settings, desk.clock()
    text, failed = q.strip(), reload_failed(settings.database_url)
    wanted = Picked(state, label, severity, text, store.showing(text, spelled=visible) if text else ())
    standing = stands(settings, store, now)
    outlines = store.alert_outlines()
    rows = server_rows(settings, standing, store.states(), outlines)
    found = picked(rows, wanted)
    shown, following = page_of(found, after, PAGE)
    since, listed = begin(now), [row.name for row in shown]
    counted, loud = store.news(listed, since=since, every=DAY)
    asked = {"state": state, "label": label, "severity": severity, "q": text}
    more = {**{key: value for key, value in asked.items() if value}, "after": following}
    return page(
        request,
        "overview.html",
        tampered=store.open_alert("", AlertKind.AUDIT),
        reload=failed,
        reloaded=datetime.fromisoformat(failed.at) if failed else None,
        tiles=_tiles(desk, rows, alerts=len(outlines)),
        rows=[(row, spark(counted.get(row.name, {}), loud.get(row.name, frozenset()))) for row in shown],
        passed=passed_everywhere(store, now, listed),
        found=len(found),
        total=len(rows),
        asked=asked,
        wanted=bool(wanted),
        states=STATES,
        labels=[(one, one) for one in labels_of(settings)],
        first=after == "",
        following=urlencode(more) if following else "",
        unlooked=bool(rows) and all(row.standing in {Standing.UNSEEN, Standing.OFF} for row in rows),
    )


def _tiles(desk: Desk, rows: list[ServerRow], *, alerts: int) -> list[Tile]:
    counts = desk.store.counts()
    health = desk.store.channel_health()
    failing = [one for one in desk.settings.channels if one.name in health and health[one.name].failing_since]
    waiting, silences = counts.deliveries_pending, len(desk.store.silences(at=desk.clock()))
    return [
        Tile(sum(row.pending for row in rows), "to review", "/?state=review"),
        Tile(alerts, noun(alerts, "open alert"), "/alerts"),
        Tile(sum(row.standing is Standing.FAILED for row in rows), "cannot be looked at", "/?state=failing"),
        Tile(waiting, f"{noun(waiting, 'message')} waiting", "/deliveries"),
        Tile(len(failing), f"{noun(len(failing), 'channel')} failing", "/channels"),
        Tile(silences, noun(silences, "silence"), "/silences"),
    ]
