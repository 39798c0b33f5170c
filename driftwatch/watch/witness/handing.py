"""Handing a look to the daemon: one request, bounded in time and size, to the configured address and no other.

By the standard library: most sessions of a witness hand in one look or two, and the time to load more would be the most
of what they cost. It is loaded when there is something to hand in.
"""

from __future__ import annotations

import base64
import contextlib
import json
import time
from dataclasses import dataclass
from enum import StrEnum
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self
from urllib.parse import unquote, urlsplit

from driftwatch import __version__
from driftwatch.config.words import safe

if TYPE_CHECKING:
    from http.client import HTTPConnection, HTTPResponse

    from driftwatch.config.secret import Secret

PATH: Final = "/api/v1/looks"
_LARGEST: Final = 4096
"""Bytes of an answer that are read: enough for a problem's title and detail."""

_LATER: Final = frozenset({401, 403, 408, 425, 429})
"""Refusals that say nothing about the look: it is tried again."""

_SAID: Final = {
    401: ("the daemon does not know this token (HTTP 401)", "Make one: driftwatch token add NAME --scope looks"),
    403: ("this token may not hand in looks (HTTP 403)", "Make one: driftwatch token add NAME --scope looks"),
}
_START: Final = "Start it with `driftwatch run`, or correct `url` in the witness's settings."


class Taken(StrEnum):
    """What became of a look."""

    TAKEN = "taken"
    LATER = "later"
    """It was not delivered, and may be the next time."""
    NEVER = "never"
    """The daemon will not take this one."""


@dataclass(frozen=True, slots=True)
class Handed:
    """What became of a look; `why` and `hint` where it was not taken. They hold no secret."""

    taken: Taken
    why: str = ""
    hint: str = ""


class Hand:
    """Hands looks to one daemon. Use it as a context, or close it."""

    def __init__(self, url: str, token: Secret | None, *, timeout: float) -> None:
        """Take the daemon's address, the token, and the seconds that one look may take."""
        self._url = url
        self._token = token
        self._timeout = timeout
        self._connection: HTTPConnection | None = None

    def __enter__(self) -> Self:
        """Give itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close its connection."""
        self._part()

    def over(self, look: bytes) -> Handed:
        """Hand a look over: `look` is the body as `packed` gives it."""
        from http.client import HTTPException  # noqa: PLC0415 - see above

        try:
            return self._tried(look)
        except TimeoutError:
            self._part()
            return Handed(Taken.LATER, f"the daemon did not answer within {self._timeout:g} s", _START)
        except (HTTPException, OSError, ValueError) as error:
            self._part()
            # Its own words may hold addresses with credentials: only its type is told.
            return Handed(Taken.LATER, f"the daemon cannot be reached ({type(error).__name__})", _START)

    def _tried(self, look: bytes) -> Handed:
        kept = self._connection is not None
        try:
            return self._asked(look)
        except ConnectionError:
            if not kept:
                raise
        # The daemon had closed the connection since the look before; to hand in the same again changes nothing.
        self._part()
        return self._asked(look)

    def _asked(self, look: bytes) -> Handed:
        ends = time.monotonic() + self._timeout
        connection = self._connected()
        # It may refuse a large one before it is whole, and say why.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.request("POST", self._path, look, self._headers)
        answer = connection.getresponse()
        handed = _of_answer(answer.status, _said(answer, ends))
        if not answer.isclosed():
            self._part()
        return handed

    def _connected(self) -> HTTPConnection:
        """Give the connection, which is made by the first request.

        Raises:
            ValueError: the address cannot be used.

        """
        if self._connection is None:
            import ssl  # noqa: PLC0415 - see above
            from http.client import HTTPConnection, HTTPSConnection  # noqa: PLC0415

            parts = urlsplit(self._url)
            if parts.scheme not in {"http", "https"} or not parts.hostname:
                message = "this is no address of a daemon"
                raise ValueError(message)
            self._path = parts.path.rstrip("/") + PATH
            self._headers = {"User-Agent": f"driftwatch/{__version__}", "Content-Type": "application/json"}
            if self._token is not None:
                self._headers["Authorization"] = f"Bearer {self._token.reveal()}"
            elif parts.username is not None:
                pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
                self._headers["Authorization"] = f"Basic {base64.b64encode(pair).decode('ascii')}"
            where = (parts.hostname, parts.port)
            if parts.scheme == "https":
                context = ssl.create_default_context()
                self._connection = HTTPSConnection(*where, timeout=self._timeout, context=context)
            else:
                self._connection = HTTPConnection(*where, timeout=self._timeout)
        return self._connection

    def _part(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _said(answer: HTTPResponse, ends: float) -> bytes:
    """Read the beginning of an answer, for as long as there is time."""
    said = b""
    while len(said) < _LARGEST and time.monotonic() < ends and (part := answer.read1(_LARGEST - len(said))):
        said += part
    return said


def _of_answer(status: int, said: bytes) -> Handed:
    if 200 <= status < 300:
        return Handed(Taken.TAKEN)
    if status in _SAID:
        return Handed(Taken.LATER, *_SAID[status])
    why = f"the daemon answered with HTTP {status}{_detail(said)}"
    if 400 <= status < 500 and status not in _LATER:
        return Handed(Taken.NEVER, why)
    if 300 <= status < 400:
        return Handed(Taken.LATER, f"{why}: it leads to another address, which is not followed", _START)
    return Handed(Taken.LATER, why, "It is tried again.")


def _detail(said: bytes) -> str:
    """Give the words of a problem (RFC 9457), empty where there are none."""
    try:
        problem = json.loads(said)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(problem, dict):
        return ""
    words = problem.get("detail") or problem.get("title")
    return f": {safe(words)}" if isinstance(words, str) and words else ""
