"""The same name is listed twice.

What it does
    Finds one name that is listed more than once. Weighs less where all entries are the same to the last word, and more
    where a new entry denies a danger that the approved one of its name spells out.

Why it matters
    Which of the two a host calls is chance: some take the first, some the last, some refuse the list. A second
    entry can replace the approved one in one host and not in another.

Example
    before  {"tools": [{"name": "add_comment", "description": "Append."}]}
    after   {"tools": [{"name": "add_comment", "description": "Append."},
                       {"name": "add_comment", "description": "Other."}]}

What to do
    Report it to the server's maker, and do not approve before it is gone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from driftwatch.judge.hints import annotations_of, declared, moves
from driftwatch.judge.pairing import NAME_FIELD
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Finding, Item, Kind, Severity, Snapshot


def check(context: Context) -> Iterator[Finding]:
    """Give every name that is there more often than once and than it was approved."""
    earlier, live = _by_name(context.baseline), _by_name(context.live)
    for place in sorted(live):
        found, approved = live[place], earlier.get(place, [])
        if len(found) > max(1, len(approved)):
            item = found[-1]
            what = item.kind.noun
            message = f"{len(found)} {what}s are called {show(item.key)}. Hosts differ on which of them they call."
            severity = None
            if len({one.digest for one in found}) == 1:
                message += " They are the same to the last word."
                severity = Severity.LOW
            if _denied(approved, found):
                message += " A new one denies a danger that the approved one spells out."
                severity = Severity.HIGH
            yield RULE.finding(item, "/" + NAME_FIELD[item.kind], message, severity=severity, after=item.key)


def _denied(approved: Sequence[Item], live: Sequence[Item]) -> bool:
    """Say whether a new entry of a name denies a danger that an approved one spells out."""
    known = {item.digest for item in approved}
    before = _states(approved)
    after = _states(item for item in live if item.digest not in known)
    return any(move.denies for old in before for new in after for move in moves(dict(old), dict(new)))


def _states(items: Iterable[Item]) -> frozenset[tuple[tuple[str, bool], ...]]:
    """Give the different states of the hints that tools spell out."""
    return frozenset(tuple(declared(annotations_of(item)).items()) for item in items if item.kind is Kind.TOOL)


def _by_name(snapshot: Snapshot | None) -> Mapping[tuple[Kind, str], list[Item]]:
    found: dict[tuple[Kind, str], list[Item]] = defaultdict(list)
    for item in snapshot.items if snapshot is not None else ():
        if item.key:
            found[item.kind, item.key].append(item)
    return found


RULE = Rule(
    id="duplicate-name",
    title="The same name is listed twice",
    area=Area.NAMES,
    action=Action.ODD,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
)
