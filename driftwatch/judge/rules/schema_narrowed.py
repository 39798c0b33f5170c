"""An input accepts less than before.

What it does
    Finds a keyword of an input schema by which less is accepted than before.

Why it matters
    Callers that pass what is no longer accepted break. It is no danger of itself.

Example
    before  {"limit": {"type": "integer"}}
    after   {"limit": {"type": "integer", "maximum": 100}}

What to do
    Check your callers, then approve.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.rules.base import Action, Area, Context, Rule, show, step
from driftwatch.judge.schema import INPUT, Direction, judged
from driftwatch.model import Axis, Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every keyword change that narrows an input."""
    for look in context.altered(Kind.TOOL):
        for edit, direction in judged(look, INPUT):
            if edit.keyword != "required" and direction is Direction.NARROWED:
                where = f"Parameter {show(edit.parameter)}" if edit.parameter else "The input"
                yield RULE.about(
                    edit.change,
                    f"{where} accepts less than before: {edit.keyword} {step(edit.change)}. Callers may break.",
                )


RULE = Rule(
    id="schema-narrowed",
    title="An input accepts less than before",
    area=Area.SCHEMA,
    action=Action.NARROWED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
    axis=Axis.CONTRACT,
)
