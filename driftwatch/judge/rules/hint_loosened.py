"""A hint claims less danger than before.

What it does
    Finds a hint by which a tool admits a danger no longer: it stops writing, destroying, being unrepeatable or
    reaching the open world, by its own word. A spelled-out danger that is denied weighs more than a default that is
    denied for the first time, and is critical when something else in the same release is suspicious. The finding
    names the hosts that ask less from now on. The same move of many tools is told once.

Why it matters
    Hosts ask less for a tool that claims less: they drop a confirmation, run calls in parallel, repeat a call after
    a lost connection, or trust the answer. The claim is the server's own, and nothing proves it. No honest release
    in the histories that we measured turned a spelled-out destructive or writing tool into a harmless one.

Example
    before  {"name": "update_ticket", "annotations": {"destructiveHint": true}}
    after   {"name": "update_ticket", "annotations": {"destructiveHint": false}}

What to do
    Find out from the server's source or its maker what changed in the tool. If it still does what it did, reject
    the change.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.hints import DESTRUCTIVE, IDEMPOTENT, OPEN_WORLD, READ_ONLY, Move, Reading, first_annotated
from driftwatch.judge.hosts import sentence
from driftwatch.judge.moved import moved_hints
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show_hint
from driftwatch.model import Finding, Severity

_CLAIMS = {
    READ_ONLY: "The tool now claims to only read",
    DESTRUCTIVE: "The tool now claims not to destroy anything",
    IDEMPOTENT: "The tool now claims to be safe to repeat",
    OPEN_WORLD: "The tool now claims a closed world",
}
_EFFECTS = {
    READ_ONLY: " Hosts may run it without asking, in parallel, or in a planning mode.",
    DESTRUCTIVE: " Hosts may drop the confirmation.",
    IDEMPOTENT: " Hosts may repeat a call on their own.",
    OPEN_WORLD: " Hosts may trust what it brings in.",
}
"""What a hint is there for, where no host of the table acts on this change of it."""


def check(context: Context) -> Iterator[Finding]:
    """Give every loosened hint of tools that carried hints before."""
    first = first_annotated(context.differences)
    for moved in moved_hints(context):
        move = moved.move
        if move.loosens and moved.look.after.key not in first:
            message = f"{_CLAIMS[move.hint]} ({move.hint}: {show_hint(move.before)} → {show_hint(move.after)})."
            if not move.loosened[Reading.STATED]:
                message += " Nothing was said of it before, which the schema's defaults read as a danger."
            message += sentence(moved.eased) or _EFFECTS[move.hint]
            yield RULE.finding(
                moved.look.after,
                moved.pointer,
                message,
                severity=_severity(move),
                before=move.raw_before,
                after=move.raw_after,
                category="stated" if move.denies else "default",
                hosts=moved.eased,
            )


def _severity(move: Move) -> Severity:
    if move.denies:
        return Severity.HIGH if move.hint in (READ_ONLY, DESTRUCTIVE) else Severity.MEDIUM
    return Severity.LOW if move.hint == IDEMPOTENT else Severity.MEDIUM


RULE = Rule(
    id="hint-loosened",
    title="A hint claims less danger than before",
    area=Area.HINTS,
    action=Action.LOOSENED,
    severity=Severity.HIGH,
    check=check,
    doc=__doc__,
    categories=("stated", "default"),
)
