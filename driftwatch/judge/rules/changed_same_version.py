"""The list changed in earnest, and the server calls itself the same version.

What it does
    Records, where something of medium severity or more was found in what is shown, that the version which the server
    reports of itself is still the same.

Why it matters
    Little by itself: most honest servers report one constant version for years. It only means that the server does
    not account for the change.

Example
    before  {"serverInfo": {"name": "tickets", "version": "1.2.0"}, "tools": []}
    after   {"serverInfo": {"name": "tickets", "version": "1.2.0"}, "tools": [{"name": "delete_all_tickets"}]}

What to do
    Look for notes on a release that explain the change. That there are none proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.launches import table, text
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.rules.changed_same_package import SHOWN, told_changes
from driftwatch.model import Axis, Confidence, Finding, Item, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give one finding where the reported version stands and what is shown does not."""
    sides = [snapshot.of(Kind.SERVER) for snapshot in (context.baseline, context.live) if snapshot is not None]
    versions = [_version(side) for side in sides]
    grave = any(
        finding.severity >= Severity.MEDIUM and finding.axis is Axis.SECURITY and finding.kind in SHOWN
        for finding in context.found
    )
    if len(versions) == 2 and versions[0] and versions[0] == versions[1] and grave and told_changes(context):
        item = sides[1][0]
        message = f"The server calls itself version {show(versions[1])} as before. Many servers never change it."
        yield RULE.finding(item, "/serverInfo/version", message, before=versions[0], after=versions[1])


def _version(items: tuple[Item, ...]) -> str:
    return text(table(items[0].raw, "serverInfo"), "version") if items else ""


RULE = Rule(
    id="changed-same-version",
    title="The list changed in earnest, and the server calls itself the same version",
    area=Area.BEHAVIOUR,
    action=Action.CHANGED,
    severity=Severity.INFO,
    check=check,
    doc=__doc__,
    confidence=Confidence.LOW,
    last=True,
)
