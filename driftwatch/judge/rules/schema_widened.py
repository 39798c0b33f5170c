"""An input accepts more than before.

What it does
    Finds a change of an input schema by which more is accepted than before: a bound, a pattern or a list of choices
    that went or grew, a type or a branch that came. Decided by meaning, through references and branches; where the
    keyword does not show what is accepted now, an example does. An object that takes properties of any name is told
    by schema-opened.

Why it matters
    An input that accepts more can carry more out: a free string where there were two choices.

Example
    before  {"status": {"enum": ["open", "closed"]}}
    after   {"status": {"type": "string"}}

What to do
    Check what the new room is for, then approve.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.edited import edited
from driftwatch.judge.openings import openings
from driftwatch.judge.parameters import schema_changes
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.schema import Direction
from driftwatch.model import Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every change that widens an input and opens no object."""
    told = {(one.change.key, one.change.occurrence, one.change.pointer) for one in openings(context)}
    for one in schema_changes(context):
        edit = one.edit
        place = (edit.change.key, edit.change.occurrence, edit.change.pointer)
        if edit.keyword and one.direction is Direction.WIDENED and place not in told:
            where = f"Parameter {show(edit.parameter)}" if edit.parameter else "The input"
            example = f" Accepted now, for example: {show(one.gained[0], 40)}." if one.gained else ""
            message = f"{where} accepts more than before: {edited(edit)}.{example}"
            yield RULE.about(edit.change, message)


RULE = Rule(
    id="schema-widened",
    title="An input accepts more than before",
    area=Area.SCHEMA,
    action=Action.WIDENED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
)
