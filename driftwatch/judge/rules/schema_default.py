"""A default value is another one.

What it does
    Finds a default value of an input that is another, new or gone.

Why it matters
    A default is what is sent when the model says nothing. A changed one acts without anybody deciding it.

Example
    before  {"limit": {"type": "integer", "default": 20}}
    after   {"limit": {"type": "integer", "default": 1000}}

What to do
    Check that the new default is one you want, then approve.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.rules.base import Action, Area, Context, Rule, show, step
from driftwatch.judge.schema import INPUT, judged
from driftwatch.model import Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every changed default."""
    for _, one in judged(context, INPUT):
        edit = one.edit
        if edit.keyword == "default":
            what = show(edit.parameter) if edit.parameter else "the input"
            yield RULE.about(edit.change, f"The default of {what} is another: {step(edit.change)}.")


RULE = Rule(
    id="schema-default",
    title="A default value is another one",
    area=Area.SCHEMA,
    action=Action.CHANGED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
)
