"""Approvals ahead of a roll-out: what people reviewed before a server showed it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, bindparam, insert, select, update

from driftwatch.errors import BaselineMovedError, StaleReviewError, UnknownIdError
from driftwatch.model import Act, Action, Actor, Ahead, Snapshot
from driftwatch.store import audit, baselines, servers, snapshots
from driftwatch.store.columns import kept_as, row_of
from driftwatch.store.engine import reading
from driftwatch.store.shelf import Shelf
from driftwatch.store.tables import aheads

_SENT_TWICE = timedelta(minutes=1)
"""How far apart the ends of two approvals may lie that are the same one, sent again."""

AGAIN = "approved again"
"""Why an approval was ended whose place a new one of the same took."""


class AheadShelf(Shelf):
    """The part of the Store that is about approvals ahead."""

    def add_ahead(self, ahead: Ahead, snapshot: Snapshot, *, judged_against: str | None = "") -> Ahead:
        """Keep an approval with the snapshot that was reviewed; the server's next look is judged anew.

        Where the same is approved for the same version and still waits, the new one takes its place: that one is ended
        at this moment (see `replaced`). One that is sent twice is kept once: the first is given back then.
        `judged_against` is the digest of the baseline (None: none) that it was reviewed beside; empty: whichever.

        Raises:
            StaleReviewError: there is another baseline by now; nothing was written.

        """
        with self._write() as connection:
            if judged_against != "":
                _not_stale(connection, ahead.server, judged_against)
            for other in waiting(connection, ahead.server, ahead.at):
                if (other.digest, other.version) != (ahead.digest, ahead.version):
                    continue
                if _is_sent_twice(other, ahead):
                    return other
                _end(connection, other, by=Actor(ahead.by, ahead.origin), at=ahead.at, why=AGAIN)
            servers.ensure(connection, ahead.server)
            snapshots.keep(connection, snapshot, ahead.at)
            connection.execute(insert(aheads).values(**row_of(ahead)))
            servers.judged_anew(connection, ahead.server)
            details = {
                "ahead": ahead.id,
                "version": ahead.version,
                "until": ahead.until.isoformat(),
                "body": ahead.body,
            }
            audit.write(
                connection,
                Act(
                    Action.APPROVED_AHEAD,
                    Actor(ahead.by, ahead.origin),
                    ahead.at,
                    server=ahead.server,
                    digest=ahead.digest,
                    why=ahead.note,
                    details=details,
                ),
            )
            return ahead

    def end_ahead(self, ahead_id: str, *, by: Actor, at: datetime, why: str = "") -> bool:
        """End an approval before it is used; False when it is over already."""
        with self._write() as connection:
            row = connection.execute(select(aheads).where(aheads.c.id == ahead_id)).one_or_none()
            if row is None or not ahead_of(row).waits(at):
                return False
            _end(connection, ahead_of(row), by=by, at=at, why=why)
            servers.judged_anew(connection, row.server)
            return True

    def aheads(self, server: str | None = None, *, at: datetime | None = None, limit: int = 1_000) -> list[Ahead]:
        """Give approvals ahead, newest first; with `at` only those that are still good then."""
        with reading(self._engine) as connection:
            found = listed(connection, server, limit)
        return found if at is None else [one for one in found if one.waits(at)]

    def waiting_aheads(self, server: str, at: datetime) -> list[Ahead]:
        """Give the approvals that a look at the server may use, newest first."""
        with reading(self._engine) as connection:
            return waiting(connection, server, at)

    def ahead(self, prefix: str) -> Ahead:
        """Give the one approval whose id begins so.

        Raises:
            UnknownIdError: none begins so, or more than one does.

        """
        query = select(aheads).where(aheads.c.id.startswith(prefix, autoescape=True)).order_by(aheads.c.id).limit(2)
        with reading(self._engine) as connection:
            found = [ahead_of(row) for row in connection.execute(query)]
        if not found:
            message = f"No approval ahead has an id that begins with {prefix!r}."
            raise UnknownIdError(message, hint="See them with: driftwatch ahead --all")
        if len(found) > 1:
            raise UnknownIdError(f"More than one approval ahead begins with {prefix!r}.", hint="Write more of it.")
        return found[0]


def _is_sent_twice(kept: Ahead, ahead: Ahead) -> bool:
    """Say whether it is the same person's same approval: an end that is counted from now may lie a little later."""
    same = (kept.by, kept.origin, kept.note) == (ahead.by, ahead.origin, ahead.note)
    return same and abs(ahead.until - kept.until) < _SENT_TWICE


def _end(connection: Connection, ahead: Ahead, *, by: Actor, at: datetime, why: str) -> None:
    connection.execute(update(aheads).where(aheads.c.id == ahead.id).values(ended_at=at, ended_by=by.name))
    details = {"ahead": ahead.id, "version": ahead.version}
    audit.write(connection, Act(Action.AHEAD_ENDED, by, at, ahead.server, ahead.digest, why, details))


def _not_stale(connection: Connection, server: str, digest: str | None) -> None:
    baseline = baselines.current(connection, server)
    if (baseline.digest if baseline else None) != digest:
        raise StaleReviewError(f"Another list of {server!r} was approved since this one was judged.")


def listed(connection: Connection, server: str | None, limit: int) -> list[Ahead]:
    """Give approvals, newest first, of one server or of all."""
    query = select(aheads).order_by(aheads.c.at.desc(), aheads.c.id).limit(limit)
    query = query if server is None else query.where(aheads.c.server == server)
    return [ahead_of(row) for row in connection.execute(query)]


_WAITING = (
    select(aheads)
    .where(
        aheads.c.server == bindparam("of"),
        aheads.c.used_at.is_(None),
        aheads.c.ended_at.is_(None),
        aheads.c.until > bindparam("now"),
    )
    .order_by(aheads.c.at.desc(), aheads.c.id)
)
"""Put together once: every look asks it."""


def waiting(connection: Connection, server: str, at: datetime) -> list[Ahead]:
    """Give the approvals for a server that are still good, newest first."""
    return [ahead_of(row) for row in connection.execute(_WAITING, {"of": server, "now": at})]


def use(connection: Connection, ahead: Ahead, digest: str, at: datetime) -> None:
    """Use an approval, once: the server shows what it is for, as the snapshot `digest`.

    Raises:
        BaselineMovedError: it was used or ended meanwhile.

    """
    unused = (aheads.c.id == ahead.id, aheads.c.used_at.is_(None), aheads.c.ended_at.is_(None))
    if connection.execute(update(aheads).where(*unused).values(used_at=at)).rowcount != 1:
        raise BaselineMovedError(f"The approval ahead of {ahead.server!r} was used or ended meanwhile.")
    details = {"ahead": ahead.id, "version": ahead.version, "approved": ahead.at.isoformat(), "reviewed": ahead.digest}
    used = Act(Action.AHEAD_USED, Actor(ahead.by, "look"), at, ahead.server, digest, ahead.note, details)
    audit.write(connection, used)


def used_by(ahead: Ahead, at: datetime) -> Ahead:
    """Give an approval as one that was used."""
    return replace(ahead, used_at=at)


def ahead_of(row: Row[Any]) -> Ahead:
    """Read one row."""
    return kept_as(Ahead, row)
