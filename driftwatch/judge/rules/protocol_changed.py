"""Another protocol revision is spoken.

What it does
    Records that another revision of the protocol was spoken. Dates compare as they read, so an older one is told
    apart: that weighs more. What is no date is neither older nor newer.

Why it matters
    An upgrade is ordinary. A server that falls back to an older revision loses what the newer one binds it to: before
    2026-07-28 a list may differ from one connection to the next, and says nothing of its freshness.

Example
    before  {"protocolVersion": "2025-06-18"}
    after   {"protocolVersion": "2025-11-25"}

What to do
    For an older revision, ask why. Otherwise approve.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from driftwatch.judge.pointer import covers
from driftwatch.judge.rules.base import Action, Area, Context, Rule, step
from driftwatch.model import Change, ChangeKind, Finding, Json, Kind, Severity

STATELESS = "2026-07-28"
"""The first revision without sessions: from it on a list must not differ from one connection to the next."""

_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def check(context: Context) -> Iterator[Finding]:
    """Give the change of the protocol revision."""
    for change in context.values(Kind.SERVER):
        if covers("/protocolVersion", change.pointer):
            yield RULE.about(change, _message(change), severity=_severity(change))


def _severity(change: Change) -> Severity:
    """Weigh a step: back is medium, forth or learned is info, and what cannot be told is low."""
    before, after = change.before, change.after
    if change.change is ChangeKind.VALUE_ADDED:
        return Severity.INFO
    if not (_is_date(before) and _is_date(after)):
        return Severity.LOW
    return Severity.MEDIUM if after < before else Severity.INFO


def _message(change: Change) -> str:
    if _severity(change) is not Severity.MEDIUM:
        return f"The protocol revision changed: {step(change)}."
    lost = change.after < STATELESS <= change.before
    more = " Its lists may now differ from one connection to the next." if lost else ""
    return f"An older protocol revision is spoken: {step(change)}.{more}"


def _is_date(value: Json) -> bool:
    return isinstance(value, str) and _DATE.fullmatch(value) is not None


RULE = Rule(
    id="protocol-changed",
    title="Another protocol revision is spoken",
    area=Area.SERVER,
    action=Action.CHANGED,
    severity=Severity.INFO,
    check=check,
    doc=__doc__,
)
