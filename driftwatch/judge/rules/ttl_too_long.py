"""A list asks not to be looked at for an absurd time.

What it does
    Finds a list whose ttlMs calls it fresh for more than a day.

Why it matters
    A host that believes it keeps the list for as long and does not see it change. driftwatch looks again all the
    same: the configured ceiling holds, whatever a server says.

Example
    before  {"ttlMs": 60000, "tools": [{"name": "list_tickets"}]}
    after   {"ttlMs": 31536000000, "tools": [{"name": "list_tickets"}, {"name": "add_comment"}]}
    beside  31536000000 ms are a year

What to do
    Ask why. Lists that rarely change need no more than a few hours and a notice.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.behaviour import asks_for_too_long, lasts
from driftwatch.judge.rules.base import Action, Area, Context, Rule
from driftwatch.model import Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give one finding for all lists: in a scan always, beside an approved list when something changed."""
    long = asks_for_too_long(context.facts.lasting)
    if long and (context.baseline is None or context.changes):
        lists = ", ".join(f"{method}: {lasts(ttl_ms // 1000)}" for method, ttl_ms in long)
        yield RULE.at_large(Kind.SERVER, f"It asks not to be looked at again for longer than a day ({lists}).")


RULE = Rule(
    id="ttl-too-long",
    title="A list asks not to be looked at for an absurd time",
    area=Area.BEHAVIOUR,
    action=Action.ODD,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
)
