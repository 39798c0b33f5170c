"""A tool returns less than before.

What it does
    Finds a change of an output schema by which answers are ruled out that were allowed before: a field that is
    described for the first time or is always there now, a choice or a type that went, a bound that came.

Why it matters
    Programs that read the answer keep working, as a rule. One that waits for a choice that went waits in vain.

Example
    before  {"outputSchema": {"properties": {"state": {"enum": ["open", "closed", "waiting"]}}}}
    after   {"outputSchema": {"properties": {"state": {"enum": ["open", "closed"]}}}}

What to do
    Check the programs that read the answer, then approve.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.edited import came_or_went, edited
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.schema import OUTPUT, Direction, judged
from driftwatch.model import Axis, Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every change that narrows an output."""
    for _, one in judged(context, OUTPUT):
        edit = one.edit
        if edit.keyword and one.direction is Direction.NARROWED:
            what = show(edit.parameter) if edit.parameter else "The answer"
            said = f"{what} is narrower than before in what the tool returns: {edited(edit)}"
            yield RULE.about(edit.change, f"{came_or_went(edit) or said}.")


RULE = Rule(
    id="output-narrowed",
    title="A tool returns less than before",
    area=Area.SCHEMA,
    action=Action.NARROWED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
    axis=Axis.CONTRACT,
)
