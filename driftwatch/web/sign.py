"""Coming in and going out: signing in, the links that are good once, one's own password and sessions."""

from __future__ import annotations

import math
from typing import Final
from urllib.parse import urlsplit

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from driftwatch.errors import UsageError
from driftwatch.model import Actor, Role, User
from driftwatch.web import accounts, known, passwords, sessions
from driftwatch.web.access import How, Sent, TheForm, Viewer, open_to_all
from driftwatch.web.desk import Desk, TheDesk
from driftwatch.web.failures import Failures
from driftwatch.web.keys import hashed
from driftwatch.web.problems import TooManyTriesError
from driftwatch.web.templates import page
from driftwatch.web.throttle import Throttle
from driftwatch.web.welcome import Welcome
from driftwatch.web.whence import address_of

router = APIRouter(include_in_schema=False, default_response_class=Response)

_WRONG: Final = "This name and this password do not go together."
_GONE: Final = "This link was used before, is too old, or is not whole."
_LONGEST_NEXT: Final = 2000

_UNKNOWN: Final = "an unknown name"
"""Who is written down for a name that is no user's: it may be a password that was typed into the wrong field."""


def own_path(text: str) -> str:
    """Give where to go on: a path of our own, or the first page for anything that could lead elsewhere."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return "/"
    is_own = text.startswith("/") and not text.startswith(("//", "/\\")) and not (parts.scheme or parts.netloc)
    plain = text.isascii() and text.isprintable() and "\\" not in text and len(text) <= _LONGEST_NEXT
    return text if is_own and plain else "/"


@router.get("/sign-in", dependencies=[open_to_all])
def show_sign_in(request: Request, next: str = "/") -> Response:  # noqa: A002 - the name of the parameter in the URL
    """Show the form for signing in."""
    return page(request, "sign-in.html", next=own_path(next), name="", refused=None)


@router.post("/sign-in", dependencies=[open_to_all])
def sign_in(request: Request, desk: TheDesk, form: TheForm) -> Response:
    """Sign in by name and password."""
    name, onward = form.text("name").strip().lower()[:64], own_path(form.text("next", "/"))
    if form.refused is not None:
        return page(request, "sign-in.html", 400, next=onward, name=name, refused=form.refused)
    throttle: Throttle = request.app.state.throttle
    user, address = desk.store.user(name), address_of(request, desk.settings.web)
    browser = known.browser_of(request, desk, user)
    wait = math.ceil(throttle.wait(name, address, browser).total_seconds())
    if wait:
        error = TooManyTriesError(wait)
        headers = {"retry-after": str(wait)}
        return page(request, "sign-in.html", 429, headers=headers, next=onward, name=name, refused=error.message)
    if not passwords.verify(user.password if user else None, form.text("password")) or user is None or user.disabled:
        _failed(request, desk, user, throttle.failed(name, address, browser))
        return page(request, "sign-in.html", 401, next=onward, name=name, refused=_WRONG)
    throttle.succeeded(name, address, browser)
    if user.password is not None and passwords.needs_rehash(user.password):
        anew, by = passwords.hash_password(form.text("password")), Actor("driftwatch", "daemon")
        desk.store.change_user(name, by=by, at=desk.clock(), password=anew)
    return _signed_in(request, desk, user, onward, how="password")


@router.post("/sign-out")
def sign_out(request: Request, desk: TheDesk, person: Viewer, form: TheForm) -> Response:
    """Sign out at this browser."""
    if form.refused is not None:
        return _account_page(request, desk, person.name, refused=form.refused, status=400)
    response = RedirectResponse("/sign-in", 303)
    sessions.end(request, response, desk)
    return response


@router.get("/welcome", dependencies=[open_to_all])
def show_welcome(request: Request, desk: TheDesk, key: str = "") -> Response:
    """Show the form behind a link that is good once: for the first admin, or for a new password."""
    return _welcome_page(request, desk, key)


@router.post("/welcome", dependencies=[open_to_all])
def take_welcome(request: Request, desk: TheDesk, form: TheForm) -> Response:
    """Take a name and a password from somebody with a link, and sign them in."""
    key, password = form.text("key"), form.text("password")
    refused = form.refused or _not_the_same(form)
    if refused is not None:
        return _welcome_page(request, desk, key, refused=refused, name=form.text("name"), status=400)
    try:
        user = _first_admin(request, desk, key, form) or _with_new_password(request, desk, key, password)
    except UsageError as error:
        words = " ".join(filter(None, (error.message, error.hint)))
        return _welcome_page(request, desk, key, refused=words, name=form.text("name"), status=400)
    if user is None:
        return page(request, "gone.html", 410, words=_GONE)
    return _signed_in(request, desk, user, "/", how="link")


@router.get("/account")
def show_account(request: Request, desk: TheDesk, person: Viewer) -> Response:
    """Show one's own role and sessions, and the form for another password."""
    return _account_page(request, desk, person.name)


@router.post("/account/password")
def change_password(request: Request, desk: TheDesk, person: Viewer, form: TheForm) -> Response:
    """Change one's own password; every session ends but the new one here."""
    user = desk.store.user(person.name) if person.how is How.SESSION else None
    refused = form.refused or _not_the_same(form)
    throttle: Throttle = request.app.state.throttle
    address = address_of(request, desk.settings.web)
    if user is None:
        refused = refused or "You come in without a password of your own here."
    elif refused is None and (wait := math.ceil(throttle.wait(user.name, address, person.session).total_seconds())):
        refused = TooManyTriesError(wait).message
    elif refused is None and not passwords.verify(user.password, form.text("current")):
        throttle.failed(user.name, address, person.session)
        refused = "This is not your password until now."
    if refused is not None or user is None:
        return _account_page(request, desk, person.name, refused=refused, status=400)
    try:
        changed = accounts.set_password(desk.store, user.name, form.text("password"), by=person.actor, now=desk.clock())
    except UsageError as error:
        return _account_page(request, desk, person.name, refused=error.message, status=400)
    return _signed_in(request, desk, changed, "/account", how="password")


@router.post("/account/sign-out-everywhere")
def sign_out_everywhere(request: Request, desk: TheDesk, person: Viewer, form: TheForm) -> Response:
    """End all of one's own sessions, this one as well."""
    if form.refused is not None:
        return _account_page(request, desk, person.name, refused=form.refused, status=400)
    response = RedirectResponse("/sign-in", 303)
    sessions.end(request, response, desk)
    desk.store.end_sessions(person.name, by=person.actor, at=desk.clock())
    return response


def _account_page(
    request: Request, desk: Desk, name: str, *, refused: str | None = None, status: int = 200
) -> Response:
    known = desk.store.sessions(name)
    return page(request, "account.html", status, sessions=known, refused=refused, shortest=passwords.SHORTEST)


def _welcome_page(
    request: Request, desk: Desk, key: str, *, refused: str | None = None, name: str = "", status: int = 200
) -> Response:
    """Show the form that the key opens; say so when it opens none."""
    link, now = desk.store.link(hashed(key)), desk.clock()
    is_first = _welcome(request).fits(key, now) and not desk.store.users()
    if not is_first and (link is None or not link.is_good(now)):
        return page(request, "gone.html", 410, words=_GONE)
    return page(
        request,
        "welcome.html",
        status,
        user=None if is_first or not link else link.user,
        is_new=link is not None and not is_first and _is_new(desk.store.user(link.user)),
        name=name,
        key=key,
        refused=refused,
        shortest=passwords.SHORTEST,
    )


def _is_new(user: User | None) -> bool:
    """Say whether somebody has no password yet, so that the link is the first way in."""
    return user is not None and user.password is None


def _first_admin(request: Request, desk: Desk, key: str, form: Sent) -> User | None:
    """Make the first user, when that is what the key is for and there is none."""
    welcome, now = _welcome(request), desk.clock()
    if not welcome.fits(key, now) or desk.store.users():
        return None
    name = accounts.name_of(form.text("name"))
    by = Actor(name, sessions.origin_of(request, desk))
    if not welcome.take(key, now):
        return None
    try:
        return accounts.add_user(desk.store, name, Role.ADMIN, form.text("password"), by=by, now=now)
    except BaseException:
        welcome.give_back(key)
        raise


def _with_new_password(request: Request, desk: Desk, key: str, password: str) -> User | None:
    """Give the user whom the link is for another password, and use the link up."""
    link, now = desk.store.link(hashed(key)), desk.clock()
    if link is None or not link.is_good(now):
        return None
    # Before the link is used up: who is told to try again in a moment must still have it.
    kept = accounts.kept_password(password, link.user)
    user = desk.store.use_link(hashed(key), at=now)
    if user is None:
        return None
    by = Actor(user.name, sessions.origin_of(request, desk))
    return desk.store.change_user(user.name, by=by, at=now, password=kept)


def _signed_in(request: Request, desk: Desk, user: User, onward: str, *, how: str) -> Response:
    response = RedirectResponse(onward, 303)
    sessions.begin(request, response, desk, user.name, how=how)
    known.remember(request, response, desk, user)
    return response


def _failed(request: Request, desk: Desk, user: User | None, in_a_row: int) -> None:
    failures: Failures = request.app.state.failures
    why = failures.why(in_a_row)
    if why is not None:
        by = Actor(_UNKNOWN if user is None else user.name, sessions.origin_of(request, desk))
        desk.store.note_failed_sign_in(by=by, at=desk.clock(), why=why)


def _not_the_same(form: Sent) -> str | None:
    same = form.text("password") == form.text("again")
    return None if same else "The two passwords are not the same."


def _welcome(request: Request) -> Welcome:
    welcome: Welcome = request.app.state.welcome
    return welcome
