"""Handing a look to the daemon: one request, bounded in time and size, to the configured address and no other."""

from __future__ import annotations

import json
import ssl
import time
from dataclasses import dataclass
from enum import StrEnum
from types import TracebackType
from typing import Final, Self

import httpx

from driftwatch import __version__
from driftwatch.config.secret import Secret
from driftwatch.config.words import safe

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
        self._url = url.rstrip("/") + PATH
        self._timeout = timeout
        secure = url.lower().startswith("https:")
        self._client = httpx.Client(
            verify=ssl.create_default_context() if secure else False,
            timeout=timeout,
            follow_redirects=False,
            trust_env=False,
            headers={"user-agent": f"driftwatch/{__version__}", "content-type": "application/json"}
            | ({"authorization": f"Bearer {token.reveal()}"} if token is not None else {}),
        )

    def __enter__(self) -> Self:
        """Give itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close its connection."""
        self._client.close()

    def over(self, look: bytes) -> Handed:
        """Hand a look over: `look` is the body as `packed` gives it."""
        ends = time.monotonic() + self._timeout
        try:
            with self._client.stream("POST", self._url, content=look) as response:
                said = b""
                for part in response.iter_raw(_LARGEST):
                    said += part
                    if len(said) >= _LARGEST or time.monotonic() > ends:
                        break
                return _of_answer(response.status_code, said)
        except httpx.TimeoutException:
            return Handed(Taken.LATER, f"the daemon did not answer within {self._timeout:g} s", _START)
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            # Its own words may hold addresses with credentials: only its type is told.
            return Handed(Taken.LATER, f"the daemon cannot be reached ({type(error).__name__})", _START)


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
