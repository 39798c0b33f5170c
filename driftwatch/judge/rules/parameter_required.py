"""A parameter became required.

What it does
    Finds a parameter that has to be given from now on.

Why it matters
    Callers that leave it out break, and a model that must fill it will find something to put in.

Example
    before  {"properties": {"limit": {"type": "integer"}}, "required": []}
    after   {"properties": {"limit": {"type": "integer"}}, "required": ["limit"]}

What to do
    Check that your callers pass it, then approve.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.parameters import became_required
from driftwatch.judge.rules.base import Action, Area, Context, Rule, names
from driftwatch.model import Axis, Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every change by which parameters became required."""
    for change, required in became_required(context):
        what = f"Parameter {names(required)} is" if len(required) == 1 else f"Parameters {names(required)} are"
        yield RULE.about(change, f"{what} required from now on. Calls that leave it out break.")


RULE = Rule(
    id="parameter-required",
    title="A parameter became required",
    area=Area.SCHEMA,
    action=Action.NARROWED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
    axis=Axis.CONTRACT,
)
