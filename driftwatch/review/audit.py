"""The audit log: who did what, when, from where and why; read, verified, and given away as JSON lines."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import rfc8785

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.errors import StoreError, UsageError
from driftwatch.model import Action, Actor, AuditEntry, Json, Verified
from driftwatch.model.amounts import many
from driftwatch.store.audit import FIRST_ON_RECORD, AuditWanted, entry_json
from driftwatch.store.store import Store
from driftwatch.tell.upkeep import Upkeep

_PAGE: Final = 500
_HASH: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)

_LISTED: Final = ("servers", "files", "channels", "routes", "identities")
"""The tables of a configuration of which each entry is a part of its own."""

_MARK: Final = 12
"""Hex digits of a part's digest: enough to see that it changed, and the log stays small."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some entries, newest first, and the cursor of the next page: None when there is none."""

    entries: tuple[AuditEntry, ...]
    next: int | None = None


def entries(store: Store, *, cursor: int | None = None, wanted: AuditWanted | None = None, limit: int = 100) -> Page:
    """Give a page of the log, newest first; `cursor` is the `next` of the page before."""
    asked = wanted or AuditWanted()
    if cursor is not None:
        asked = replace(asked, before=cursor)
    found = store.audit(asked, limit=limit + 1)
    more = len(found) > limit
    return Page(tuple(found[:limit]), found[limit - 1].seq if more else None)


def verify(store: Store, settings: Settings, *, now: datetime, head: str = "") -> Verified:
    """See whether every entry of the log is as it was written, and whether what stands in the database agrees with it.

    `head` is the hash of an entry that was noted down before: it must be there still. Without one nobody can tell that
    the newest entries were taken out. What is found apart from `head` is told as the daemon tells it: the alert opens,
    or is over, with it.

    Raises:
        UsageError: `head` is not 64 hex digits.
        StoreError: the database could not be read.

    """
    if head and not _HASH.fullmatch(head.lower()):
        raise UsageError(f"{head[:80]!r} is not the hash of an entry.", hint="It has 64 hex digits.")
    found = store.verify_audit(head=head.lower())
    # A hash that somebody mistyped is no reason to wake anybody.
    told = found if found.whole or not head else store.verify_audit()
    # What was found is worth saying also where nothing can be written.
    with suppress(StoreError):
        Upkeep(store, settings, started=now).mind_audit(told, now)
    return found


def changed_words(entry: AuditEntry) -> list[str]:
    """Name what an entry says that was changed: of a user also to what, of a configuration its tables."""
    changed = entry.details.get("changed")
    if entry.action != Action.USER_CHANGED or not isinstance(changed, dict):
        return [str(one) for one in changed] if isinstance(changed, list | dict) else []
    return [_changed_word(str(name), value) for name, value in changed.items()]


def looked_words(entry: AuditEntry) -> str:
    """Say how often a list was looked at before it was approved; empty where an entry says nothing of that."""
    looked = entry.details.get("looked")
    if not isinstance(looked, dict) or not isinstance(looked.get("looks"), int):
        return ""
    said = f"after {many(looked['looks'], 'look')}"
    if looked.get("other"):
        return f"{said}, the next of which showed another list"
    return said if looked.get("again") else f"{said}, not looked at again"


def _changed_word(name: str, value: Json) -> str:
    if name == "disabled":
        return "disabled" if value == "True" else "enabled"
    return f"role {value}" if name == "role" else name


def exported(store: Store, *, since: datetime | None = None) -> Iterator[dict[str, Json]]:
    """Give every entry as plain JSON, oldest first, page by page. How the hash is made stands in docs/audit.md."""
    after = 0
    while True:
        found = store.audit(AuditWanted(after=after, since=since), limit=_PAGE, oldest_first=True)
        yield from map(entry_json, found)
        if len(found) < _PAGE:
            return
        after = found[-1].seq


def note_configuration(store: Store, settings: Settings, *, by: Actor) -> bool:
    """Write down that the configuration is another one than when a process said so last; False when it is not.

    A log that an earlier version began notes what is older than itself at that moment, once.
    Only its shown form counts: a secret that is changed where it is kept does not show.
    """
    store.note_older(by=by)
    return store.note_configuration(parts_of(settings), by=by)


def changed_since(store: Store, settings: Settings, looked: Mapping[str, datetime]) -> frozenset[str]:
    """Name the watched servers that are configured otherwise than when they were `looked` at last, by the log.

    A server's own table counts, with what the defaults give it, and those of the identities as which it is looked at.

    Raises:
        StoreError: the database, or an entry of the log, could not be read.

    """
    if not looked:
        return frozenset()
    wanted = AuditWanted(action=Action.CONFIGURATION_CHANGED.value, since=min(looked.values()))
    found: dict[str, datetime] = {}
    for entry in store.audit(wanted, limit=_PAGE, oldest_first=False):
        parts = entry.details.get("changed")
        if entry.why != FIRST_ON_RECORD and isinstance(parts, list):
            found = {**{str(part): entry.at for part in parts}, **found}
    return frozenset(
        server.name
        for server in settings.watched
        if server.name in looked
        and any(found[part] >= looked[server.name] for part in _parts_of_one(server) if part in found)
    )


def _parts_of_one(server: ServerConfig) -> Iterator[str]:
    yield f"servers.{server.name}"
    yield f"files.{server.name}"
    yield from (f"identities.{name}" for name in server.identities)


def parts_of(settings: Settings) -> dict[str, str]:
    """Give of each part of a configuration (`daemon`, `servers.notes`) the beginning of the digest of what it holds."""
    parts: dict[str, Json] = settings.model_dump(mode="json", exclude={"path", "warnings", *_LISTED})
    # One by one: together they would be written as what they have in common, without what is each kind's own.
    for name in _LISTED:
        parts |= {f"{name}.{one.name}": one.model_dump(mode="json") for one in getattr(settings, name)}
    return {name: hashlib.sha256(rfc8785.dumps(value)).hexdigest()[:_MARK] for name, value in parts.items()}
