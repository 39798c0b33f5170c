"""What came of looking at lists again: one row for each list of a server that is shown, approved, or was just tried."""

from __future__ import annotations

from dataclasses import asdict

from sqlalchemy import delete, insert, select, update

from driftwatch.model import Rehearsed
from driftwatch.store import servers
from driftwatch.store.engine import reading
from driftwatch.store.shelf import Shelf
from driftwatch.store.tables import rehearsed


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
        """Write how a list stood in the place of what was known; lists that are neither shown nor approved go."""
        mine = rehearsed.c.server == seen.server
        values = asdict(seen)
        with self._write() as connection:
            this = mine & (rehearsed.c.digest == seen.digest)
            if connection.execute(update(rehearsed).where(this).values(**values)).rowcount == 0:
                connection.execute(insert(rehearsed).values(**values))
            state = servers.states(connection, seen.server)[seen.server]
            kept = {seen.digest, state.last_digest, state.baseline.digest if state.baseline else ""}
            connection.execute(delete(rehearsed).where(mine, rehearsed.c.digest.not_in(kept)))
