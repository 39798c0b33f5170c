"""What the rest of driftwatch knows of this room: who fetches, who listens, and how listening ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from driftwatch.config.identities import IdentityConfig
from driftwatch.config.schema import ServerConfig
from driftwatch.model import Era, Failure, Outcome


class Fetcher(Protocol):
    """Looks at a server once."""

    async def fetch(self, server: ServerConfig, *, era: Era | None, identity: IdentityConfig | None = None) -> Outcome:
        """Give what the server shows, or why it could not be seen. Nothing that a server does raises.

        `era` is the one the last look found, None when there is none: it saves a try, and a wrong one costs a try.
        `identity` is whom to look as: its client info, capabilities and credential are what the server gets to see,
        and its era, where it has one, comes before `era`. None looks as driftwatch.
        """
        ...


class HeldSession(Protocol):
    """A connection that is held for its notices, and can be asked for its lists again."""

    async def fetch(self) -> Outcome:
        """List everything again on this connection. Calls wait for one another; nothing that a server does raises."""
        ...


@dataclass(frozen=True, slots=True)
class ListenEnd:
    """Why listening ended.

    `code` is `unsupported` (this server sends no notices that could be listened to), `closed` (the server ended the
    stream in good order), `lost` (the stream broke off), `flood` (more than a limit allows) or `failed` (`failure`
    says how). `was_ready` says whether the stream ever stood.
    """

    code: str
    detail: str
    was_ready: bool = False
    failure: Failure | None = None


class Listener(Protocol):
    """Holds one server's stream of change notices."""

    async def listen(
        self,
        server: ServerConfig,
        *,
        era: Era | None,
        on_ready: Callable[[HeldSession], None],
        on_notice: Callable[[], None],
    ) -> ListenEnd:
        """Listen until the stream ends, and say why it did.

        `on_ready` is called once, when the stream stands; `on_notice` for each notice that a list changed. Both must
        return at once. Nothing that a server does raises.
        """
        ...
