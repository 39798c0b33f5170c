"""The audit log: who did what, when, from where and why; and whether it is as it was written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import Query, Request
from pydantic import Field
from starlette.responses import Response, StreamingResponse
from typing_extensions import TypedDict

from driftwatch.model import AuditEntry
from driftwatch.report import plain
from driftwatch.review import audit as verb
from driftwatch.store.audit import AuditWanted, entry_json
from driftwatch.web.access import Admin, Viewer
from driftwatch.web.api.answers import answer, spelled
from driftwatch.web.api.asking import USUAL, Cursor, Filter, Limit, Moment, number
from driftwatch.web.api.asking import cursor as written
from driftwatch.web.api.part import part
from driftwatch.web.api.shapes import Moment as ShownMoment
from driftwatch.web.api.shapes import Next, shape
from driftwatch.web.desk import TheDesk

router = part("audit", "/audit")

_Hash = Annotated[str, Field(pattern="^[0-9a-f]{64}$", examples=["5e" * 32])]


@shape
class EntryShape(TypedDict):
    """One thing that was done. How the hash is made stands in docs/audit.md."""

    seq: int
    at: ShownMoment
    who: str
    origin: Annotated[str, Field(examples=["web 192.0.2.7"])]
    action: Annotated[str, Field(examples=["approved"])]
    server: str
    digest: str
    why: str
    details: dict[str, Any]
    previous: _Hash
    hash: _Hash


@shape
class EntriesShape(TypedDict):
    """Some entries, newest first."""

    entries: list[EntryShape]
    next: Next


@shape
class VerifiedShape(TypedDict):
    """What a look over the whole chain came to."""

    whole: bool
    entries: int
    """So many are good, from the first on."""
    head: _Hash
    """The hash of the last of them: note it down, and hold it against the log later."""
    broken_at: int | None
    why: str
    agrees: bool | None
    """Whether what stands in the database is what the log says; null where the chain is broken."""
    astray: list[str]
    """In a sentence each, what stands otherwise than the last entry about it has it."""
    older: int
    """What was decided before the log began: no entry tells of it."""


@router.get("", response_model=EntriesShape, operation_id="list_audit", summary="List what was done")
def entries(
    request: Request,
    desk: TheDesk,
    _: Viewer,
    *,
    who: Annotated[Filter, Query(description="By whom.")] = "",
    action: Annotated[Filter, Query(description="What: `approved`, `silenced`, `token-made`, …")] = "",
    server: Annotated[Filter, Query(description="About which server.")] = "",
    since: Annotated[Moment | None, Query(description="Done then or later.")] = None,
    limit: Limit = USUAL,
    cursor: Cursor = "",
) -> Response:
    """Give entries, newest first."""
    wanted = AuditWanted(since=since, who=who or None, action=action or None, server=server or None)
    found = verb.entries(desk.store, cursor=number("audit", cursor), wanted=wanted, limit=limit)
    following = None if found.next is None else written("audit", found.next)
    return answer(request, {"entries": [_entry(one) for one in found.entries], "next": following})


@router.get("/verification", response_model=VerifiedShape, operation_id="verify_audit", summary="Verify the log")
def verification(
    request: Request,
    desk: TheDesk,
    _: Viewer,
    head: Annotated[
        str, Query(max_length=64, description="The hash of an entry that was noted down before: it must be there.")
    ] = "",
) -> Response:
    """See whether every entry is as it was written, and whether what stands agrees. It reads the whole log."""
    found = verb.verify(desk.store, desk.settings, now=desk.clock(), head=head)
    body: VerifiedShape = {
        "whole": found.whole,
        "entries": found.count,
        "head": found.head,
        "broken_at": found.broken_at,
        "why": found.why,
        "agrees": found.agrees,
        "astray": list(found.astray),
        "older": found.older,
    }
    return answer(request, body)


@router.get(
    "/export",
    operation_id="export_audit",
    summary="Export the log",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/jsonl": {"schema": {"type": "string"}}}, "description": "JSON lines."}},
)
def export(
    desk: TheDesk, _: Admin, since: Annotated[Moment | None, Query(description="Done then or later.")] = None
) -> StreamingResponse:
    """Give every entry, oldest first, one on a line."""
    headers = {"content-disposition": 'attachment; filename="driftwatch-audit.jsonl"'}

    def lines() -> Iterator[bytes]:
        for entry in verb.exported(desk.store, since=since):
            yield spelled(plain(entry))

    return StreamingResponse(lines(), media_type="application/jsonl", headers=headers)


def _entry(entry: AuditEntry) -> dict[str, Any]:
    said: dict[str, Any] = plain(entry_json(entry))
    return said
