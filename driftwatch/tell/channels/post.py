"""One HTTP request to a place that is told something: what all channels that post share, and no channel itself."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Final

import httpx

from driftwatch import __version__
from driftwatch.config.secret import Secret
from driftwatch.model import SendResult
from driftwatch.tell.channels.http import failure_of, result_of

_ANSWER_BYTES: Final = 64 * 1024
"""Bytes of an answer that are read, only so that the connection can be used again; nothing looks at them."""

_ANSWER_SECONDS: Final = 1.0
"""How long the rest of an answer is waited for."""

# httpx logs every request with its whole URL, whose path is often a credential; httpcore logs what a receiver answers,
# and that can be an echo of what it was sent.
for _name in ("httpx", "httpcore"):
    logging.getLogger(_name).setLevel(logging.WARNING)


def utc_now() -> datetime:
    """Read the wall clock, in UTC."""
    return datetime.now(UTC)


class Poster:
    """What makes single HTTP requests and says what came of each.

    - No redirect is followed, no cookie is kept.
    - The environment is not read: no proxy and no `.netrc` takes part that the configuration does not name.
      Certificates are checked against the system's store.
    - The time-out covers everything up to the answer's status, however slowly its bytes come. With the status known
      the attempt is over: what a receiver does with the rest of its answer changes nothing.
    """

    def __init__(self, *, timeout: float, clock: Callable[[], datetime] = utc_now) -> None:
        """Take the seconds for one request, and the clock that a `Retry-After` with a date is read by."""
        self._timeout = timeout
        self._clock = clock
        self._client = httpx.AsyncClient(
            verify=ssl.create_default_context(),
            follow_redirects=False,
            trust_env=False,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        )

    async def post(
        self,
        url: str,
        content: bytes,
        *,
        given: Mapping[str, Secret] | None = None,
        own: Mapping[str, str] | None = None,
        within: float | None = None,
    ) -> SendResult:
        """Post JSON. `given` are the configured headers, `own` those of the channel: they win over the configured.

        `within` are the seconds for it where part of the time is gone.
        """
        own = {"content-type": "application/json", **(own or {})}
        seconds = self._timeout if within is None else within
        return await self._send("POST", url, content, given or {}, own, seconds=seconds)

    async def get(self, url: str) -> SendResult:
        """Ask for a URL, for no more than the answer's status."""
        return await self._send("GET", url, None, {}, {}, seconds=self._timeout)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _send(
        self,
        method: str,
        url: str,
        content: bytes | None,
        given: Mapping[str, Secret],
        own: Mapping[str, str],
        *,
        seconds: float,
    ) -> SendResult:
        try:
            headers = httpx.Headers({name: value.reveal() for name, value in given.items()})
            headers.update({"user-agent": f"driftwatch/{__version__}", **own})
            # A little less than the whole: httpcore closes a connection whose handshake it gave up by itself, but
            # leaves it open when it is cancelled in the middle of one.
            request = self._client.build_request(method, url, content=content, headers=headers, timeout=seconds * 0.9)
            async with asyncio.timeout(seconds):
                response = await self._client.send(request, stream=True)
        except (httpx.HTTPError, httpx.InvalidURL, OSError, UnicodeError) as error:
            return failure_of(error)
        await _drain(response)
        return result_of(response.status_code, response.headers.get("retry-after"), self._clock())


async def _drain(response: httpx.Response) -> None:
    """Read the rest of an answer within bounds, and let go of it."""
    received = 0
    with suppress(httpx.HTTPError, OSError):
        async with asyncio.timeout(_ANSWER_SECONDS):
            async for chunk in response.aiter_raw():
                received += len(chunk)
                if received > _ANSWER_BYTES:
                    break
    with suppress(httpx.HTTPError, OSError):
        await response.aclose()
