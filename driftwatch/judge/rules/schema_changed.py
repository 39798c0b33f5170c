"""An input accepts something else than before.

What it does
    Finds a change of an input schema that neither only widens nor only narrows it, or of which that cannot be
    decided: another type, a condition, a reference that leads elsewhere, a dialect or a keyword that nobody knows.

Why it matters
    Callers may break, and what the tool takes may be something else now.

Example
    before  {"project": {"type": "string"}}
    after   {"project": {"type": "object"}}

What to do
    Read the difference, then approve.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.edited import edited, inside
from driftwatch.judge.parameters import schema_changes
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show, step
from driftwatch.judge.schema import WORDED, Direction
from driftwatch.model import Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every schema change that has no clear direction and no rule of its own."""
    for one in schema_changes(context):
        edit = one.edit
        if edit.keyword and edit.keyword not in WORDED and one.direction in (Direction.OTHER, Direction.UNKNOWN):
            what = f"parameter {show(edit.parameter)}" if edit.parameter else "the input"
            message = f"{show(edit.keyword, 40)} of {what} is another: {step(edit.change)}."
            if edit.joined or inside(edit):
                message = f"{what[0].upper()}{what[1:]} is described otherwise: {edited(edit)}."
            if one.direction is Direction.OTHER and one.gained and one.lost:
                message += f" Accepted now, for example: {show(one.gained[0], 40)}; refused: {show(one.lost[0], 40)}."
            yield RULE.about(edit.change, message)


RULE = Rule(
    id="schema-changed",
    title="An input accepts something else than before",
    area=Area.SCHEMA,
    action=Action.CHANGED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
)
