"""Where a finding about a package belongs, and how the package is called there."""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.beside import Supplied
from driftwatch.judge.context import Context
from driftwatch.judge.text.visible import visible
from driftwatch.model import Item

_LONGEST = 80


def supplied(context: Context) -> Iterator[tuple[Supplied, Item, str]]:
    """Give what was learned of packages, each with the live item that is started from it and the place that says so."""
    wanted = {(one.kind, one.item) for one in context.facts.supply}
    items = {(item.kind, item.key): item for item in context.live.items if (item.kind, item.key) in wanted}
    for one in context.facts.supply:
        item = items.get((one.kind, one.item))
        if item is not None:
            yield one, item, "/package" if isinstance(item.raw, dict) and "package" in item.raw else ""


def called(known: Supplied) -> str:
    """Call a package by name and version, safe to show."""
    package = known.news.package
    return " ".join(f"“{visible(part[:_LONGEST])}”" for part in (package.name, package.version) if part)
