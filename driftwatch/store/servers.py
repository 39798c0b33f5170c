"""What is remembered of each server between looks, and which snapshots it showed when."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, func, insert, literal, select, union, update

from driftwatch.errors import BaselineMovedError
from driftwatch.model import Baseline, Era, Failure, Listing, ServerState, Sighting
from driftwatch.store.codec import pack_arrival, pack_listing, unpack_arrival, unpack_listing
from driftwatch.store.engine import insert_new
from driftwatch.store.records import LookRecord
from driftwatch.store.tables import baselines, servers, sightings, snapshots

LISTED = "listed"
"""`ServerState.last_outcome` after a complete look; after a failed one it is like `unreachable:timeout`."""

_NEW: Mapping[str, Any] = {
    "failures": 0,
    "last_outcome": "",
    "last_detail": "",
    "last_digest": "",
    "judged": "",
    "looks": 0,
    "sighting_looks": 0,
}

_NOTHING = literal("news ").concat(func.hex(func.randomblob(8)))
"""What findings rest on that news has overtaken. Another mark each time, so that who judges meanwhile sees each."""


# What every look asks is put together once, which takes longer than to ask it.
_CURRENT = (baselines.c.server == servers.c.name) & baselines.c.superseded_at.is_(None)
_MARKED = [baselines.c[name].label(f"b_{name}") for name in ("digest", "state", "since", "by", "note")]
_STATES = select(servers, *_MARKED).outerjoin(baselines, _CURRENT).order_by(servers.c.name)
_STATE = _STATES.where(servers.c.name == bindparam("of"))
_NEWEST = select(func.max(sightings.c.id))
_SIGHTINGS = (
    select(sightings, servers.c.last_ok_at, servers.c.sighting_looks, snapshots.c.body)
    .join(servers, servers.c.name == sightings.c.server)
    .join(snapshots, snapshots.c.digest == sightings.c.digest)
    .order_by(sightings.c.id.desc())
)


def states(connection: Connection, server: str | None = None) -> dict[str, ServerState]:
    """Give the state of every server that was ever looked at, or of one."""
    newest = sighted_last(connection)
    query, which = (_STATES, {}) if server is None else (_STATE, {"of": server})
    return {row.name: _state(row, newest) for row in connection.execute(query, which)}


def sighted_last(connection: Connection) -> int:
    """Give the number of the newest sighting of any server, 0 before the first."""
    return connection.scalar(_NEWEST) or 0


def _state(row: Row[Any], newest: int) -> ServerState:
    baseline = None
    if row.b_digest is not None:
        baseline = Baseline(
            server=row.name, digest=row.b_digest, state=row.b_state, since=row.b_since, by=row.b_by, note=row.b_note
        )
    return ServerState(
        server=row.name,
        era=row.era,
        last_look_at=row.last_look_at,
        last_ok_at=row.last_ok_at,
        next_look_at=row.next_look_at,
        failures=row.failures,
        last_outcome=row.last_outcome,
        last_detail=row.last_detail,
        last_digest=row.last_digest,
        judged=row.judged,
        baseline=baseline,
        looks=row.looks,
        listing=unpack_listing(row.listing),
        calm_at=row.calm_at,
        sighted=newest,
    )


def ensure(connection: Connection, server: str) -> None:
    """See that there is a row for a server."""
    insert_new(connection, servers, {"name": server, **_NEW})


def _looked(at: datetime, next_at: datetime | None, era: Era | None) -> dict[str, Any]:
    """Give what every look changes, whatever came of it; no era leaves the remembered one."""
    values: dict[str, Any] = {"last_look_at": at, "next_look_at": next_at, "looks": servers.c.looks + 1}
    return values | ({} if era is None else {"era": era})


def _listed(
    at: datetime, next_at: datetime | None, era: Era | None, detail: str, listing: Listing | None
) -> dict[str, Any]:
    """Give what every complete look changes besides; no listing leaves the remembered one."""
    values = _looked(at, next_at, era)
    values |= {"last_ok_at": at, "failures": 0, "last_outcome": LISTED, "last_detail": detail}
    return values | ({} if listing is None else {"listing": pack_listing(listing)})


def touch(
    connection: Connection,
    server: str,
    *,
    at: datetime,
    next_at: datetime | None,
    era: Era | None,
    detail: str,
    judged: str | None,
    listing: Listing | None,
) -> None:
    """Count an unchanged look: one row changes, none is added."""
    change = (
        update(servers)
        .where(servers.c.name == server, servers.c.last_digest != "")
        .values(**_listed(at, next_at, era, detail, listing), sighting_looks=servers.c.sighting_looks + 1)
    )
    if judged is not None:
        # Failures since then may have opened an alert, which only a recorded look resolves.
        change = change.where(servers.c.judged == judged, servers.c.failures == 0)
    if connection.execute(change).rowcount != 1:
        raise BaselineMovedError(f"Somebody else recorded something else about {server!r} while the check ran.")


def plan(connection: Connection, server: str, at: datetime) -> None:
    """Put the next look at another time."""
    ensure(connection, server)
    connection.execute(update(servers).where(servers.c.name == server).values(next_look_at=at))


def failed(
    connection: Connection, server: str, *, outcome: Failure, at: datetime, next_at: datetime | None, era: Era | None
) -> None:
    """Count a failed look. What was seen before stays what was seen last."""
    ensure(connection, server)
    connection.execute(
        update(servers)
        .where(servers.c.name == server)
        .values(
            **_looked(at, next_at, era),
            failures=servers.c.failures + 1,
            last_outcome=f"{type(outcome).__name__.lower()}:{outcome.code}",
            last_detail=outcome.detail,
        )
    )


def seen(connection: Connection, look: LookRecord) -> None:
    """Record a complete look: the state, and a new sighting when the server shows something else than before."""
    ensure(connection, look.server)
    before = connection.execute(select(servers).where(servers.c.name == look.server)).one()
    if look.expected_looks is not None and before.looks != look.expected_looks:
        raise BaselineMovedError(f"Somebody else looked at {look.server!r} while the check ran.")
    if look.expected_judged is not None and before.judged != look.expected_judged:
        raise BaselineMovedError(f"There is news about {look.server!r} since it was judged.")
    # Two servers that show something new at once are each judged without what the other shows: so once more.
    is_old = look.expected_sighted is not None and sighted_last(connection) != look.expected_sighted
    same = before.last_digest == look.snapshot.digest
    if not same:
        _next_sighting(connection, look, before)
    connection.execute(
        update(servers)
        .where(servers.c.name == look.server)
        .values(
            **_listed(look.at, look.next_at, look.era, look.detail, look.listing),
            last_digest=look.snapshot.digest,
            judged=_NOTHING if is_old else look.judged,
            calm_at=look.calm_at,
            sighting_looks=before.sighting_looks + 1 if same else 1,
        )
    )


def _next_sighting(connection: Connection, look: LookRecord, before: Row[Any]) -> None:
    """Close the current sighting with what the servers row counted, and open the next."""
    mine = sightings.c.server == look.server
    connection.execute(
        update(sightings)
        .where(mine, sightings.c.last_seen.is_(None))
        .values(last_seen=before.last_ok_at, looks=before.sighting_looks)
    )
    connection.execute(
        insert(sightings).values(
            server=look.server,
            digest=look.snapshot.digest,
            first_seen=look.at,
            arrival=pack_arrival(look.arrival),
        )
    )


def judged_anew(connection: Connection, server: str, judged: str = "") -> None:
    """Say what the kept findings rest on; without it the next look judges again, and so does one that judges now.

    Whatever went to and fro did so beside another baseline.
    """
    mine = update(servers).where(servers.c.name == server)
    connection.execute(mine.values(judged=judged or _NOTHING, calm_at=None))


def sighted(connection: Connection, server: str, limit: int | None = None) -> list[Sighting]:
    """Give the sightings of a server, oldest first; the newest ones where there are more than `limit`."""
    return [_sighting(row) for row in reversed(connection.execute(_sightings_of(server).limit(limit)).all())]


def sighted_before(
    connection: Connection, server: str, before: int | None, limit: int
) -> tuple[list[Sighting], int | None]:
    """Give sightings newest first, from before a place on (None: from the newest on), and the place to go on before."""
    query = _sightings_of(server).limit(limit + 1)
    if before is not None:
        query = query.where(sightings.c.id < before)
    rows = connection.execute(query).all()
    return [_sighting(row) for row in rows[:limit]], rows[limit - 1].id if len(rows) > limit else None


def _sightings_of(server: str) -> Select[Any]:
    """Ask for the sightings of a server, newest first."""
    return _SIGHTINGS.where(sightings.c.server == server)


def _sighting(row: Row[Any]) -> Sighting:
    return Sighting(
        server=row.server,
        digest=row.digest,
        first_seen=row.first_seen,
        last_seen=row.last_ok_at if row.last_seen is None else row.last_seen,
        looks=row.sighting_looks if row.last_seen is None else row.looks,
        arrival=unpack_arrival(row.arrival),
        body=row.body,
    )


def digests_like(connection: Connection, server: str, start: str) -> list[str]:
    """Give at most two digests that begin with `start`, of what the server showed or what was its baseline."""
    rows = [
        select(table.c.digest).where(table.c.server == server, table.c.digest.startswith(start, autoescape=True))
        for table in (sightings, baselines)
    ]
    return list(connection.scalars(union(*rows).limit(2)))
