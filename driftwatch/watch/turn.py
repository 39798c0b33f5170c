"""The looks of one turn as somebody else."""

from __future__ import annotations

import asyncio

from driftwatch.config.identities import IdentityConfig
from driftwatch.config.schema import ServerConfig
from driftwatch.judge.faces import face_of
from driftwatch.model import Era, Failure, Malformed, Outcome, Snapshot
from driftwatch.watch.fetch.base import Fetcher
from driftwatch.watch.seen import Seen, see


class Asked:
    """The looks of one turn: as the identity, and as driftwatch with all else alike."""

    def __init__(
        self, fetcher: Fetcher, server: ServerConfig, identity: IdentityConfig, era: Era | None, failures: int
    ) -> None:
        """Take whom to look as; `failures` is how many turns running have come to nothing before this one."""
        self.failures = failures
        self._fetcher = fetcher
        self._server = server
        self._identity = identity
        self._era = era
        self.outcomes: list[Outcome] = []
        self.seen: list[Snapshot] = []
        """The faces that were shown, one for each look."""
        self.news: Seen | None = None

    async def as_identity(self, like: Seen | None = None) -> Seen | Failure:
        """Look as the identity; `like` is a look whose era to take."""
        return await self._ask(self._identity, like)

    async def as_ourselves(self, like: Seen) -> Seen | Failure:
        """Look with all that the identity has but its name."""
        return await self._ask(self._identity.unnamed, like)

    def cause(self, other: Seen) -> str:
        """Say why the identity's list may honestly be another one, empty when there is no reason."""
        credential = self._identity.headers if self._server.url else self._identity.env
        reasons = {
            "credential": bool(credential),
            "era": other.listed.era is not self._era,
            "capabilities": bool(self._identity.capabilities),
        }
        return " ".join(reason for reason, holds in reasons.items() if holds)

    async def _ask(self, identity: IdentityConfig, like: Seen | None) -> Seen | Failure:
        if like is not None:
            identity = identity.model_copy(update={"era": like.listed.era})
        outcome = await self._fetcher.fetch(self._server, era=self._era, identity=identity)
        self.outcomes.append(outcome)
        seen = await asyncio.to_thread(see, outcome)
        if isinstance(seen, Seen):
            self.seen.append(face_of(seen.snapshot))
        if like is not None and isinstance(seen, Seen) and seen.listed.era is not like.listed.era:
            return Malformed("other-era", "it spoke another era than a moment ago, so nothing can be compared")
        return seen
