"""A name passes for another one.

What it does
    Finds two names on one server that a person or a model cannot tell apart: they differ only in case, in look-
    alike letters of another script, in accents or in invisible characters. A name is also held against the approved
    ones that are gone. Names that differ only in their separators weigh less.

Why it matters
    A twin beside an approved tool takes over its calls. The approved tool itself stays as it was, so nothing else
    gives the twin away.

Example
    before  {"tools": [{"name": "format_text"}]}
    after   {"tools": [{"name": "format_text"}, {"name": "Format_text"}]}

What to do
    Do not use the server until you know which of the two is real.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from driftwatch.judge.names import loose, skeleton
from driftwatch.judge.pairing import NAME_FIELD
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Finding, Item, Kind, Severity, Snapshot


def check(context: Context) -> Iterator[Finding]:
    """Give every live name that passes for another, unless both were approved."""
    for kind in (Kind.TOOL, Kind.PROMPT):
        approved, live = _names(context.baseline, kind), _names(context.live, kind)
        items = {item.key: item for item in context.live.of(kind)}
        new = live - approved if context.baseline is not None else live
        for name, other, certain in _twins(new, approved, live):
            how = "looks the same as" if certain else "differs only in its separators from"
            yield _finding(items[name], other, how, RULE.severity if certain else Severity.LOW)


def _twins(new: set[str], approved: set[str], live: set[str]) -> Iterator[tuple[str, str, bool]]:
    """Give each new name with the one that it passes for, and whether nobody can tell them apart.

    A name that only changes its case or its separators while the old one goes is a rename and no collision.
    """
    told: set[str] = set()
    for fold, certain in ((skeleton, True), (_separators, False)):
        alike: dict[str, set[str]] = defaultdict(set)
        for name in approved | live:
            alike[fold(name)].add(name)
        for name in sorted(new):
            if name in told:
                continue
            others = [
                other
                for other in sorted(alike[fold(name)] - {name})
                if other in live or (certain and other.casefold() != name.casefold())
            ]
            if others:
                told.update({name, *others})
                yield name, others[0], certain


def _finding(item: Item, other: str, how: str, severity: Severity) -> Finding:
    return RULE.finding(
        item,
        "/" + NAME_FIELD[item.kind],
        f"The name {show(item.key)} {how} {show(other)}. A model or a person may take one for the other.",
        severity=severity,
        before=other,
        after=item.key,
    )


def _names(snapshot: Snapshot | None, kind: Kind) -> set[str]:
    return {item.key for item in snapshot.of(kind) if item.key} if snapshot is not None else set()


def _separators(name: str) -> str:
    return loose(name).replace("_", "")


RULE = Rule(
    id="name-collision",
    title="A name passes for another one",
    area=Area.NAMES,
    action=Action.ODD,
    severity=Severity.HIGH,
    check=check,
    doc=__doc__,
)
