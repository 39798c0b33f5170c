"""A schema is spelled otherwise and means the same.

What it does
    Records a change of a schema that means nothing for what is accepted: the dialect, an example, the order of
    choices, a keyword spelled out at its default.

Why it matters
    Upgraded libraries change these by the hundred. They are told apart by meaning, not by a list of names to skip.

Example
    before  {"type": "object"}
    after   {"type": "object", "$schema": "https://json-schema.org/draft/2020-12/schema"}

What to do
    Nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.schema import INPUT, Direction, judged
from driftwatch.model import Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every change that leaves the accepted inputs as they were."""
    for look in context.altered(Kind.TOOL):
        for edit, direction in judged(look, INPUT):
            if edit.keyword and direction is Direction.SAME:
                yield RULE.about(
                    edit.change, f"{show(edit.keyword, 40)} is spelled otherwise; nothing else is accepted."
                )


RULE = Rule(
    id="schema-cosmetic",
    title="A schema is spelled otherwise and means the same",
    area=Area.SCHEMA,
    action=Action.MOOT,
    severity=Severity.INFO,
    check=check,
    doc=__doc__,
)
