"""Another protocol revision is spoken.

What it does
    Records that another revision of the protocol was spoken. Dates compare as they read, so an older one is told
    apart.

Why it matters
    An upgrade is ordinary. A server that falls back to an older revision also loses what the newer one protects.

Example
    before  {"protocolVersion": "2025-06-18"}
    after   {"protocolVersion": "2025-11-25"}

What to do
    For an older revision, ask why. Otherwise approve.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.pointer import covers
from driftwatch.judge.rules.base import Action, Area, Context, Rule, step
from driftwatch.model import Change, Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give the change of the protocol revision."""
    for change in context.values(Kind.SERVER):
        if covers("/protocolVersion", change.pointer):
            back = _older(change)
            message = f"The protocol revision changed: {step(change)}."
            yield RULE.about(change, message, severity=Severity.LOW if back else Severity.INFO)


def _older(change: Change) -> bool:
    return isinstance(change.before, str) and isinstance(change.after, str) and change.after < change.before


RULE = Rule(
    id="protocol-changed",
    title="Another protocol revision is spoken",
    area=Area.SERVER,
    action=Action.CHANGED,
    severity=Severity.INFO,
    check=check,
    doc=__doc__,
)
