"""What must stand in the tables by what the audit log says: gathered from its entries, the oldest first. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import rfc8785

from driftwatch.model import Action, AuditEntry, BaselineState, Json

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

FORMER: Final = "from"
"""The detail of an entry that a server has another name: the name that it had."""

BEFORE: Final = "before"
"""The detail of an entry that says what was decided before the log began: by kind, a mark of each row."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the log says of one row: the values that it must have, by the last entry about it."""

    entry: AuditEntry
    values: Mapping[str, Any]

    @property
    def whence(self) -> str:
        """Name the entry: its place in the log, and who did it."""
        return f"nr {self.entry.seq}, {self.entry.who or 'nobody known'}"


class Standing:
    """What the entries that were taken so far say, by table and key: `known`, and the decisions as they were made.

    `began` is when the log did, None while it is empty. `before` counts what stood then, by kind and mark, as the entry
    `noted` has it: the first one, as a rule; None where no entry says so, as in a log that an earlier version began.
    `decided` counts decisions by `decision_key`, and `decisions` gives the last entry of each. `former` has the names
    that a server had before, the last one first.
    """

    def __init__(self) -> None:
        """Begin with a log in which there is nothing."""
        self.began: datetime | None = None
        self.before: dict[str, Counter[str]] | None = None
        self.noted: AuditEntry | None = None
        self.known: dict[str, dict[Any, Said]] = {name: {} for name in _TABLES}
        self.decided: Counter[int] = Counter()
        self.decisions: dict[int, AuditEntry] = {}
        self.former: dict[str, tuple[str, ...]] = {}

    def take(self, entry: AuditEntry) -> None:
        """Take the next entry into account; it is one that is as it was written."""
        if self.before is None and (self.began is None or entry.action == Action.OLDER_NOTED):
            self._note(entry)
        self.began = self.began or entry.at
        about = _ABOUT.get(entry.action)
        if about is not None:
            about(self, entry)

    def _note(self, entry: AuditEntry) -> None:
        before = entry.details.get(BEFORE)
        if isinstance(before, dict):
            self.before = {kind: Counter(map(str, rows)) for kind, rows in before.items() if isinstance(rows, list)}
            self.noted = entry

    def set(self, table: str, key: object, entry: AuditEntry, **values: Any) -> None:
        """Note all that a row must hold from now on."""
        self.known[table][key] = Said(entry, values)

    def change(self, table: str, key: object, entry: AuditEntry, **values: Any) -> None:
        """Note what of a row became another; of one that was made before the log began no more than that is known."""
        before = self.known[table].get(key)
        if values:
            self.known[table][key] = Said(entry, {**(before.values if before else {}), **values})

    def drop(self, table: str, key: object) -> None:
        """Note that a row is to be there no longer."""
        self.known[table].pop(key, None)

    def decide(self, entry: AuditEntry) -> None:
        """Note a decision."""
        key = _key_of(entry, entry.server)
        self.decided[key] += 1
        self.decisions[key] = entry

    def rename(self, old: str, new: str) -> None:
        """Note that a server has another name: what is known of it bears that from now on."""
        self.former[new] = (old, *self.former.pop(old, ()))
        if old in self.known["baselines"]:
            self.known["baselines"][new] = self.known["baselines"].pop(old)
        for server, identity in [key for key in self.known["faces"] if key[0] == old]:
            self.known["faces"][new, identity] = self.known["faces"].pop((server, identity))
        for table in ("aheads", "silences"):
            for key, said in self.known[table].items():
                if said.values.get("server") == old:
                    self.known[table][key] = Said(said.entry, {**said.values, "server": new})
        for key, entry in list(self.decisions.items()):
            if _key_of(entry, old) == key:
                moved = _key_of(entry, new)
                self.decided[moved] += self.decided.pop(key)
                self.decisions[moved] = self.decisions.pop(key)

    def move(self, entry: AuditEntry, digest: str) -> None:
        """Note which list became the baseline of a server. To approve what is approved moves nothing."""
        before = self.known["baselines"].get(entry.server)
        if before is None or before.values["digest"] != digest:
            row = {"digest": digest, "state": BaselineState.APPROVED.value, "by": entry.who, "note": entry.why}
            self.set("baselines", entry.server, entry, **row, since=micros(entry.at))


def decision_key(*parts: object) -> int:
    """Give what a decision and its entry share, as one number, never -1.

    The parts: the decision, server, digest, who, when, note, origin, items, baseline and approval ahead.
    """
    return hash(parts)


def spelled_items(items: Json) -> str:
    """Give places in one spelling; empty for none."""
    return rfc8785.dumps(items).decode() if items else ""


def micros(moment: datetime) -> int:
    """Give a time as it is kept."""
    return (moment - EPOCH) // timedelta(microseconds=1)


def _text(entry: AuditEntry, name: str) -> str:
    return str(entry.details.get(name) or "")


def _moment(entry: AuditEntry, name: str) -> int | None:
    said = entry.details.get(name)
    return micros(datetime.fromisoformat(said)) if isinstance(said, str) else None


def _given(entry: AuditEntry, names: Mapping[str, str]) -> dict[str, str]:
    """Give, by column, what the entry has of it; one of an earlier version may not, and accuses nobody then."""
    return {column: _text(entry, name) for column, name in names.items() if name in entry.details}


def _key_of(entry: AuditEntry, server: str) -> int:
    """Give the key of a decision on a server that may have another name by now."""
    common = (server, entry.digest, entry.who, micros(entry.at), entry.why)
    if entry.action == Action.AHEAD_USED:
        return decision_key(Action.APPROVED.value, *common, "", "", "", _text(entry, "ahead"))
    rest = (entry.origin, spelled_items(entry.details.get("items")), _text(entry, "baseline"), "")
    return decision_key(entry.action, *common, *rest)


def _decided(standing: Standing, entry: AuditEntry) -> None:
    baseline = _text(entry, "baseline")
    standing.decide(entry)
    if entry.action == Action.APPROVED:
        standing.move(entry, baseline or entry.digest)
        for identity, settled in (entry.details.get("identities") or {}).items():
            key = (entry.server, identity)
            before = standing.known["faces"].get(key)
            # A look that was under way may write down again what was approved before: any of them will do.
            every = {name: (*(before.values.get(name, ()) if before else ()), one) for name, one in settled.items()}
            standing.change("faces", key, entry, **every)


def _ahead_used(standing: Standing, entry: AuditEntry) -> None:
    standing.decide(entry)
    standing.move(entry, entry.digest)
    standing.change("aheads", _text(entry, "ahead"), entry, used=True)


def _ahead_made(standing: Standing, entry: AuditEntry) -> None:
    row = {"server": entry.server, "digest": entry.digest, "version": _text(entry, "version"), "by": entry.who}
    row |= {"note": entry.why, **_given(entry, {"body": "body"})}
    until = _moment(entry, "until")
    standing.set("aheads", _text(entry, "ahead"), entry, **row, until=until, used=False, ended=False)


def _silenced(standing: Standing, entry: AuditEntry) -> None:
    row = {name: _text(entry, name) for name in ("tool", "rule", "severity")} | {"reason": entry.why}
    until = _moment(entry, "until")
    standing.set("silences", _text(entry, "silence"), entry, **row, server=entry.server, by=entry.who, until=until)
    standing.change("silences", _text(entry, "silence"), entry, ended=False)


def _user_changed(standing: Standing, entry: AuditEntry) -> None:
    changed = entry.details.get("changed")
    said = changed if isinstance(changed, dict) else {}
    new = {"role": said["role"]} if "role" in said else {}
    new |= {"disabled": said["disabled"] == "True"} if "disabled" in said else {}
    standing.change("users", _text(entry, "user"), entry, **new, **_given(entry, {"password": "mark"}))


def _user_added(standing: Standing, entry: AuditEntry) -> None:
    mark = _given(entry, {"password": "mark"})
    standing.set("users", _text(entry, "user"), entry, role=_text(entry, "role"), disabled=False, **mark)


def _token_made(standing: Standing, entry: AuditEntry) -> None:
    row = {name: _text(entry, name) for name in ("name", "role", "scopes")} | _given(
        entry, {"by": "by", "secret": "mark"}
    )
    standing.set("tokens", _text(entry, "token"), entry, **row, expires=_moment(entry, "expires"), revoked=False)


_TABLES: Final = ("baselines", "faces", "aheads", "silences", "users", "tokens")

_ABOUT: Final[Mapping[str, Callable[[Standing, AuditEntry], None]]] = {
    Action.APPROVED: _decided,
    Action.REJECTED: _decided,
    Action.APPROVED_AHEAD: _ahead_made,
    Action.AHEAD_USED: _ahead_used,
    Action.AHEAD_ENDED: lambda all_, one: all_.change("aheads", _text(one, "ahead"), one, ended=True),
    Action.SILENCED: _silenced,
    Action.UNSILENCED: lambda all_, one: all_.change("silences", _text(one, "silence"), one, ended=True),
    Action.USER_ADDED: _user_added,
    Action.USER_CHANGED: _user_changed,
    Action.USER_REMOVED: lambda all_, one: all_.drop("users", _text(one, "user")),
    Action.TOKEN_MADE: _token_made,
    Action.SERVER_RENAMED: lambda all_, one: all_.rename(_text(one, FORMER), one.server),
    Action.TOKEN_REVOKED: lambda all_, one: all_.change("tokens", _text(one, "token"), one, revoked=True),
}
"""What an entry says of the tables, by its action; the others say nothing of what stands."""
