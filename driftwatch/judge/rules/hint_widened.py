"""A hint admits a danger that the approval did not cover.

What it does
    Finds a hint that admits a danger which the approved tool denied: a reader that writes now, a harmless writer
    that destroys, a closed world that is open.

Why it matters
    The approval covered a tool that promised more. Honest servers do this to correct a wrong hint or because a tool
    grew; either way the tool that was approved is not the tool that is there. A promise that is merely no longer
    spelled out weighs less than one that is denied, unless the tool reaches outside from now on. The finding names the
    hosts that ask more from now on; what you allowed for good they do not ask again.

Example
    before  {"name": "list_tickets", "annotations": {"readOnlyHint": true}}
    after   {"name": "list_tickets", "annotations": {"readOnlyHint": false}}

What to do
    Decide again whether this tool may be used as it was, for example without asking. Approve if it may.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.hints import DESTRUCTIVE, OPEN_WORLD, READ_ONLY, Move, Reading
from driftwatch.judge.hosts import sentence
from driftwatch.judge.moved import moved_hints
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show_hint
from driftwatch.model import Finding, Severity

_NOW = {
    READ_ONLY: "was approved as read-only and may now change things",
    DESTRUCTIVE: "was approved as one that only adds and may now destroy or overwrite",
    OPEN_WORLD: "was approved for a closed world and may now reach outside",
}


def check(context: Context) -> Iterator[Finding]:
    """Give every widened hint."""
    found = list(moved_hints(context))
    opened = {moved.look.after.place for moved in found if _opens(moved.move)}
    for moved in found:
        move = moved.move
        if move.widens:
            what = _NOW.get(move.hint, "was approved as safe to repeat and is no longer")
            message = f"The tool {what} ({move.hint}: {show_hint(move.before)} → {show_hint(move.after)})."
            if not move.widened[Reading.STATED]:
                message += " It says nothing of it any more, which the schema's defaults read as a danger."
            yield RULE.finding(
                moved.look.after,
                moved.pointer,
                message + sentence(moved.tightened),
                severity=_severity(move, reaches_out=moved.look.after.place in opened),
                before=move.raw_before,
                after=move.raw_after,
                hosts=moved.tightened,
            )


def _opens(move: Move) -> bool:
    """Say whether a hint now says that the tool reaches outside."""
    return bool(move.hint == OPEN_WORLD and move.widens and move.stated_after)


def _severity(move: Move, *, reaches_out: bool) -> Severity:
    """Weigh a promise that is only left out like one that is denied where the tool reaches outside from now on."""
    if move.hint in (READ_ONLY, DESTRUCTIVE):
        return Severity.HIGH if move.admits or (reaches_out and move.hint == READ_ONLY) else Severity.MEDIUM
    return Severity.MEDIUM if _opens(move) else Severity.LOW


RULE = Rule(
    id="hint-widened",
    title="A hint admits a danger that the approval did not cover",
    area=Area.HINTS,
    action=Action.WIDENED,
    severity=Severity.HIGH,
    check=check,
    doc=__doc__,
)
