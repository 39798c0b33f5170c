"""Browsers that are known: somebody signed in there before, and so strangers' failures do not make them wait.

Such a browser keeps a cookie: when it ends, a random number, and a keyed hash over both and over the user whom it is
for. The key is in the database, so the cookie outlives a restart. It opens nothing: whoever has it may guess as often
as anybody else, and only for that user. (OWASP calls these device cookies.)
"""

from __future__ import annotations

import hmac
import re
from datetime import timedelta
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from driftwatch.model import User
from driftwatch.web.desk import Desk
from driftwatch.web.whence import SECURE, is_tls

COOKIE: Final = "driftwatch-known"

LASTS: Final = timedelta(days=180)
"""How long a browser is known after somebody signed in there."""

_KEY: Final = "known browsers"
_NUMBER: Final = 16
_VALUE: Final = re.compile(r"(?P<end>[0-9]{1,12})\.(?P<number>[0-9a-f]{32})\.(?P<mac>[0-9a-f]{64})", re.ASCII)


def browser_of(request: Request, desk: Desk, user: User | None) -> str:
    """Give what tells apart a browser that this user signed in with before; empty for any other."""
    if user is None:
        return ""
    values = (request.cookies.get(name, "") for name in (SECURE + COOKIE, COOKIE))
    return next(filter(None, (_number(desk, user, value) for value in values)), "")


def remember(request: Request, response: Response, desk: Desk, user: User) -> None:
    """Let this browser be known as one of a user who just signed in."""
    end, number = int((desk.clock() + LASTS).timestamp()), desk.random(_NUMBER).hex()
    secure = is_tls(request, desk.settings)
    response.set_cookie(
        (SECURE if secure else "") + COOKIE,
        f"{end}.{number}.{_mac(desk, user, end, number)}",
        max_age=int(LASTS.total_seconds()),
        path="/",
        secure=secure,
        httponly=True,
        samesite="strict",
    )


def _number(desk: Desk, user: User, value: str) -> str:
    """Give the random number of a cookie that is good for this user; empty for one that is not."""
    match = _VALUE.fullmatch(value)
    if match is None:
        return ""
    end, number = int(match["end"]), match["number"]
    is_ours = hmac.compare_digest(match["mac"], _mac(desk, user, end, number))
    return number if is_ours and desk.clock().timestamp() < end else ""


def _mac(desk: Desk, user: User, end: int, number: str) -> str:
    # A later user of the same name is another one. No part can hold a line feed.
    said = f"{end}\n{number}\n{user.created_at.isoformat()}\n{user.name}"
    return hmac.digest(desk.store.key(_KEY, desk.random), said.encode(), "sha256").hex()
