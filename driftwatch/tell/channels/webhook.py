"""The generic webhook: a signed POST of the JSON body, after the Standard Webhooks specification.

The headers `webhook-id`, `webhook-timestamp` and `webhook-signature` let a receiver check who sent it, that it is
fresh, and whether it has it already. The id is the same on every attempt; the time and the signature are new. While one
secret takes the place of another, both sign, and a receiver with either accepts the message.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from datetime import UTC, datetime

import standardwebhooks

from driftwatch.config.channels import WebhookConfig
from driftwatch.errors import ConfigError
from driftwatch.model import Delivery, SendResult
from driftwatch.model.spans import Carried, nothing_carried
from driftwatch.tell.channels.base import UNREADABLE, UNWRITABLE
from driftwatch.tell.channels.post import Poster, utc_now
from driftwatch.tell.payload import encode


class Webhook:
    """A channel that posts the signed body to one URL."""

    def __init__(self, config: WebhookConfig, *, clock: Callable[[], datetime] = utc_now) -> None:
        """Take the channel's configuration, and the clock that messages are signed by.

        Raises:
            ConfigError: the secret cannot sign.

        """
        self.name = config.name
        self.max_attempts = config.max_attempts
        self._config = config
        self._clock = clock
        self._signers = tuple(_signer(config, name) for name in ("secret", "old_secret") if getattr(config, name))
        self.carried: Carried = nothing_carried
        self._poster = Poster(timeout=config.timeout, clock=clock)

    def __repr__(self) -> str:
        """Name the channel and nothing that could be a secret."""
        return f"<Webhook {self.name}>"

    async def send(self, delivery: Delivery) -> SendResult:
        """Sign and post one delivery."""
        try:
            content = encode(delivery.payload)
        except UNREADABLE:
            return UNWRITABLE
        own = {**self._signed(delivery.id, content), **self.carried()}
        return await self._poster.post(self._config.url, content, given=self._config.headers, own=own)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._poster.aclose()

    def _signed(self, message_id: str, content: bytes) -> dict[str, str]:
        """Give the headers that let a receiver check the message."""
        now = self._clock().astimezone(UTC)
        signatures = (signer.sign(message_id, now, content.decode("ascii")) for signer in self._signers)
        return {
            "webhook-id": message_id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": " ".join(signatures),
        }


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
