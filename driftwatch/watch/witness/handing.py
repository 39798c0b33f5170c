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

_AGAIN: Final = frozenset({403, 408, 425, 429})
"""Refusals, besides those from 500 on, that may be another one the next time."""

SETTINGS: Final = "the witness's settings"
"""How what to do names the file: whoever shows it knows its path."""

_MAKE_ONE: Final = (
    "Make one where the daemon runs (driftwatch token add NAME --scope looks), "
    f"and write it as `token` into {SETTINGS}."
)
_SAID: Final = {
    401: ("the daemon does not know this token (HTTP 401)", _MAKE_ONE),
    403: ("this token may not hand in looks (HTTP 403)", _MAKE_ONE),
}
_NEVER: Final = {
    404: "Name it in driftwatch's configuration and run `driftwatch reload`, or give the name that it has there to the "
    "witness in the host's file.",
    413: "Lists of this size cannot be handed in: look at them with `driftwatch check`.",
    422: "This witness and the daemon may be of different versions: bring both to the same one.",
}
_NO_DAEMON: Final = f"See that `url` in {SETTINGS} leads to driftwatch's daemon, and to nothing else."
"""What to do where the daemon does not say it, or says it to somebody who runs the daemon."""

_START: Final = f"Start it with `driftwatch run`, or correct `url` in {SETTINGS}."


class Taken(StrEnum):
    """What became of a look."""

    TAKEN = "taken"
    LATER = "later"
    """It was not delivered, and neither would another one: the daemon cannot be asked, or not with this token."""
    HELD = "held"
    """It was not delivered, and may be the next time. Another one may be taken now."""
    NEVER = "never"
    """The daemon will not take this one."""


@dataclass(frozen=True, slots=True)
class Handed:
    """What became of a look; `why` and `hint` where it was not taken. They hold no secret.

    `wait` is how many seconds the daemon asks to wait, 0 where it does not.
    """

    taken: Taken
    why: str = ""
    hint: str = ""
    wait: float = 0.0
    is_fault: bool = False
    """Whether the daemon failed at it (5xx): it may be of this look, and then it comes back each time."""


class _AwayError(Exception):
    """No connection could be made."""


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

        # Their own words may hold addresses with credentials: only their types are told.
        try:
            return self._tried(look)
        except _AwayError as error:
            self._part()
            return Handed(Taken.LATER, f"the daemon cannot be reached ({type(error.__cause__).__name__})", _START)
        except TimeoutError:
            self._part()
            return Handed(Taken.HELD, f"the daemon did not answer within {self._timeout:g} s", _START)
        except (HTTPException, OSError, ValueError) as error:
            self._part()
            return Handed(Taken.HELD, f"the daemon gave no answer ({type(error).__name__})", _START)

    def _tried(self, look: bytes) -> Handed:
        kept = self._connection is not None and self._connection.sock is not None
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
        handed = _of_answer(answer.status, _said(answer, ends), _asked_to_wait(answer))
        if not answer.isclosed():
            self._part()
        return handed

    def _connected(self) -> HTTPConnection:
        """Give the connection, made anew where there is none, or the daemon ended it with its last answer.

        Raises:
            _AwayError: it cannot be made.

        """
        try:
            connection = self._connection = self._connection or self._made()
            if connection.sock is None:
                connection.connect()
        except (OSError, ValueError) as error:
            raise _AwayError from error
        return connection

    def _made(self) -> HTTPConnection:
        """Make the connection, which is not opened by that.

        Raises:
            ValueError: the address cannot be used.

        """
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
            return HTTPSConnection(*where, timeout=self._timeout, context=ssl.create_default_context())
        return HTTPConnection(*where, timeout=self._timeout)

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


def _asked_to_wait(answer: HTTPResponse) -> float:
    """Give how many seconds an answer asks to wait, as a number or a date (RFC 9110, 10.2.3); 0 where it does not."""
    wait = answer.headers.get("retry-after", "").strip()
    if wait.isascii() and wait.isdigit():
        return float(wait[:6])
    if not wait:
        return 0.0
    from email.utils import parsedate_to_datetime  # noqa: PLC0415 - see above

    try:
        until = parsedate_to_datetime(wait).timestamp()
        # By the clock of who says it, where that is told: ours may be wrong.
        now = parsedate_to_datetime(date).timestamp() if (date := answer.headers.get("date", "")) else time.time()
    except (ValueError, TypeError, OverflowError, IndexError):
        return 0.0
    return max(0.0, until - now)


def _of_answer(status: int, said: bytes, asked: float) -> Handed:
    if 200 <= status < 300:
        return Handed(Taken.TAKEN)
    detail, hint = _words(said)
    if status == 401:
        return Handed(Taken.LATER, *_SAID[401])
    why = f"the daemon answered with HTTP {status}{detail and ': '}{detail}"
    if 300 <= status < 400:
        return Handed(Taken.LATER, f"{why}: it leads to another address, which is not followed", _START)
    if 400 <= status < 500 and status not in _AGAIN:
        ours = _NEVER.get(status, "" if hint else _NO_DAEMON)
        return Handed(Taken.NEVER, why, " ".join(filter(None, (hint, ours))))
    why, usual = _SAID.get(status, (why, "It is tried again."))
    return Handed(Taken.HELD, why, hint or usual, asked, is_fault=status >= 500)


def _words(said: bytes) -> tuple[str, str]:
    """Give detail and hint of a problem (RFC 9457), empty where there are none."""
    try:
        problem = json.loads(said)
    except (ValueError, RecursionError):
        return "", ""
    if not isinstance(problem, dict):
        return "", ""
    words = problem.get("detail") or problem.get("title"), problem.get("hint")
    detail, hint = (safe(one) if isinstance(one, str) else "" for one in words)
    return detail, hint
