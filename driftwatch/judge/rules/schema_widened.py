"""An input accepts more than before.

What it does
    Finds a keyword of an input schema by which more is accepted than before: a bound, a pattern or a list of
    choices that went or grew, an object that takes properties of any name.

Why it matters
    An input that accepts more can carry more out: a free string where there were two choices, an open object where
    there were three fields.

Example
    before  {"status": {"enum": ["open", "closed"]}}
    after   {"status": {"type": "string"}}

What to do
    Check what the new room is for, then approve.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.rules.base import Action, Area, Context, Rule, show, step
from driftwatch.judge.schema import INPUT, Direction, judged
from driftwatch.model import Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every keyword change that widens an input."""
    for look in context.altered(Kind.TOOL):
        for edit, direction in judged(look, INPUT):
            if direction is Direction.WIDENED:
                where = f"Parameter {show(edit.parameter)}" if edit.parameter else "The input"
                yield RULE.about(
                    edit.change,
                    f"{where} accepts more than before: {edit.keyword} {step(edit.change)}.",
                )


RULE = Rule(
    id="schema-widened",
    title="An input accepts more than before",
    area=Area.SCHEMA,
    action=Action.WIDENED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
)
