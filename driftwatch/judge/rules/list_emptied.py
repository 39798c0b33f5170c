"""A whole list is gone, or most of it.

What it does
    Finds a list that held items in the baseline and holds none now, or that lost five or more and three quarters of all
    without others coming instead.

Why it matters
    A server does not lose its tools by design. It may be broken, cut off from its own upstream, or hiding from whoever
    looks.

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
from driftwatch.model import Axis, Change, ChangeKind, Finding, Kind, Severity

MANY, MOST = 5, 0.75
"""From how many lost items on, and from which share of the list, it is told as one loss."""


def check(context: Context) -> Iterator[Finding]:
    """Give every list that lost all, or most of it, with the names that went."""
    for kind, gone in emptied(context).items():
        left = len(context.live.of(kind))
        message = f"All {len(gone)} {kind.nouns} are gone ({names(gone)}). The server lists none any more."
        if left:
            message = f"{len(gone)} {kind.nouns} are gone at once ({names(gone)}); {left} are left."
        yield Finding(RULE.id, RULE.severity, kind, "", "", message, gone, RULE.confidence, axis=RULE.axis)


def emptied(context: Context) -> dict[Kind, tuple[str, ...]]:
    """Give the kinds whose list lost all of its items, or most of them, with the names that went."""
    if context.baseline is None:
        return {}
    found = {}
    for kind in sorted(context.live.sections - {Kind.SERVER, Kind.LAUNCH, Kind.ENTRY, Kind.PROMPT_BODY}):
        was, left = context.baseline.of(kind), len(context.live.of(kind))
        gone = tuple(change.key for change in context.changes if _is_loss(change, kind)) if left else ()
        if was and not left:
            found[kind] = tuple(item.key for item in was)
        elif len(gone) >= MANY and len(gone) >= MOST * len(was) and left <= len(was) - len(gone) + 1:
            found[kind] = gone
    return found


def _is_loss(change: Change, kind: Kind) -> bool:
    return change.kind is kind and change.change is ChangeKind.ITEM_REMOVED


RULE = Rule(
    id="list-emptied",
    title="A whole list is gone, or most of it",
    area=Area.ITEMS,
    action=Action.REMOVED,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
    axis=Axis.CONTRACT,
)
