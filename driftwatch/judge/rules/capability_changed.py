"""The server declares other capabilities.

What it does
    Records that the server declares other capabilities.

Why it matters
    It says what else the server may do or offer: notices, prompts, resources, tasks. A lost listChanged means that
    changes come without notice.

Example
    before  {"capabilities": {"tools": {"listChanged": true}}}
    after   {"capabilities": {"tools": {}}}

What to do
    Check that what you rely on is still there, then approve.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.pointer import covers
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import ChangeKind, Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every changed capability; those that a first look learns are only recorded."""
    for change in context.values(Kind.SERVER):
        if covers("/capabilities", change.pointer):
            first = change.pointer == "/capabilities" and change.change is ChangeKind.VALUE_ADDED
            done = {ChangeKind.VALUE_ADDED: "is new", ChangeKind.VALUE_REMOVED: "is gone"}.get(
                change.change, "is another"
            )
            yield RULE.about(
                change,
                f"Capability {show(change.pointer.removeprefix('/capabilities/'))} {done}.",
                severity=Severity.INFO if first else Severity.LOW,
            )


RULE = Rule(
    id="capability-changed",
    title="The server declares other capabilities",
    area=Area.SERVER,
    action=Action.CHANGED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
)
