"""The files that every page loads: style, script, icon. They hold nothing secret, so everybody may read them."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope


class Files(StaticFiles):
    """A folder of files that browsers keep, and ask for anew only when they changed."""

    def __init__(self, folder: Path) -> None:
        """Take the folder."""
        super().__init__(directory=folder)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Give one file."""
        response = await super().get_response(path, scope)
        response.headers.setdefault("cache-control", "no-cache")
        return response
