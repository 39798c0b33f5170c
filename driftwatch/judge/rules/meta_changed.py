"""A value in _meta is another one.

What it does
    Records that `_meta` holds another value, outside of the gates that have rules of their own. New text in it
    weighs a little more.

Why it matters
    Hosts keep their own keys there. One that we do not know may be a gate tomorrow.

Example
    before  {"_meta": {"example.com/tier": "basic"}}
    after   {"_meta": {"example.com/tier": "pro"}}

What to do
    Look up what the key means to your host.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge import pointer as at
from driftwatch.judge.gates import GATES
from driftwatch.judge.pointer import covers
from driftwatch.judge.prose import new_text
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show, step
from driftwatch.model import Change, Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every changed value in `_meta` that is no gate."""
    for change in context.values():
        if covers("/_meta", change.pointer) and not _only_gates(change):
            message = f"{show(change.pointer, 60)} changed: {step(change)}."
            yield RULE.about(change, message, severity=Severity.LOW if new_text(context, change) else None)


def _only_gates(change: Change) -> bool:
    """Say whether a change is inside a gate, or is of an object that came or went with nothing but gates in it."""
    gates = [gate.pointer for gate in GATES if gate.kind is change.kind]
    waiting = [(change.pointer, side) for side in (change.before, change.after) if side is not None]
    if not waiting:
        return False
    while waiting:
        place, value = waiting.pop()
        if any(covers(gate, place) for gate in gates):
            continue
        if not isinstance(value, dict) or not value or not any(covers(place, gate) for gate in gates):
            return False
        waiting.extend((at.join(place, key), inner) for key, inner in value.items())
    return True


RULE = Rule(
    id="meta-changed",
    title="A value in _meta is another one",
    area=Area.FORM,
    action=Action.CHANGED,
    severity=Severity.INFO,
    check=check,
    doc=__doc__,
)
