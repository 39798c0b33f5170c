"""A session that is held for its notices, and whether it is older than what a fresh start shows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from driftwatch.model import Era, Listed, Outcome
from driftwatch.watch.fetch.base import HeldSession
from driftwatch.watch.seen import digest_of, see

GRACE = 2.0
"""Seconds that a notice may take after the change that it is about; servers gather several changes into one."""


class Held:
    """One held session, and what it showed when it was asked for the first time."""

    def __init__(self, session: HeldSession, renew: Callable[[], None], *, grace: float = GRACE) -> None:
        """Take the session, and what lets it go so that a new one is held."""
        self._session = session
        self._first = ""
        self._told = asyncio.Event()
        self._accounted = False
        self._grace = grace
        self.notices = 0
        self.renew = renew

    def notice(self) -> None:
        """Count a notice that this session gave."""
        self.notices += 1
        self._told.set()

    def account(self, notices: int) -> None:
        """Take it that a complete look, begun when there were so many notices, has seen what they were about."""
        self._accounted = True
        if self.notices == notices:
            self._told.clear()

    async def heard(self) -> bool | None:
        """Say whether notice was given since the last look; None when this session has not stood since then.

        A notice that is on its way is waited for.
        """
        if not self._told.is_set() and not self._accounted:
            return None
        try:
            async with asyncio.timeout(self._grace):
                return await self._told.wait()
        except TimeoutError:
            return False

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
