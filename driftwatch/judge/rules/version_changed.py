"""The server reports another version.

What it does
    Records that the server reports another version of itself.

Why it matters
    It is self-reported: in most honest servers that we captured it never moved with the package. A change of it
    explains little, and its standing still proves nothing.

Example
    before  {"serverInfo": {"version": "2.3.0"}}
    after   {"serverInfo": {"version": "2.4.0"}}

What to do
    Nothing by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.pointer import covers
from driftwatch.judge.rules.base import Action, Area, Context, Rule, step
from driftwatch.model import Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give the change of the reported version."""
    for change in context.values(Kind.SERVER):
        if covers("/serverInfo/version", change.pointer):
            yield RULE.about(change, f"The server reports another version: {step(change)}.")


RULE = Rule(
    id="version-changed",
    title="The server reports another version",
    area=Area.SERVER,
    action=Action.CHANGED,
    severity=Severity.INFO,
    check=check,
    doc=__doc__,
)
