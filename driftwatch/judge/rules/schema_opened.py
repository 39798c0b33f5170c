"""A closed object takes properties of any name.

What it does
    Finds an object of an input schema that took its named properties only, and takes others now: additionalProperties
    is no longer false, or a pattern lets further names in. It is low when the new properties can hold no free text,
    and when all inputs of a server (three or more) are closed no longer at once: that is how an upgraded library looks.

Why it matters
    Nothing says any more what a call may carry. A model that is told to can put anything under any name, and no
    check of the schema stops it.

Example
    before  {"properties": {"project": {"type": "string"}}, "additionalProperties": false}
    after   {"properties": {"project": {"type": "string"}}}

What to do
    Ask what the further properties are for. A library that was upgraded drops the keyword in all tools at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from driftwatch.judge.openings import Opening, openings
from driftwatch.judge.rules.base import GROUP_FROM, Action, Area, Context, Rule, show
from driftwatch.model import Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every object that was closed and is open."""
    found = openings(context)
    everywhere = _everywhere(context, found)
    for one in found:
        where = f"Parameter {show(one.path)}" if one.path else "The input"
        kind = "" if one.free else " None of them can hold free text."
        message = f"{where} took its named properties only, and takes others now.{kind}"
        yield RULE.about(one.change, message, severity=Severity.MEDIUM if one.free and not everywhere else Severity.LOW)


def _everywhere(context: Context, found: Sequence[Opening]) -> bool:
    """Say whether every input is open that was closed, in all tools of a server that are on both sides."""
    tools = [look.after for look in context.altered(Kind.TOOL)]
    opened = {(one.change.key, one.change.occurrence) for one in found if not one.path}
    before = context.baseline.of(Kind.TOOL) if context.baseline is not None else ()
    both = {tool.key for tool in before} & {tool.key for tool in context.live.of(Kind.TOOL)}
    return len(opened) >= GROUP_FROM and len(opened) == len(tools) >= len(both)


RULE = Rule(
    id="schema-opened",
    title="A closed object takes properties of any name",
    area=Area.SCHEMA,
    action=Action.WIDENED,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
)
