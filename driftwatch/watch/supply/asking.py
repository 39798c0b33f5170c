"""Asking an address for JSON: bounded in time and size, and never led to another origin.

Whatever comes back instead of an answer is a `Trouble`, a value. What is sent is the path and, for a question, its
body; who asks names itself in `User-Agent` and says nothing else about this machine but what it is given to say.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import TracebackType
from typing import Final, Self
from urllib.parse import urljoin, urlsplit

import httpx

from driftwatch import __version__
from driftwatch.config.urls import origin_host
from driftwatch.model import Json

LARGEST: Final = 32 * 2**20
"""Bytes of one answer: everything that a registry says of a package with thousands of releases fits well in it."""

_MOST_VALUES: Final = 2_000_000
_REDIRECTS: Final = 3
_MOVED: Final = frozenset({301, 302, 303, 307, 308})
_SAID: Final = {401: "asks for credentials", 403: "refuses", 429: "asks for fewer questions"}


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why there is no answer, in a few words without anything that the other side wrote. `absent`: it knows no such.

    `status` is that of an answer that was refused for it, 0 where none came.
    """

    why: str
    absent: bool = False
    status: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Answer:
    """Decoded JSON of any shape."""

    value: Json


class Asker:
    """Asks one address. Use it as a context, or close it."""

    def __init__(
        self, base: str, *, timeout: float, largest: int = LARGEST, headers: Mapping[str, str] | None = None
    ) -> None:
        """Take the address that paths are put behind, the seconds and the bytes that one answer may take.

        `headers` are sent along with every question; they may hold a credential, and go to no other origin.
        """
        self._base = base.rstrip("/")
        self._timeout = timeout
        self._largest = largest
        self._client = httpx.AsyncClient(
            verify=_trust(),
            timeout=timeout,
            follow_redirects=False,
            trust_env=False,
            headers={"user-agent": f"driftwatch/{__version__}", **(headers or {})},
        )

    async def __aenter__(self) -> Self:
        """Give the asker itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close its connections."""
        await self._client.aclose()

    async def get(self, path: str, *, accept: str = "application/json") -> Answer | Trouble:
        """Ask for what stands at a path (percent-encoded, with its slash). A redirect is followed within the origin."""
        return await self._bounded("GET", f"{self._base}{path}", {"accept": accept}, None)

    async def post(self, path: str, question: Json) -> Answer | Trouble:
        """Put a question as JSON."""
        body = json.dumps(question).encode("ascii")
        headers = {"accept": "application/json", "content-type": "application/json"}
        return await self._bounded("POST", f"{self._base}{path}", headers, body)

    async def _bounded(self, method: str, url: str, headers: Mapping[str, str], body: bytes | None) -> Answer | Trouble:
        try:
            async with asyncio.timeout(self._timeout):
                found = await self._ask(method, url, headers, body)
        except (TimeoutError, httpx.TimeoutException):
            return Trouble("no answer in time")
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            # Its own words may hold addresses: only its type is told.
            return Trouble(f"no answer ({type(error).__name__})")
        return await asyncio.to_thread(_decoded, found) if isinstance(found, bytes) else found

    async def _ask(self, method: str, url: str, headers: Mapping[str, str], body: bytes | None) -> bytes | Trouble:
        for _ in range(_REDIRECTS + 1):
            request = self._client.build_request(method, url, headers=dict(headers), content=body)
            response = await self._client.send(request, stream=True)
            try:
                if response.status_code in _MOVED and method == "GET":
                    there = urljoin(url, response.headers.get("location", ""))
                    if not _same_origin(url, there):
                        return Trouble("it leads to another address, which is not followed")
                    url = there
                    continue
                return await self._body(response)
            finally:
                await response.aclose()
        return Trouble("it leads on and on")

    async def _body(self, response: httpx.Response) -> bytes | Trouble:
        status = response.status_code
        if status in _MOVED:
            return Trouble(f"it leads to another address, which is not followed (HTTP {status})", status=status)
        if status != 200:
            absent = status in {404, 410}
            why = "it knows no such package" if absent else f"it {_SAID.get(status, 'fails')} (HTTP {status})"
            return Trouble(why, absent, status)
        parts, left = [], self._largest
        async for part in response.aiter_bytes():
            left -= len(part)
            if left < 0:
                return Trouble(f"the answer has more than {self._largest} bytes")
            parts.append(part)
        return b"".join(parts)


@cache
def _trust() -> ssl.SSLContext:
    """Load the certificates to trust once: it takes a while."""
    return ssl.create_default_context()


def _decoded(data: bytes) -> Answer | Trouble:
    try:
        if data.count(b",") + data.count(b"[") + data.count(b"{") > _MOST_VALUES:
            return Trouble("the answer holds too many values")
        return Answer(json.loads(data))
    except (ValueError, RecursionError):
        return Trouble("the answer is not JSON")


def _same_origin(one: str, other: str) -> bool:
    return urlsplit(one).scheme == urlsplit(other).scheme and origin_host(one) == origin_host(other)
