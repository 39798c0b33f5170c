"""The generic webhook: a signed POST of the JSON body, after the Standard Webhooks specification.

The headers `webhook-id`, `webhook-timestamp` and `webhook-signature` let a receiver check who sent it, that it is
fresh, and whether it has it already. The id is the same on every attempt; the time and the signature are new. While one
secret takes the place of another, both sign, and a receiver with either accepts the message.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import ssl
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Final

import httpx
import standardwebhooks

from driftwatch import __version__
from driftwatch.config.channels import WebhookConfig
from driftwatch.errors import ConfigError
from driftwatch.model import Delivery, SendResult, SendVerdict
from driftwatch.tell.channels.http import failure_of, result_of
from driftwatch.tell.payload import encode

_ANSWER_BYTES: Final = 64 * 1024
"""Bytes of an answer that are read, only so that the connection can be used again; nothing looks at them."""

_ANSWER_SECONDS: Final = 1.0
"""How long the rest of an answer is waited for."""

# httpx logs every request with its whole URL, whose path is often a credential; httpcore logs what a receiver answers,
# and that can be an echo of what it was sent.
for _name in ("httpx", "httpcore"):
    logging.getLogger(_name).setLevel(logging.WARNING)


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Webhook:
    """A channel that posts to one URL.

    - No redirect is followed, no cookie is kept.
    - The environment is not read: no proxy and no `.netrc` takes part that the configuration does not name.
      Certificates are checked against the system's store.
    - The time-out covers everything up to the answer's status, however slowly its bytes come. With the status known
      the attempt is over: what a receiver does with the rest of its answer changes nothing.
    """

    def __init__(self, config: WebhookConfig, *, clock: Callable[[], datetime] = _utc_now) -> None:
        """Take the channel's configuration, and the clock that messages are signed by.

        Raises:
            ConfigError: the secret cannot sign.

        """
        self.name = config.name
        self.max_attempts = config.max_attempts
        self._config = config
        self._clock = clock
        self._signers = tuple(_signer(config, name) for name in ("secret", "old_secret") if getattr(config, name))
        self._client = httpx.AsyncClient(
            verify=ssl.create_default_context(),
            # A little less than the whole: httpcore closes a connection whose handshake it gave up by itself, but
            # leaves it open when it is cancelled in the middle of one.
            timeout=config.timeout * 0.9,
            follow_redirects=False,
            trust_env=False,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        )

    def __repr__(self) -> str:
        """Name the channel and nothing that could be a secret."""
        return f"<Webhook {self.name}>"

    async def send(self, delivery: Delivery) -> SendResult:
        """Sign and post one delivery."""
        try:
            content = encode(delivery.payload)
        except ValueError:
            return SendResult(SendVerdict.STOP, "the message cannot be written as JSON")
        try:
            return await self._post(content, self._headers(delivery.id, content))
        except (httpx.HTTPError, httpx.InvalidURL, OSError, UnicodeError) as error:
            return failure_of(error)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _post(self, content: bytes, headers: httpx.Headers) -> SendResult:
        request = self._client.build_request("POST", self._config.url, content=content, headers=headers)
        async with asyncio.timeout(self._config.timeout):
            response = await self._client.send(request, stream=True)
        await _drain(response)
        return result_of(response.status_code, response.headers.get("retry-after"), self._clock())

    def _headers(self, message_id: str, content: bytes) -> httpx.Headers:
        """Give the configured headers, with ours over them."""
        now = self._clock().astimezone(UTC)
        signatures = (signer.sign(message_id, now, content.decode("ascii")) for signer in self._signers)
        headers = httpx.Headers({name: value.reveal() for name, value in self._config.headers.items()})
        headers.update(
            {
                "content-type": "application/json",
                "user-agent": f"driftwatch/{__version__}",
                "webhook-id": message_id,
                "webhook-timestamp": str(int(now.timestamp())),
                "webhook-signature": " ".join(signatures),
            }
        )
        return headers


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


def _signer(config: WebhookConfig, name: str) -> standardwebhooks.Webhook:
    """Make what signs, from `whsec_` and base64 as the specification has it.

    A secret that is not base64 is refused: the library would drop the characters that do not fit and sign with
    the rest, and a receiver with another library would then refuse every message.
    """
    encoded = getattr(config, name).reveal().strip().removeprefix("whsec_")
    try:
        key = base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True)
    except ValueError:
        key = b""
    if not key:
        raise ConfigError(
            f"channels.{config.name}.{name}: not a signing secret",
            hint="Give 24 to 64 random bytes in base64, with or without whsec_ before them: openssl rand -base64 32",
        )
    return standardwebhooks.Webhook(key)
