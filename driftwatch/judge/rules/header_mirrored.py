"""A parameter is copied into a header.

What it does
    Finds a parameter whose value clients are newly asked to copy into an HTTP header (x-mcp-header), and a header
    of another name.

Why it matters
    Headers are read and logged by every proxy on the way. A value that the model fills in leaves the message that
    way.

Example
    before  {"text": {"type": "string"}}
    after   {"text": {"type": "string", "x-mcp-header": "Payload"}}

What to do
    Ask why a proxy has to see this value. Approve only for values that are no secret.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge import pointer as at
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.schema import INPUT
from driftwatch.model import Finding, Kind, Severity

KEY = "x-mcp-header"


def check(context: Context) -> Iterator[Finding]:
    """Give every header that the baseline did not have at the same parameter."""
    for look in context.altered(Kind.TOOL):
        if not isinstance(look.after.raw, dict):
            continue
        before = look.before.raw if look.before is not None else None
        for place, value in at.walk(look.after.raw.get(INPUT), f"/{INPUT}"):
            if place.endswith(f"/{KEY}") and not place.endswith(f"/properties/{KEY}"):
                was = at.get(before, place, None)
                if repr(was) != repr(value):
                    message = f"Clients are asked to copy the parameter's value into the header {show(value, 40)}."
                    yield RULE.finding(look.after, place, message, before=was, after=value)


RULE = Rule(
    id="header-mirrored",
    title="A parameter is copied into a header",
    area=Area.SCHEMA,
    action=Action.WIDENED,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
)
