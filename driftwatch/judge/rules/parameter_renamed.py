"""A parameter has another name.

What it does
    Finds a parameter that went while another came in the same object, about which the schema says the same.

Why it matters
    Calls under the old name fail, or are taken without the value. The new name is what the model reads: whether it
    invites more than the old one is judged by parameter-sink.

Example
    before  {"properties": {"project": {"type": "string", "description": "A project's key."}}}
    after   {"properties": {"projectKey": {"type": "string", "description": "A project's key."}}}

What to do
    Change your callers, then approve.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from driftwatch.judge.parameters import renamed
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Axis, Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every parameter that took another name; the finding names both places."""
    for one in renamed(context):
        old, new = one.before, one.after
        needed = {(False, True): " It is required now.", (True, False): " It is optional now."}
        message = f"The parameter {show(old.path)} is called {show(new.path)} now. Calls under the old name may fail."
        finding = RULE.finding(
            one.look.after,
            new.pointer,
            message + needed.get((old.required, new.required), ""),
            before=old.name,
            after=new.name,
        )
        item = one.look.after.key
        yield replace(finding, places=((item, new.pointer), (item, old.pointer)))


RULE = Rule(
    id="parameter-renamed",
    title="A parameter has another name",
    area=Area.SCHEMA,
    action=Action.RENAMED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
    axis=Axis.CONTRACT,
)
