"""What is new, as it happens: a stream that names what is no longer as it was, and never says what it is now."""

from __future__ import annotations

from typing import Any, Final

from fastapi import Request
from sse_starlette import EventSourceResponse

from driftwatch.web import live
from driftwatch.web.access import Viewer
from driftwatch.web.api.part import part

router = part("events")

_STREAM: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "Server-sent events, until who asks may come in no more.",
        "content": {
            "text/event-stream": {
                "schema": {"type": "string"},
                "example": 'event: hello\ndata: {}\n\nevent: news\ndata: {"topics": ["alerts", "server:notes"]}\n\n',
            }
        },
    }
}


@router.get(
    "/events",
    response_class=EventSourceResponse,
    responses=_STREAM,
    operation_id="listen",
    summary="Hear what is new",
)
async def events(request: Request, person: Viewer) -> EventSourceResponse:
    """Say what is new for as long as one listens.

    First comes an event `hello`. Then each `news` has `topics`: `server:NAME` (what is said of a server),
    `looked:NAME` (there was a look), `alerts`, `deliveries`, `channels`, `silences`, `aheads`, `audit`. Ask for what
    they name. A comment comes every 15 seconds. What happened while nobody listened is not told later.
    """
    return await live.events(request, person)
