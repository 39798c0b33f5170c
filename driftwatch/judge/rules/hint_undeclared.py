"""Tools leave hints unsaid.

What it does
    Counts, in a first look at a server, the tools that leave a meaningful hint unsaid. A destructive or idempotent
    hint on a read-only tool has no meaning and is not missed.

Why it matters
    Hosts read an absent hint in opposite ways. Under the schema's defaults a tool without hints is the most
    dangerous kind.

Example
    {"name": "archive_project", "annotations": {}}

What to do
    Decide for these tools yourself what your host may do without asking.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.hints import DESTRUCTIVE, HINTS, IDEMPOTENT, READ_ONLY, annotations_of, declared
from driftwatch.judge.rules.base import Action, Area, Context, Rule, names
from driftwatch.model import Finding, Item, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give one finding for the whole server, in a scan only."""
    tools = context.live.of(Kind.TOOL)
    lacking = sorted({tool.key for tool in tools if _missing(tool)})
    if context.baseline is not None or not lacking:
        return
    message = f"{len(lacking)} of {len(tools)} tools leave hints unsaid: {names(lacking)}. Hosts read that differently."
    yield Finding(RULE.id, RULE.severity, Kind.TOOL, "", "/annotations", message, tuple(lacking), RULE.confidence)


def _missing(tool: Item) -> list[str]:
    said = declared(annotations_of(tool))
    moot = {DESTRUCTIVE, IDEMPOTENT} if said.get(READ_ONLY) is True else set()
    return [hint for hint in HINTS if hint not in said and hint not in moot]


RULE = Rule(
    id="hint-undeclared",
    title="Tools leave hints unsaid",
    area=Area.HINTS,
    action=Action.ODD,
    severity=Severity.INFO,
    check=check,
    doc=__doc__,
)
