"""What every channel is: something that makes one attempt and says what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol, runtime_checkable

from driftwatch.model import Delivery, Json, SendResult, SendVerdict

UNREADABLE: Final = (ValueError, LookupError, TypeError, AttributeError)
"""What laying out a payload raises that is no message, or one that another version wrote otherwise."""

UNWRITABLE: Final = SendResult(SendVerdict.STOP, "the message cannot be written for this channel")
"""What becomes of such a payload: no later attempt can change it."""


class Channel(Protocol):
    """One configured destination.

    `send` makes exactly one attempt and never raises for what the destination does or for a payload that it cannot
    send: that is a `SendResult`. It returns within the channel's time-out. Its `detail` holds our own words only:
    no secret, no URL beyond the host, nothing that the destination said. Cancellation passes.
    """

    @property
    def name(self) -> str:
        """The configured name."""

    @property
    def max_attempts(self) -> int:
        """How many attempts a delivery gets before it is dead."""

    async def send(self, delivery: Delivery) -> SendResult:
        """Make one attempt."""

    async def aclose(self) -> None:
        """Let go of connections."""


@runtime_checkable
class Forgetful(Channel, Protocol):
    """A channel whose destination forgets, so that what stands is told again and again beside the outbox."""

    @property
    def refresh_every(self) -> float:
        """Seconds between two times."""

    async def refresh(self, payloads: Sequence[Mapping[str, Json]]) -> SendResult:
        """Tell again what the channel was told last of each alert that stands."""


@runtime_checkable
class Inquiring(Channel, Protocol):
    """A channel that has to ask something on this machine before it is known whether its configuration works."""

    async def ready(self) -> None:
        """Ask.

        Raises:
            ConfigError: it cannot work.

        """


async def make_ready(channels: Iterable[Channel]) -> None:
    """Let all that have to ask something do so, side by side.

    Raises:
        ConfigError: the configuration of one, the first of these, cannot work.

    """
    asking = (one.ready() for one in channels if isinstance(one, Inquiring))
    # Awaited to the end, so that none goes on behind an error.
    for came in await asyncio.gather(*asking, return_exceptions=True):
        if isinstance(came, BaseException):
            raise came
