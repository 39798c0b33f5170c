"""How a part of the API begins: its path, its group in the document, and that nothing unknown is asked for."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Depends

from driftwatch.web.api.asking import only_known
from driftwatch.web.api.bodies import OnceRoute

ROOT: Final = "/api/v1"


def part(tag: str, path: str = "") -> APIRouter:
    """Make the router of one part, below the root."""
    return APIRouter(prefix=f"{ROOT}{path}", tags=[tag], dependencies=[Depends(only_known)], route_class=OnceRoute)
