"""The part of the Store that pages read from: many servers at once, one page of a long list, and no more than that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import BigInteger, ColumnElement, Connection, Text, and_, func, or_, select, type_coerce

from driftwatch.model import (
    STANDING,
    AlertKind,
    BaselineState,
    Decision,
    Finding,
    Item,
    Kind,
    Place,
    Severity,
    Sighting,
)
from driftwatch.store import servers
from driftwatch.store.codec import unpack_findings
from driftwatch.store.engine import reading
from driftwatch.store.shelf import Shelf
from driftwatch.store.snapshots import item_of
from driftwatch.store.tables import alerts, baselines, findings, items, reviews, sightings, snapshot_items
from driftwatch.store.tables import servers as states
from driftwatch.store.witness_tables import witnessed

_MICROSECOND = timedelta(microseconds=1)

_AT_ONCE = 500
"""Names in one query."""


@dataclass(frozen=True, slots=True)
class ItemPage:
    """Some items of one kind of a snapshot, in order, with the places that they have in it.

    `after` is what the next page begins after, None where there is none; `found` counts all that fit.
    """

    items: tuple[Item, ...]
    after: int | None
    found: int


@dataclass(frozen=True, slots=True)
class ItemSighting:
    """What one place of a server's lists held from a moment on: the item's digest, empty where it was not there."""

    since: datetime
    snapshot: str
    item: str


class GlanceShelf(Shelf):
    """The part of the Store that pages read from."""

    def all_findings(self) -> dict[str, tuple[Finding, ...]]:
        """Give what the latest judgement of every server found, also what the policy hides."""
        query = select(findings.c.server, findings.c.body).order_by(findings.c.server, findings.c.position)
        found: dict[str, list[Finding]] = defaultdict(list)
        with reading(self._engine) as connection:
            for server, body in connection.execute(query):
                found[server] += unpack_findings(body)
        return {server: tuple(each) for server, each in found.items()}

    def refused_last(self) -> frozenset[str]:
        """Name the servers whose present list was refused as a whole by the last such decision on it.

        Of one that shows what is approved it is what agents were shown: all of that which stands.
        """
        whole = and_(states.c.last_digest == reviews.c.digest, reviews.c["items"].is_(None))
        about = and_(states.c.name == reviews.c.server, whole)
        newest = select(func.max(reviews.c.id)).join(states, about).group_by(reviews.c.server)
        query = select(reviews.c.server).where(reviews.c.id.in_(newest), reviews.c.decision == Decision.REJECTED)
        with reading(self._engine) as connection:
            return frozenset((*connection.scalars(query), *_refused_to_agents(connection)))

    def showing(self, text: str, *, kind: Kind = Kind.TOOL, spelled: Callable[[str], str] = str) -> frozenset[str]:
        """Name the servers that show an item of a kind now with this in its name, in small or capital letters.

        `spelled` gives a name as a person sees it, which is searched as well as the name itself.
        """
        query = (
            select(states.c.name, snapshot_items.c.key)
            .join(snapshot_items, snapshot_items.c.snapshot == states.c.last_digest)
            .where(snapshot_items.c.kind == kind, _may_have(text))
        )
        with reading(self._engine) as connection:
            return frozenset(name for name, key in connection.execute(query) if _has(key, text, spelled))

    def news(
        self, names: Collection[str], *, since: datetime, every: timedelta
    ) -> tuple[dict[str, dict[int, int]], dict[str, frozenset[int]]]:
        """Count how often servers began to show another list, in stretches of time from `since` on.

        Gives by server how many in which stretch, and the stretches in which an alert of high or more was opened.
        """
        counted: dict[str, dict[int, int]] = {}
        loud: dict[str, set[int]] = {}
        with reading(self._engine) as connection:
            for some in _chunks(names):
                _count_news(connection, some, since, every, counted)
                _find_loud(connection, some, since, every, loud)
        return counted, {name: frozenset(found) for name, found in loud.items()}

    def sightings_before(self, server: str, before: int | None, *, limit: int) -> tuple[list[Sighting], int | None]:
        """Give the newest sightings before a place in the history, newest first, and the place to go on before."""
        with reading(self._engine) as connection:
            return servers.sighted_before(connection, server, before, limit)

    def places(self, snapshots: Iterable[str], *, keys: Collection[str] | None = None) -> dict[str, dict[Place, str]]:
        """Give for each snapshot where it has which item, by its digest, without the items themselves.

        With `keys`, of which there may be some hundred, only items of these names.
        """
        wanted = list(dict.fromkeys(snapshots))
        columns = (snapshot_items.c.kind, snapshot_items.c.key, snapshot_items.c.occurrence, snapshot_items.c.item)
        query = select(snapshot_items.c.snapshot, *columns).where(snapshot_items.c.snapshot.in_(wanted))
        query = query if keys is None else query.where(snapshot_items.c.key.in_(list(keys)))
        found: dict[str, dict[Place, str]] = {digest: {} for digest in wanted}
        with reading(self._engine) as connection:
            for digest, kind, key, occurrence, item in connection.execute(query):
                found[digest][kind, key, occurrence] = item
        return found

    def kinds(self, snapshot: str) -> dict[Kind, int]:
        """Count the items of each kind, in the order of kinds."""
        query = (
            select(snapshot_items.c.kind, func.count().label("number"))
            .where(snapshot_items.c.snapshot == snapshot)
            .group_by(snapshot_items.c.kind)
        )
        with reading(self._engine) as connection:
            found = {row.kind: row.number for row in connection.execute(query)}
        return {kind: found[kind] for kind in Kind if kind in found}

    def item_page(
        self,
        snapshot: str,
        kind: Kind,
        *,
        text: str = "",
        spelled: Callable[[str], str] = str,
        after: int | None,
        limit: int,
    ) -> ItemPage:
        """Give some items of one kind, those with this in their name; see `showing`."""
        of_kind = [snapshot_items.c.snapshot == snapshot, snapshot_items.c.kind == kind]
        places = select(snapshot_items.c.position, snapshot_items.c.key).where(*of_kind)
        places = places.where(_may_have(text)).order_by(snapshot_items.c.position)
        with reading(self._engine) as connection:
            found = [place for place, key in connection.execute(places) if _has(key, text, spelled)]
            left = [place for place in found if after is None or place > after]
            query = (
                select(snapshot_items, items.c.raw)
                .join(items, items.c.digest == snapshot_items.c.item)
                .where(*of_kind, snapshot_items.c.position.in_(left[:limit]))
                .order_by(snapshot_items.c.position)
            )
            shown = tuple(map(item_of, connection.execute(query)))
        return ItemPage(shown, left[limit - 1] if len(left) > limit else None, len(found))

    def item(self, snapshot: str, place: Place) -> Item | None:
        """Give one item of a snapshot, None when it has none there."""
        kind, key, occurrence = place
        query = (
            select(snapshot_items, items.c.raw)
            .join(items, items.c.digest == snapshot_items.c.item)
            .where(snapshot_items.c.snapshot == snapshot, snapshot_items.c.kind == kind)
            .where(snapshot_items.c.key == key, snapshot_items.c.occurrence == occurrence)
        )
        with reading(self._engine) as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else item_of(row)

    def item_sightings(self, server: str, place: Place, *, limit: int) -> list[ItemSighting]:
        """Give what one place held over the newest sightings of a server, oldest first, alike ones in a row as one."""
        kind, key, occurrence = place
        there = and_(
            snapshot_items.c.snapshot == sightings.c.digest,
            snapshot_items.c.kind == kind,
            snapshot_items.c.key == key,
            snapshot_items.c.occurrence == occurrence,
        )
        query = (
            select(sightings.c.first_seen, sightings.c.digest, snapshot_items.c.item)
            .outerjoin(snapshot_items, there)
            .where(sightings.c.server == server)
            .order_by(sightings.c.id.desc())
            .limit(limit)
        )
        found: list[ItemSighting] = []
        with reading(self._engine) as connection:
            for since, digest, item in reversed(connection.execute(query).all()):
                if not found or found[-1].item != (item or ""):
                    found.append(ItemSighting(since, digest, item or ""))
        return found


def _refused_to_agents(connection: Connection) -> frozenset[str]:
    """Name the servers that show what is approved, and of which all that agents were shown, and stands, was refused."""
    approved = and_(
        baselines.c.server == states.c.name,
        baselines.c.digest == states.c.last_digest,
        baselines.c.superseded_at.is_(None),
        baselines.c.state == BaselineState.APPROVED,
    )
    of_approved = witnessed.c.server.in_(select(states.c.name).join(baselines, approved))
    shown = select(witnessed.c.server, witnessed.c.digest).where(witnessed.c.state.in_(STANDING), of_approved)
    stands = {(row.server, row.digest) for row in connection.execute(shown.distinct())}
    if not stands:
        return frozenset()
    about = and_(reviews.c.server == witnessed.c.server, reviews.c.digest == witnessed.c.digest)
    whole = reviews.c["items"].is_(None) & witnessed.c.state.in_(STANDING)
    newest = select(func.max(reviews.c.id)).join(witnessed, about).where(whole)
    newest = newest.group_by(reviews.c.server, reviews.c.digest)
    query = select(reviews.c.server, reviews.c.digest)
    query = query.where(reviews.c.id.in_(newest), reviews.c.decision == Decision.REJECTED)
    refused = {(row.server, row.digest) for row in connection.execute(query)}
    return frozenset(server for server, _ in stands) - {server for server, _ in stands - refused}


def _may_have(text: str) -> ColumnElement[bool]:
    """Leave out names that cannot have a text in them, so that not all are read.

    Names are kept escaped: one with a backslash in it is not as it is kept, and what is no ASCII has one.
    """
    kept = type_coerce(snapshot_items.c.key, Text)
    escaped = kept.contains("\\", autoescape=True)
    return or_(escaped, kept.icontains(text, autoescape=True)) if text.isascii() else escaped


def _has(key: str, text: str, spelled: Callable[[str], str]) -> bool:
    """Say whether a name has a text in it, as it is or as a person sees it, in small or capital letters."""
    wanted = text.casefold()
    return wanted in key.casefold() or wanted in spelled(key).casefold()


def _count_news(
    connection: Connection,
    names: Collection[str],
    since: datetime,
    every: timedelta,
    counted: dict[str, dict[int, int]],
) -> None:
    """Count in the database: a server that goes to and fro has thousands of sightings."""
    moment = type_coerce(sightings.c.first_seen, BigInteger)
    begin = type_coerce(since, sightings.c.first_seen.type)
    stretch = (moment - type_coerce(begin, BigInteger)) // (every // _MICROSECOND)
    query = (
        select(sightings.c.server, stretch.label("stretch"), func.count())
        .where(sightings.c.server.in_(names), sightings.c.first_seen >= since)
        .group_by(sightings.c.server, stretch)
    )
    for server, number, count in connection.execute(query):
        counted.setdefault(server, {})[int(number)] = count


def _find_loud(
    connection: Connection, names: Collection[str], since: datetime, every: timedelta, loud: dict[str, set[int]]
) -> None:
    bad = alerts.c.severity.in_((Severity.HIGH, Severity.CRITICAL))
    query = select(alerts.c.server, alerts.c.opened_at).where(
        alerts.c.server.in_(names), alerts.c.opened_at >= since, alerts.c.kind == AlertKind.DRIFT, bad
    )
    for server, opened in connection.execute(query):
        loud.setdefault(server, set()).add((opened - since) // every)


def _chunks(names: Collection[str]) -> Iterable[list[str]]:
    wanted = list(names)
    return (wanted[start : start + _AT_ONCE] for start in range(0, len(wanted), _AT_ONCE))
