"""Whether the audit log is as it was written, and whether what stands in the database is what it says was done last.

The log may be long, so it is gone through in steps, each a short transaction of its own. What was read stays true
while others write: entries are only ever added. The last step compares with the tables what it has read to the end.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, text

from driftwatch.errors import StoreError
from driftwatch.model import NOTHING_BEFORE, Act, Action, Actor, AuditEntry, Json, Verified
from driftwatch.store.astray import compared, older_than
from driftwatch.store.audit import NAMES, AuditWanted, hash_of, listed, spelled, write
from driftwatch.store.engine import reading
from driftwatch.store.shelf import Shelf
from driftwatch.store.standing import BEFORE, Standing

_PAGE = 500
"""Entries that one step goes through."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_RAW = f"SELECT {', '.join(NAMES)} FROM audit"  # noqa: S608 - names of our own


class ChainShelf(Shelf):
    """The part of the Store that holds the audit log against itself, and the tables against it."""

    def verify_audit(self, *, head: str = "") -> Verified:
        """Go through the whole log: every entry must be as it was written, and what stands as the last ones say.

        `head`, when given, is the hash of an entry that was there once: it must be there still.
        """
        return next(found for found in self.verify_audit_by_steps(head=head) if found is not None)

    def verify_audit_by_steps(self, *, head: str = "", walk: AuditWalk | None = None) -> Iterator[Verified | None]:
        """Do as `verify_audit` in steps of a few milliseconds: None after each but the last, which gives what it is.

        With a `walk` that was gone before (`head` is its own then) only the entries since are gone through; all of what
        stands is held against the log again. It begins anew where the entry at which it ended is not there any more.
        """
        walk = walk or AuditWalk(head)
        with reading(self._engine) as connection:
            walk.resume(connection)
        while True:
            with reading(self._engine) as connection:
                found = walk.step(connection)
            yield found
            if found is not None:
                return

    def note_older(self, *, by: Actor) -> bool:
        """Note what stands although no entry tells of it, as it is older than a log that an earlier version began.

        False where that is noted already, where nothing was written down yet, and where the log is broken.
        """
        with reading(self._engine) as connection:
            if _is_noted(connection):
                return False
        walk = AuditWalk("")
        found = None
        while found is None:
            with reading(self._engine) as connection:
                found = walk.step(connection)
        with self._write() as connection:
            # What others added meanwhile.
            while (found := walk.step(connection)) is None:
                pass
            if not found.whole or _is_noted(connection):
                return False
            write(connection, Act(Action.OLDER_NOTED, by, self._clock(), details={BEFORE: walk.older(connection)}))
            return True


def _is_noted(connection: Connection) -> bool:
    """Say whether an entry says what is older than the log; a log that is empty says so with its first one."""
    try:
        first = listed(connection, AuditWanted(), 1, oldest_first=True)
        late = listed(connection, AuditWanted(action=Action.OLDER_NOTED.value), 1, oldest_first=True)
    except StoreError:
        return True
    return not first or BEFORE in first[0].details or bool(late)


class AuditWalk:
    """How far the log was gone through, and what it says so far."""

    def __init__(self, head: str = "") -> None:
        """Begin before the first entry; `head` is the hash of an entry that must be met."""
        self._begin(head)

    def _begin(self, head: str) -> None:
        self._head = head
        self._found = head in ("", NOTHING_BEFORE)
        self._count, self._last = 0, NOTHING_BEFORE
        self._after: int | None = None
        self._standing = Standing()

    def resume(self, connection: Connection) -> None:
        """Go on after the entry at which it ended, or from the beginning where that is not there as it was."""
        query = text("SELECT hash FROM audit WHERE seq = :seq")
        if self._after is not None and connection.execute(query, {"seq": self._after}).scalar() != self._last:
            self._begin(self._head)

    def step(self, connection: Connection) -> Verified | None:
        """Go through one page; give what was found once there is nothing more to go through."""
        # As the database holds them, undecoded: what was edited may not be readable.
        where, values = ("", {}) if self._after is None else (" WHERE seq > :after", {"after": self._after})
        query = text(f"{_RAW}{where} ORDER BY seq LIMIT {_PAGE}")
        page = [dict(row) for row in connection.execute(query, values).mappings()]
        for row in page:
            entry, why = _judged(row, self._count + 1, self._last)
            if entry is None:
                return Verified(self._count, self._last, self._count + 1, why)
            self._count, self._last, self._after = self._count + 1, entry.hash, entry.seq
            self._found = self._found or entry.hash == self._head
            self._standing.take(entry)
        return None if len(page) == _PAGE else self._ended(connection)

    def older(self, connection: Connection) -> dict[str, Json]:
        """Give the marks of what is older than the log."""
        return older_than(self._standing, connection)

    def _ended(self, connection: Connection) -> Verified:
        if not self._found:
            why = f"the entry {self._head} is not in the log: its end was cut off or written anew"
            return Verified(self._count, self._last, self._count + 1, why)
        astray, older = compared(self._standing, connection)
        return Verified(self._count, self._last, astray=astray, older=older)


def _judged(row: dict[str, Any], seq: int, previous: str) -> tuple[AuditEntry | None, str]:
    """Give the entry of a row that is right in its place, or say what is wrong with it."""
    if row["seq"] != seq:
        is_gap = row["seq"] > seq
        return None, f"entry {seq} is missing" if is_gap else f"an entry stands at {row['seq']}, where none belongs"
    entry = _read(row) if type(row["at"]) is int else None
    if entry is None:
        return None, f"entry {seq} cannot be read"
    if entry.previous != previous:
        return None, f"entry {seq} does not follow the one before it"
    return (entry, "") if entry.hash == hash_of(entry) else (None, f"entry {seq} is not as it was written")


def _read(row: dict[str, Any]) -> AuditEntry | None:
    """Read a row as it stands, None where it is not spelled as `write` spells it: the same in other letters counts."""
    try:
        values: dict[str, Any] = {
            name: value if isinstance(value, int) else json.loads(f'"{value}"') for name, value in row.items()
        }
        entry = AuditEntry(
            **values | {"at": _EPOCH + timedelta(microseconds=row["at"]), "details": json.loads(values["details"])}
        )
        again = {name: getattr(entry, name) for name in NAMES} | {"at": row["at"], "details": spelled(entry)}
        same = all(_same(row[name], value) for name, value in again.items())
        return entry if same and isinstance(entry.details, dict) else None
    except (ValueError, TypeError, OverflowError, RecursionError, AttributeError):
        return None


def _same(kept: object, value: object) -> bool:
    """Say whether a column holds a value in its one spelling."""
    if isinstance(value, str):
        return isinstance(kept, str) and kept == json.dumps(value)[1:-1]
    return type(kept) is type(value) and kept == value
