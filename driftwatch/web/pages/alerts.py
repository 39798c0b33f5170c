"""Alerts: all of them, open ones first, and one with its whole life."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from driftwatch.errors import StoreError
from driftwatch.judge.rules.other_start import RULE as OTHER_START
from driftwatch.judge.rules.witnessed_difference import RULE as WITNESSED
from driftwatch.model import (
    STANDING,
    Action,
    Alert,
    AlertKind,
    AlertState,
    AuditEntry,
    Severity,
    TestimonyState,
)
from driftwatch.review import attend
from driftwatch.review.refused import rejected_beside
from driftwatch.review.said import NOTE
from driftwatch.store.audit import AuditWanted
from driftwatch.store.pages import AlertsWanted
from driftwatch.store.records import Wanted
from driftwatch.store.store import Store
from driftwatch.tell.explain import explain
from driftwatch.tell.routes import Routing
from driftwatch.tell.telling import labels_of
from driftwatch.tell.words import over_words
from driftwatch.web.access import Reviewer, TheForm, Viewer
from driftwatch.web.desk import Desk, TheDesk
from driftwatch.web.pages import alerting
from driftwatch.web.pages.asked import REFUSALS, HowBad, InState, OfKind, Words, names, onward, options, refusal
from driftwatch.web.pages.telling import tell_all
from driftwatch.web.templates import page

router = APIRouter(prefix="/alerts", include_in_schema=False, default_response_class=Response)

PAGE: Final = 50
"""Alerts on one page."""

FEW: Final = 25
"""Findings on one page of an alert."""

MESSAGES: Final = 200
"""Messages that the life of an alert tells of: the newest ones."""

_SAID: Final = 200
"""Entries of the audit log that are searched for who acknowledged."""

_ACKNOWLEDGED: Final = (
    "good",
    "You said that you know of it. Nobody is reminded any more, until it grows; those who were told hear of it.",
)


@router.get("")
def alerts(
    request: Request,
    desk: TheDesk,
    _: Viewer,
    *,
    state: InState = None,
    kind: OfKind = None,
    severity: HowBad = None,
    server: Words = "",
    after: Annotated[str, Query(max_length=1_000)] = "",
) -> Response:
    """Show what there is and was to tell."""
    wanted = AlertsWanted((state,) if state else (), kind, severity, server or None)
    found, following = alerting.open_first(desk.store, wanted, after, PAGE)
    asked = {"state": state, "kind": kind, "severity": severity, "server": server}
    return page(
        request,
        "alerts.html",
        rows=[alerting.row_of(one) for one in found],
        counts=alerting.counted(desk.store.alert_counts(wanted)),
        asked=asked,
        wanted=bool(state or kind or severity or server),
        states=options(alerting.STATES),
        kinds=options(alerting.KINDS),
        servers=names(desk.settings, server),
        first=not after,
        following=onward(asked, following),
    )


@router.get("/{alert_id}")
def alert(
    request: Request,
    desk: TheDesk,
    _: Viewer,
    alert_id: str,
    *,
    after: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    done: Words = "",
) -> Response:
    """Show one alert: what it says, what was found, and its life."""
    notices = [_ACKNOWLEDGED] if done == "acknowledged" else []
    return _page(request, desk, desk.store.alert(alert_id), notices=notices, after=after)


@router.post("/{alert_id}/acknowledge")
def acknowledge(request: Request, desk: TheDesk, person: Reviewer, alert_id: str, form: TheForm) -> Response:
    """Write down that somebody knows of an alert."""
    note = form.text("note")
    if form.refused is not None:
        return _page(request, desk, desk.store.alert(alert_id), 400, notices=[("bad", form.refused)], note=note)
    try:
        done = attend.acknowledge(
            desk.store, desk.settings, desk.store.alert(alert_id).id, by=person.actor, note=note, now=desk.clock()
        )
    except REFUSALS as error:
        status, words = refusal(error)
        return _page(request, desk, desk.store.alert(alert_id), status, notices=[("bad", words)], note=note)
    if not done.is_new:
        already = done.alert.acknowledged.by if done.alert.acknowledged else "Somebody"
        words = f"{already} acknowledged it already. Nothing was changed."
        return _page(request, desk, done.alert, 409, notices=[("", words)], note=note)
    desk.wake()
    return RedirectResponse(f"/alerts/{done.alert.id}?done=acknowledged", 303)


def _page(
    request: Request,
    desk: Desk,
    one: Alert,
    status: int = 200,
    *,
    notices: Sequence[tuple[str, str]] = (),
    note: str = "",
    after: int = 0,
) -> Response:
    store, now = desk.store, desk.clock()
    silences = store.silences(at=now)
    # Of what is no difference the summary says it all.
    found = sorted(one.findings, key=lambda finding: finding.order) if one.kind is AlertKind.DRIFT else []
    part = found[after : after + FEW]
    routing = Routing.of(desk.settings, silences)
    to_agents = _to_agents(store, one)
    messages = store.delivery_page(Wanted(alert=one.id), limit=MESSAGES)
    explained = explain(one, routing, labels_of(desk.settings, one)) if one.state.stands else None
    return page(
        request,
        "alert.html",
        status,
        notices=notices,
        row=alerting.row_of(one),
        about=alerting.KINDS[one.kind],
        over=over_words(one.reason),
        findings=list(zip(tell_all(part, values=True), alerting.marked(one, part, silences), strict=True)),
        total=len(one.findings),
        after=after,
        following=f"after={after + FEW}" if len(found) > after + FEW else "",
        life=alerting.life(one, messages.rows, _known(store, one), store.reviews(one.server), now, to_agents=to_agents),
        older_messages=messages.before is not None,
        newest=messages.rows[0] if messages.rows else None,
        kept=explained.kept if explained else (),
        goes=explained.stops if explained else (),
        told=store.channels_told(one.id),
        steps=alerting.next_steps(one),
        said_no=rejected_beside(store, one.server) if one.state.stands and _is_beside(one) else (),
        may_acknowledge=one.state is AlertState.OPEN,
        silence=alerting.silence_of,
        severities=list(Severity),
        note=note,
        longest=NOTE,
    )


def _is_beside(one: Alert) -> bool:
    """Say whether an alert tells of a list beside the one that driftwatch is shown, that somebody may have rejected."""
    return any(finding.rule in {WITNESSED.id, OTHER_START.id} for finding in one.findings)


def _to_agents(store: Store, one: Alert) -> frozenset[str]:
    """Give the digests of what agents were shown by the server of an alert that tells of it."""
    if all(finding.rule != WITNESSED.id for finding in one.findings):
        return frozenset()
    return frozenset(
        shown.digest for shown in store.testimonies(one.server, states=(*STANDING, TestimonyState.SETTLED))
    )


def _known(store: Store, one: Alert) -> list[AuditEntry]:
    """Give who acknowledged what on the server of an alert: who did before it grew is only in the log."""
    asked = AuditWanted(action=Action.ACKNOWLEDGED.value, server=one.server, since=one.opened_at)
    with suppress(StoreError):
        return store.audit(asked, limit=_SAID)
    return []
