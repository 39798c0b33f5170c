"""A schema is missing or unusable.

What it does
    Finds a tool whose inputSchema is gone, null, no object, or no longer one of type object, and a tool whose
    outputSchema is there and no object.

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
from driftwatch.judge.schema import INPUT, OUTPUT
from driftwatch.model import Finding, Item, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every tool without a usable schema that had one, or is new."""
    for look in context.looks(Kind.TOOL):
        if not isinstance(look.after.raw, dict):
            continue
        for schema in (INPUT, OUTPUT):
            fault = _fault(look.after, schema)
            if fault and (look.before is None or not _fault(look.before, schema)):
                before = look.before.raw.get(schema) if look.before is not None else None
                what = f"The tool's {schema} {fault}."
                after = look.after.raw.get(schema)
                message = f"{what} Strict clients refuse the tool, loose ones check nothing."
                yield RULE.finding(look.after, f"/{schema}", message, before=before, after=after)
            elif look.before is not None and schema == INPUT and not fault:
                yield from _typed(look.before, look.after)


def _fault(item: Item, schema: str) -> str:
    """Say what is wrong with a schema as a whole; nothing for a usable one, or an output schema that is not there."""
    raw = item.raw if isinstance(item.raw, dict) else {}
    if schema not in raw:
        return "is missing" if schema == INPUT else ""
    return "" if isinstance(raw[schema], dict) else f"is {show(raw[schema], 40)}, which is no object"


def _typed(before: Item, after: Item) -> Iterator[Finding]:
    """Give an input schema that no longer says that the input is an object: the protocol asks for it."""
    schemas = [item.raw.get(INPUT) if isinstance(item.raw, dict) else None for item in (before, after)]
    was, now = (schema.get("type") if isinstance(schema, dict) else None for schema in schemas)
    if was == "object" and now != "object":
        message = f"The type of the tool's {INPUT} is {show(now, 40)} and no longer object. Strict clients refuse it."
        yield RULE.finding(after, f"/{INPUT}/type", message, before=was, after=now)


RULE = Rule(
    id="schema-malformed",
    title="A schema is missing or unusable",
    area=Area.SCHEMA,
    action=Action.ODD,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
)
