"""What every request must pass before any of it is read, and what every answer carries.

A page of any other site can make a browser send requests here, also under a name of its own that it lets point at this
machine (DNS rebinding). So only known names are answered, and what could change something must come from our own pages.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from driftwatch.config.schema import Settings
from driftwatch.config.urls import is_loopback
from driftwatch.model.spans import Spans, no_spans
from driftwatch.web.problems import ALIVE, API, METRICS, READY, Problem, answer, note_failure

LARGEST: Final = 256 * 1024
"""Bytes of the largest body that is read."""

LOOKS: Final = "/api/v1/looks"
LARGEST_LOOK: Final = 8 * 1024 * 1024
"""Bytes of the largest body in which a witness may hand in what an agent was shown: as much as a server may send."""

DISCARDED: Final = 32 * 1024 * 1024
"""Bytes of a body that are read at the most where the answer was known before its end."""
_DISCARDING: Final = 30.0
"""Seconds that this may take."""

SECURITY: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""Headers of every answer; no endpoint can weaken them."""

_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_HOST: Final = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?", re.ASCII)
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
"""A request id of somebody else's that is used: such as a UUID."""
_METHODS: Final = _SAFE | {"POST", "PUT", "PATCH", "DELETE"}
_TRACE: Final = 512
"""Characters of a trace context that are read."""
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")
_ANY: Final = frozenset({"0.0.0.0", "::"})  # noqa: S104 - what is compared with, not what is listened at

_WRONG_HOST: Final = (
    "driftwatch does not answer to this name.\n"
    "If it is yours, add it to hosts in the table [web] of the configuration, or set daemon.public_url.\n"
)
_UNREADABLE: Final = "A header of the request holds a control character.\n"
_NO_HOST: Final = "The request says no host that can be read.\n"
_FOREIGN: Final = (
    "This request does not come from a page of driftwatch, so nothing was done.\n"
    "Open driftwatch itself and try there. Programs send a token: Authorization: Bearer ...\n"
)


class _TooLargeError(HTTPException):
    """More of a body came than is read. The application answers it as any other of its kind."""

    def __init__(self) -> None:
        super().__init__(413, headers={"connection": "close"})


class Guard:
    """Stands before an application: known names only, no forged requests, no large bodies, strict headers.

    `failed(request, error)` makes the answer when the application fails; the log has it under `request_id`.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        settings: Settings,
        random: Callable[[int], bytes],
        failed: Callable[[Request, Exception], Response],
        spans: Spans = no_spans,
    ) -> None:
        """Take the application and what is known of names; `spans` is told of each request."""
        self._app, self._random, self._failed, self._spans = app, random, failed, spans
        self.adopt(settings)

    def adopt(self, settings: Settings) -> None:
        """Answer to the names of this configuration, and to no others, from now on."""
        web, public = settings.web, urlsplit(settings.daemon.public_url or "")
        self._names = {name.lower().rstrip(".") for name in (*web.hosts, public.hostname or "")} - {""}
        if web.address.host not in _ANY:
            self._names.add(web.address.host.lower())
        self._public = f"{public.scheme}://{public.netloc}".lower() if public.netloc else ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one request through, or answer it here."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        known = scope.setdefault("state", {})["request_id"] = _id_of(headers) or self._random(8).hex()
        body = _Body(receive, headers, _largest(scope))
        answered = _Answer(send, known, body)
        spans = self._spans_of(scope)
        with (
            bound_contextvars(request=known),
            spans("request", carrier=_carrier(scope), method=_method(scope), request=known) as told,
        ):
            refused = self._refusal(scope)
            if refused is not None:
                await refused(scope, body, answered)
            else:
                await self._pass_on(scope, body, answered)
            route = getattr(scope.get("route"), "path", None)
            told(status=answered.status, failed=(answered.status or 500) >= 500, route=route)

    def _spans_of(self, scope: Scope) -> Spans:
        """Give who is told of a request: nobody of those that only ask, many times a minute, how the daemon does."""
        return no_spans if scope["path"] in {ALIVE, READY, METRICS} else self._spans

    async def _pass_on(self, scope: Scope, receive: Receive, answered: _Answer) -> None:
        try:
            await self._app(scope, receive, answered)
        except Exception as error:
            note_failure(scope, error)
            if answered.begun and not answered.ended:
                raise
            if not answered.begun:
                await self._failed(Request(scope), error)(scope, receive, answered)

    def _refusal(self, scope: Scope) -> Response | None:
        """Give the answer to a request that goes no further."""
        headers = Headers(scope=scope)
        if any(_CONTROL.search(value) for _, value in scope["headers"]):
            return _refused(scope, _UNREADABLE, 400)
        hosts = headers.getlist("host")
        match = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        if match is None:
            return _refused(scope, _NO_HOST, 400)
        name = match["name"].strip("[]").lower().rstrip(".")
        # Whoever starts and ends containers asks by their address, and what these say is for everybody.
        if name not in self._names and not is_loopback(name) and scope["path"] not in {ALIVE, READY}:
            return _refused(scope, _WRONG_HOST, 421)
        if scope["method"] not in _SAFE and not self._is_ours(headers, hosts[0]):
            return _refused(scope, _FOREIGN, 403)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > _largest(scope):
            return _refused(scope, _too_large(_largest(scope)), 413, connection="close")
        return None

    def _is_ours(self, headers: Headers, host: str) -> bool:
        """Say whether a request that may change something was made by our own page, or by a program.

        Browsers say from where a request comes, and no page can forge that. Nor can one add an Authorization header
        to a request to another site, so what carries one does not come from a page's trick.
        """
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site is not None and site != "same-origin":
            return False
        if origin is not None:
            return origin.lower() in {f"http://{host.lower()}", f"https://{host.lower()}", self._public}
        return site is not None or headers.get("authorization", "")[:7].lower() == "bearer "


class _Body:
    """Reads a body up to the limit, and knows whether it came to its end."""

    def __init__(self, receive: Receive, headers: Headers, largest: int) -> None:
        self._receive, self._largest, self._read = receive, largest, 0
        length = headers.get("content-length", "0")
        self._ended = not length.strip("0") and "transfer-encoding" not in headers
        short = length.isdecimal() and int(length[:20]) <= DISCARDED
        self._is_bounded = short and "transfer-encoding" not in headers
        # Who asks first sends nothing once it is refused.
        self._waits = "expect" in headers

    async def __call__(self) -> Message:
        self._waits = False
        message = await self._next()
        if self._read > self._largest:
            raise _TooLargeError
        return message

    async def discard(self) -> None:
        """Read what is left and throw it away, within bounds of its own.

        Many programs send everything before they read a word of the answer. Were the connection closed meanwhile, they
        would learn only that it broke.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(_DISCARDING):
                while self.is_left and self._read < DISCARDED:
                    await self._next()

    @property
    def may_be_cut(self) -> bool:
        """Whether more may be left than is read: the connection is good for nothing else then."""
        return self.is_left and not self._is_bounded

    @property
    def is_left(self) -> bool:
        """Whether somebody may still be sending."""
        return not self._ended and not self._waits

    async def _next(self) -> Message:
        message = await self._receive()
        self._read += len(message.get("body", b""))
        self._ended = not message.get("more_body", False)
        return message


class _Answer:
    """Sends an answer with the headers that every one carries, and ends it once nobody sends any more."""

    def __init__(self, send: Send, request_id: str, body: _Body) -> None:
        self._send, self._id, self._body = send, request_id, body
        self.begun = self.ended = False
        self.status: int | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun, self.status = True, message["status"]
            headers = MutableHeaders(scope=message)
            headers.update(SECURITY)
            headers["x-request-id"] = self._id
            # What stands on a page is nobody else's business, nor a later user's of the same browser.
            headers.setdefault("cache-control", "no-store")
            if self._body.may_be_cut:
                headers["connection"] = "close"
        self.ended = message["type"] == "http.response.body" and not message.get("more_body", False)
        if self.ended and self._body.is_left:
            await self._send({**message, "more_body": True})
            await self._body.discard()
            message = {"type": "http.response.body"}
        await self._send(message)


def _id_of(headers: Headers) -> str | None:
    """Give the id that a request came with, by which its sender looks for it in the log; None without a safe one."""
    given = headers.getlist("x-request-id")
    return given[0] if len(given) == 1 and _ID.fullmatch(given[0]) else None


def _carrier(scope: Scope) -> dict[str, str] | None:
    """Give the trace that a program's request is a part of. Browsers send none."""
    headers = Headers(scope=scope)
    if not scope["path"].startswith(API) or len(headers.getlist("traceparent")) != 1:
        return None
    return {name: ",".join(headers.getlist(name))[:_TRACE] for name in ("traceparent", "tracestate")}


def _method(scope: Scope) -> str:
    return scope["method"] if scope["method"] in _METHODS else "_OTHER"


def _largest(scope: Scope) -> int:
    """Say how much of a body is read: of a look more than of anything else, and only once it is known who sends it."""
    return LARGEST_LOOK if scope["path"] == LOOKS else LARGEST


def _too_large(largest: int) -> str:
    return f"The request is larger than {largest // 1024} KiB, so nothing was done.\n"


def _refused(scope: Scope, words: str, status: int, **headers: str) -> Response:
    """Answer in words; a program gets problem details."""
    if not scope["path"].startswith(API):
        return PlainTextResponse(words, status, headers)
    detail, _, hint = words.strip().partition("\n")
    problem = Problem(HTTPStatus(status), "refused", detail, hint, headers=headers)
    return answer(Request(scope), problem)
