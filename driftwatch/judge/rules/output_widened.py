"""A tool may return more than before.

What it does
    Finds a change of an output schema by which answers are allowed that were not before: a field that may be missing
    now or is described no longer, a choice or a type that came, a bound that went.

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

from driftwatch.judge.edited import came_or_went, edited
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.schema import OUTPUT, Direction, Judged, judged
from driftwatch.model import Axis, ChangeKind, Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every change that widens an output."""
    for _, one in judged(context, OUTPUT):
        edit = one.edit
        if edit.keyword and one.direction is Direction.WIDENED:
            yield RULE.about(edit.change, _message(one))


def _message(one: Judged) -> str:
    edit = one.edit
    field = came_or_went(edit)
    if field:
        gone = edit.change.change is ChangeKind.VALUE_REMOVED
        return f"{field}{': it may be missing now, or be anything' * gone}."
    what = show(edit.parameter) if edit.parameter else "The answer"
    example = f" Possible now, for example: {show(one.gained[0], 40)}." if one.gained else ""
    return f"{what} may be more than before in what the tool returns: {edited(edit)}.{example}"


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
