"""Where the tables say something else than the audit log does.

An entry and what it tells of are written in one transaction, so they part only when somebody writes to the database by
hand. What was decided before the log began is noted by a mark of each row in the entry that begins it, and counted:
what has no entry and is not among that was put in by hand, whatever time it bears. A log that an earlier version began
has no such note until the next start; until then whatever bears an earlier time is counted, and held against nobody.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import Connection, Table, select, type_coerce
from sqlalchemy.types import NullType

from driftwatch.model import AuditEntry, BaselineState, Json
from driftwatch.store.access_tables import keys, tokens, users
from driftwatch.store.codec import unpack
from driftwatch.store.sound import marked, sound, sound_all
from driftwatch.store.standing import EPOCH, Said, Standing, decision_key, micros, spelled_items
from driftwatch.store.tables import aheads, baselines, faces, reviews, silences

_SHORT: Final = len("sha256:") + 12
_MOST: Final = 100
"""Sentences that are given; more are counted."""

_SPOKEN: Final = {
    "used": ("not used", "used"),
    "ended": ("not ended", "ended"),
    "revoked": ("not revoked", "revoked"),
    "disabled": ("not disabled", "disabled"),
}

_LASTING: Final = {
    "decisions": ("server", "digest", "decision", "by", "at", "note", "origin", "items", "baseline", "ahead"),
    "baselines": ("server", "digest", "by", "since", "note"),
    "identities": ("server", "identity", "name", "digest"),
    "approvals ahead": ("id", "server", "digest", "body", "version", "by", "note", "at", "until"),
    "silences": ("id", "server", "tool", "rule", "severity", "reason", "by", "created_at", "until"),
}
"""What never changes of a row from before the log, by kind: its mark is taken over that."""

_LONG: Final = 120
"""Characters of a note that are quoted."""

_KEPT: Final = ("decisions", "approvals ahead", "silences")
"""The kinds of which no row ever goes."""

_MARK: Final = 16
"""Hex digits of a mark."""

BEGUN: Final = "log"
"""The name among the keys that says that there was nothing in the database when its log could begin."""

_Row = dict[str, Any]


def compared(standing: Standing, connection: Connection) -> tuple[tuple[str, ...], int]:
    """Say in a sentence each what the tables have otherwise than the whole log says; count what is older than it."""
    look = _Look(standing, connection)
    said = look.all(connection)
    more = (f"and {len(said) - _MOST} more",) if len(said) > _MOST else ()
    return (*said[:_MOST], *more), look.older


def older_than(standing: Standing, connection: Connection) -> dict[str, Json]:
    """Give a mark of each row that is older than the log, by kind; a kind of which there is none is left out."""
    look = _Look(standing, connection)
    look.all(connection)
    return {kind: sorted(marks) for kind, marks in look.marks.items()}


def stood_before(connection: Connection, first: AuditEntry) -> dict[str, Json]:
    """Give the marks of what stands although the `first` entry of the log does not tell of it."""
    if _began_empty(connection):
        return {}
    standing = Standing()
    standing.take(first)
    # Whatever time a row bears, it is there before anything else is written down.
    standing.began = None
    return older_than(standing, connection)


def _began_empty(connection: Connection) -> bool:
    return connection.scalar(select(keys.c.name).where(keys.c.name == BEGUN)) is not None


class _Look:
    """One comparison. `older` counts what was decided before the log began, `marks` of it, on the servers `old`."""

    def __init__(self, standing: Standing, connection: Connection) -> None:
        self._standing = standing
        before = standing.before
        if standing.began is None and _began_empty(connection):
            before = {}
        # What was noted and not found yet.
        self._left = None if before is None else {kind: Counter(before.get(kind, ())) for kind in _LASTING}
        self.older = 0
        self.old: set[str] = set()
        self.marks: dict[str, list[Json]] = {}

    def all(self, connection: Connection) -> list[str]:
        """Give every sentence."""
        every = (self.reviews, self.baselines, self.faces, self.aheads, self.silences, self.users, self.tokens)
        return [sentence for part in every for sentence in part(connection)] + list(self._gone())

    def _gone(self) -> Iterator[str]:
        """Say what stood there when the log began, and does so no more."""
        noted = self._standing.noted
        for kind in _KEPT if noted and self._left else ():
            count = self._left[kind].total() if self._left else 0
            if count and noted:
                yield f"of the {kind} that entry {noted.seq} found there when it was written, {count} are not there now"

    def reviews(self, connection: Connection) -> Iterator[str]:
        left = Counter(self._standing.decided)
        names = ("server", "digest", "decision", "by", "at", "note", "origin", "items", "baseline", "ahead")
        for row in _rows(connection, reviews, *names):
            key = _key(row)
            if left[key]:
                left[key] -= 1
            elif not self._is_old("decisions", row, row["at"]):
                what = f"{row['decision']} {_short(row['digest'])}, by {row['by']}"
                yield f"a decision on `{row['server']}` ({what}) is in the database, but no entry says so"
        for key in +left:
            entry = self._standing.decisions[key]
            what = f"the decision on `{entry.server}` that entry {entry.seq} tells of"
            yield f"{what} ({_short(entry.digest)}, {entry.who}) is not in the database as it was made"

    def baselines(self, connection: Connection) -> Iterator[str]:
        left = dict(self._standing.known["baselines"])
        for row in _rows(connection, baselines, "server", "digest", "state", "by", "since", "note", "superseded_at"):
            if row["superseded_at"] is not None:
                continue
            said, what = left.pop(row["server"], None), f"the baseline of `{row['server']}`"
            if said is None:
                if row["state"] == BaselineState.APPROVED.value and not self._is_old("baselines", row, row["since"]):
                    yield f"{what} is {_short(row['digest'])}, approved by {row['by']}, but no entry says so"
            elif row["digest"] != said.values["digest"]:
                yield f"{what} is {_short(row['digest'])}, but {_last(said, 'set')} set {_short(said.values['digest'])}"
            else:
                # What was approved before the log began, and again since, is still as it was approved first.
                yield from _differing(
                    what, row, said, ("state",) if self._is_old("baselines", row, row["since"]) else said.values
                )
        for server, said in left.items():
            yield f"`{server}` has no baseline, but {_last(said, 'set')} set {_short(said.values['digest'])}"

    def faces(self, connection: Connection) -> Iterator[str]:
        """See to what approvals settled of other identities: it may be forgotten, but not be another."""
        for row in _rows(connection, faces, "server", "identity", "learned", "accepted", "settled"):
            said = self._standing.known["faces"].get((row["server"], row["identity"]))
            what = f"of what `{row['server']}` shows as the identity `{row['identity']}`"
            for name in [name for name, flag in (("learned", "accepted"), ("settled", "settled")) if row[flag]]:
                if said is not None and name in said.values:
                    if row[name] not in said.values[name]:
                        was = _short(said.values[name][-1])
                        yield f"{what} {_short(row[name])} is approved, but {_last(said, 'set')} approved {was}"
                elif not self._is_old_face({**row, "name": name, "digest": row[name]}):
                    yield f"{what} {_short(row[name])} is approved, but no entry says so"

    def aheads(self, connection: Connection) -> Iterator[str]:
        names = ("id", "server", "digest", "body", "version", "by", "note", "at", "until", "used_at", "ended_at")
        rows = _rows(connection, aheads, *names)
        shown = ({**row, "used": row["used_at"] is not None, "ended": row["ended_at"] is not None} for row in rows)
        return self._each("aheads", "approval ahead", shown, ("approvals ahead", "at"))

    def silences(self, connection: Connection) -> Iterator[str]:
        names = ("id", "server", "tool", "rule", "severity", "reason", "by", "created_at", "until", "ended_at")
        shown = ({**row, "ended": row["ended_at"] is not None} for row in _rows(connection, silences, *names))
        return self._each("silences", "silence", shown, ("silences", "created_at"))

    def users(self, connection: Connection) -> Iterator[str]:
        rows = _rows(connection, users, "name", "role", "disabled", "password")
        shown = (
            {**one, "id": one["name"], "disabled": bool(one["disabled"]), "password": _marked(one["password"])}
            for one in rows
        )
        return self._each("users", "user", shown)

    def tokens(self, connection: Connection) -> Iterator[str]:
        rows = _rows(connection, tokens, "id", "name", "by", "role", "scopes", "sha256", "expires_at", "revoked_at")
        shown = (
            {
                **row,
                "secret": _marked(row["sha256"]),
                "expires": row["expires_at"],
                "revoked": row["revoked_at"] is not None,
            }
            for row in rows
        )
        return self._each("tokens", "token", shown)

    def _each(self, table: str, noun: str, rows: Iterable[_Row], made: tuple[str, str] | None = None) -> Iterator[str]:
        """Hold each row of a table against what is known of it.

        `made` names its kind where it may be older than the log, and the column that says since when it is.
        """
        left = dict(self._standing.known[table])
        for row in rows:
            said = left.pop(row["id"], None)
            if said is not None:
                yield from _differing(f"the {noun} `{row['id']}`", row, said, said.values)
            # An entry may tell of its end alone.
            if (said is None or (made and "server" not in said.values)) and not (
                made and self._is_old(made[0], row, row[made[1]])
            ):
                yield f"there is the {noun} `{row['id']}`, but no entry says so"
        for key, said in left.items():
            yield f"the {noun} `{key}` is gone, but {_last(said)} does not say so"

    def _is_before(self, at: object) -> bool:
        began = self._standing.began
        return began is None or (isinstance(at, int) and at <= micros(began))

    def _is_old(self, kind: str, row: _Row, at: object) -> bool:
        """Say whether a row is older than the log: it is noted, or, where nothing was noted, its time is earlier."""
        return self._counted(kind, row, is_old=self._is_before(at))

    def _is_old_face(self, row: _Row) -> bool:
        return self._counted("identities", row, is_old=row["server"] in self.old)

    def _counted(self, kind: str, row: _Row, *, is_old: bool) -> bool:
        # What was noted before its server had another name was noted under the one that it had.
        names = (row["server"], *self._standing.former.get(row["server"], ()))
        marks = [_mark([{**row, "server": server}[name] for name in _LASTING[kind]]) for server in names]
        if self._left is not None:
            noted = next((mark for mark in marks if self._left[kind][mark] > 0), None)
            is_old = noted is not None
            if noted is not None:
                self._left[kind][noted] -= 1
        if is_old:
            self.older += 1
            self.old.add(row["server"])
            self.marks.setdefault(kind, []).append(marks[0])
        return is_old


def _rows(connection: Connection, table: Table, *names: str) -> Iterator[_Row]:
    """Give rows with text as the log has it, and all else as the database holds it: anything may have been put in."""
    columns = [type_coerce(table.c[name], NullType()).label(name) for name in names]
    for row in connection.execute(select(*columns)).mappings():
        yield {name: _read(value) if isinstance(value, str) else value for name, value in row.items()}


def _mark(values: list[Any]) -> str:
    """Give what tells a row from any other; whatever somebody put there has one."""
    return hashlib.sha256(json.dumps(values, default=repr).encode()).hexdigest()[:_MARK]


def _read(kept: str) -> str:
    try:
        return sound(str(json.loads(f'"{kept}"')))
    except ValueError:
        return kept


def _key(row: _Row) -> int:
    """Give what ties a decision to its entry; what no decision has where it holds what was never written so."""
    try:
        items = spelled_items(sound_all(unpack(row["items"]))) if row["items"] else ""
    except Exception:  # noqa: BLE001 - whatever somebody put there, it is not what was written
        return -1
    said = [row[name] for name in ("decision", "server", "digest", "by", "at", "note")]
    # An approval ahead is used by a look; from where it was given its own entry says.
    return decision_key(*said, "" if row["ahead"] else row["origin"], items, row["baseline"], row["ahead"])


def _differing(what: str, row: _Row, said: Said, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        is_now, was = row[name], said.values[name]
        if is_now != was:
            yield f"{what}: {_value(name, is_now)}, but {_last(said)} says {_value(name, was)}"


def _last(said: Said, did: str = "") -> str:
    return f"the last entry {f'that {did} it' if did else 'about it'} ({said.whence})"


def _value(name: str, value: object) -> str:
    if name in _SPOKEN:
        return _SPOKEN[name][bool(value)]
    if isinstance(value, int):
        return f"{name} {EPOCH + timedelta(microseconds=value):%Y-%m-%d %H:%M} UTC"
    return f"{name} {_short('nothing' if value in (None, '') else str(value))}"


def _marked(kept: object) -> str:
    return marked(None if kept is None else str(kept))


def _short(words: str) -> str:
    if words.startswith("sha256:"):
        return words[:_SHORT]
    return words if len(words) <= _LONG else f"{words[:_LONG]}…"
