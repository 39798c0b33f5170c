"""What every channel is: something that makes one attempt and says what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
