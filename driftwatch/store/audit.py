"""The audit log: what was done, each entry chained to the one before it by a hash. Nothing is ever taken out.

An entry is written in the transaction of what it tells of, so there is neither one without the other. The hash covers
every field and the hash before it: whoever edits, adds, removes or swaps rows breaks the chain at that place. Whoever
computes all later hashes anew, or cuts the end off, does not: what finds that is a hash that was noted down elsewhere.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime

import rfc8785
from sqlalchemy import Connection, insert, select

from driftwatch.errors import StoreError
from driftwatch.model import NOTHING_BEFORE, Act, Action, Actor, AuditEntry, Json
from driftwatch.store.access_tables import audit
from driftwatch.store.astray import stood_before
from driftwatch.store.engine import reading
from driftwatch.store.shelf import Shelf
from driftwatch.store.sound import sound, sound_all
from driftwatch.store.standing import BEFORE

NAMES = tuple(field.name for field in fields(AuditEntry))
"""The columns, in the order of the fields."""


FIRST_ON_RECORD = "The first one on record."
"""Why there is an entry about a configuration that none came before: all of it is new to the log, nothing changed."""


@dataclass(frozen=True, slots=True)
class AuditWanted:
    """Which entries are wanted; None: whatever it is. `before` and `after` are places in the log, both left out."""

    before: int | None = None
    after: int | None = None
    since: datetime | None = None
    who: str | None = None
    action: str | None = None
    server: str | None = None


_ALL = AuditWanted()


class AuditShelf(Shelf):
    """The part of the Store that is about what was done."""

    def audit(self, wanted: AuditWanted = _ALL, *, limit: int = 100, oldest_first: bool = False) -> list[AuditEntry]:
        """Give entries, newest first unless asked otherwise."""
        with reading(self._engine) as connection:
            return listed(connection, wanted, limit, oldest_first=oldest_first)

    def note_configuration(self, parts: Mapping[str, str], *, by: Actor) -> bool:
        """Write down that the configuration is another one than when this was called last; False when it is not.

        `parts` gives for each of its tables a short digest of what it holds, without secrets.
        """
        with reading(self._engine) as connection:
            if _known_parts(connection) == parts:
                return False
        with self._write() as connection:
            known = _known_parts(connection)
            if known == parts:
                return False
            details = {"changed": _changed(known or {}, parts), "parts": dict(parts)}
            why = "" if known is not None else FIRST_ON_RECORD
            write(connection, Act(Action.CONFIGURATION_CHANGED, by, self._clock(), why=why, details=details))
            return True


def _changed(known: Mapping[str, str], parts: Mapping[str, str]) -> list[str]:
    return sorted(name for name in {*known, *parts} if known.get(name) != parts.get(name))


def _known_parts(connection: Connection) -> dict[str, str] | None:
    """Give what the last entry about the configuration says of it; None where there is none that can be read."""
    try:
        last = listed(connection, AuditWanted(action=Action.CONFIGURATION_CHANGED.value), 1, oldest_first=False)
    except StoreError:
        return None
    parts = last[0].details.get("parts") if last else None
    return parts if isinstance(parts, dict) else None


def write(connection: Connection, act: Act) -> AuditEntry:
    """Add an act to the end of the log. The transaction holds the write lock, so nobody else adds in between.

    The first entry says in `details.before` what was decided before it (see `Standing.before`).
    """
    last = connection.execute(select(audit.c.seq, audit.c.hash).order_by(audit.c.seq.desc()).limit(1)).one_or_none()
    entry = AuditEntry(
        seq=last.seq + 1 if last else 1,
        at=act.at.astimezone(UTC),
        who=sound(act.by.name),
        origin=sound(act.by.origin),
        action=act.action.value,
        server=sound(act.server),
        digest=sound(act.digest),
        why=sound(act.why),
        details=json.loads(_canonical(act.details)),
        previous=last.hash if last else NOTHING_BEFORE,
        hash="",
    )
    if last is None:
        entry = replace(entry, details={**entry.details, BEFORE: stood_before(connection, entry)})
    entry = replace(entry, hash=hash_of(entry))
    connection.execute(
        insert(audit).values(**{name: getattr(entry, name) for name in NAMES} | {"details": spelled(entry)})
    )
    return entry


def entry_json(entry: AuditEntry) -> dict[str, Json]:
    """Give an entry as the export has it. Without `hash`, in RFC 8785 form, it is what the hash is taken over."""
    at = entry.at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return {name: getattr(entry, name) for name in NAMES} | {"at": at, "details": dict(entry.details)}


def hash_of(entry: AuditEntry) -> str:
    """Give the hash that an entry must have."""
    said = {name: value for name, value in entry_json(entry).items() if name != "hash"}
    return hashlib.sha256(rfc8785.dumps(said)).hexdigest()


def listed(connection: Connection, wanted: AuditWanted, limit: int, *, oldest_first: bool) -> list[AuditEntry]:
    """Give entries from one end of the log.

    Raises:
        StoreError: somebody made one unreadable.

    """
    order = audit.c.seq if oldest_first else audit.c.seq.desc()
    query = select(audit).order_by(order).limit(limit)
    for name in ("who", "action", "server"):
        value = getattr(wanted, name)
        query = query if value is None else query.where(audit.c[name] == value)
    query = query if wanted.before is None else query.where(audit.c.seq < wanted.before)
    query = query if wanted.after is None else query.where(audit.c.seq > wanted.after)
    query = query if wanted.since is None else query.where(audit.c.at >= wanted.since)
    try:
        rows = [dict(row) for row in connection.execute(query).mappings()]
        return [AuditEntry(**{**row, "details": _table(row["details"])}) for row in rows]
    except (ValueError, TypeError, OverflowError) as error:
        raise StoreError(
            "The audit log holds an entry that cannot be read.", hint="See where: driftwatch audit verify"
        ) from error


def _table(details: str) -> dict[str, Json]:
    value = json.loads(details)
    return value if isinstance(value, dict) else {}


def spelled(entry: AuditEntry) -> str:
    """Give the details of an entry as they are kept."""
    return _canonical(entry.details)


def _canonical(details: Mapping[str, Json]) -> str:
    return rfc8785.dumps(sound_all(dict(details))).decode()
