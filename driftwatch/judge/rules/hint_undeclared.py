"""Tools leave hints unsaid.

What it does
    Finds tools that leave hints unsaid: in a first look all of them, later those that are new or that lost a hint.
    Three kinds are told apart, by the finding's category: `missing` is a hint that means something and is not there
    (readOnlyHint, openWorldHint, and destructiveHint on a tool that writes); `moot` is destructiveHint left out where
    the tool only reads, which the schema calls meaningless and app directories ask for all the same; `optional` is
    only idempotentHint on a tool that writes, which nobody asks for.

Why it matters
    Hosts read an absent hint in opposite ways. Under the schema's defaults a tool without hints is the most
    dangerous kind. An app directory refuses a server with a tool that leaves one of the three unsaid; the profile
    `directory` weighs `missing` and `moot` accordingly.

Example
    {"name": "archive_project", "annotations": {}}

What to do
    Decide for these tools yourself what your host may do without asking.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from driftwatch.judge.context import Look
from driftwatch.judge.hints import DESTRUCTIVE, HINTS, IDEMPOTENT, OPEN_WORLD, READ_ONLY, annotations_of, declared
from driftwatch.judge.rules.base import Action, Area, Context, Rule, names
from driftwatch.model import Finding, Item, Kind, Severity

MISSING, MOOT, OPTIONAL = "missing", "moot", "optional"

_ORDER = (READ_ONLY, DESTRUCTIVE, OPEN_WORLD, IDEMPOTENT)
"""The order in which hints are missed: a finding stands at the place of the first."""

_ONE = {
    MISSING: "Hosts read that differently.",
    MOOT: "It means nothing on a tool that only reads, but app directories ask for it.",
    OPTIONAL: "Hosts then never repeat a call by themselves.",
}
_MANY = {
    MISSING: "leave hints unsaid. Hosts read that differently",
    MOOT: f"that only read leave {DESTRUCTIVE} unsaid. It means nothing there, but app directories ask for it",
    OPTIONAL: f"that write leave only {IDEMPOTENT} unsaid. Hosts then never repeat a call by themselves",
}


def check(context: Context) -> Iterator[Finding]:
    """Give one finding for each tool that leaves hints unsaid and did not before."""
    for look in context.looks(Kind.TOOL):
        left = _unsaid(look.after)
        if left and (look.before is None or left - _unsaid(look.before)):
            kind = _kind(look, left)
            told = [hint for hint in _ORDER if hint in left]
            message = f"The tool leaves unsaid: {', '.join(told)}. {_ONE[kind]}"
            yield RULE.finding(look.after, f"/annotations/{told[0]}", message, category=kind)


def _unsaid(tool: Item) -> frozenset[str]:
    """Give the hints that a tool does not spell out; that a reader may be repeated goes without saying."""
    said = declared(annotations_of(tool))
    left = frozenset(HINTS) - said.keys()
    return left - {IDEMPOTENT} if said.get(READ_ONLY) is True else left


def _kind(look: Look, left: frozenset[str]) -> str:
    reads = declared(annotations_of(look.after)).get(READ_ONLY) is True
    if left == {IDEMPOTENT}:
        return OPTIONAL
    return MOOT if reads and left == {DESTRUCTIVE} else MISSING


def _together(wave: Finding, members: Sequence[Finding]) -> Finding:
    """Tell it once for all tools, with what they leave unsaid."""
    tools = sorted({member.item for member in members})
    return replace(wave, message=f"{len(tools)} tools {_MANY[wave.category]}: {names(tools)}.")


RULE = Rule(
    id="hint-undeclared",
    title="Tools leave hints unsaid",
    area=Area.HINTS,
    action=Action.ODD,
    severity=Severity.INFO,
    check=check,
    doc=__doc__,
    categories=(MISSING, MOOT, OPTIONAL),
    together=_together,
)
