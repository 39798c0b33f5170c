"""An icon or a website is another one.

What it does
    Records that an icon or a website address is another.

Why it matters
    Hosts show icons to people and may load them; a picture at another host can see who looks.

Example
    before  {"name": "list_tickets"}
    after   {"name": "list_tickets", "icons": [{"src": "https://cdn.example.net/list.png"}]}

What to do
    Check the address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from driftwatch.judge.rules.base import Action, Area, Context, Rule, step
from driftwatch.model import Finding, Severity

_ICON = re.compile(r"^(?:/serverInfo)?/(?:icons|websiteUrl)(?:/|$)")


def check(context: Context) -> Iterator[Finding]:
    """Give every changed icon or website."""
    for change in context.values():
        if _ICON.match(change.pointer):
            message = f"An icon or website address changed: {step(change)}."
            yield RULE.about(change, message)


RULE = Rule(
    id="icon-changed",
    title="An icon or a website is another one",
    area=Area.FORM,
    action=Action.CHANGED,
    severity=Severity.INFO,
    check=check,
    doc=__doc__,
)
