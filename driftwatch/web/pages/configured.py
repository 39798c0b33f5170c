"""The configuration as a page shows it: what it says, what is left at its default, and no secret. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from driftwatch.config.contents import without_secrets
from driftwatch.config.schema import Settings
from driftwatch.config.table import Table
from driftwatch.config.units import say_seconds
from driftwatch.config.urls import mask_database_url

_TABLES: Final = {
    "daemon": "How the daemon runs",
    "web": "Pages and API",
    "alerts": "What becomes of alerts",
    "supply": "What package registries are asked",
    "second_opinion": "A second opinion of a model",
}
"""Tables that there is one of."""

LISTED: Final = {
    "servers": "Servers",
    "files": "Files of hosts",
    "channels": "Channels",
    "routes": "Routes",
    "identities": "Identities",
}
"""Tables that there is one of for each name."""


@dataclass(frozen=True, slots=True)
class Value:
    """One key with its value as it may be shown, and whether somebody chose another one than the default."""

    key: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Section:
    """One table of the configuration."""

    name: str
    title: str
    values: tuple[Value, ...]

    @property
    def chosen(self) -> tuple[Value, ...]:
        """What is not left at its default."""
        return tuple(one for one in self.values if one.chosen)

    @property
    def left(self) -> tuple[Value, ...]:
        """What is left at its default."""
        return tuple(one for one in self.values if not one.chosen)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some tables of one kind, of `total` that there are, from number `start` on."""

    kind: str
    title: str
    sections: tuple[Section, ...]
    total: int
    start: int

    @property
    def following(self) -> int | None:
        """Where the next ones start, None where there are none."""
        end = self.start + len(self.sections)
        return end if end < self.total else None


def tables(settings: Settings) -> list[Section]:
    """Give the tables that there is one of."""
    database = Value("url", mask_database_url(settings.database_url), chosen=True)
    one_each = [Section(name, title, values_of(getattr(settings, name))) for name, title in _TABLES.items()]
    return [Section("database", "Where driftwatch remembers", (database,)), *one_each]


def stretch(settings: Settings, kind: str, start: int, limit: int) -> Stretch:
    """Give some of the tables that there is one of for each name, in the order of the configuration."""
    found = getattr(settings, kind)
    shown = tuple(Section(f"{kind}.{one.name}", one.name, values_of(one)) for one in found[start : start + limit])
    return Stretch(kind, LISTED[kind], shown, len(found), start)


def values_of(table: Table) -> tuple[Value, ...]:
    """Give the keys of a table. Secrets are written as `***`, by the configuration itself."""
    given: Mapping[str, Any] = without_secrets(table.model_dump(mode="json"))
    default: Mapping[str, Any] = {
        name: one.get_default(call_default_factory=True)
        for name, one in type(table).model_fields.items()
        if not one.is_required()
    }
    usual = without_secrets(type(table).model_construct(**default).model_dump(mode="json", include=set(default)))
    found = dict(_spelled(given))
    plain = dict(_spelled(usual))
    return tuple(Value(key, words, plain.get(key) != words) for key, words in found.items() if key != "name")


def _spelled(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Give each key, those of tables within with a dot, and its value in words."""
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from _spelled(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", _words(value)


def _words(value: object) -> str:
    if value is None or value in ("", [], {}, ()):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    # All numbers of the schema that may have a fraction are lengths of time.
    if isinstance(value, float):
        return say_seconds(value)
    if isinstance(value, list | tuple):
        return ", ".join(map(_inside, value))
    return str(value)


def _inside(value: object) -> str:
    if isinstance(value, Mapping):
        return "; ".join(f"{key} {words}" for key, words in _spelled(value))
    return _words(value)
