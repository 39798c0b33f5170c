"""Who may come in: users and tokens, for admins; and the tokens that somebody made for their own programs."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from driftwatch.config.units import seconds
from driftwatch.errors import LastAdminError, NothingToDoError, UsageError
from driftwatch.model import Role, Token
from driftwatch.web import accounts
from driftwatch.web.access import Admin, Person, Sent, TheForm, Viewer
from driftwatch.web.api.asking import spot, spot_cursor
from driftwatch.web.desk import Desk, TheDesk
from driftwatch.web.problems import NotAllowedError
from driftwatch.web.templates import page
from driftwatch.web.whence import base_of

router = APIRouter(include_in_schema=False, default_response_class=Response)

PAGE: Final = 100
"""Tokens on one page."""

_YOURSELF: Final = "You cannot do that to yourself: let another admin do it, or use the command line."


@router.get("/people")
def show_people(request: Request, desk: TheDesk, _: Admin) -> Response:
    """Show all users."""
    return _people_page(request, desk)


@router.post("/people/add")
def add(request: Request, desk: TheDesk, person: Admin, form: TheForm) -> Response:
    """Add a user, and show the link with which they choose a password."""
    if form.refused is not None:
        return _people_page(request, desk, form=form, refused=form.refused)
    now = desk.clock()
    try:
        role = _role(form)
        user = accounts.add_user(desk.store, form.text("name"), role, None, by=person.actor, now=now)
    except UsageError as error:
        return _people_page(request, desk, form=form, refused=_words(error))
    key = accounts.add_link(desk.store, desk.random, user.name, by=person.actor, now=now)
    return _people_page(request, desk, link=_link(request, desk, key), linked=user.name)


@router.post("/people/{name}/link")
def link(request: Request, desk: TheDesk, person: Admin, name: str, form: TheForm) -> Response:
    """Make a link with which a user chooses a new password."""
    if form.refused is not None:
        return _people_page(request, desk, refused=form.refused)
    key = accounts.add_link(desk.store, desk.random, name, by=person.actor, now=desk.clock())
    return _people_page(request, desk, link=_link(request, desk, key), linked=name)


@router.post("/people/{name}/role")
def role(request: Request, desk: TheDesk, person: Admin, name: str, form: TheForm) -> Response:
    """Give a user another role."""
    refused = form.refused or (_YOURSELF if name == person.name else None)
    if refused is None:
        try:
            new = _role(form)
            desk.store.change_user(name, by=person.actor, at=desk.clock(), role=new, proxied=desk.settings.web.proxied)
        except UsageError as error:
            refused = _words(error)
    return _after(request, desk, refused)


@router.post("/people/{name}/disable")
def disable(request: Request, desk: TheDesk, person: Admin, name: str, form: TheForm) -> Response:
    """Let a user in no more; their sessions and tokens open nothing from now on."""
    refused = form.refused or (_YOURSELF if name == person.name else None)
    if refused is None:
        try:
            desk.store.change_user(
                name, by=person.actor, at=desk.clock(), disabled=True, proxied=desk.settings.web.proxied
            )
        except LastAdminError as error:
            refused = _words(error)
    return _after(request, desk, refused)


@router.post("/people/{name}/enable")
def enable(request: Request, desk: TheDesk, person: Admin, name: str, form: TheForm) -> Response:
    """Let a user in again."""
    if form.refused is None:
        desk.store.change_user(name, by=person.actor, at=desk.clock(), disabled=False)
    return _after(request, desk, form.refused)


@router.post("/people/{name}/remove")
def remove(request: Request, desk: TheDesk, person: Admin, name: str, form: TheForm) -> Response:
    """Take a user out, and the tokens that they made."""
    refused = form.refused or (_YOURSELF if name == person.name else None)
    if refused is None:
        try:
            desk.store.remove_user(name, by=person.actor, at=desk.clock(), proxied=desk.settings.web.proxied)
        except LastAdminError as error:
            refused = _words(error)
    return _after(request, desk, refused)


@router.get("/tokens")
def show_tokens(
    request: Request, desk: TheDesk, person: Viewer, *, after: Annotated[str, Query(max_length=1_000)] = ""
) -> Response:
    """Show one's own tokens; to an admin all of them."""
    return _tokens_page(request, desk, person, after=after)


@router.post("/tokens/add")
def add_token(request: Request, desk: TheDesk, person: Viewer, form: TheForm) -> Response:
    """Make a token that may do what its maker may, or less, and show its secret, once."""
    if form.refused is not None:
        return _tokens_page(request, desk, person, form=form, refused=form.refused)
    try:
        token, secret = accounts.add_token(
            desk.store,
            desk.random,
            form.text("name"),
            _role(form, person.role),
            scopes=form.text("scopes").split(),
            lasts=_lasts(form.text("lasts")),
            by=person.actor,
            now=desk.clock(),
            of_user=True,
        )
    except UsageError as error:
        return _tokens_page(request, desk, person, form=form, refused=_words(error))
    return _tokens_page(request, desk, person, made=token, secret=secret)


@router.post("/tokens/{token}/revoke")
def revoke(request: Request, desk: TheDesk, person: Viewer, token: str, form: TheForm) -> Response:
    """Take a token back: one's own, or as an admin any."""
    if form.refused is not None:
        return _tokens_page(request, desk, person, refused=form.refused)
    found = desk.store.token(token)
    if found is None or not (person.role is Role.ADMIN or found.by == person.name):
        raise NotAllowedError(Role.ADMIN)
    try:
        desk.store.revoke_token(token, by=person.actor, at=desk.clock())
    except NothingToDoError as error:
        return _tokens_page(request, desk, person, refused=_words(error))
    return RedirectResponse("/tokens", 303)


def _after(request: Request, desk: Desk, refused: str | None) -> Response:
    """Go on to the page of all users, or show it with why nothing was done."""
    return RedirectResponse("/people", 303) if refused is None else _people_page(request, desk, refused=refused)


def _people_page(
    request: Request,
    desk: Desk,
    *,
    form: Sent | None = None,
    refused: str | None = None,
    link: str | None = None,
    linked: str = "",
) -> Response:
    return page(
        request,
        "people.html",
        400 if refused else 200,
        notices=[("bad", refused)] if refused else [],
        users=desk.store.users(),
        roles=list(Role),
        typed=_typed(form, "name", "role"),
        link=link,
        linked=linked,
        lasts=accounts.LINK_LASTS,
    )


def _tokens_page(
    request: Request,
    desk: Desk,
    person: Person,
    *,
    form: Sent | None = None,
    refused: str | None = None,
    made: Token | None = None,
    secret: str = "",
    after: str = "",
) -> Response:
    by = None if person.role is Role.ADMIN else person.name
    stretch = desk.store.token_page(by=by, after=spot("tokens", after), limit=PAGE)
    following = spot_cursor("tokens", stretch.after)
    return page(
        request,
        "tokens.html",
        400 if refused else 200,
        notices=[("bad", refused)] if refused else [],
        tokens=stretch.rows,
        first=not after,
        following=f"after={following}" if following else "",
        roles=[one for one in Role if person.role.includes(one)],
        typed=_typed(form, "name", "role", "scopes", "lasts"),
        made=made,
        secret=secret,
    )


def _typed(form: Sent | None, *names: str) -> dict[str, str]:
    """Give what was typed, so that a refused form loses nothing."""
    return {name: form.text(name) if form else "" for name in names}


def _role(form: Sent, highest: Role = Role.ADMIN) -> Role:
    """Read a role that somebody may give who has the role `highest`."""
    given = [one for one in Role if one.value == form.text("role") and highest.includes(one)]
    if not given:
        raise UsageError("This is no role that you can give.", hint=f"There are {', '.join(Role)}.")
    return given[0]


def _lasts(text: str) -> timedelta | None:
    """Read how long a token lasts: `90d`, or `never` for one that does not end."""
    if text.strip().lower() == "never":
        return None
    length = seconds(text.strip())
    if length is None:
        raise UsageError("This is not a length of time.", hint="Write 12h or 90d, or never.")
    return timedelta(seconds=min(length, 2 * accounts.LONGEST_TOKEN.total_seconds()))


def _link(request: Request, desk: Desk, key: str) -> str:
    """Give the link at the public address, or where there is none at the one under which this page was asked for."""
    base = base_of(request, desk.settings)
    return f"{base}/welcome?key={key}"


def _words(error: UsageError) -> str:
    return " ".join(filter(None, (error.message, error.hint)))
