"""What a tool declares and what that comes to: hints, dangers under both readings, hosts that act on them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from driftwatch.judge.hints import Reading
from driftwatch.model import Effect, Item, Json, Kind
from driftwatch.report.hinttable import DANGERS, DangerRow, hint_table
from driftwatch.report.hostwords import acts_of


@dataclass(frozen=True, slots=True)
class Admitted:
    """The dangers that a tool admits under one reading, in words; the reading is empty where both say the same."""

    reading: str
    dangers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolRow:
    """One tool: what it says of itself, what is to be made of that, and which hosts do what with it."""

    item: Item
    title: str
    description: str
    declared: tuple[tuple[str, str], ...]
    admitted: tuple[Admitted, ...]
    hosts: tuple[tuple[str, str], ...]


_READINGS: Mapping[Reading, str] = {
    Reading.SPEC: "by the specification's defaults",
    Reading.STATED: "by what is stated alone",
}


def tool_row(item: Item, *, longest: int = 200) -> ToolRow:
    """Lay one tool out; of its description the beginning only, `longest` characters of it."""
    table = hint_table(None, item)
    said = tuple((row.hint, row.now) for row in table.hints if not row.now.startswith("not said"))
    effects = [Effect(row.host, "", row.now, row.source) for row in table.hosts]
    return ToolRow(
        item=item,
        title=text_of(item.raw, "title"),
        description=_cut(text_of(item.raw, "description"), longest),
        declared=said,
        admitted=_admitted(table.dangers),
        hosts=tuple((hosts, now) for hosts, _, now in acts_of(effects)),
    )


def text_of(raw: Json, key: str) -> str:
    """Give a text of an item, empty where it has none."""
    value = raw.get(key) if isinstance(raw, dict) else None
    return value if isinstance(value, str) else ""


def first_text(item: Item, *, longest: int = 200) -> str:
    """Give the beginning of what an item says it is for."""
    return _cut(text_of(item.raw, "description") or text_of(item.raw, "title"), longest)


def is_tool(item: Item) -> bool:
    """Say whether hints mean anything for it."""
    return item.kind is Kind.TOOL


def _admitted(rows: Iterable[DangerRow]) -> tuple[Admitted, ...]:
    by_reading = {
        reading: tuple(DANGERS[row.danger] for row in rows if row.reading is reading and row.after)
        for reading in Reading
    }
    if len(set(by_reading.values())) == 1:
        return (Admitted("", by_reading[Reading.SPEC]),)
    return tuple(Admitted(_READINGS[reading], dangers) for reading, dangers in by_reading.items())


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest].rstrip()} …"
