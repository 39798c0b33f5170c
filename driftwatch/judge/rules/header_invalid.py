"""A header that a tool asks for is invalid.

What it does
    Finds an x-mcp-header that breaks the specification: its name is no token of HTTP or is empty, another parameter
    has the same name, the parameter is not of type string, integer or boolean, or the keyword stands where it is
    not reached through properties alone (in a list's items, a branch, a definition). It looks at new tools too.

Why it matters
    A client over HTTP must leave such a tool out of its list: agents that used it no longer see it, and the server
    still lists it. A name with a line break in it is an attempt to write further headers.

Example
    before  {"region": {"type": "string", "x-mcp-header": "Region"}}
    after   {"region": {"type": "string", "x-mcp-header": "Region Name"}}

What to do
    Report it to the server's maker. Until it is mended, count on the tool being gone for clients over HTTP.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from driftwatch.judge.headers import Fault, Header, headers
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.schema import INPUT
from driftwatch.model import Finding, Item, Kind, Severity

_WHY = {
    Fault.TOKEN: "is no name of an HTTP header",
    Fault.TWICE: "is the name of another parameter's header too",
    Fault.TYPE: "is on a parameter that is no string, integer or boolean",
    Fault.PLACE: "stands where no parameter is reached through properties alone",
}


def check(context: Context) -> Iterator[Finding]:
    """Give every faulty header that was not there, or not faulty in this way, before."""
    for look in context.looks(Kind.TOOL):
        was = _faulty(look.before)
        for pointer, one in _faulty(look.after).items():
            if one.fault is None or (pointer in was and was[pointer].fault is one.fault):
                continue
            message = (
                f"The header {show(one.name, 40)} that the tool asks for {_WHY[one.fault]}. "
                "Clients over HTTP must leave the tool out."
            )
            broken = isinstance(one.name, str) and any(char in one.name for char in "\r\n\0")
            yield RULE.finding(
                look.after,
                pointer,
                message,
                severity=Severity.HIGH if broken else None,
                after=one.name,
                category=one.fault.value,
            )


def _faulty(item: Item | None) -> Mapping[str, Header]:
    schema = item.raw.get(INPUT) if item is not None and isinstance(item.raw, dict) else None
    return {one.pointer: one for one in headers(schema, f"/{INPUT}") if one.fault is not None}


RULE = Rule(
    id="header-invalid",
    title="A header that a tool asks for is invalid",
    area=Area.SCHEMA,
    action=Action.ODD,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
    categories=tuple(fault.value for fault in Fault),
)
