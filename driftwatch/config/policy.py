"""The policy of a configuration: profile, severities, ignores, volatile values, and what is expected of a server."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from fnmatch import fnmatchcase
from typing import Annotated, Any, Literal

from pydantic import Field, PlainValidator

from driftwatch.config.patterns import Glob, Pattern, PointerGlob
from driftwatch.config.secret import problem, shown
from driftwatch.config.table import Conflict, Table
from driftwatch.config.values import Line, Shape, Switch
from driftwatch.config.words import did_you_mean, path_of, quoted
from driftwatch.model import Severity

ANY = "*"
_MATCHERS = ("rule", "server", "item", "pointer", "category")
_READ = ("description", "title", "instructions")
"""Keys whose text a model reads."""
_UNREAD = ("/_meta", "/icons")
"""Where texts of these names are for programs and people."""
_HOW_TO_DATE = "write a date without quotes: expires = 2027-03-31"


@dataclass(frozen=True, slots=True)
class Known:
    """The words that there are for rules, areas and categories, handed in by who knows the rules.

    Where there are none they are not checked.
    """

    rules: Collection[str] = ()
    areas: Collection[str] = ()
    categories: Collection[str] = ()


UNCHECKED = Known()


def _moment(value: object) -> datetime:
    """Take a date (it holds to the end of that day) or a moment; without an offset it is UTC."""
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    if isinstance(value, date):
        try:
            return datetime.combine(value + timedelta(days=1), time(), UTC)
        except OverflowError:
            raise problem("is the last day that there is", "leave expires out: it then holds for ever") from None
    raise problem("is not a date", _HOW_TO_DATE)


Moment = Annotated[datetime, PlainValidator(_moment), Shape("date or time")]


class Matched(Table):
    """Which findings a line is about: each key a glob, and a key that is left out matches all."""

    rule: Glob = Field(default=ANY, description="Id of the rule, e.g. `description-changed` (`driftwatch rules`).")
    server: Glob = Field(default=ANY, description="Name of the server.")
    item: Glob = Field(default=ANY, description="Name of the tool or prompt, or address of the resource.")
    pointer: PointerGlob = Field(default=ANY, description="Where in the item (JSON Pointer); `*` also matches `/`.")
    category: Glob = Field(default=ANY, description="The finding's category (`driftwatch rules RULE` lists them).")

    @classmethod
    def conflicts(cls, given: Mapping[str, Any]) -> Iterator[Conflict]:
        """Hold something that narrows: a line about everything would make driftwatch blind or deaf."""
        if all(given.get(key, ANY) == ANY for key in _MATCHERS):
            yield Conflict("rule", "this line is about every finding there is", "name a rule, a server or an item")


class SeverityConfig(Matched):
    """One severity of one's own. Of several that fit a finding the last one counts."""

    severity: Severity = Field(description="What these findings weigh.")
    reason: Line = Field(default="", description="Why, for who reads this file.")


class IgnoreConfig(Matched):
    """Findings that are to alert nobody."""

    reason: Line = Field(description="Why they do not matter; it is shown beside them.")
    expires: Moment | None = Field(
        default=None, description="Until when: a date (to its end, UTC) or a time. Better set, so that it is reviewed."
    )


class VolatileConfig(Table):
    """A place whose value differs by itself."""

    server: Glob = Field(default=ANY, description="Name of the server, a glob.")
    item: Glob = Field(default=ANY, description="Name of the tool, prompt or resource, a glob.")
    pointer: PointerGlob = Field(description="Where in the item (JSON Pointer), a glob; `*` also matches `/`.")
    pattern: Pattern | None = Field(
        default=None,
        description="What differs inside the text; each repetition needs an end (`\\d{1,9}`). Without it any string or "
        "number may stand there.",
    )
    reason: Line = Field(description="Why it differs; it is shown beside what is hidden.")

    @classmethod
    def conflicts(cls, given: Mapping[str, Any]) -> Iterator[Conflict]:
        """Hold that a line without a pattern names a place."""
        pointer = given.get("pointer")
        if given.get("pattern") is None and isinstance(pointer, str) and not pointer.strip("*/?"):
            yield Conflict(
                "pointer", "without a pattern this makes every value volatile", "name the place, or a pattern"
            )


class PolicyConfig(Table):
    """What is to be told otherwise than the rules say."""

    profile: Literal["balanced", "strict", "directory"] = Field(
        default="balanced", description="How much the rules weigh (see `docs/policy.md`)."
    )
    severity: tuple[SeverityConfig, ...] = Field(default=(), description="Severities of one's own.")
    ignore: tuple[IgnoreConfig, ...] = Field(default=(), description="Findings that are to alert nobody.")
    volatile: tuple[VolatileConfig, ...] = Field(default=(), description="Places whose values differ by themselves.")


class ExpectConfig(Table):
    """What must hold of a server's tools, whatever was approved."""

    read_only: Switch = Field(default=False, description="Every tool says that it only reads.")
    no_destructive: Switch = Field(
        default=False, description="Every tool says that it destroys nothing, or that it only reads."
    )
    closed_world: Switch = Field(default=False, description="Every tool says that it stays in a closed world.")
    annotated: Switch = Field(
        default=False, description="Every tool spells out `readOnlyHint`, `destructiveHint` and `openWorldHint`."
    )
    tools: tuple[Glob, ...] | None = Field(default=None, description="The only names that tools may have, as globs.")
    max_tools: Annotated[int, Field(strict=True, ge=0, le=1_000_000), Shape("integer")] | None = Field(
        default=None, description="The most tools that there may be."
    )


def unknown_names(tables: Mapping[str, Any], known: Known) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    """Give every rule, category or area that there is not, as (place, message, hint), in tables that hold anything."""
    for key in ("severity", "ignore"):
        lines = tables.get("policy", {}).get(key)
        for index, line in enumerate(lines if isinstance(lines, list) else ()):
            glob = line.get("rule") if isinstance(line, Mapping) else None
            if known.rules and isinstance(glob, str) and not any(fnmatchcase(rule, glob) for rule in known.rules):
                yield ("policy", key, index, "rule"), f"no rule is called {quoted(glob)}", _meant(glob, known.rules)
            word = line.get("category") if isinstance(line, Mapping) else None
            if known.categories and isinstance(word, str) and not any(fnmatchcase(c, word) for c in known.categories):
                spot = ("policy", key, index, "category")
                yield spot, f"no finding has the category {quoted(word)}", _meant(word, known.categories)
    for section in ("channels", "routes"):
        for name, table in tables.get(section, {}).items():
            areas = table.get("areas") if isinstance(table, Mapping) else None
            for index, area in enumerate(areas if isinstance(areas, list) else ()):
                # What could not be filled in has been said already.
                if known.areas and isinstance(area, str) and area not in known.areas and "${" not in area:
                    place = (section, name, "areas", index)
                    yield place, f"no area of rules is called {quoted(shown(area))}", _meant(area, known.areas)


def _meant(word: str, known: Collection[str]) -> str:
    return did_you_mean(word, sorted(known), otherwise="driftwatch rules, or driftwatch rules RULE, lists them")


def policy_warnings(policy: PolicyConfig, servers: Sequence[str]) -> Iterator[str]:
    """Say what a person should know of a policy: what holds for ever, hides whole texts, or is about no server."""
    for index, ignore in enumerate(policy.ignore):
        if ignore.expires is None:
            place = path_of(("policy", "ignore", index))
            yield f"{place}: it holds for ever — add a date at which to look again: expires = 2027-03-31"
    for index, one in enumerate(policy.volatile):
        if one.pattern is None and _covers_text(one.pointer):
            place = path_of(("policy", "volatile", index))
            yield f"{place}: models read this, and any new text there is noise — add the pattern that differs"
    lines: dict[str, Sequence[Matched | VolatileConfig]] = {
        "severity": policy.severity,
        "ignore": policy.ignore,
        "volatile": policy.volatile,
    }
    for key, globs in {key: [one.server for one in found] for key, found in lines.items()}.items():
        for index, glob in enumerate(globs):
            if glob != ANY and not any(fnmatchcase(name, glob) for name in servers):
                hint = did_you_mean(glob, servers, otherwise="take the line out")
                yield f"{path_of(('policy', key, index, 'server'))}: no server is called {quoted(glob)} — {hint}"


def _covers_text(pointer: str) -> bool:
    """Say whether a glob over places takes in texts that a model reads."""
    last = pointer.rpartition("/")[2]
    named = any(fnmatchcase(word, last) for word in _READ)
    return (named or last.endswith("*")) and not pointer.startswith(_UNREAD)


def _said_end(moment: datetime) -> str:
    """Write when something ends, in UTC; midnight is the end of the day before, as a person wrote it."""
    if moment.time() == time():
        return f"the end of {moment - timedelta(days=1):%Y-%m-%d} UTC"
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def expired(policy: PolicyConfig, now: datetime) -> tuple[str, ...]:
    """Say which ignores hold no more at a time, each `path: what — what to do`."""
    over = [(index, one.expires) for index, one in enumerate(policy.ignore) if one.expires and one.expires <= now]
    return tuple(
        f"{path_of(('policy', 'ignore', index))}: it ended at {_said_end(end)}, so what it hid is told "
        "— take it out, or set another date"
        for index, end in over
    )
