"""A gate outside the hints asks for more.

What it does
    Records a gate outside the hints that became stricter, or changed without becoming looser.

Why it matters
    A stricter gate costs no safety. That it was needed can still be worth knowing.

Example
    before  {"name": "add_comment"}
    after   {"name": "add_comment", "_meta": {"anthropic/requiresUserInteraction": true}}

What to do
    Nothing, unless callers depend on the tool running without a question.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge import pointer as at
from driftwatch.judge.gates import GATES, effects, loosened, moved, step
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every gate that moved and is not looser."""
    for look in context.altered(Kind.TOOL, Kind.RESOURCE):
        before = look.before.raw if look.before is not None else None
        for gate in GATES:
            if gate.kind is not look.after.kind or not moved(gate, before, look.after.raw):
                continue
            if loosened(gate, before, look.after.raw):
                continue
            was, now = at.follow(before, gate.path), at.follow(look.after.raw, gate.path)
            yield RULE.finding(
                look.after,
                gate.pointer,
                f"{step(gate, before, look.after.raw)} ({show(was, 40)} → {show(now, 40)}). That is no looser.",
                before=at.follow(before, gate.path, None),
                after=at.follow(look.after.raw, gate.path, None),
                hosts=effects(gate, before, look.after.raw),
            )


RULE = Rule(
    id="gate-tightened",
    title="A gate outside the hints asks for more",
    area=Area.GATES,
    action=Action.NARROWED,
    severity=Severity.INFO,
    check=check,
    doc=__doc__,
)
