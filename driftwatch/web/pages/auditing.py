"""The audit log: who did what, when, from where and why; whether it is as it was written; the whole of it as a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from driftwatch.errors import UsageError
from driftwatch.model import Action, AlertKind, AuditEntry, Json
from driftwatch.model.amounts import many
from driftwatch.review import audit as verbs
from driftwatch.store.audit import AuditWanted
from driftwatch.store.store import Store
from driftwatch.web.access import Admin, Viewer
from driftwatch.web.api.asking import cursor, number
from driftwatch.web.desk import TheDesk
from driftwatch.web.pages.asked import Words, names, onward, refusal
from driftwatch.web.templates import page

router = APIRouter(prefix="/audit", include_in_schema=False, default_response_class=Response)

PAGE: Final = 50
"""Entries on one page."""

ACTIONS: Final = {
    Action.APPROVED: "approved",
    Action.REJECTED: "rejected",
    Action.APPROVED_AHEAD: "approved ahead",
    Action.AHEAD_USED: "an approval ahead was used",
    Action.AHEAD_ENDED: "ended an approval ahead",
    Action.ACKNOWLEDGED: "acknowledged an alert",
    Action.SILENCED: "made a silence",
    Action.UNSILENCED: "ended a silence",
    Action.RETRIED: "sent a message again",
    Action.CANCELLED: "took a message out",
    Action.USER_ADDED: "added a user",
    Action.USER_CHANGED: "changed a user",
    Action.USER_REMOVED: "removed a user",
    Action.TOKEN_MADE: "made a token",
    Action.TOKEN_REVOKED: "took a token back",
    Action.LINK_MADE: "made a link to sign in by",
    Action.SIGNED_IN: "signed in",
    Action.SIGN_IN_FAILED: "failed to sign in",
    Action.SIGNED_OUT: "signed out",
    Action.WITNESS_FORGOTTEN: "forgot a witness",
    Action.CONFIGURATION_CHANGED: "the configuration changed",
    Action.OLDER_NOTED: "what is older than the log was noted",
    Action.RESTORED: "restored a backup",
    Action.PRUNED: "dropped what was kept for long enough",
    Action.SERVER_RENAMED: "gave a server another name",
}
"""What was done, in words."""

_LISTED: Final = 6
_LONG: Final = 4_000


@dataclass(frozen=True, slots=True)
class Row:
    """One entry: what was done in words, and what it was about, each with an address or nothing."""

    entry: AuditEntry
    did: str
    about: tuple[tuple[str, str], ...]
    details: str


@router.get("")
def audit(
    request: Request,
    desk: TheDesk,
    _: Viewer,
    *,
    who: Words = "",
    action: Words = "",
    server: Words = "",
    after: Annotated[str, Query(max_length=1_000)] = "",
) -> Response:
    """Show what people did, newest first."""
    wanted = AuditWanted(who=who or None, action=action or None, server=server or None)
    found = verbs.entries(desk.store, cursor=number("audit", after), wanted=wanted, limit=PAGE)
    asked = {"who": who, "action": action, "server": server}
    return page(
        request,
        "audit.html",
        rows=[row_of(one) for one in found.entries],
        asked=asked,
        wanted=bool(who or action or server),
        actions=[(one.value, words) for one, words in ACTIONS.items()],
        servers=names(desk.settings, server),
        first=not after,
        tampered=desk.store.open_alert("", AlertKind.AUDIT),
        following=onward(asked, None if found.next is None else cursor("audit", found.next)),
    )


@router.get("/verify")
def verify(request: Request, desk: TheDesk, _: Viewer, head: Words = "") -> Response:
    """See whether every entry is as it was written."""
    head = head.strip()
    found, notices, status = None, [], 200
    try:
        found = verbs.verify(desk.store, desk.settings, now=desk.clock(), head=head)
    except UsageError as error:
        status, words = refusal(error)
        notices = [("bad", words)]
    return page(request, "verify.html", status, notices=notices, found=found, head=head)


@router.get("/export")
def export(desk: TheDesk, _: Admin) -> Response:
    """Give the whole log as JSON lines, oldest first."""
    headers = {"content-disposition": 'attachment; filename="driftwatch-audit.jsonl"'}
    return StreamingResponse(_lines(desk.store), media_type="application/x-ndjson", headers=headers)


def row_of(entry: AuditEntry) -> Row:
    """Say of an entry what was done, and to what."""
    known = {action.value: words for action, words in ACTIONS.items()}
    details = {name: value for name, value in entry.details.items() if name != "parts"}
    spelled = json.dumps(details, ensure_ascii=True, indent=1) if details else ""
    shown = spelled if len(spelled) <= _LONG else f"{spelled[:_LONG]}…"
    return Row(entry, known.get(entry.action, entry.action), tuple(_about(entry)), shown)


def _about(entry: AuditEntry) -> Iterator[tuple[str, str]]:
    server = f"/servers/{quote(entry.server, safe='')}" if entry.server else ""
    # Of a silence it is a pattern.
    if entry.server:
        yield entry.server, server if entry.action != Action.SILENCED else ""
    if entry.digest:
        yield entry.digest.removeprefix("sha256:")[:12], f"{server}/review?digest={entry.digest}" if server else ""
    pages = {"alert": "/alerts/", "message": "/deliveries/", "silence": "/silences?all=1#"}
    for name in ("alert", "message", "silence", "ahead", "user", "token"):
        value = entry.details.get(name)
        if isinstance(value, str) and value:
            yield f"{name} {value[:12]}", f"{pages[name]}{quote(value, safe='')}" if name in pages else ""
    yield from _counted(entry)


def _counted(entry: AuditEntry) -> Iterator[tuple[str, str]]:
    items, listed = entry.details.get("items"), verbs.changed_words(entry)
    if isinstance(items, list):
        yield many(len(items), "item"), ""
    if looked := verbs.looked_words(entry):
        yield looked, ""
    if listed:
        more = f" and {len(listed) - _LISTED} more" if len(listed) > _LISTED else ""
        yield ", ".join(listed[:_LISTED]) + more, ""


def _lines(store: Store) -> Iterator[bytes]:
    for entry in verbs.exported(store):
        yield _line(entry)


def _line(entry: dict[str, Json]) -> bytes:
    return json.dumps(entry, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"
