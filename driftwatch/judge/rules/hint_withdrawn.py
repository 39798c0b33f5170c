"""A danger that was spelled out is no longer mentioned.

What it does
    Finds a spelled-out danger that the tool no longer speaks of. Under the schema's defaults nothing changed; a
    client that acts only on what is spelled out asks less from now on.

Why it matters
    Several hosts read an absent destructiveHint as harmless. Deleting the word takes the gate away without claiming
    anything.

Example
    before  {"name": "update_ticket", "annotations": {"destructiveHint": true}}
    after   {"name": "update_ticket", "annotations": {}}

What to do
    Ask why the hint went. If your host acts on spelled-out hints only, treat the tool as if the hint were still
    there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from driftwatch.judge.hints import DESTRUCTIVE, READ_ONLY, moved_hints
from driftwatch.judge.rules.base import Action, Area, Context, Rule, group, names, show_hint
from driftwatch.model import Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every withdrawn hint."""
    yield from group(_one_by_one(context), _together)


def _one_by_one(context: Context) -> Iterator[Finding]:
    for look, move in moved_hints(context):
        if move.withdraws:
            yield RULE.finding(
                look.after,
                f"/annotations/{move.hint}",
                f"The tool no longer says {move.hint}: {show_hint(move.before)}. Clients that act only on spelled-out "
                "hints lose a gate; clients that apply the schema's defaults see no difference.",
                severity=Severity.MEDIUM if move.hint in (READ_ONLY, DESTRUCTIVE) else Severity.LOW,
                before=move.raw_before,
                after=move.raw_after,
            )


def _together(members: Sequence[Finding]) -> str:
    return f"{len(members)} tools at once ({names([member.item for member in members])}): {members[0].message}"


RULE = Rule(
    id="hint-withdrawn",
    title="A danger that was spelled out is no longer mentioned",
    area=Area.HINTS,
    action=Action.WITHDRAWN,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
)
