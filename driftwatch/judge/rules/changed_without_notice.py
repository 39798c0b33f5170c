"""A list changed without the notice that was promised.

What it does
    Finds a list that is another one although the server declares listChanged for it, a connection was held for its
    notices all the while, that connection shows the new list too, and no notice came.

Why it matters
    Hosts that rely on the notice go on with the old list. A server that wants a change to go unnoticed gives none.

Example
    before  {"capabilities": {"tools": {"listChanged": true}}, "tools": [{"name": "list_tickets"}]}
    after   {"capabilities": {"tools": {"listChanged": true}}, "tools": [{"name": "add_comment"}]}
    beside  a connection was held for notices, and none came

What to do
    Judge the change itself, and tell the maintainer that no notice came.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.behaviour import METHODS
from driftwatch.judge.rules.base import Action, Area, Context, Rule
from driftwatch.model import Confidence, Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give one finding for all lists that changed in silence, as far as they differ from the baseline."""
    arrival = context.facts.arrival
    if arrival is None or arrival.noticed is not False:
        return
    differ = {change.kind for change in context.changes}
    silent = [METHODS[kind] for kind in arrival.promised if kind in differ]
    if silent:
        message = f"Changed in silence: {', '.join(silent)}. It promises a notice (listChanged), and none came."
        yield RULE.at_large(Kind.SERVER, message)


RULE = Rule(
    id="changed-without-notice",
    title="A list changed without the notice that was promised",
    area=Area.BEHAVIOUR,
    action=Action.CHANGED,
    severity=Severity.LOW,
    confidence=Confidence.MEDIUM,
    check=check,
    doc=__doc__,
)
