"""Where the tables say something else than the audit log does.

An entry and what it tells of are written in one transaction, so they part only when somebody writes to the database by
hand. Of what was decided before the log began no entry tells: that is counted, and held against nobody.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import Connection, Table, select, type_coerce
from sqlalchemy.types import NullType

from driftwatch.model import BaselineState
from driftwatch.store.access_tables import tokens, users
from driftwatch.store.audit import sound, sound_all
from driftwatch.store.codec import unpack
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

_Row = dict[str, Any]


def compared(standing: Standing, connection: Connection) -> tuple[tuple[str, ...], int]:
    """Say in a sentence each what the tables have otherwise than the whole log says; count what is older than it."""
    look = _Look(standing)
    every = (look.reviews, look.baselines, look.faces, look.aheads, look.silences, look.users, look.tokens)
    said = [sentence for part in every for sentence in part(connection)]
    more = (f"and {len(said) - _MOST} more",) if len(said) > _MOST else ()
    return (*said[:_MOST], *more), look.older


class _Look:
    """One comparison. `older` counts what was decided before the log began, on the servers `old`."""

    def __init__(self, standing: Standing) -> None:
        self._standing = standing
        self.older = 0
        self.old: set[str] = set()

    def reviews(self, connection: Connection) -> Iterator[str]:
        left = Counter(self._standing.decided)
        names = ("server", "digest", "decision", "by", "at", "note", "origin", "items", "baseline", "ahead")
        for row in _rows(connection, reviews, *names):
            key = _key(row)
            if left[key]:
                left[key] -= 1
            elif not self._is_old(row["at"], row["server"]):
                what = f"{row['decision']} {_short(row['digest'])}, by {row['by']}"
                yield f"a decision on `{row['server']}` ({what}) is in the database, but no entry says so"
        for key in +left:
            entry = self._standing.decisions[key]
            what = f"the decision on `{entry.server}` that entry {entry.seq} tells of"
            yield f"{what} ({_short(entry.digest)}, {entry.who}) is not in the database as it was made"

    def baselines(self, connection: Connection) -> Iterator[str]:
        left = dict(self._standing.known["baselines"])
        for row in _rows(connection, baselines, "server", "digest", "state", "by", "since", "superseded_at"):
            if row["superseded_at"] is not None:
                continue
            said, what = left.pop(row["server"], None), f"the baseline of `{row['server']}`"
            if said is None:
                if row["state"] == BaselineState.APPROVED.value and not self._is_old(row["since"], row["server"]):
                    yield f"{what} is {_short(row['digest'])}, approved by {row['by']}, but no entry says so"
            elif row["digest"] != said.values["digest"]:
                yield f"{what} is {_short(row['digest'])}, but {_last(said, 'set')} set {_short(said.values['digest'])}"
            else:
                # What was approved before the log began, and again since, is still as it was approved first.
                yield from _differing(what, row, said, ("state",) if self._is_before(row["since"]) else ("state", "by"))
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
                elif row["server"] in self.old:
                    self.older += 1
                else:
                    yield f"{what} {_short(row[name])} is approved, but no entry says so"

    def aheads(self, connection: Connection) -> Iterator[str]:
        rows = _rows(
            connection, aheads, "id", "server", "digest", "version", "by", "at", "until", "used_at", "ended_at"
        )
        shown = ({**row, "used": row["used_at"] is not None, "ended": row["ended_at"] is not None} for row in rows)
        return self._each("aheads", "approval ahead", shown, "at")

    def silences(self, connection: Connection) -> Iterator[str]:
        names = ("id", "server", "tool", "rule", "severity", "by", "created_at", "until", "ended_at")
        shown = ({**row, "ended": row["ended_at"] is not None} for row in _rows(connection, silences, *names))
        return self._each("silences", "silence", shown, "created_at")

    def users(self, connection: Connection) -> Iterator[str]:
        rows = _rows(connection, users, "name", "role", "disabled")
        return self._each(
            "users", "user", ({**one, "id": one["name"], "disabled": bool(one["disabled"])} for one in rows)
        )

    def tokens(self, connection: Connection) -> Iterator[str]:
        rows = _rows(connection, tokens, "id", "name", "role", "scopes", "expires_at", "revoked_at")
        shown = ({**row, "expires": row["expires_at"], "revoked": row["revoked_at"] is not None} for row in rows)
        return self._each("tokens", "token", shown)

    def _each(self, table: str, noun: str, rows: Iterable[_Row], made: str = "") -> Iterator[str]:
        """Hold each row of a table against what is known of it; `made` names the column that says since when it is."""
        left = dict(self._standing.known[table])
        for row in rows:
            said = left.pop(row["id"], None)
            if said is not None:
                yield from _differing(f"the {noun} `{row['id']}`", row, said, said.values)
            elif not (made and self._is_old(row[made], row["server"])):
                yield f"there is the {noun} `{row['id']}`, but no entry says so"
        for key, said in left.items():
            yield f"the {noun} `{key}` is gone, but {_last(said)} does not say so"

    def _is_before(self, at: object) -> bool:
        began = self._standing.began
        return began is None or (isinstance(at, int) and at <= micros(began))

    def _is_old(self, at: object, server: str) -> bool:
        if not self._is_before(at):
            return False
        self.older += 1
        self.old.add(server)
        return True


def _rows(connection: Connection, table: Table, *names: str) -> Iterator[_Row]:
    """Give rows with text as the log has it, and all else as the database holds it: anything may have been put in."""
    columns = [type_coerce(table.c[name], NullType()).label(name) for name in names]
    for row in connection.execute(select(*columns)).mappings():
        yield {name: _read(value) if isinstance(value, str) else value for name, value in row.items()}


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


def _short(digest: str) -> str:
    return digest[:_SHORT] if digest.startswith("sha256:") else digest
