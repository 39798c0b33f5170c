"""What a tool returns is described otherwise.

What it does
    Records a change of what a tool says it returns: a schema that came or went, and a change inside one of which it
    cannot be said, or not in one word, whether more or less is to be expected.

Why it matters
    Programs that read the answer may break; a model is hardly touched. Text inside it that speaks to the model is
    judged by text-injection.

Example
    before  {"outputSchema": {"properties": {"total": {"type": "integer"}}}}
    after   {}

What to do
    Check the programs that read the answer, then approve.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.schema import OUTPUT, WORDED, Direction, judged
from driftwatch.model import Axis, ChangeKind, Finding, Severity

_DONE = {
    ChangeKind.VALUE_ADDED: "was added",
    ChangeKind.VALUE_REMOVED: "is gone",
    ChangeKind.VALUE_CHANGED: "is another",
}


def check(context: Context) -> Iterator[Finding]:
    """Give every change inside an output schema that has no clear direction and is no wording."""
    for _, one in judged(context, OUTPUT):
        edit = one.edit
        worded = edit.keyword in WORDED - {"default"}
        if not worded and one.direction in (Direction.OTHER, Direction.UNKNOWN):
            what = show(edit.parameter or edit.keyword or OUTPUT)
            yield RULE.about(edit.change, f"{what} {_DONE[edit.change.change]} in what the tool says it returns.")


RULE = Rule(
    id="output-schema-changed",
    title="What a tool returns is described otherwise",
    area=Area.SCHEMA,
    action=Action.CHANGED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
    axis=Axis.CONTRACT,
    alike=lambda finding: finding.pointer == f"/{OUTPUT}" and finding.before is None,
)
