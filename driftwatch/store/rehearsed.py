"""What came of looking at lists again: one row for each list of a server that is shown, approved, or was just tried."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from driftwatch.model import Rehearsed
from driftwatch.store import servers
from driftwatch.store.engine import reading
from driftwatch.store.shelf import Shelf
from driftwatch.store.tables import rehearsed

_WOKEN: Final = 8
"""Lists of a server, the newest, that are kept because another list came to light when they were looked at again."""


def awakened(connection: Connection, server: str, digest: str) -> bool:
    """Say whether a list came to light when another one was looked at again, or is the one that was looked at."""
    either = (rehearsed.c.digest == digest) | (rehearsed.c.other == digest)
    query = select(rehearsed.c.digest).where(rehearsed.c.server == server, rehearsed.c.other != "", either)
    return connection.execute(query.limit(1)).first() is not None


class RehearsalShelf(Shelf):
    """The part of the Store that is about looking again."""

    def rehearsals(self, server: str) -> list[Rehearsed]:
        """Give what is known of the lists of a server that were looked at again, the oldest first."""
        query = select(rehearsed).where(rehearsed.c.server == server).order_by(rehearsed.c.at, rehearsed.c.digest)
        with reading(self._engine) as connection:
            return [Rehearsed(**row) for row in connection.execute(query).mappings()]

    def rehearsed(self, server: str, digest: str) -> Rehearsed | None:
        """Give what is known of one list, None where it was not looked at again."""
        return next((one for one in self.rehearsals(server) if one.digest == digest), None)

    def record_rehearsal(self, seen: Rehearsed) -> None:
        """Write how a list stood in the place of what was known; lists that are neither shown nor approved go.

        A few stay of which another list came to light; the next look judges by it.
        """
        mine = rehearsed.c.server == seen.server
        values = asdict(seen)
        with self._write() as connection:
            this = mine & (rehearsed.c.digest == seen.digest)
            if connection.execute(update(rehearsed).where(this).values(**values)).rowcount == 0:
                connection.execute(insert(rehearsed).values(**values))
            state = servers.states(connection, seen.server)[seen.server]
            kept = {seen.digest, state.last_digest, state.baseline.digest if state.baseline else ""}
            # What came to light so must not be pushed out by showing a few lists more.
            woken = select(rehearsed.c.digest).where(mine, rehearsed.c.other != "").order_by(rehearsed.c.at.desc())
            kept.update(connection.scalars(woken.limit(_WOKEN)))
            if seen.other:
                servers.judged_anew(connection, seen.server)
            connection.execute(delete(rehearsed).where(mine, rehearsed.c.digest.not_in(kept)))
