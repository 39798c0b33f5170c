"""An item has a form that readers take differently.

What it does
    Finds an item or a list in a form that no honest sender needs: an entry that is no object or has no name, a key
    that is written twice (what lost to the later value is compared and read as well), bytes that are no text, numbers
    that are none, nesting without end. A key beside the lists that nothing is made of is named, for the record.

Why it matters
    Readers differ on such input. What one client drops, another obeys; a monitor that gave up on it would be blind
    to the rest.

Example
    before  {"tools": [{"name": "list_tickets"}]}
    after   {"tools": [{"name": "list_tickets"}, "list_tickets"]}

What to do
    Report it to the server's maker. Do not rely on your host reading it as this report does.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.rules.base import QUOTED, Action, Area, Context, Rule, show
from driftwatch.judge.text.visible import visible
from driftwatch.model import Finding, Oddity, Severity

_SAID = {
    "not-an-object": "An entry of the list is no object",
    "no-key": "The item has no usable name",
    "not-a-list": "What should be a list is none",
    "too-deep": "The item is nested deeper than any reader needs",
    "too-long-a-path": "The names on the way into the item are too long: what lies there is compared whole",
    "invalid-utf8": "The bytes are no valid text",
    "lone-surrogate": "A text holds half of a character",
    "duplicate-key": "A key is written twice, so readers differ on its value",
    "not-finite": "A number is not a number",
    "ignored-key": "An answer has a key beside its list that nothing is made of, and that no known host shows a model",
}
_SLIGHT = frozenset({"too-deep", "too-long-a-path", "not-finite", "invalid-utf8"})


def check(context: Context) -> Iterator[Finding]:
    """Give every oddity of a live item that its baseline did not have; duplicate names have their own rule."""
    for look in context.looks():
        earlier = set(look.before.oddities) if look.before is not None else set()
        for oddity in look.after.oddities:
            if oddity not in earlier and oddity.code != "duplicate-name":
                yield RULE.finding(
                    look.after,
                    oddity.pointer,
                    _message(oddity),
                    severity=_severity(oddity.code),
                    after=oddity.detail,
                    category=oddity.code,
                )


def _severity(code: str) -> Severity:
    if code == "ignored-key":
        return Severity.INFO
    return Severity.LOW if code in _SLIGHT else Severity.MEDIUM


def _message(oddity: Oddity) -> str:
    said = _SAID.get(oddity.code, f"The form is odd ({show(oddity.code, 40)})")
    detail = visible(oddity.detail[:QUOTED])
    return f"{said} ({detail})." if detail and detail not in said else f"{said}."


RULE = Rule(
    id="item-malformed",
    title="An item has a form that readers take differently",
    area=Area.FORM,
    action=Action.ODD,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
    categories=(*_SAID, "empty-cursor", "unreadable-metadata"),
    told=True,
)
