"""An icon or a website is another one.

What it does
    Records that an icon or a website address is another. One that moved to another host weighs more.

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

from driftwatch.judge.pointer import walk
from driftwatch.judge.rules.base import Action, Area, Context, Rule, names, step
from driftwatch.model import Finding, Json, Severity

_HOST = re.compile(r"\s*[a-z][a-z0-9+.-]*:[\\/]{2}(?:[^/?#\\@]*@)?([^/?#\\]+)", re.IGNORECASE)
"""An address up to its host and port, as lenient as a browser reads it."""

_ICON = re.compile(r"^(?:/serverInfo)?/(?:icons|websiteUrl)(?:/|$)")


def check(context: Context) -> Iterator[Finding]:
    """Give every changed icon or website."""
    for change in context.values():
        if _ICON.match(change.pointer):
            was, now = _hosts(change.before), _hosts(change.after)
            moved = was and now - was
            message = f"An icon or website address changed: {step(change)}."
            if moved:
                message = f"An icon or website moved to another host ({names(sorted(now - was))}): {step(change)}."
            yield RULE.about(change, message, severity=Severity.LOW if moved else Severity.INFO)


def _hosts(value: Json) -> set[str]:
    """Give the hosts that the addresses in a value name, however they are spelled."""
    found = {_HOST.match(text) for _, text in walk(value) if isinstance(text, str)}
    return {match[1].casefold() for match in found if match is not None}


RULE = Rule(
    id="icon-changed",
    title="An icon or a website is another one",
    area=Area.FORM,
    action=Action.CHANGED,
    severity=Severity.INFO,
    check=check,
    doc=__doc__,
)
