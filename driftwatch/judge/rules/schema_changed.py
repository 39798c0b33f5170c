"""An input accepts something else than before.

What it does
    Finds a change of an input schema that neither only widens nor only narrows it, or that cannot be compared:
    another type, another pattern, a reference, a condition, a keyword that no specification knows.

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

from driftwatch.judge.rules.base import Action, Area, Context, Rule, show, step
from driftwatch.judge.schema import INPUT, WORDED, Direction, judged
from driftwatch.model import Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every schema change that has no clear direction and no rule of its own."""
    for look in context.altered(Kind.TOOL):
        for edit, direction in judged(look, INPUT):
            if not edit.keyword or edit.keyword in WORDED or (edit.keyword == "properties" and edit.name):
                continue
            if direction in (Direction.OTHER, Direction.UNKNOWN):
                where = f"of parameter {show(edit.parameter)}" if edit.parameter else "of the input"
                yield RULE.about(
                    edit.change,
                    f"{show(edit.keyword, 40)} {where} is another: {step(edit.change)}.",
                )


RULE = Rule(
    id="schema-changed",
    title="An input accepts something else than before",
    area=Area.SCHEMA,
    action=Action.CHANGED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
)
