"""A hint changed without effect on any danger.

What it does
    Records a hint that changed without moving any danger under either reading: a default spelled out or left out, a
    hint that means nothing on a read-only tool, a server that became more careful. Where a host acts on such a hint
    all the same, the finding names it and is low; where a host asks less because a spelled-out danger of a read-only
    tool is gone, it is medium.

Why it matters
    To a host that follows the schema nothing changed, and four in ten honest hint changes are of this kind. But
    several hosts ask for a tool that says it destroys even when it also says it only reads, and some read an absent
    hint in their own way.

Example
    before  {"name": "archive_project"}
    after   {"name": "archive_project", "annotations": {"destructiveHint": true}}

What to do
    Nothing, unless you use one of the hosts that the finding names (--full names all of them): then check whether you
    want what it does now.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.hints import (
    DEFAULTS,
    DESTRUCTIVE,
    IDEMPOTENT,
    READ_ONLY,
    annotations_of,
    declared,
    first_annotated,
    malformed,
)
from driftwatch.judge.hosts import sentence
from driftwatch.judge.moved import Moved, moved_hints
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show_hint
from driftwatch.model import Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every moot change of a hint."""
    first = first_annotated(context.differences)
    for moved in moved_hints(context):
        move, after = moved.move, moved.look.after
        if move.moot and after.key not in first and move.hint not in malformed(annotations_of(after)):
            step = f"{move.hint}: {show_hint(move.before)} → {show_hint(move.after)}."
            yield RULE.finding(
                after,
                moved.pointer,
                f"{step} {_why(moved)}{sentence(moved.eased)}",
                severity=_severity(moved),
                before=move.raw_before,
                after=move.raw_after,
                hosts=moved.eased,
            )


def _why(moved: Moved) -> str:
    """Say why the schema sees no difference."""
    move = moved.move
    if not move.stated_before and not move.stated_after:
        return "Neither is a hint, so nothing changed."
    if move.hint in (DESTRUCTIVE, IDEMPOTENT) and declared(annotations_of(moved.look.after)).get(READ_ONLY) is True:
        return "On a tool that only reads, the schema gives this hint no meaning."
    return f"To the schema an absent {move.hint} is {show_hint(DEFAULTS[move.hint])} as well."


def _severity(moved: Moved) -> Severity:
    """Weigh a hint that hosts act on all the same, most where a danger that was spelled out no longer stops them."""
    if moved.move.before is True and any(turn.eases for turn in moved.turns):
        return Severity.MEDIUM
    return Severity.LOW if moved.turns else Severity.INFO


RULE = Rule(
    id="hint-restated",
    title="A hint changed without effect on any danger",
    area=Area.HINTS,
    action=Action.MOOT,
    severity=Severity.INFO,
    check=check,
    doc=__doc__,
)
