"""Sessions of browsers: a cookie with a long random number, of which only the hash is kept."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from driftwatch.model import Actor, Session, User
from driftwatch.web.desk import Desk
from driftwatch.web.keys import hashed, new_key
from driftwatch.web.whence import SECURE, address_of, is_public, is_tls

COOKIE: Final = "driftwatch"

BY_ITSELF: Final = "x-driftwatch-live"
"""The header of what a page asks for by itself, because of news."""

_TOUCH: Final = timedelta(minutes=1)
"""How seldom it is written down that a session is in use: pages must not write with every look at them."""


def origin_of(request: Request, desk: Desk) -> str:
    """Say from where somebody asks who sits at a browser: `web 192.0.2.7`."""
    return f"web {address_of(request, desk.settings.web)}"


def begin(request: Request, response: Response, desk: Desk, user: str, *, how: str) -> None:
    """Sign somebody in at this browser, with a new session; the one that was here before ends."""
    end(request, response, desk)
    now, web, key = desk.clock(), desk.settings.web, new_key(desk.random)
    expires = now + timedelta(seconds=min(web.session_idle, web.session_longest))
    address = address_of(request, web)
    session = Session(hashed(key), user, now, now, expires, new_key(desk.random), address)
    desk.store.open_session(session, origin=f"web {address}", how=how)
    secure = is_tls(request, desk.settings)
    name = SECURE + COOKIE if secure else COOKIE
    response.set_cookie(
        name, key, max_age=int(web.session_longest), path="/", secure=secure, httponly=True, samesite="lax"
    )


def current(request: Request, desk: Desk) -> tuple[Session, User] | None:
    """Give the session of this browser with its user as they are now; None when there is none that still counts."""
    found = _found(request, desk)
    if found is None:
        return None
    session, user = found
    now = desk.clock()
    if user.disabled or now >= session.expires_at or now >= _last_moment(session, desk):
        return None
    if now - session.last_seen_at >= _TOUCH and not _is_by_itself(request):
        idle = now + timedelta(seconds=desk.settings.web.session_idle)
        desk.store.touch_session(session.sha256, at=now, expires_at=min(idle, _last_moment(session, desk)))
    return session, user


def end(request: Request, response: Response, desk: Desk) -> None:
    """Sign out whoever is signed in at this browser."""
    found = _found(request, desk)
    if found is not None:
        session, user = found
        desk.store.end_session(session.sha256, by=Actor(user.name, origin_of(request, desk)), at=desk.clock())
        for name in _names(request, desk):
            secure = name.startswith(SECURE)
            response.delete_cookie(name, path="/", secure=secure, httponly=True, samesite="lax")


def _is_by_itself(request: Request) -> bool:
    """Say whether a page that lies open asks, and nobody sits there: then the session is not in use."""
    return request.url.path.endswith("/events") or request.headers.get(BY_ITSELF) is not None


def _last_moment(session: Session, desk: Desk) -> datetime:
    return session.created_at + timedelta(seconds=desk.settings.web.session_longest)


def _found(request: Request, desk: Desk) -> tuple[Session, User] | None:
    """Give the session that a cookie of this browser names, whether or not it still counts."""
    names = _names(request, desk)
    return desk.store.session(hashed(request.cookies[names[0]])) if names else None


def _names(request: Request, desk: Desk) -> list[str]:
    """Name the cookies that this browser sent for a session, the one first that counts.

    At the public https address only the one counts that browsers take from that very host over TLS only. On loopback
    there is no TLS, and not every browser keeps such cookies there.
    """
    names = (SECURE + COOKIE,) if is_public(request, desk.settings) else (SECURE + COOKIE, COOKIE)
    return [name for name in names if request.cookies.get(name)]
