"""What is another thing in one configuration than in the one before it, by name, and in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import structlog

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.errors import StoreError
from driftwatch.model.amounts import many
from driftwatch.review.audit import changed_since
from driftwatch.store.store import Store

log = structlog.get_logger()

AT_START: Final[Mapping[str, str]] = {
    "database.url": "the daemon holds the database that it began with",
    "daemon.traces": "where traces go is settled at the start",
    "daemon.traces_to_servers": "where traces go is settled at the start",
}
"""The keys that a reload does not change, each with the reason. All others take effect."""

_NAMED: Final = 5
"""Names that are said of each sort; the rest is counted."""

_APART: Final = frozenset({"interval", "alert_after", "identities", "cloaking_period", "rehearse", "labels", "expect"})
"""The keys of a server that say nothing of how it is reached: a session that is held does not depend on them."""

_ALONE: Final = ("alerts", "daemon", "supply", "second_opinion", "policy", "retention", "web", "identities")


@dataclass(frozen=True, slots=True)
class Named:
    """The names of one sort that came, went, and are configured otherwise."""

    came: tuple[str, ...] = ()
    went: tuple[str, ...] = ()
    other: tuple[str, ...] = ()

    def words(self, sort: str) -> Iterator[str]:
        """Say it in a few words, nothing where all is as it was."""
        for names, what in ((self.came, "more"), (self.went, "gone"), (self.other, "configured otherwise")):
            if names:
                rest = " …" if len(names) > _NAMED else ""
                yield f"{many(len(names), sort)} {what} ({', '.join(names[:_NAMED])}{rest})"


@dataclass(frozen=True, slots=True)
class Change:
    """What one configuration has otherwise than the one before. `servers` are those that are watched."""

    servers: Named
    channels: Named
    routes: Named
    tables: tuple[str, ...] = ()
    waits: tuple[str, ...] = ()
    """Keys that were changed and take effect at the next start."""

    @classmethod
    def of(cls, before: Settings, after: Settings, *, begun: Settings) -> Change:
        """Compare two configurations; `begun` is what the daemon began with."""
        return cls(
            _named(_watched(before), _watched(after)),
            _named(_by_name(before.channels), _by_name(after.channels)),
            _named(_by_name(before.routes), _by_name(after.routes)),
            tuple(name for name in _ALONE if getattr(before, name) != getattr(after, name)),
            tuple(key for key in AT_START if _value(begun, key) != _value(after, key)),
        )

    @property
    def words(self) -> str:
        """Say what changed, in a line."""
        parts = [
            *self.servers.words("server"),
            *self.channels.words("channel"),
            *self.routes.words("route"),
            *(f"[{name}]" for name in self.tables),
        ]
        said = f"The new configuration is in force: {', '.join(parts)}." if parts else "Nothing in force has changed."
        return " ".join([said, *(f"{key} takes effect at the next start: {AT_START[key]}." for key in self.waits)])


def changed_unseen(store: Store, settings: Settings, looked: Mapping[str, datetime]) -> frozenset[str]:
    """Name the servers that are configured otherwise than when they were looked at last, as far as that is known."""
    try:
        found = changed_since(store, settings, looked)
    except StoreError as error:
        # A log that somebody spoiled keeps nobody from looking.
        log.warning("what changed in the configuration is not known", action="changed-unknown", error=error.message)
        return frozenset()
    if found:
        log.info("configured otherwise than at the last look: due at once", action="due", servers=sorted(found))
    return found


def is_reached_alike(one: ServerConfig, other: ServerConfig) -> bool:
    """Say whether a session that is held with a server can go on when it is configured as the other."""
    return all(getattr(one, name) == getattr(other, name) for name in type(one).model_fields if name not in _APART)


def _watched(settings: Settings) -> dict[str, object]:
    """Give what is looked at by its name, each with those as whom it is looked at as well."""
    return {one.name: (one, settings.identities_of(one)) for one in settings.watched if one.enabled}


def _by_name(configs: Iterable[Any]) -> dict[str, object]:
    return {one.name: one for one in configs}


def _named(old: Mapping[str, object], new: Mapping[str, object]) -> Named:
    return Named(
        tuple(name for name in new if name not in old),
        tuple(name for name in old if name not in new),
        tuple(name for name in new if name in old and new[name] != old[name]),
    )


def _value(settings: Settings, key: str) -> object:
    if key == "database.url":
        return settings.database_url
    table, _, name = key.partition(".")
    return getattr(getattr(settings, table), name, None)
