"""What a tool returns is described otherwise.

What it does
    Records a change of what a tool says it returns.

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

from driftwatch.judge.places import is_description, is_title
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.schema import COSMETIC, OUTPUT, edits
from driftwatch.model import Axis, ChangeKind, Finding, Kind, Severity

_DONE = {
    ChangeKind.VALUE_ADDED: "was added",
    ChangeKind.VALUE_REMOVED: "is gone",
    ChangeKind.VALUE_CHANGED: "is another",
}


def check(context: Context) -> Iterator[Finding]:
    """Give every change inside an output schema that is no wording."""
    for look in context.altered(Kind.TOOL):
        for edit in edits(look, OUTPUT):
            if not is_description(edit.change) and not is_title(edit.change):
                what = show(edit.parameter or edit.keyword or OUTPUT)
                yield RULE.about(
                    edit.change,
                    f"{what} {_DONE[edit.change.change]} in what the tool says it returns.",
                    severity=Severity.INFO if edit.keyword in COSMETIC else Severity.LOW,
                )


RULE = Rule(
    id="output-schema-changed",
    title="What a tool returns is described otherwise",
    area=Area.SCHEMA,
    action=Action.CHANGED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
    axis=Axis.CONTRACT,
)
