"""The API put together, and the document that tells of it."""

from __future__ import annotations

from functools import cache
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from driftwatch.web.access import Viewer, open_to_all
from driftwatch.web.api import (
    ahead,
    alerts,
    audit,
    channels,
    deliveries,
    events,
    looks,
    people,
    previews,
    reviews,
    rules,
    servers,
    settings,
    silences,
    snapshots,
)
from driftwatch.web.api.answers import answer
from driftwatch.web.api.document import Document, document_of, endpoints
from driftwatch.web.desk import TheDesk
from driftwatch.web.templates import page
from driftwatch.web.whence import base_of

PARTS: Final = (
    servers.router,
    snapshots.router,
    looks.kept,
    looks.router,
    reviews.router,
    previews.router,
    ahead.router,
    alerts.router,
    silences.router,
    deliveries.router,
    channels.router,
    rules.router,
    audit.router,
    settings.router,
    people.users,
    people.tokens,
    people.me,
    events.router,
)

about = APIRouter(include_in_schema=False, default_response_class=Response)

ROUTERS: Final = (*PARTS, about)
"""All that there is to ask the API for, and about it."""


@cache
def document() -> Document:
    """Give the OpenAPI document."""
    return document_of(PARTS)


@about.get("/api/v1/openapi.json", dependencies=[open_to_all])
def openapi(request: Request) -> Response:
    """Give the OpenAPI document: it says nothing of what is watched here, so everybody may read it."""
    return answer(request, document())


@about.get("/api")
def overview(request: Request, desk: TheDesk, _: Viewer) -> Response:
    """Show what there is to ask the API for."""
    base = base_of(request, desk.settings)
    return page(request, "api.html", groups=endpoints(document()), base=base)
