"""What went wrong, said once: for programs as problem details (RFC 9457), for people as a page in the same words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote, urlsplit

import structlog
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import Scope

from driftwatch.errors import (
    BaselineMovedError,
    ConfigError,
    DriftwatchError,
    LastAdminError,
    NothingToDoError,
    StoreError,
    TooManyLooksError,
    UnknownDigestError,
    UnknownIdError,
    UnknownServerError,
    UnknownUserError,
    UnknownWitnessError,
    UsageError,
    WitnessNeededError,
)
from driftwatch.judge.text.visible import visible
from driftwatch.model import Role
from driftwatch.model.amounts import many
from driftwatch.web.content import WrongContentTypeError
from driftwatch.web.passwords import BusyError
from driftwatch.web.templates import page
from driftwatch.web.trials import NoTrialsError, TooManyTrialsError

log = structlog.get_logger()

_ROOM_IN: Final = 60
"""Seconds after which there may be room for more looks of witnesses: what waits is compared at the next look."""

_NOTED: Final = "failure_noted"

API: Final = "/api/"
"""How the paths begin that programs ask."""

ALIVE: Final = "/healthz"
READY: Final = "/readyz"
METRICS: Final = "/metrics"
"""Paths that programs ask too."""

MEDIA_TYPE: Final = "application/problem+json"


class NotSignedInError(DriftwatchError):
    """Nobody is signed in."""

    hint = "Programs send a token: Authorization: Bearer dw_… (make one with: driftwatch token add NAME)"


class BadTokenError(NotSignedInError):
    """This token opens nothing: it is unknown, expired or revoked."""

    hint = "See the tokens with: driftwatch token"


class NotAllowedError(DriftwatchError):
    """This needs another role."""

    def __init__(self, needed: Role) -> None:
        """Take the role that is needed."""
        super().__init__(f"This needs the role {needed.value}.", hint="Ask somebody who is an admin here.")


class OutOfScopeError(DriftwatchError):
    """This token is not for this part of the API."""

    hint = "Make one with that scope, or without any: driftwatch token add NAME --scope …"


class UnknownPersonError(DriftwatchError):
    """The proxy names somebody who is no user here."""

    hint = "An admin adds users with: driftwatch user add NAME"


class NoFormTokenError(DriftwatchError):
    """This request was not made by a page of driftwatch, as far as can be told."""

    hint = "Get a token at /api/v1/me/form-token and send it as X-Form-Token: it is good once."


class NotAPersonError(DriftwatchError):
    """This is for people who sign in, not for the tokens of programs."""

    hint = "Sign in, or use the command line."


class ChangedMeanwhileError(DriftwatchError):
    """It is not as you have seen it any more."""

    hint = "Nothing was changed. Get it again, then decide."


class TooLateError(DriftwatchError):
    """Something changed since it was decided; nothing was written."""

    def __init__(self, error: DriftwatchError, *, shown: str, baseline: str) -> None:
        """Take why, and as digests what the server shows now and what it is compared with (empty for nothing)."""
        self.more = {"shown": shown, "baseline": baseline}
        super().__init__(error.message, hint=error.hint)


class TooManyTriesError(DriftwatchError):
    """There were too many failed tries."""

    def __init__(self, seconds: int) -> None:
        """Take how long to wait."""
        self.seconds = seconds
        super().__init__(f"There were too many failed tries. Try again in {many(seconds, 'second')}.", hint="")


_STATUS: Final[Sequence[tuple[type[DriftwatchError], HTTPStatus]]] = (
    (NotSignedInError, HTTPStatus.UNAUTHORIZED),
    (NotAllowedError, HTTPStatus.FORBIDDEN),
    (OutOfScopeError, HTTPStatus.FORBIDDEN),
    (NoFormTokenError, HTTPStatus.FORBIDDEN),
    (NotAPersonError, HTTPStatus.FORBIDDEN),
    (UnknownPersonError, HTTPStatus.FORBIDDEN),
    (TooManyTriesError, HTTPStatus.TOO_MANY_REQUESTS),
    (BusyError, HTTPStatus.SERVICE_UNAVAILABLE),
    (TooManyTrialsError, HTTPStatus.TOO_MANY_REQUESTS),
    (TooManyLooksError, HTTPStatus.TOO_MANY_REQUESTS),
    (NoTrialsError, HTTPStatus.CONFLICT),
    (UnknownServerError, HTTPStatus.NOT_FOUND),
    (UnknownIdError, HTTPStatus.NOT_FOUND),
    (UnknownWitnessError, HTTPStatus.NOT_FOUND),
    (UnknownUserError, HTTPStatus.NOT_FOUND),
    (UnknownDigestError, HTTPStatus.NOT_FOUND),
    (NothingToDoError, HTTPStatus.CONFLICT),
    (WitnessNeededError, HTTPStatus.CONFLICT),
    (LastAdminError, HTTPStatus.CONFLICT),
    (ChangedMeanwhileError, HTTPStatus.PRECONDITION_FAILED),
    (TooLateError, HTTPStatus.CONFLICT),
    (BaselineMovedError, HTTPStatus.CONFLICT),
    (ConfigError, HTTPStatus.CONFLICT),
    (StoreError, HTTPStatus.SERVICE_UNAVAILABLE),
    (UsageError, HTTPStatus.BAD_REQUEST),
)
"""The status of each error of ours; the first that fits counts. A new error that is none of these is our own fault."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What went wrong: `kind` is a stable word for programs, `hint` what to do, `errors` where in the request.

    `more` is what this very kind says besides.
    """

    status: HTTPStatus
    kind: str
    title: str
    hint: str = ""
    errors: Sequence[Mapping[str, str]] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    more: Mapping[str, str] = field(default_factory=dict)

    def body(self, request_id: str) -> dict[str, Any]:
        """Give the members of RFC 9457; `hint`, `errors` and `more` are our own."""
        said = {"hint": self.hint, "errors": list(self.errors)}
        return {
            "type": f"urn:driftwatch:problem:{self.kind}",
            "title": self.status.phrase,
            "status": self.status.value,
            "detail": self.title,
            "instance": f"urn:driftwatch:request:{request_id}",
            **{name: value for name, value in said.items() if value},
            **self.more,
        }


FAILED: Final = Problem(
    HTTPStatus.INTERNAL_SERVER_ERROR,
    "failed",
    "driftwatch itself failed at this. Nothing is known to be wrong with what you asked.",
    "Look for the number of this request in the log of the daemon.",
)


def problem_of(error: Exception) -> Problem:
    """Say what an error means to who asked. What is not an error of ours tells nothing of itself."""
    if isinstance(error, RequestValidationError):
        return Problem(
            HTTPStatus.UNPROCESSABLE_ENTITY, "bad-request", "The request is not as it must be.", errors=_places(error)
        )
    if isinstance(error, WrongContentTypeError):
        status = HTTPStatus.UNSUPPORTED_MEDIA_TYPE
        return Problem(status, "wrong-content-type", error.words, error.hint, headers=dict(error.headers or {}))
    if isinstance(error, HTTPException):
        status = HTTPStatus(error.status_code)
        kind, words = _PLAIN.get(status, (f"http-{status.value}", f"{status.phrase}."))
        return Problem(status, kind, words, headers=dict(error.headers or {}))
    known = next(((kind, code) for kind, code in _STATUS if isinstance(error, kind)), None)
    if known is None or not isinstance(error, DriftwatchError):
        return FAILED
    headers = {}
    if isinstance(error, NotSignedInError):
        wrong = ', error="invalid_token"' if isinstance(error, BadTokenError) else ""
        headers["www-authenticate"] = f'Bearer realm="driftwatch"{wrong}'
    if isinstance(error, TooManyTriesError):
        headers["retry-after"] = str(error.seconds)
    if isinstance(error, TooManyLooksError):
        headers["retry-after"] = str(_ROOM_IN)
    # Named after the class that has the status, so that kinds stay few and stable.
    kind = _kind(known[0].__name__.removesuffix("Error"))
    more = error.more if isinstance(error, TooLateError) else {}
    return Problem(known[1], kind, visible(error.message), visible(error.hint), headers=headers, more=more)


def answer(request: Request, problem: Problem) -> Response:
    """Answer with what went wrong: problem details where programs ask, a page everywhere else."""
    request_id: str = request.state.request_id
    if request.url.path.startswith((API, ALIVE, READY, METRICS)):
        body = problem.body(request_id)
        return JSONResponse(body, problem.status, dict(problem.headers), media_type=MEDIA_TYPE)
    if problem.status is HTTPStatus.UNAUTHORIZED:
        return RedirectResponse(f"/sign-in?next={quote(_from_page(request), safe='')}", 303)
    return page(
        request, "problem.html", problem.status, headers=problem.headers, problem=problem, request_id=request_id
    )


async def on_error(request: Request, error: Exception) -> Response:
    """Answer an error that the application knows of."""
    return answer(request, problem_of(error))


async def on_gone(request: Request, _: Exception) -> Response:
    """Take note that whoever asked went away before the request was whole: nobody hears the answer."""
    log.debug(
        "whoever asked went away before the request was whole",
        action="request-gone",
        request=request.state.request_id,
        method=request.method,
        path=request.url.path,
    )
    return Response(status_code=HTTPStatus.BAD_REQUEST)


def note_failure(scope: Scope, error: BaseException) -> None:
    """Write into the log, once for each request, that something failed which nobody thought of."""
    if scope["state"].get(_NOTED):
        return
    scope["state"][_NOTED] = True
    log.error(
        "a request could not be answered",
        action="request-failed",
        request=scope["state"]["request_id"],
        method=scope["method"],
        path=scope["path"],
        exc_info=error,
    )


def on_failure(request: Request, error: Exception) -> Response:
    """Answer when something failed that nobody thought of. Who reads the number in the answer finds it in the log."""
    note_failure(request.scope, error)
    return answer(request, FAILED)


def _from_page(request: Request) -> str:
    """Give the page to come back to: the one that was asked for, or the one whose form was sent."""
    if request.method in {"GET", "HEAD"}:
        asked = request.url
        return f"{asked.path}?{asked.query}" if asked.query else asked.path
    before = urlsplit(request.headers.get("referer", ""))
    return before.path if before.netloc == request.headers.get("host") and before.path else "/"


def _places(error: RequestValidationError) -> list[dict[str, str]]:
    """Say where in the request something is wrong, without repeating it."""
    return [
        {"where": visible("/".join(str(step) for step in one["loc"])), "what": visible(_what(one))}
        for one in error.errors()
    ]


def _what(problem: Mapping[str, Any]) -> str:
    """Say what is wrong in our own words, where the framework's are those of its makers."""
    said = str(problem["msg"]).removeprefix("Value error, ").removeprefix("Assertion failed, ")
    said = _OURS.get(str(problem["type"]), said).replace("Input should", "It should")
    return said if said.endswith(".") else f"{said[:1].upper()}{said[1:]}."


_OURS: Final = {
    "extra_forbidden": "There is no such field.",
    "missing": "It is missing.",
    "json_invalid": "It is not JSON.",
    "model_attributes_type": "It should be a JSON object.",
}
"""Words for what pydantic finds, by its type."""


def _kind(name: str) -> str:
    """Give `UnknownServer` as `unknown-server`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


_PLAIN: Final = {
    HTTPStatus.NOT_FOUND: ("not-found", "There is nothing here."),
    HTTPStatus.METHOD_NOT_ALLOWED: ("method-not-allowed", "This cannot be done here in this way."),
    HTTPStatus.BAD_REQUEST: ("bad-request", "The request cannot be read."),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: ("too-large", "The request is larger than what is read here."),
}
"""Kind and words of what the framework refuses."""
