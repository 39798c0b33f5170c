"""A hint admits a danger that the approval did not cover.

What it does
    Finds a hint that admits a danger which the approved tool denied: a reader that writes now, a harmless writer
    that destroys, a closed world that is open.

Why it matters
    The approval covered a tool that promised more. Honest servers do this to correct a wrong hint or because a tool
    grew; either way the tool that was approved is not the tool that is there. A promise that is merely no longer
    spelled out weighs less than one that is denied.

Example
    before  {"name": "list_tickets", "annotations": {"readOnlyHint": true}}
    after   {"name": "list_tickets", "annotations": {"readOnlyHint": false}}

What to do
    Decide again whether this tool may be used as it was, for example without asking. Approve if it may.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from driftwatch.judge.hints import DESTRUCTIVE, OPEN_WORLD, READ_ONLY, Move, Reading, moved_hints
from driftwatch.judge.rules.base import Action, Area, Context, Rule, group, names, show_hint
from driftwatch.model import Finding, Severity

_NOW = {
    READ_ONLY: "was approved as read-only and may now change things",
    DESTRUCTIVE: "was approved as one that only adds and may now destroy or overwrite",
    OPEN_WORLD: "was approved for a closed world and may now reach outside",
}


def check(context: Context) -> Iterator[Finding]:
    """Give every widened hint."""
    yield from group(_one_by_one(context), _together)


def _one_by_one(context: Context) -> Iterator[Finding]:
    for look, move in moved_hints(context):
        if move.widens:
            what = _NOW.get(move.hint, "was approved as safe to repeat and is no longer")
            message = f"The tool {what} ({move.hint}: {show_hint(move.before)} → {show_hint(move.after)})."
            if not move.widened[Reading.STATED]:
                message += " It no longer says so; only clients that apply the schema's defaults see a difference."
            yield RULE.finding(
                look.after,
                f"/annotations/{move.hint}",
                message,
                severity=_severity(move),
                before=move.raw_before,
                after=move.raw_after,
            )


def _severity(move: Move) -> Severity:
    if move.hint in (READ_ONLY, DESTRUCTIVE):
        return Severity.HIGH if move.admits else Severity.MEDIUM
    return Severity.MEDIUM if move.hint == OPEN_WORLD and move.stated_after else Severity.LOW


def _together(members: Sequence[Finding]) -> str:
    one = members[0]
    return f"{len(members)} tools at once ({names([member.item for member in members])}): {one.message}"


RULE = Rule(
    id="hint-widened",
    title="A hint admits a danger that the approval did not cover",
    area=Area.HINTS,
    action=Action.WIDENED,
    severity=Severity.HIGH,
    check=check,
    doc=__doc__,
)
