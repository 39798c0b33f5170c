"""Something else changed.

What it does
    Records every change that no other rule speaks of, so that none goes unmentioned.

Why it matters
    A field that no specification knows today may steer a host tomorrow.

Example
    before  {"name": "list_tickets"}
    after   {"name": "list_tickets", "x-vendor": {"mode": "fast"}}

What to do
    Look up what the field means to your host.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.coverage import uncovered
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show, step
from driftwatch.model import Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every change that is still uncovered."""
    for change in uncovered(context.changes, context.found):
        where = show(change.pointer, 60) if change.pointer else "The item"
        message = f"{where} changed: {step(change)}. No rule knows what it means."
        yield RULE.about(change, message)


RULE = Rule(
    id="other-changed",
    title="Something else changed",
    area=Area.FORM,
    action=Action.CHANGED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
    last=True,
)
