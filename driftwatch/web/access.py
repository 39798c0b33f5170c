"""Who is asking, and whether they may.

Every endpoint says who it is for by one of `Viewer`, `Reviewer`, `Admin` and `open_to_all` (a test walks all of them).
Who that is is found out anew for each request, so a role that was changed, and a user or a token that was taken out,
counts at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Annotated, Final

from fastapi import Depends, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute
from starlette.datastructures import FormData

from driftwatch.errors import UsageError
from driftwatch.model import Actor, Role, Token
from driftwatch.web import accounts, sessions
from driftwatch.web.content import FORMS, JSON, require
from driftwatch.web.desk import Desk, desk_of
from driftwatch.web.forms import FIELD, NOBODY, Forms
from driftwatch.web.keys import hashed, is_token
from driftwatch.web.problems import (
    API,
    METRICS,
    BadTokenError,
    NoFormTokenError,
    NotAllowedError,
    NotSignedInError,
    OutOfScopeError,
    UnknownPersonError,
)
from driftwatch.web.whence import address_of, is_near, is_proxy

_TOUCH: Final = timedelta(minutes=1)
_LONGEST_TOKEN: Final = 200
_MOST_FIELDS: Final = 20_000

API_FORMS: Final = "the API"
"""What the form tokens are made for that pages send along with requests to the API."""

FORM_TOKEN: Final = "X-Form-Token"  # noqa: S105 - the name of a header


class How(StrEnum):
    """By what somebody was known."""

    SESSION = "session"
    TOKEN = "token"  # noqa: S105 - a word
    PROXY = "proxy"


@dataclass(frozen=True, slots=True)
class Person:
    """Who asks: a person, or the program that has a token of that name.

    `origin` says from where, as it goes into the audit log. `holder` is what forms for them are made for: nobody else
    knows it. `session` is the SHA-256 of the session's id, empty without one. `maker` is whoever made the token by
    which a program is known, empty for a person.
    """

    name: str
    role: Role
    origin: str
    how: How
    holder: str = ""
    session: str = ""
    maker: str = ""
    scopes: frozenset[str] = frozenset()
    """The parts that the token by which a program is known was made for; none: all, or it is a person."""

    @property
    def user(self) -> str:
        """The name of the user whom this is, or for whom a program does what it does."""
        return self.maker or self.name

    @property
    def has_session(self) -> bool:
        """Whether there is a session to sign out of."""
        return self.how is How.SESSION

    @property
    def actor(self) -> Actor:
        """Who is written down for what they do."""
        return Actor(self.name, self.origin)


class Needs:
    """Lets those in who have a role, or one that includes it."""

    def __init__(self, role: Role) -> None:
        """Take the least role."""
        self.role = role

    def __call__(self, request: Request) -> Person:
        """Give who asks.

        Raises:
            NotSignedInError: nobody is known to ask, or the token is not good.
            NotAllowedError: they may not.
            OutOfScopeError: the token is for other parts.
            UnknownPersonError: the proxy names somebody who is no user.
            NoFormTokenError: they ask the API to change something, without what only our own pages have.
            WrongContentTypeError: they may, and what they send along is not said to be JSON, where that is read.

        """
        person = _known(request, desk_of(request))
        if person is None:
            raise NotSignedInError
        request.state.person = person
        if not self.lets_in(person):
            raise NotAllowedError(self.role)
        if person.how is not How.TOKEN:
            _require_form_token(request, person)
        route = request.scope.get("route")
        if isinstance(route, APIRoute) and route.body_field is not None:
            require(request, JSON)
        return person

    def lets_in(self, person: Person) -> bool:
        """Say whether somebody has the role."""
        return person.role.includes(self.role)


class HandsIn(Needs):
    """Lets those in who hand in what agents were shown: reviewers, and tokens that were made for just that.

    Such a token opens nothing else, so it needs no role: whoever holds it can raise an alert, and decide nothing.
    """

    SCOPE: Final = "looks"

    def __init__(self) -> None:
        """Ask for a reviewer otherwise: what is handed in comes before people as what a server did."""
        super().__init__(Role.REVIEWER)

    def lets_in(self, person: Person) -> bool:
        """Say whether somebody has the role, or a token for this."""
        return self.SCOPE in person.scopes or super().lets_in(person)


class Open:
    """Lets everybody in, and does not ask who they are."""

    async def __call__(self, request: Request) -> None:
        """Do nothing: this only says that it is meant. It waits for no thread."""


class Collects(Open):
    """Lets in whoever collects the metrics: from near, or whoever may look at all, as with a token for just that.

    From near nobody is asked who they are, and no thread is waited for.
    """

    async def __call__(self, request: Request) -> None:
        """Let them in.

        Raises:
            DriftwatchError: they are not near, and may not; see `Needs`.

        """
        if not is_near(request, desk_of(request).settings):
            await run_in_threadpool(viewer, request)


viewer, reviewer, admin = Needs(Role.VIEWER), Needs(Role.REVIEWER), Needs(Role.ADMIN)
hands_in, collects = HandsIn(), Collects()
open_to_all = Depends(Open())

Viewer = Annotated[Person, Depends(viewer)]
Reviewer = Annotated[Person, Depends(reviewer)]
Admin = Annotated[Person, Depends(admin)]
Witness = Annotated[Person, Depends(hands_in)]


@dataclass(frozen=True, slots=True)
class Sent:
    """A form that was sent: its fields, and why it is refused (None: it is good, and counts as used now).

    A refused form changes nothing: show the page anew with what was typed and these words.
    """

    fields: FormData
    refused: str | None

    def text(self, name: str, default: str = "") -> str:
        """Give one field; a file or nothing gives the default."""
        value = self.fields.get(name, default)
        return value if isinstance(value, str) else default

    def texts(self, name: str) -> tuple[str, ...]:
        """Give all fields of one name, such as boxes that were ticked."""
        return tuple(value for value in self.fields.getlist(name) if isinstance(value, str))


async def sent(request: Request) -> Sent:
    """Read the form that was sent. Stands after the role among the parameters of an endpoint: it must know who asks."""
    person: Person | None = getattr(request.state, "person", None)
    forms: Forms = request.app.state.forms
    require(request, *FORMS)
    fields = await request.form(max_files=10, max_fields=_MOST_FIELDS)
    token = fields.get(FIELD, "")
    holder = person.holder if person else NOBODY
    refused = forms.refusal(token if isinstance(token, str) else "", holder, request.url.path)
    return Sent(fields, refused)


TheForm = Annotated[Sent, Depends(sent)]
"""How an endpoint of a page asks for the form that was sent; every one that changes something does."""


def _require_form_token(request: Request, person: Person) -> None:
    """Hold a browser that asks the API to what forms are held to: a cookie alone changes nothing."""
    if not request.url.path.startswith(API) or request.method in {"GET", "HEAD"}:
        return
    forms: Forms = request.app.state.forms
    refused = forms.refusal(request.headers.get(FORM_TOKEN, ""), person.holder, API_FORMS)
    if refused is not None:
        raise NoFormTokenError


def _known(request: Request, desk: Desk) -> Person | None:
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    if request.url.path.startswith((API, METRICS)) and kind.lower() == "bearer":
        return _program(request, desk, secret.strip())
    return _proxied(request, desk) or _signed_in(request, desk)


def _program(request: Request, desk: Desk, secret: str) -> Person:
    """Know a program by its token; what it may do ends with what whoever made it may do."""
    if len(secret) > _LONGEST_TOKEN or not is_token(secret):
        raise BadTokenError("This is no token of driftwatch, or a character of it is missing or wrong.")
    token, now = desk.store.token_by_hash(hashed(secret)), desk.clock()
    if token is None or not token.is_good(now):
        raise BadTokenError
    maker = desk.store.user(token.by)
    if maker is not None and maker.disabled:
        raise BadTokenError
    if not _in_scope(token, request.url.path):
        raise OutOfScopeError
    if token.last_used_at is None or now - token.last_used_at >= _TOUCH:
        desk.store.touch_token(token.id, at=now)
    role = token.role if maker is None or maker.role.includes(token.role) else maker.role
    # No user can be called so: what a program did must not read as done by a person.
    name = f"{token.name} (token of {token.by})"
    origin = f"token {token.id} {address_of(request, desk.settings.web)}"
    return Person(name, role, origin, How.TOKEN, maker=token.by, scopes=frozenset(token.scopes.split()))


def _in_scope(token: Token, path: str) -> bool:
    """Say whether a path is one that a token is for: the word after the version, as in /api/v1/servers, or metrics."""
    return not token.scopes or path.removeprefix(API).split("/")[1:2] in [[scope] for scope in token.scopes.split()]


def _proxied(request: Request, desk: Desk) -> Person | None:
    """Know a person by what a proxy that we trust says; from anybody else that header is not even read."""
    web = desk.settings.web
    if web.proxy_header is None or not is_proxy(request, web):
        return None
    named = request.headers.getlist(web.proxy_header)
    if not named or named == [""]:
        return None
    try:
        name = accounts.name_of(named[0] if len(named) == 1 else "")
    except UsageError:
        raise UnknownPersonError("The proxy names nobody that could be a user.") from None
    user = desk.store.user(name)
    role = user.role if user is not None else web.proxy_role
    if role is None or (user is not None and user.disabled):
        raise UnknownPersonError(f"The proxy names {name}, who may not come in here.")
    return Person(name, role, sessions.origin_of(request, desk), How.PROXY, holder=f"proxy {name}")


def _signed_in(request: Request, desk: Desk) -> Person | None:
    found = sessions.current(request, desk)
    if found is None:
        return None
    session, user = found
    origin = sessions.origin_of(request, desk)
    return Person(user.name, user.role, origin, How.SESSION, holder=session.csrf, session=session.sha256)
