"""The server's instructions read otherwise.

What it does
    Records that the server's instructions to the model are others, new or gone. What new text asks of a model is
    judged by text-injection.

Why it matters
    Hosts put these instructions before everything else that the model reads from the server.

Example
    before  {"instructions": "Manage the support tickets of one workspace."}
    after   {"instructions": "Manage the support tickets and their comments."}

What to do
    Read the difference, then approve.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.pointer import covers
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import ChangeKind, Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give the change of the instructions."""
    for change in context.values(Kind.SERVER):
        if covers("/instructions", change.pointer):
            message = f"The server's instructions read otherwise now: {show(change.after)}."
            if change.change is ChangeKind.VALUE_ADDED:
                message = f"The server gives instructions to the model now: {show(change.after)}."
            elif change.change is ChangeKind.VALUE_REMOVED:
                message = "The server no longer gives instructions to the model."
            yield RULE.about(change, message)


RULE = Rule(
    id="instructions-changed",
    title="The server's instructions read otherwise",
    area=Area.SERVER,
    action=Action.CHANGED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
)
