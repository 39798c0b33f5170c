"""How every answer of the API is sent: JSON in ASCII, with an entity tag, and nothing where the caller has it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from driftwatch.web.problems import ChangedMeanwhileError

MEDIA_TYPE: Final = "application/json"


def answer(request: Request, body: object, status: int = 200, *, headers: Mapping[str, str] | None = None) -> Response:
    """Send a value. Whatever was read by GET carries an ETag; 304 where If-None-Match names it."""
    content = spelled(body)
    sent = dict(headers or {})
    if request.method == "GET" and status == 200:
        sent["etag"] = tag = etag(content)
        if _names(request.headers.get("if-none-match", ""), tag):
            return Response(status_code=304, headers=sent)
    return Response(content, status, sent, MEDIA_TYPE)


def spelled(body: object) -> bytes:
    """Write a value as JSON in ASCII: what a server wrote may hold half of a surrogate pair."""
    return json.dumps(body, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"


def etag(content: bytes) -> str:
    """Give the entity tag of what is sent: the same bytes have the same one."""
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def require_match(request: Request, body: object) -> None:
    """Refuse a change of what is not as the caller has seen it, where they say so by If-Match.

    Raises:
        ChangedMeanwhileError: `body`, as GET sends it now, has another entity tag.

    """
    wanted = request.headers.get("if-match")
    if wanted is not None and not _names(wanted, etag(spelled(body)), weak=False):
        raise ChangedMeanwhileError


def _names(header: str, tag: str, *, weak: bool = True) -> bool:
    """Say whether a list of entity tags has this one (RFC 9110, 13.1)."""
    found = [one.strip() for one in header.split(",")]
    return "*" in found or tag in [one.removeprefix("W/") if weak else one for one in found]
