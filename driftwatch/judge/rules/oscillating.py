"""The server goes to and fro.

What it does
    Finds a server that came back to lists that it had shown before, twice or more within a week, or that shows another
    list at nearly every look. It is told once, with its count, and the alert stays open over each return to what was
    approved, until the server has been calm for some of its usual time between two changes. It weighs as much as the
    worst that flips.

Why it matters
    A list that is there for some looks only is seen by some callers only. A server behind a load balancer with two
    releases does that for a while; one that shows harm now and then, and looks clean in between, does it for ever.

Example
    before  {"tools": [{"name": "list_tickets", "annotations": {"readOnlyHint": true}}]}
    after   {"tools": [{"name": "list_tickets", "annotations": {"readOnlyHint": false}}]}
    beside  both lists were shown in turn, three times since the approval

What to do
    See in the history what it showed when, and ask the maintainer whether two releases answer at one address.
    Approving one of the lists does not end it.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.behaviour import OSCILLATING
from driftwatch.judge.rules.base import Action, Area, Context, Rule
from driftwatch.model import Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give one finding while the server goes to and fro, also while it shows its baseline."""
    flapping = context.facts.flapping
    if flapping is None or context.baseline is None:
        return
    since = f"{flapping.since:%Y-%m-%d %H:%MZ}"
    how = f"It goes to and fro between {flapping.lists} lists and came back to one {flapping.returns} times"
    if flapping.restless:
        how = f"It shows another list at nearly every look: {flapping.lists}"
    yield RULE.at_large(Kind.SERVER, f"{how} since {since}.", severity=max(RULE.severity, flapping.worst))


RULE = Rule(
    id=OSCILLATING,
    title="The server goes to and fro",
    area=Area.BEHAVIOUR,
    action=Action.CHANGED,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
)
