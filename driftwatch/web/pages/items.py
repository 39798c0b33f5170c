"""What a server shows: all items of a kind, and one item whole."""

from __future__ import annotations

from typing import Annotated, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from driftwatch.errors import UnknownIdError, UsageError
from driftwatch.judge.text.visible import visible
from driftwatch.model import Finding, Kind, Place
from driftwatch.report.hinttable import hint_table
from driftwatch.report.itemdiff import spelled
from driftwatch.store.store import Store
from driftwatch.web.access import Viewer
from driftwatch.web.desk import TheDesk
from driftwatch.web.links import read_key
from driftwatch.web.pages.server import known
from driftwatch.web.pages.timeline import item_words
from driftwatch.web.pages.tools import first_text, is_tool, tool_row
from driftwatch.web.pages.witnessed import resolved
from driftwatch.web.templates import page

router = APIRouter(prefix="/servers/{name}/items", include_in_schema=False, default_response_class=Response)

PAGE: Final = 100
"""Items on one page."""

LONGEST: Final = 200_000
"""Characters of raw JSON on a page; an export has all of it."""

_SIGHTINGS: Final = 2_000
"""So far back the story of one item goes, in lists that the server showed."""

STORY: Final = 50
"""Of which so many changes are shown, the newest ones."""

_Text = Annotated[str, Query(max_length=200)]
_Key = Annotated[str, Query(max_length=20_000)]


@router.get("")
def items(
    request: Request, desk: TheDesk, _: Viewer, name: str, *, kind: Kind = Kind.TOOL, q: _Text = "", after: int = -1
) -> Response:
    """Show the items of a kind that the server shows now, a page at a time."""
    name, store = known(desk, name), desk.store
    digest, text = store.state(name).last_digest, q.strip()
    found = store.item_page(digest, kind, text=text, spelled=visible, after=after, limit=PAGE)
    more = {"kind": kind.value, **({"q": text} if text else {}), "after": found.after}
    return page(
        request,
        "items.html",
        server=name,
        digest=digest,
        kind=kind,
        kinds=store.kinds(digest),
        text=text,
        found=found.found,
        tools=[tool_row(item) for item in found.items] if kind is Kind.TOOL else [],
        items=[(item, first_text(item)) for item in found.items],
        first=after < 0,
        following=urlencode(more) if found.after is not None else "",
    )


@router.get("/{kind}")
def item(
    request: Request,
    desk: TheDesk,
    _: Viewer,
    name: str,
    kind: Kind,
    *,
    key: _Key = "",
    wire: _Key = "",
    occurrence: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    digest: Annotated[str, Query(max_length=80)] = "",
) -> Response:
    """Show one item whole, as it is now or as it was in a list of before."""
    name, store = known(desk, name), desk.store
    place = (kind, _read(key, wire), occurrence)
    wanted = resolved(store, name, digest) if digest else store.state(name).last_digest
    found, past = store.item(wanted, place), store.item_sightings(name, place, limit=_SIGHTINGS)
    if found is None and not any(one.item for one in past):
        raise UnknownIdError(f"{name} never showed this {kind.noun}.", hint="Look for it in what it shows now.")
    raw = spelled(found.raw) if found is not None else ""
    return page(
        request,
        "item.html",
        server=name,
        place=place,
        words=item_words(place),
        item=found,
        digest=wanted,
        is_now=wanted == store.state(name).last_digest,
        raw=raw[:LONGEST],
        left_out=max(0, len(raw) - LONGEST),
        tool=tool_row(found) if found is not None and is_tool(found) else None,
        hints=hint_table(None, found) if found is not None and is_tool(found) else None,
        findings=_findings(store, name, place),
        past=past[: -STORY - 1 : -1],
        left_past=max(0, len(past) - STORY),
    )


def _read(key: str, wire: str) -> str:
    found = read_key(key, wire)
    if found is None:
        raise UsageError("This is not the name of an item.", hint="Take the address from a page of driftwatch.")
    return found


def _findings(store: Store, name: str, place: Place) -> list[Finding]:
    """Give what the latest judgement found about an item, the worst first."""
    kind, key, occurrence = place
    found = [one for one in store.findings(name) if one.kind is kind]
    about = [
        one for one in found if (key in one.items if one.items else (one.item, one.occurrence) == (key, occurrence))
    ]
    return sorted(about, key=lambda one: one.order)
