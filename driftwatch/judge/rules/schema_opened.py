"""A closed object takes properties of any name.

What it does
    Finds an object of an input schema that took its named properties only, and takes others now: additionalProperties
    is no longer false, or a pattern lets further names in. It is low when the new properties can hold no free text.

Why it matters
    Nothing says any more what a call may carry. A model that is told to can put anything under any name, and no
    check of the schema stops it.

Example
    before  {"properties": {"project": {"type": "string"}}, "additionalProperties": false}
    after   {"properties": {"project": {"type": "string"}}}

What to do
    Ask what the further properties are for. A library that was upgraded drops the keyword in all tools at once.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.openings import openings
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every object that was closed and is open."""
    for one in openings(context):
        where = f"Parameter {show(one.path)}" if one.path else "The input"
        kind = "" if one.free else " None of them can hold free text."
        message = f"{where} took its named properties only, and takes others now.{kind}"
        yield RULE.about(one.change, message, severity=Severity.MEDIUM if one.free else Severity.LOW)


RULE = Rule(
    id="schema-opened",
    title="A closed object takes properties of any name",
    area=Area.SCHEMA,
    action=Action.WIDENED,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
)
