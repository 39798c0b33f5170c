"""The input schema is missing or unusable.

What it does
    Finds a tool whose inputSchema is gone, null or no object.

Why it matters
    Strict clients drop the tool or the whole list. Loose ones pass on whatever the model writes, unchecked.

Example
    before  {"name": "list_tickets", "inputSchema": {"type": "object"}}
    after   {"name": "list_tickets"}

What to do
    Report it to the server's maker. Until it is mended, expect calls to fail or to go unchecked.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.schema import INPUT
from driftwatch.model import Finding, Item, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every tool without a usable input schema that had one, or is new."""
    for look in context.looks(Kind.TOOL):
        if (
            isinstance(look.after.raw, dict)
            and not _usable(look.after)
            and (look.before is None or _usable(look.before))
        ):
            there = INPUT in look.after.raw
            value = look.after.raw.get(INPUT)
            what = f"is {show(value, 40)}, which is no object" if there else "is missing"
            before = look.before.raw.get(INPUT) if look.before is not None else None
            message = f"The tool's {INPUT} {what}. Strict clients refuse the tool, loose ones check nothing."
            yield RULE.finding(look.after, f"/{INPUT}", message, before=before, after=value)


def _usable(item: Item) -> bool:
    return isinstance(item.raw, dict) and isinstance(item.raw.get(INPUT), dict)


RULE = Rule(
    id="schema-malformed",
    title="The input schema is missing or unusable",
    area=Area.SCHEMA,
    action=Action.ODD,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
)
