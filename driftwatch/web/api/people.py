"""Who may come in: users and tokens, and who one is oneself."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from fastapi import Path, Request
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from driftwatch.errors import UnknownIdError, UnknownUserError, UsageError
from driftwatch.model import Role, Token, User
from driftwatch.web import accounts
from driftwatch.web.access import API_FORMS, Admin, How, Person, Viewer
from driftwatch.web.api.answers import answer, require_match
from driftwatch.web.api.asking import USUAL, Body, Cursor, Limit, page_of, spot, spot_cursor
from driftwatch.web.api.part import part
from driftwatch.web.api.problems import problems
from driftwatch.web.api.shapes import Moment, Next, moment, moment_if, shape
from driftwatch.web.desk import Desk, TheDesk
from driftwatch.web.forms import Forms
from driftwatch.web.problems import NotAllowedError, NotAPersonError
from driftwatch.web.whence import base_of

users = part("users", "/users")
tokens = part("tokens", "/tokens")
me = part("me", "/me")

Name = Annotated[str, Path(max_length=64, description="The user's name.", examples=["ann"])]
TokenId = Annotated[str, Path(max_length=80, description="The id of the token.", examples=["tok_1a2b3c"])]
_NewName = Annotated[str, Field(min_length=1, max_length=64, examples=["ann"])]
_DAY = timedelta(days=1)
_YOURSELF = "You cannot do that to yourself."
_BY_ANOTHER = "Let another admin do it, or use the command line."
_SCOPES = f"The parts of the API that it is for ({', '.join(accounts.SCOPES)}); none: all of it."


class UserBody(Body):
    """A new user."""

    name: _NewName
    role: Role


class UserChangeBody(Body):
    """What is to be another way; null leaves it."""

    role: Role | None = None
    disabled: Annotated[bool | None, Field(strict=True, description="Whether they may come in no more.")] = None


class TokenBody(Body):
    """A new token."""

    name: _NewName
    role: Annotated[Role, Field(description="One's own, or a lesser one.")]
    scopes: Annotated[
        list[Annotated[str, Field(max_length=32, examples=["servers"])]],
        Field(max_length=30, description=_SCOPES),
    ] = []  # noqa: RUF012 - pydantic copies it
    days: Annotated[int | None, Field(strict=True, ge=1, le=366, description="How long; null: for ever.")] = 90


@shape
class UserShape(TypedDict):
    """One user."""

    name: str
    role: Role
    disabled: bool
    password: bool
    """Whether they have one; without, they come in by a link or by a proxy that names them."""
    created_at: Moment


@shape
class UsersShape(TypedDict):
    """Some users, by name."""

    entries: list[UserShape]
    next: Next


@shape
class LinkShape(TypedDict):
    """A link with which a user chooses a password, once. It is shown only now."""

    user: str
    link: str
    expires_at: Moment


@shape
class TokenShape(TypedDict):
    """One token, without its secret."""

    id: Annotated[str, Field(examples=["tok_1a2b3c4d5e6f"])]
    name: str
    by: str
    """Who made it: it is never worth more than they are."""
    role: Role
    scopes: list[str]
    good: bool
    """Whether it still opens anything, as far as it is concerned."""
    created_at: Moment
    expires_at: Moment | None
    last_used_at: Moment | None
    revoked_at: Moment | None
    revoked_by: str


@shape
class MadeTokenShape(TokenShape):
    """A new token with its secret, which is shown only now."""

    secret: Annotated[str, Field(examples=["dw_…"])]


@shape
class TokensShape(TypedDict):
    """Some tokens, newest first."""

    entries: list[TokenShape]
    next: Next


@shape
class MeShape(TypedDict):
    """Who asks, and what they may do."""

    name: str
    role: Role
    how: How
    """By what they are known."""
    origin: str
    """From where, as the audit log has it."""


@shape
class FormTokenShape(TypedDict):
    """What a page sends along as `X-Form-Token` with one request that changes something. It is good once."""

    token: str


@users.get("", response_model=UsersShape, operation_id="list_users", summary="List users")
def list_users(request: Request, desk: TheDesk, _: Admin, *, limit: Limit = USUAL, cursor: Cursor = "") -> Response:
    """Give all users, by name."""
    shown, following = page_of("users", desk.store.users(), cursor, limit, lambda one: one.name)
    return answer(request, {"entries": [user_json(one) for one in shown], "next": following})


@users.post(
    "", status_code=201, response_model=LinkShape, operation_id="add_user", summary="Add a user",
    response_description="There is the user, and a link with which they choose a password.",
    responses=problems(413),
)  # fmt: skip
def add_user(request: Request, desk: TheDesk, person: Admin, body: UserBody) -> Response:
    """Let somebody in, and make a link with which they choose a password.

    Only people can, as with all that lets somebody in: whoever has a leaked token must not stay in once it is revoked.
    """
    _people_only(person)
    user = accounts.add_user(desk.store, body.name, body.role, None, by=person.actor, now=desk.clock())
    return answer(request, _link(request, desk, person, user.name), 201)


@users.get("/{user}", response_model=UserShape, operation_id="get_user", summary="Get a user", responses=problems(404))
def get_user(request: Request, desk: TheDesk, _: Admin, user: Name) -> Response:
    """Give one user."""
    return answer(request, user_json(_user(desk, user)))


@users.patch(
    "/{user}", response_model=UserShape, operation_id="change_user", summary="Change a user",
    responses=problems(404, 409, 412, 413),
)  # fmt: skip
def change_user(request: Request, desk: TheDesk, person: Admin, user: Name, body: UserChangeBody) -> Response:
    """Give a user another role, or let them in no more, or again. It counts at once, and ends their sessions.

    A program can only take away: a lesser role, or letting in no more; and nothing from the user who made its token.
    The last admin stays one.
    """
    _not_oneself(person, user)
    before = _user(desk, user)
    require_match(request, user_json(before))
    if _gives(before, body):
        _people_only(person)
    proxied = desk.settings.web.proxied
    changed = desk.store.change_user(
        user, by=person.actor, at=desk.clock(), role=body.role, disabled=body.disabled, proxied=proxied
    )
    return answer(request, user_json(changed))


@users.delete(
    "/{user}", status_code=204, operation_id="remove_user", summary="Remove a user", responses=problems(404, 409, 412)
)
def remove_user(request: Request, desk: TheDesk, person: Admin, user: Name) -> Response:
    """Take a user out, and take back the tokens that they made. What they did stays in the audit log.

    The last admin stays, and a program cannot remove the user who made its token.
    """
    _not_oneself(person, user)
    require_match(request, user_json(_user(desk, user)))
    desk.store.remove_user(user, by=person.actor, at=desk.clock(), proxied=desk.settings.web.proxied)
    return Response(status_code=204)


@users.post(
    "/{user}/link", status_code=201, response_model=LinkShape, operation_id="link_user",
    summary="Make a link for a password", responses=problems(404),
)  # fmt: skip
def link_user(request: Request, desk: TheDesk, person: Admin, user: Name) -> Response:
    """Make a link with which a user chooses a new password, once. Only people can."""
    _people_only(person)
    return answer(request, _link(request, desk, person, _user(desk, user).name), 201)


@tokens.get("", response_model=TokensShape, operation_id="list_tokens", summary="List tokens")
def list_tokens(
    request: Request, desk: TheDesk, person: Viewer, *, limit: Limit = USUAL, cursor: Cursor = ""
) -> Response:
    """Give one's own tokens, newest first; an admin is given all."""
    now = desk.clock()
    by = None if person.role is Role.ADMIN else person.name
    found = desk.store.token_page(by=by, after=spot("tokens", cursor), limit=limit)
    entries = [token_json(one, good=one.is_good(now)) for one in found.rows]
    return answer(request, {"entries": entries, "next": spot_cursor("tokens", found.after)})


@tokens.post(
    "", status_code=201, response_model=MadeTokenShape, operation_id="add_token", summary="Make a token",
    responses=problems(413),
)  # fmt: skip
def add_token(request: Request, desk: TheDesk, person: Viewer, body: TokenBody) -> Response:
    """Make a token that may do what its maker may, or less. Only users can: a leaked token must not make others."""
    _people_only(person)
    if not person.role.includes(body.role):
        raise NotAllowedError(body.role)
    token, secret = accounts.add_token(
        desk.store,
        desk.random,
        body.name,
        body.role,
        scopes=body.scopes,
        lasts=None if body.days is None else body.days * _DAY,
        by=person.actor,
        now=desk.clock(),
        of_user=True,
    )
    made: MadeTokenShape = {**token_json(token, good=True), "secret": secret}
    return answer(request, made, 201)


@tokens.post(
    "/{token}/revoke", response_model=TokenShape, operation_id="revoke_token", summary="Revoke a token",
    responses=problems(404, 409),
)  # fmt: skip
def revoke_token(request: Request, desk: TheDesk, person: Viewer, token: TokenId) -> Response:
    """Take a token back: one's own, or as an admin any. From now on it opens nothing."""
    _people_only(person)
    found = desk.store.token(token)
    if found is None or (person.role is not Role.ADMIN and found.by != person.name):
        raise UnknownIdError("There is no token of that id that you may revoke.", hint="List them first.")
    revoked = desk.store.revoke_token(token, by=person.actor, at=desk.clock())
    return answer(request, token_json(revoked, good=False))


@me.get("", response_model=MeShape, operation_id="get_me", summary="Say who you are")
def who(request: Request, person: Viewer) -> Response:
    """Give who asks, and what they may do."""
    body: MeShape = {"name": person.name, "role": person.role, "how": person.how, "origin": person.origin}
    return answer(request, body)


@me.get("/form-token", response_model=FormTokenShape, operation_id="get_form_token", summary="Get a form token")
def form_token(request: Request, person: Viewer) -> Response:
    """Give a token that a page of ours sends along with one request. Programs with a token of their own need none."""
    _people_only(person)
    forms: Forms = request.app.state.forms
    body: FormTokenShape = {"token": forms.issue(person.holder, API_FORMS)}
    return answer(request, body)


def user_json(user: User) -> UserShape:
    """Write a user."""
    return {
        "name": user.name,
        "role": user.role,
        "disabled": user.disabled,
        "password": user.password is not None,
        "created_at": moment(user.created_at),
    }


def token_json(token: Token, *, good: bool) -> TokenShape:
    """Write a token without its secret."""
    return {
        "id": token.id,
        "name": token.name,
        "by": token.by,
        "role": token.role,
        "scopes": token.scopes.split(),
        "good": good,
        "created_at": moment(token.created_at),
        "expires_at": moment_if(token.expires_at),
        "last_used_at": moment_if(token.last_used_at),
        "revoked_at": moment_if(token.revoked_at),
        "revoked_by": token.revoked_by,
    }


def _link(request: Request, desk: Desk, person: Person, name: str) -> LinkShape:
    now = desk.clock()
    key = accounts.add_link(desk.store, desk.random, name, by=person.actor, now=now)
    base = base_of(request, desk.settings)
    return {"user": name, "link": f"{base}/welcome?key={key}", "expires_at": moment(now + accounts.LINK_LASTS)}


def _user(desk: Desk, name: str) -> User:
    user = desk.store.user(name)
    if user is None:
        raise UnknownUserError("There is no such user.", hint="List them first.")
    return user


def _not_oneself(person: Person, name: str) -> None:
    """Refuse what people do not do to themselves; a program does not do it to who made its token either."""
    if person.user == name:
        raise UsageError(_YOURSELF, hint=_BY_ANOTHER)


def _gives(user: User, body: UserChangeBody) -> bool:
    """Say whether a change lets a user do more than before."""
    raises = body.role is not None and not user.role.includes(body.role)
    return raises or (body.disabled is False and user.disabled)


def _people_only(person: Person) -> None:
    if person.how is How.TOKEN:
        raise NotAPersonError
