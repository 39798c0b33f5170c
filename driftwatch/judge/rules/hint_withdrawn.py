"""A danger that was spelled out is no longer mentioned.

What it does
    Finds a spelled-out danger that the tool no longer speaks of. Under the schema's defaults nothing changed; a
    client that acts only on what is spelled out asks less from now on. The place that the finding names is one of
    the approved tool; it is gone from the live one.

Why it matters
    Several hosts read an absent destructiveHint as harmless. Deleting the word takes the gate away without claiming
    anything. The finding names the hosts for which that makes a difference.

Example
    before  {"name": "update_ticket", "annotations": {"destructiveHint": true}}
    after   {"name": "update_ticket", "annotations": {}}

What to do
    Ask why the hint went. If your host acts on spelled-out hints only, treat the tool as if the hint were still
    there.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.hints import DESTRUCTIVE, READ_ONLY
from driftwatch.judge.hosts import sentence
from driftwatch.judge.moved import moved_hints
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show_hint
from driftwatch.model import Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every withdrawn hint."""
    for moved in moved_hints(context):
        move = moved.move
        if move.withdraws:
            message = (
                f"The tool no longer says {move.hint}: {show_hint(move.before)}. To hosts that act only on what is "
                "spelled out a gate is gone; to the schema's defaults nothing changed."
            )
            yield RULE.finding(
                moved.look.after,
                moved.pointer,
                message + sentence(moved.eased),
                severity=Severity.MEDIUM if move.hint in (READ_ONLY, DESTRUCTIVE) else Severity.LOW,
                before=move.raw_before,
                after=move.raw_after,
                hosts=moved.eased,
            )


RULE = Rule(
    id="hint-withdrawn",
    title="A danger that was spelled out is no longer mentioned",
    area=Area.HINTS,
    action=Action.WITHDRAWN,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
)
