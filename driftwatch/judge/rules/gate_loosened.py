"""A gate outside the hints asks for less.

What it does
    Finds a gate outside the hints that became looser: a forced approval prompt that is gone, credentials that a tool
    no longer needs, a tool that more callers can reach, parameters that get the user's files, origins that a page
    may reach. The gates are one table, each with who honours it.

Why it matters
    These gates force a question or a sign-in whatever the user's settings say. Only true counts for most of them: a
    value of another type switches them off as well.

Example
    before  {"name": "update_ticket", "_meta": {"anthropic/requiresUserInteraction": true}}
    after   {"name": "update_ticket", "_meta": {}}

What to do
    Ask why the gate went. Until you know, make your host ask for this tool.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge import pointer as at
from driftwatch.judge.gates import GATES, effects, loosened, step
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every gate that is looser than in the baseline."""
    for look in context.altered(Kind.TOOL, Kind.RESOURCE):
        before = look.before.raw if look.before is not None else None
        for gate in GATES:
            if gate.kind is look.after.kind and loosened(gate, before, look.after.raw):
                was, now = at.follow(before, gate.path), at.follow(look.after.raw, gate.path)
                yield RULE.finding(
                    look.after,
                    gate.pointer,
                    f"{step(gate, before, look.after.raw)} ({show(was, 40)} → {show(now, 40)}).",
                    severity=gate.loosened,
                    before=at.follow(before, gate.path, None),
                    after=at.follow(look.after.raw, gate.path, None),
                    hosts=effects(gate, before, look.after.raw),
                )


RULE = Rule(
    id="gate-loosened",
    title="A gate outside the hints asks for less",
    area=Area.GATES,
    action=Action.LOOSENED,
    severity=Severity.HIGH,
    check=check,
    doc=__doc__,
)
