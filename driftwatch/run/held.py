"""A session that is held for its notices, and whether it is older than what a fresh start shows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from driftwatch.model import Era, Listed, Outcome
from driftwatch.watch.fetch.base import HeldSession
from driftwatch.watch.seen import digest_of, see


class Held:
    """One held session, and what it showed when it was asked for the first time."""

    def __init__(self, session: HeldSession, renew: Callable[[], None]) -> None:
        """Take the session, and what lets it go so that a new one is held."""
        self._session = session
        self._first = ""
        self.renew = renew

    async def ask(self) -> Outcome:
        """List everything again in this session."""
        outcome = await self._session.fetch()
        # In the 2026-07-28 revision a list must not vary per connection: there is no older session to be let go.
        # The digest only: what a large server listed must not stay in memory for as long as the session does.
        if not self._first and isinstance(outcome, Listed) and outcome.era is Era.HANDSHAKE:
            self._first = digest_of(await asyncio.to_thread(see, outcome))
        return outcome

    def is_stale(self, fresh_digest: str) -> bool:
        """Say whether this session began with another list than the one that a fresh start shows now.

        A session that changed after its start is not stale: what it shows is what somebody may be looking at. One that
        began otherwise runs an older or a newer version of the server, and only holds up what is true by now.
        """
        return bool(fresh_digest and self._first) and self._first != fresh_digest
