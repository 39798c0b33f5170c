"""A parameter is gone.

What it does
    Finds a parameter that a tool or a prompt no longer takes, at any depth.

Why it matters
    Callers that still pass it may be refused.

Example
    before  {"properties": {"project": {"type": "string"}, "page": {"type": "integer"}}}
    after   {"properties": {"project": {"type": "string"}}}

What to do
    Check that no caller of yours passes it, then approve.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.parameters import removed, renamed
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Axis, Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every parameter that went."""
    moved = {(one.look.after.place, one.before.path) for one in renamed(context)}
    for parameter in removed(context):
        if not parameter.nested and (parameter.look.after.place, parameter.path) not in moved:
            message = f"The parameter {show(parameter.path)} is gone. Calls that pass it may fail."
            yield RULE.about(parameter.change, message)


RULE = Rule(
    id="parameter-removed",
    title="A parameter is gone",
    area=Area.SCHEMA,
    action=Action.REMOVED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
    axis=Axis.CONTRACT,
)
