"""A list changed while it called itself fresh.

What it does
    Finds a list that is another one although the server had said, with ttlMs, that it would stay fresh for longer,
    and no notice ended that. Where notice was promised and nobody listened, nothing is said.

Why it matters
    Hosts keep a list for as long as it calls itself fresh. Until then they act on what is no longer true, and a change
    that is taken back in time is never seen by them. A release at a bad moment looks the same.

Example
    before  {"ttlMs": 3600000, "tools": [{"name": "list_tickets"}]}
    after   {"ttlMs": 3600000, "tools": [{"name": "list_tickets"}, {"name": "add_comment"}]}
    beside  the second list came 10 minutes after the first

What to do
    Judge the change itself. Ask the maintainer for a shorter ttlMs if releases are that frequent.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.behaviour import METHODS, lasts
from driftwatch.judge.rules.base import Action, Area, Context, Rule
from driftwatch.model import Confidence, Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give one finding for all lists that came too early, as far as they differ from the baseline."""
    arrival = context.facts.arrival
    if arrival is None:
        return
    differ = {change.kind for change in context.changes}
    early = [(METHODS[kind], ttl_ms) for kind, ttl_ms in arrival.fresh if kind in differ]
    if early:
        lists = ", ".join(f"{method} for {lasts(ttl_ms / 1000)}" for method, ttl_ms in early)
        message = f"Changed after {lasts(arrival.quiet)}, though it had called itself fresh for longer: {lists}."
        yield RULE.at_large(Kind.SERVER, message)


RULE = Rule(
    id="changed-inside-ttl",
    title="A list changed while it called itself fresh",
    area=Area.BEHAVIOUR,
    action=Action.CHANGED,
    severity=Severity.LOW,
    confidence=Confidence.MEDIUM,
    check=check,
    doc=__doc__,
)
