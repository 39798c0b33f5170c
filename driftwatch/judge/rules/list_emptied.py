"""A whole list is gone.

What it does
    Finds a list that held items in the baseline and holds none now.

Why it matters
    A server does not lose all of its tools by design. It may be broken, cut off from its own upstream, or hiding
    from whoever looks.

Example
    before  {"tools": [{"name": "list_tickets"}, {"name": "add_comment"}]}
    after   {"tools": []}

What to do
    Look again later, and check that the server and its upstream work. Do not approve an empty list to make it
    quiet.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.rules.base import Action, Area, Context, Rule, names
from driftwatch.model import Axis, Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every emptied list with the names that went."""
    for kind, gone in emptied(context).items():
        what = kind.value.replace("_", " ")
        message = f"All {len(gone)} {what}s are gone ({names(gone)}). The server lists none any more."
        yield Finding(RULE.id, RULE.severity, kind, "", "", message, gone, RULE.confidence, axis=RULE.axis)


def emptied(context: Context) -> dict[Kind, tuple[str, ...]]:
    """Give the kinds of which at least two items are left over in the baseline and none is live."""
    if context.baseline is None:
        return {}
    found = {}
    for kind in sorted(context.live.sections - {Kind.SERVER, Kind.LAUNCH, Kind.ENTRY}):
        gone = tuple(item.key for item in context.baseline.of(kind))
        if gone and not context.live.of(kind):
            found[kind] = gone
    return found


RULE = Rule(
    id="list-emptied",
    title="A whole list is gone",
    area=Area.ITEMS,
    action=Action.REMOVED,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
    axis=Axis.CONTRACT,
)
