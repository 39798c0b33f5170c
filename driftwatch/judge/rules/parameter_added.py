"""A parameter appeared.

What it does
    Finds a new parameter of a tool or a prompt, at any depth and however the schema leads there, and says whether it
    is required. One that only took another name is told by parameter-renamed.

Why it matters
    The model fills it with what it has. Whether the name invites it to hand over something that it should not is
    judged by parameter-sink.

Example
    before  {"properties": {"project": {"type": "string"}}}
    after   {"properties": {"project": {"type": "string"}, "page": {"type": "integer"}}}

What to do
    Check what the parameter is for, then approve.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.parameters import added, renamed
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every new parameter of an item that was there before."""
    moved = {(one.look.after.place, one.after.path) for one in renamed(context)}
    for parameter in added(context):
        known = parameter.nested or (parameter.look.after.place, parameter.path) in moved
        if parameter.look.before is not None and not known:
            how = "required" if parameter.required else "optional"
            yield RULE.about(parameter.change, f"The {how} parameter {show(parameter.path)} is new.")


RULE = Rule(
    id="parameter-added",
    title="A parameter appeared",
    area=Area.SCHEMA,
    action=Action.ADDED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
)
