"""Settings: the configuration as it is in force, without its secrets, and what driftwatch itself is."""

from __future__ import annotations

import platform
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from driftwatch.config.policy import expired
from driftwatch.config.urls import mask_database_url
from driftwatch.errors import UnknownIdError
from driftwatch.web.access import Admin
from driftwatch.web.desk import TheDesk
from driftwatch.web.links import query_of
from driftwatch.web.pages.configured import LISTED, stretch, tables
from driftwatch.web.templates import page

router = APIRouter(prefix="/settings", include_in_schema=False, default_response_class=Response)

FEW: Final = 10
"""Servers, channels and so on that the first page has of each."""

PAGE: Final = 50
"""The same of one kind on a page of its own."""


@router.get("")
def settings(request: Request, desk: TheDesk, _: Admin) -> Response:
    """Show the configuration in force."""
    now, found = desk.clock(), desk.settings
    return page(
        request,
        "settings.html",
        path=str(found.path) if found.path else "",
        database=mask_database_url(found.database_url),
        size=in_words(desk.store.size()),
        counts=desk.store.counts(),
        python=platform.python_version(),
        sandbox=desk.sandbox(),
        warnings=[*found.warnings, *expired(found.policy, now)],
        sections=tables(found),
        stretches=[stretch(found, kind, 0, FEW) for kind in LISTED],
    )


@router.get("/{kind}")
def settings_of_kind(
    request: Request, desk: TheDesk, _: Admin, kind: str, after: Annotated[int, Query(ge=0, le=1_000_000)] = 0
) -> Response:
    """Show all tables of one kind, a page at a time."""
    if kind not in LISTED:
        raise UnknownIdError("There are no such settings.", hint="See them all on the page of the settings.")
    found = stretch(desk.settings, kind, after, PAGE)
    following = query_of({"after": found.following}) if found.following is not None else ""
    return page(request, "settings-of.html", found=found, first=after == 0, following=following)


def in_words(size: int) -> str:
    """Say a size in its largest fitting unit: `3.4 MiB`."""
    for unit, length in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if size >= length:
            return f"{size / length:.1f} {unit}"
    return f"{size} B"
