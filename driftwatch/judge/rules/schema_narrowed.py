"""An input accepts less than before.

What it does
    Finds a change of an input schema by which less is accepted than before. Decided by meaning, through references
    and branches; where the keyword does not show what is refused now, an example does.

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

from driftwatch.judge.edited import edited
from driftwatch.judge.parameters import became_required, schema_changes
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.schema import Direction
from driftwatch.model import Axis, Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every change that narrows an input; what became required has a rule of its own."""
    told = {(change.key, change.occurrence, change.pointer) for change, _ in became_required(context)}
    for one in schema_changes(context):
        edit = one.edit
        place = (edit.change.key, edit.change.occurrence, edit.change.pointer)
        if edit.keyword and one.direction is Direction.NARROWED and place not in told:
            where = f"Parameter {show(edit.parameter)}" if edit.parameter else "The input"
            example = f" Refused now, for example: {show(one.lost[0], 40)}." if one.lost else ""
            message = f"{where} accepts less than before: {edited(edit)}.{example}"
            yield RULE.about(edit.change, f"{message} Callers may break.")


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
