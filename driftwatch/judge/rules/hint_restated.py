"""A hint changed without effect on any gate.

What it does
    Records a hint that changed without moving any gate: a default spelled out, a hint that a read-only tool has no
    use for, a server that became more careful.

Why it matters
    It does not change what a host that follows the schema does. Four in ten honest hint changes are of this kind.

Example
    before  {"name": "archive_project"}
    after   {"name": "archive_project", "annotations": {"destructiveHint": true}}

What to do
    Nothing. It is recorded so that no change goes unmentioned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from driftwatch.judge.hints import annotations_of, first_annotated, malformed, moved_hints
from driftwatch.judge.rules.base import Action, Area, Context, Rule, group, names, show_hint
from driftwatch.model import Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every moot change of a hint."""
    yield from group(_one_by_one(context), _together)


def _one_by_one(context: Context) -> Iterator[Finding]:
    first = first_annotated(context.differences)
    for look, move in moved_hints(context):
        if move.moot and look.after.key not in first and move.hint not in malformed(annotations_of(look.after)):
            yield RULE.finding(
                look.after,
                f"/annotations/{move.hint}",
                f"{move.hint}: {show_hint(move.before)} → {show_hint(move.after)}. No gate asks less because of it.",
                before=move.raw_before,
                after=move.raw_after,
            )


def _together(members: Sequence[Finding]) -> str:
    return f"{len(members)} tools at once ({names([member.item for member in members])}): {members[0].message}"


RULE = Rule(
    id="hint-restated",
    title="A hint changed without effect on any gate",
    area=Area.HINTS,
    action=Action.MOOT,
    severity=Severity.INFO,
    check=check,
    doc=__doc__,
)
