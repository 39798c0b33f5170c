"""What the kit has to know of a protocol: how its destinations are reached, and everything that they can answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

Answer = Any
"""How a destination answers one request; what that is, its protocol knows."""


class Destination(Protocol):
    """A destination that is there: where, what it got so far, and a way to wait until something arrives."""

    @property
    def url(self) -> str:
        """The address that a channel is given."""

    @property
    def requests(self) -> list[Any]:
        """Everything that arrived whole, in order."""

    async def arrived(self) -> None:
        """Wait until a request is there, answered or not."""


@dataclass(frozen=True)
class Speech:
    """One protocol. Answers stand under the word that a channel's detail has to hold."""

    there: Callable[..., AbstractAsyncContextManager[Destination]]
    """Opens a destination that gives these answers, one a request, and then takes everything."""
    nobody: Callable[[], str]
    """Gives an address that nobody is at."""
    nobody_says: str
    done: Mapping[str, Answer]
    again: Mapping[str, Answer]
    stop: Mapping[str, Answer]
    late: Mapping[str, Answer]
    """Answers that do not come in time."""
    broken: Mapping[str, tuple[Answer, str]] = field(default_factory=dict)
    """Answers that are none, each with what a channel says of it."""
    echoes: tuple[Answer, ...] = ()
    """Answers that hold every secret that came."""
    secured: Callable[[str], str] | None = None
    """Turns the address of a destination in clear text into that of a secure one, which it is not."""
    greeting: bytes = b""
    """What a destination in clear text says unasked, so that a secure connection to it breaks."""
    insecure_says: str = "the secure connection failed: certificate or TLS version"
    late_says: str = "no answer in time"
