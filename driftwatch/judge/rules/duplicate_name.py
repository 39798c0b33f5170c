"""The same name is listed twice.

What it does
    Finds one name that is listed more than once. Weighs less where all entries are the same to the last word.

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

from collections import Counter, defaultdict
from collections.abc import Iterator

from driftwatch.judge.pairing import NAME_FIELD
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Finding, Kind, Severity, Snapshot


def check(context: Context) -> Iterator[Finding]:
    """Give every name that is there more often than once and than it was approved."""
    earlier = _counts(context.baseline)
    digests: dict[tuple[Kind, str], set[str]] = defaultdict(set)
    for item in context.live.items:
        digests[item.kind, item.key].add(item.digest)
    items = {(item.kind, item.key): item for item in context.live.items}
    for place, count in sorted(_counts(context.live).items()):
        if count > max(1, earlier[place]):
            item = items[place]
            what = item.kind.value.replace("_", " ")
            bodies = len(digests[place])
            message = f"{count} {what}s are called {show(item.key)}. Hosts differ on which of them they call."
            severity = None if bodies > 1 else Severity.LOW
            if bodies == 1:
                message += " They are the same to the last word."
            yield RULE.finding(item, "/" + NAME_FIELD[item.kind], message, severity=severity, after=item.key)


def _counts(snapshot: Snapshot | None) -> Counter[tuple[Kind, str]]:
    return Counter((item.kind, item.key) for item in (snapshot.items if snapshot is not None else ()) if item.key)


RULE = Rule(
    id="duplicate-name",
    title="The same name is listed twice",
    area=Area.NAMES,
    action=Action.ODD,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
)
