"""From decoded TOML to `Settings`: fill in the environment, merge the defaults, check everything, say everything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeGuard, TypeVar

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from driftwatch.config.channels import KINDS, ChannelConfig, CommandConfig
from driftwatch.config.identities import IdentityConfig, presets, unknown, with_preset
from driftwatch.config.inventory import InventoryConfig, WatchedFile, placed, taken_twice
from driftwatch.config.isolation import Private, spelled_out, sqlite_file
from driftwatch.config.opinion import OpinionConfig
from driftwatch.config.policy import UNCHECKED, Known, PolicyConfig, unknown_names
from driftwatch.config.retention import RetentionConfig
from driftwatch.config.routes import AlertsConfig, RouteConfig, unknown_channels
from driftwatch.config.schema import (
    HOW_TO_REACH,
    NEITHER,
    DaemonConfig,
    DatabaseConfig,
    Defaults,
    ServerConfig,
    Settings,
)
from driftwatch.config.secret import FORMS, Filled, Sources, Unresolved, fill, shown, under, words_of
from driftwatch.config.supply import SupplyConfig
from driftwatch.config.table import CONFLICT, Table, say_kind
from driftwatch.config.values import HOW_TO_NAME, is_name
from driftwatch.config.warnings import warnings_of
from driftwatch.config.web import WebConfig
from driftwatch.config.words import InvalidConfigError, Problem, did_you_mean, path_of, quoted

SECTIONS: dict[str, type[Table]] = {
    "database": DatabaseConfig,
    "daemon": DaemonConfig,
    "defaults": Defaults,
    "servers": ServerConfig,
    "identities": IdentityConfig,
    "inventory": InventoryConfig,
    "supply": SupplyConfig,
    "second_opinion": OpinionConfig,
    "policy": PolicyConfig,
    "channels": ChannelConfig,
    "routes": RouteConfig,
    "alerts": AlertsConfig,
    "retention": RetentionConfig,
    "web": WebConfig,
}
"""The tables at the top of a file. Those in `NAMED` hold one such table for each name."""

NAMED = frozenset({"servers", "identities", "inventory", "channels", "routes"})

ALONE = tuple(name for name in SECTIONS if name not in {*NAMED, "defaults"})
"""The tables that stand for themselves."""

ENVIRONMENT: dict[str, tuple[str, ...]] = {
    "DRIFTWATCH_DATABASE_URL": ("database", "url"),
    "DRIFTWATCH_LOG_FORMAT": ("daemon", "log_format"),
    "DRIFTWATCH_LOG_LEVEL": ("daemon", "log_level"),
    "DRIFTWATCH_PUBLIC_URL": ("daemon", "public_url"),
    "DRIFTWATCH_SANDBOX": ("defaults", "sandbox", "kind"),
    "DRIFTWATCH_WEB_LISTEN": ("web", "listen"),
}
"""The keys that a variable sets instead of the file; an empty variable counts as not set."""

_LOWER = frozenset({"log_format", "log_level", "kind"})
"""Keys whose words count in any case when a variable sets them."""

_DEEPEST = 16

_Location = tuple[str | int, ...]
_AnyTable = TypeVar("_AnyTable", bound=Table)


@dataclass(frozen=True)
class Surroundings:
    """What a configuration is read in: the environment, its folder, how secrets are had, the ids."""

    environ: Mapping[str, str]
    base: Path
    read: Callable[[str], str]
    which: Callable[[str, str], str | None]
    run: Callable[[Sequence[str], float], str]
    known: Known = UNCHECKED


@dataclass
class _Work:
    """One pass over one configuration: what it is read in, and what was found wrong so far."""

    around: Surroundings
    sources: Sources
    switched_off: frozenset[str]
    problems: list[Problem] = field(default_factory=list)
    overridden: dict[_Location, str] = field(default_factory=dict)

    def sources_for(self, location: _Location) -> Sources:
        """Give the sources for one place: nothing is needed of a server that nobody looks at."""
        off = location[:1] == ("servers",) and location[1:2] and location[1] in self.switched_off
        return replace(self.sources, lenient=True) if off else self.sources

    def wrong(self, location: _Location, message: str, hint: str) -> None:
        """Keep a problem; a value that a variable set is named by its variable."""
        self.problems.append(Problem(self.named(location), message, hint))

    def named(self, location: _Location) -> str:
        """Give what a place is called in a problem."""
        return self.overridden.get(location) or path_of(location)


def build(
    raw: Mapping[str, Any], around: Surroundings, *, name: str = "The configuration", secrets: bool = True
) -> Settings:
    """Make `Settings` of a decoded file, or raise one `InvalidConfigError` with every problem in it.

    Without `secrets`, and for a server that is switched off, placeholders stand for values that are not to be had.
    """
    work = _Work(
        around, Sources(around.environ, around.read, lenient=not secrets, run=around.run), frozenset(_switched_off(raw))
    )
    tables = _sections(work, _fill_all(work, raw, ()))
    _override(work, tables)
    servers, identities = _servers(work, tables)
    _names_that_are_not(work, tables)
    files = [
        _table(work, InventoryConfig, ("inventory", key), placed(table, around.base, around.environ), name=key)
        for key, table in _named(work, "inventory", tables["inventory"])
    ]
    channels = [_channel(work, key, table) for key, table in _named(work, "channels", tables["channels"])]
    routes = [
        _table(work, RouteConfig, ("routes", key), table, name=key)
        for key, table in _named(work, "routes", tables["routes"])
    ]
    # The tables that there is one of, each under the name that it has in the settings too.
    alone: dict[str, Any] = {name: _table(work, SECTIONS[name], (name,), tables[name]) for name in ALONE}
    database: DatabaseConfig | None = alone.pop("database")
    _keep_private(work, tables["servers"], servers, database)
    if work.problems or database is None:
        raise InvalidConfigError(work.problems, name=name)
    made = Settings(
        database_url=_place_database(database.url, around.base),
        servers=tuple(filter(None, servers)),
        identities=(*(one for one in presets() if one.name not in tables["identities"]), *filter(None, identities)),
        files=tuple(WatchedFile.of(file) for file in files if file is not None),
        channels=tuple(filter(None, channels)),
        routes=tuple(filter(None, routes)),
        **alone,
    )
    warnings = warnings_of(made, around.environ, around.which, work.sources.used, around.base)
    return made.model_copy(update={"warnings": warnings})


def _servers(
    work: _Work, tables: dict[str, dict[str, Any]]
) -> tuple[list[ServerConfig | None], list[IdentityConfig | None]]:
    """Validate the servers, each with the defaults that it does not change, and the identities that they name."""
    defaults = _usable_defaults(work, spelled_out(tables["defaults"], work.around.base))
    servers = []
    for key, table in _named(work, "servers", tables["servers"]):
        whole = _merge(defaults, spelled_out(_place_folders(work, table), work.around.base))
        servers.append(_table(work, ServerConfig, ("servers", key), whole, name=key))
    _misnamed(work, tables["servers"])
    identities = [
        _table(work, IdentityConfig, ("identities", key), with_preset(key, table), name=key)
        for key, table in _named(work, "identities", tables["identities"])
    ]
    return servers, identities


def _keep_private(
    work: _Work,
    tables: Mapping[str, Any],
    servers: Iterable[ServerConfig | None],
    database: DatabaseConfig | None,
) -> None:
    """Say of each path that a sandbox shows whether it may be shown, once where it comes from the defaults."""
    base, home = work.around.base, work.around.environ.get("HOME", "")
    file = sqlite_file(_place_database(database.url, base)) if database is not None else None
    private = Private(file, base, Path(home) if home.startswith("/") else None)
    found = dict[_Location, tuple[str, str]]()
    for server in filter(None, servers):
        own = tables.get(server.name, {}).get("sandbox")
        for one in private.wrong_with(server.sandbox):
            is_own = isinstance(own, Mapping) and one.key in own
            place = ("servers", server.name) if is_own else ("defaults",)
            found[*place, "sandbox", one.key, one.number] = (one.message, one.hint)
    for location, words in found.items():
        work.wrong(location, *words)


def _names_that_are_not(work: _Work, tables: dict[str, dict[str, Any]]) -> None:
    """Say where one table names something of another one that is not there, or takes its name."""
    for place, message, hint in (
        *unknown(tables),
        *unknown_names(tables, work.around.known),
        *taken_twice(tables),
        *unknown_channels(tables),
    ):
        work.wrong(place, message, hint)


def _channel(work: _Work, name: str, table: dict[str, Any]) -> ChannelConfig | None:
    """Validate the table of a channel by its kind; of a kind that is not known nothing else can be said."""
    kind, place = table.get("kind", "webhook"), ("channels", name, "kind")
    if isinstance(kind, str) and kind in KINDS:
        placed = _place_folders(work, table) if KINDS[kind] is CommandConfig else table
        return _table(work, KINDS[kind], ("channels", name), {**placed, "kind": str(kind)}, name=name)
    if isinstance(kind, Unresolved):
        work.wrong(place, *kind.words)
    elif not isinstance(kind, str):
        work.wrong(place, f"expected a string, found {say_kind(kind)}", f"known here: {', '.join(KINDS)}")
    elif not isinstance(kind, _Unfilled):
        work.wrong(place, f"{quoted(shown(kind))} is no kind of channel", did_you_mean(kind, list(KINDS)))
    return None


def _switched_off(raw: Mapping[str, Any]) -> Iterator[str]:
    servers = raw.get("servers")
    for name, table in servers.items() if isinstance(servers, Mapping) else ():
        if isinstance(table, Mapping) and table.get("enabled") is False:
            yield name


def _fill_all(work: _Work, value: Any, location: _Location) -> Any:
    """Fill `${NAME}` into every string leaf. What cannot be filled stays as it is, and is a problem."""
    if len(location) > _DEEPEST:
        work.wrong(location[:4], "is nested too deeply", "a configuration needs four levels at most")
        return None
    if isinstance(value, Mapping):
        return {key: _fill_all(work, inner, (*location, key)) for key, inner in value.items()}
    if isinstance(value, list):
        return [_fill_all(work, inner, (*location, index)) for index, inner in enumerate(value)]
    if not isinstance(value, str) or "${" not in value:
        return value
    try:
        return fill(value, work.sources_for(location))
    except PydanticCustomError as error:
        work.wrong(location, *words_of(error))
        return _Unfilled(value)


class _Unfilled(str):
    """A string whose variable is missing: already reported, so that it must not be reported again as a bad value."""

    __slots__ = ()


def _sections(work: _Work, raw: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    tables: dict[str, dict[str, Any]] = {name: {} for name in SECTIONS}
    for name, value in raw.items():
        if name not in SECTIONS:
            work.wrong((name,), f"unknown key {quoted(name)}", did_you_mean(name, list(SECTIONS)))
        elif not isinstance(value, Mapping):
            form = f"[{name}.NAME]" if name in NAMED else f"[{name}]"
            work.wrong((name,), f"expected a table, found {say_kind(value)}", f"write it as {form}")
        else:
            tables[name] = dict(value)
    return tables


def _override(work: _Work, tables: dict[str, dict[str, Any]]) -> None:
    for variable, place in ENVIRONMENT.items():
        value = work.around.environ.get(variable, "")
        if not value:
            continue
        (_, *between, key), inner = place, tables[place[0]]
        for step in between:
            held = inner.get(step)
            inner[step] = inner = dict(held) if isinstance(held, Mapping) else {}
        inner[key] = value.lower() if key in _LOWER else value
        work.overridden[place] = variable


def _named(work: _Work, section: str, tables: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, table in tables.items():
        if not isinstance(table, Mapping):
            hint = f"write it as [{section}.NAME], each with keys of its own"
            work.wrong((section, name), f"expected a table, found {say_kind(table)}", hint)
            continue
        if "name" in table:
            hint = f"the name stands in the table's header: [{section}.NAME]"
            work.wrong((section, name, "name"), 'unknown key "name"', hint)
        yield name, {key: value for key, value in table.items() if key != "name"}


def _table(
    work: _Work, kind: type[_AnyTable], location: _Location, values: Mapping[str, Any], **more: str
) -> _AnyTable | None:
    """Validate one table. Its problems are kept with their whole path; None when there are any."""
    if more and not is_name(more["name"]):
        work.wrong(location, f"{quoted(more['name'])} cannot be a name", HOW_TO_NAME)
        more = {"name": "unnamed"}
    unfilled = dict(_unfilled(values, ()))
    try:
        return kind.model_validate({**values, **more}, context=work.sources_for(location))
    except ValidationError as error:
        for line in error.errors(include_url=False, include_input=False):
            place = tuple(step for step in line["loc"] if step != "[key]")
            found = unfilled.get(place)
            if isinstance(found, Unresolved) and line["type"] != CONFLICT:
                work.wrong((*location, *place), *found.words)
            elif not isinstance(found, _Unfilled):
                work.wrong((*location, *place), line["ctx"]["message"], line["ctx"]["hint"])
        return None


def _unfilled(value: Any, location: _Location) -> Iterator[tuple[_Location, str]]:
    """Give the places whose text could not be filled, with the text."""
    if isinstance(value, _Unfilled | Unresolved):
        yield location, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            # A secret's own table is one value to the schema: {file = "${NONE}/x"} fails at the key that holds it.
            places = _unfilled(inner, (*location, key))
            yield from ((location if key in FORMS else place, text) for place, text in places)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _unfilled(inner, (*location, index))


def _usable_defaults(work: _Work, table: dict[str, Any]) -> dict[str, Any]:
    """Check the defaults once, and give them on without what is wrong, so that it is not said again for each server."""
    before = len(work.problems)
    if _table(work, Defaults, ("defaults",), table) is not None:
        return table
    wrong = {problem.path for problem in work.problems[before:]}
    return {
        key: {inner: value for inner, value in part.items() if work.named(("defaults", key, inner)) not in wrong}
        for key, part in table.items()
        if key in Defaults.model_fields and isinstance(part, Mapping) and path_of(("defaults", key)) not in wrong
    }


def _merge(defaults: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**defaults, **table}
    for key in defaults.keys() & table.keys():
        if isinstance(defaults[key], Mapping) and isinstance(table[key], Mapping):
            merged[key] = {**defaults[key], **table[key]}
    return merged


def _place_folders(work: _Work, table: dict[str, Any]) -> dict[str, Any]:
    """Make files and folders absolute. Wrong types are left to the schema."""
    command, cwd, trusted = table.get("command"), table.get("cwd"), table.get("ca_file")
    placed = dict(table)
    if _is_path(trusted):
        placed["ca_file"] = under(work.around.base, trusted)
    certificate = table.get("client_cert")
    if isinstance(certificate, Mapping):
        named = {key: certificate.get(key) for key in ("cert", "key")}
        files = {key: under(work.around.base, path) for key, path in named.items() if _is_path(path)}
        placed["client_cert"] = {**certificate, **files}
    if isinstance(command, str) and "/" in command and "\0" not in command and not isinstance(command, Unresolved):
        placed["command"] = under(work.around.base, command)
    if isinstance(cwd, str) and cwd and "\0" not in cwd and not isinstance(cwd, _Unfilled | Unresolved):
        placed["cwd"] = under(work.around.base, cwd)
    return placed


def _is_path(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and bool(value.strip()) and not isinstance(value, _Unfilled | Unresolved)


def _misnamed(work: _Work, servers: Mapping[str, Any]) -> None:
    """Say of a table that only says more of a server, such as [servers.NAME.expect], that no server has its name."""
    known = [
        name for name, table in servers.items() if isinstance(table, Mapping) and {"url", "command"} & table.keys()
    ]
    for index, one in enumerate(work.problems):
        name = next((name for name in servers if one.path == path_of(("servers", name, "url"))), "")
        if one.message == NEITHER and known and servers[name]:
            hint = did_you_mean(name, known, otherwise=HOW_TO_REACH)
            message = f"no server is called {quoted(name)}: its table has neither a url nor a command"
            work.problems[index] = Problem(path_of(("servers", name)), message, hint)


def _place_database(url: str, base: Path) -> str:
    prefix = "sqlite:///"
    if not url.startswith(prefix) or url[len(prefix) :].startswith(("/", "file:")):
        return url
    return Filled(f"{prefix}{base / url[len(prefix) :]}", shown=f"{prefix}{base / shown(url)[len(prefix) :]}")
