"""A server gets another name, and keeps what is known of it: its approval, its history, its alerts, its messages."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Table, delete, exists, insert, select, update

from driftwatch.errors import UnknownServerError, UsageError
from driftwatch.model import Act, Action, Actor
from driftwatch.model.commands import command
from driftwatch.store import audit
from driftwatch.store.servers import judged_anew
from driftwatch.store.shelf import Shelf
from driftwatch.store.standing import FORMER
from driftwatch.store.tables import (
    aheads,
    alerts,
    baselines,
    deliveries,
    face_sightings,
    faces,
    findings,
    rehearsed,
    reviews,
    servers,
    sightings,
    silences,
)
from driftwatch.store.witness_tables import witnessed

_THEIRS: Final[tuple[Table, ...]] = (
    sightings,
    baselines,
    reviews,
    aheads,
    faces,
    face_sightings,
    rehearsed,
    findings,
    witnessed,
    alerts,
    silences,
    deliveries,
)
"""The tables whose rows name the server that they are about."""


class RenameShelf(Shelf):
    """The part of the Store that is about names of servers."""

    def rename_server(self, old: str, new: str, *, by: Actor, at: datetime) -> None:
        """Let all that is known of a server be known under another name. Its next look judges again.

        Raises:
            UnknownServerError: nothing is known under the old name.
            UsageError: something is known under the new name already. Either way nothing was written.

        """
        with self._write() as connection:
            row = connection.execute(select(servers).where(servers.c.name == old)).mappings().one_or_none()
            if row is None:
                hint = "See which there are: driftwatch status"
                raise UnknownServerError(f"Nothing is known of a server called {old!r}.", hint=hint)
            if old == new or _has_history(connection, new):
                raise UsageError(
                    f"{new!r} has a history of its own: nothing was renamed.",
                    hint="What was looked at under a name must not take over another's approval. Where that was only "
                    f"before you came to rename it, give that history a name of its own first: "
                    f"{command('servers', 'rename', new, f'{new}-before')}",
                )
            connection.execute(delete(servers).where(servers.c.name == new))  # planned, and never looked at
            connection.execute(insert(servers).values({**row, "name": new}))
            for table in _THEIRS:
                connection.execute(update(table).where(table.c.server == old).values(server=new))
            connection.execute(delete(servers).where(servers.c.name == old))
            judged_anew(connection, new)
            audit.write(connection, Act(Action.SERVER_RENAMED, by, at, server=new, details={FORMER: old}))


def _has_history(connection: Connection, name: str) -> bool:
    looked = select(servers.c.name).where(servers.c.name == name, servers.c.looks > 0)
    rows = (select(table.c.server).where(table.c.server == name) for table in _THEIRS)
    return any(connection.scalar(select(exists(one))) for one in (looked, *rows))
