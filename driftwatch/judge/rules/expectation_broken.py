"""The list is not what it must be.

What it does
    Finds what breaks the expectations of the server's configuration: a tool that does not say that it only reads, one
    that may destroy, one that may reach the open world, one that leaves a hint unsaid, one that is not on the closed
    list of names, more tools than there may be. It holds whatever was approved, so an approved list can break it.
    A hint left unsaid and too many tools say little about what a tool may do: those two are medium, all else is high.

Why it matters
    An expectation is what you built upon, such as a read-only endpoint that runs unattended. A baseline moves with each
    approval; an expectation does not.

Example
    expect  {"read_only": true}
    live    {"name": "sync_rooms", "annotations": {"readOnlyHint": false}}

What to do
    Stop using the tool until you know why it is there. When you decide that it may be, change the expectation in the
    configuration: approving the list does not end this finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace

from driftwatch.judge.breaches import Breach, breaches
from driftwatch.judge.expectations import Expectations
from driftwatch.judge.rules.base import Action, Area, Context, Rule, names, show_hint
from driftwatch.model import Finding, Kind, Severity
from driftwatch.model.amounts import many

_MUST = {
    "read_only": "say that it only reads (readOnlyHint true)",
    "no_destructive": "say that it destroys nothing (destructiveHint false, or readOnlyHint true)",
    "closed_world": "say that it stays in a closed world (openWorldHint false)",
    "annotated": "say readOnlyHint, destructiveHint and openWorldHint",
    "tools": "be one of the tools that are expected",
}
"""What each tool must do or be, for a message."""

_SEVERITY = {"annotated": Severity.MEDIUM, "max_tools": Severity.MEDIUM}
"""Where a breach says little about what a tool may do."""


def check(context: Context) -> Iterator[Finding]:
    """Give every breach, whatever the baseline says."""
    tools = context.live.of(Kind.TOOL)
    for breach in breaches(context.facts.expectations, tools):
        yield _finding(breach, len(tools))


def _finding(breach: Breach, count: int) -> Finding:
    severity = _SEVERITY.get(breach.expectation, RULE.severity)
    if breach.item is None:
        message = f"It has {many(count, 'tool')}, and at most {breach.found} are expected."
        return Finding(RULE.id, severity, Kind.SERVER, "", "", message, before=breach.found, category="max_tools")
    message = f"Every tool must {_MUST[breach.expectation]}; this one {_but(breach)}."
    return RULE.finding(
        breach.item,
        breach.pointer,
        message,
        severity=severity,
        after=list(breach.lacking) or breach.found,
        category=breach.expectation,
    )


def _but(breach: Breach) -> str:
    if breach.expectation == "tools":
        return "is none of them"
    if breach.lacking:
        return f"leaves {names(breach.lacking)} unsaid"
    return "does not say so" if breach.found is None else f"says {show_hint(breach.found)}"


def _together(wave: Finding, members: Sequence[Finding]) -> Finding:
    found = names([member.item for member in members])
    return replace(wave, message=f"Every tool must {_MUST[wave.category]}; {len(members)} break that: {found}.")


RULE = Rule(
    id="expectation-broken",
    title="The list is not what it must be",
    area=Area.EXPECTATIONS,
    action=Action.ODD,
    severity=Severity.HIGH,
    check=check,
    doc=__doc__,
    categories=tuple(one.name for one in fields(Expectations)),
    together=_together,
)
