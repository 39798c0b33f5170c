"""The server has another name.

What it does
    Records that the server calls itself something else.

Why it matters
    The name is the server's own word. A server that changes it may have been replaced by another one.

Example
    before  {"serverInfo": {"name": "tickets"}}
    after   {"serverInfo": {"name": "helpdesk"}}

What to do
    Check that the address or the package still belongs to whom you trust.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.rules.base import Action, Area, Context, Rule, step
from driftwatch.model import ChangeKind, Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give the change of the server's name; that a first look learns it is no change of name."""
    for change in context.values(Kind.SERVER):
        if change.pointer in {"/serverInfo/name", "/serverInfo"}:
            new = change.change is ChangeKind.VALUE_ADDED
            message = f"The server calls itself otherwise: {step(change)}."
            yield RULE.about(change, message, severity=Severity.INFO if new else Severity.LOW)


RULE = Rule(
    id="server-renamed",
    title="The server has another name",
    area=Area.SERVER,
    action=Action.RENAMED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
)
