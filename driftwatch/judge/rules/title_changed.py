"""A title is another one.

What it does
    Records that a title or a display name is another: of an item, of its annotations, of a parameter, of the
    server.

Why it matters
    A title is what a host shows to a person in the place of the name. A title that names another thing misleads
    whoever clicks.

Example
    before  {"title": "List tickets"}
    after   {"title": "Show tickets"}

What to do
    Check that the title still fits what the item does.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.places import is_title
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.schema import INPUT, OUTPUT
from driftwatch.model import ChangeKind, Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every changed title."""
    for change in context.values():
        if not is_title(change):
            continue
        was, now = show(change.before), show(change.after)
        message = f"A title was {was} and is {now}."
        if change.change is not ChangeKind.VALUE_CHANGED:
            came = change.change is ChangeKind.VALUE_ADDED
            message = f"A title was added: {now}." if came else f"A title is gone: {was}."
        inside = change.pointer.startswith((f"/{INPUT}/", f"/{OUTPUT}/"))
        yield RULE.about(change, message, severity=Severity.INFO if inside else Severity.LOW)


RULE = Rule(
    id="title-changed",
    title="A title is another one",
    area=Area.TEXT,
    action=Action.CHANGED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
)
