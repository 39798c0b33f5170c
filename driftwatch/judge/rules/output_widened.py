"""A tool may return more than before.

What it does
    Finds a change of an output schema by which answers are allowed that were not before: a property that may be
    missing now, a choice or a type that came, a bound that went.

Why it matters
    Programs that read the answer may meet what they do not expect.

Example
    before  {"outputSchema": {"properties": {"total": {"type": "integer"}}, "required": ["total"]}}
    after   {"outputSchema": {"properties": {"total": {"type": "integer"}}}}

What to do
    Check the programs that read the answer, then approve.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.rules.base import Action, Area, Context, Rule, show, step
from driftwatch.judge.schema import OUTPUT, Direction, judged
from driftwatch.model import Axis, Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every change that widens an output."""
    for _, one in judged(context, OUTPUT):
        edit = one.edit
        if edit.keyword and one.direction is Direction.WIDENED:
            what = show(edit.parameter) if edit.parameter else "The answer"
            example = f" Possible now, for example: {show(one.gained[0], 40)}." if one.gained else ""
            message = f"{what} may be more than before in what the tool returns: {edit.keyword} {step(edit.change)}."
            yield RULE.about(edit.change, message + example)


RULE = Rule(
    id="output-widened",
    title="A tool may return more than before",
    area=Area.SCHEMA,
    action=Action.WIDENED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
    axis=Axis.CONTRACT,
)
