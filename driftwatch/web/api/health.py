"""What programs ask again and again: whether the daemon lives, whether it does its work, and its numbers.

Nothing here waits for a thread that others may hold, so that it is answered while the database is locked.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from fastapi import APIRouter, Depends
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response

from driftwatch.web.access import collects, open_to_all
from driftwatch.web.api.answers import MEDIA_TYPE, spelled
from driftwatch.web.desk import TheDesk
from driftwatch.web.problems import ALIVE, METRICS, READY

TEXT: Final = "text/plain; version=0.0.4; charset=utf-8"
"""The text format of Prometheus."""

router = APIRouter(include_in_schema=False, default_response_class=Response)

_Asked = TypeVar("_Asked")


@router.get(ALIVE, dependencies=[open_to_all])
async def alive() -> Response:
    """Say that the process answers, which is all that this says."""
    return PlainTextResponse("alive\n")


@router.get(READY, dependencies=[open_to_all])
async def ready(desk: TheDesk) -> Response:
    """Say whether the daemon does its work, part by part, in words that name nothing of what is watched."""
    health = await _had(desk.ready)
    checks = [
        {"check": check.part.value, "ok": check.ok, "decides": check.decides, "why": check.why}
        for check in health.checks
    ]
    body = {"ready": health.well, "checks": checks}
    return Response(spelled(body), 200 if health.well else 503, media_type=MEDIA_TYPE)


@router.get(METRICS, dependencies=[Depends(collects)])
async def metrics(desk: TheDesk) -> Response:
    """Give the numbers, as docs/metrics.md lists them."""
    return Response(await _had(desk.metrics), headers={"content-type": TEXT})


async def _had(ask: Callable[[], Awaitable[_Asked]] | None) -> _Asked:
    """Ask the daemon; pages that are served without one have nothing to say of it."""
    if ask is None:
        raise HTTPException(404)
    return await ask()
