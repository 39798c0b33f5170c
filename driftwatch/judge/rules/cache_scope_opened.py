"""A list that was private may be kept by shared caches now.

What it does
    Finds a list whose cacheScope was private, or said nothing, which means the same, and is public now. That a list is
    private now is only recorded.

Why it matters
    A public list may be kept by any cache on the way and handed to everybody. If it depends on who asks, others see
    what was meant for one, and whoever fills the cache first chooses what all the others are shown.

Example
    before  {"cacheScopes": {"tools/list": "private"}}
    after   {"cacheScopes": {"tools/list": "public"}}

What to do
    Approve it only if the list is the same for everybody.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge import pointer as at
from driftwatch.judge.pointer import covers
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show, step
from driftwatch.model import Change, ChangeKind, Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every changed cache scope; those that a first look learns are only recorded."""
    for change in context.values(Kind.SERVER):
        if covers("/cacheScopes", change.pointer):
            yield _opened(change) if _opens(change) else _other(change)


def _opens(change: Change) -> bool:
    """Say whether a list that only its asker could be shown may now be shown to others."""
    inside = change.pointer != "/cacheScopes"
    return inside and "public" in str(change.after) and "public" not in str(change.before or "")


def _opened(change: Change) -> Finding:
    what = show(at.split(change.pointer)[-1])
    return RULE.about(
        change, f"Shared caches may keep {what} now and hand it to others: {step(change)}.", severity=Severity.MEDIUM
    )


def _other(change: Change) -> Finding:
    first = change.pointer == "/cacheScopes" and change.change is ChangeKind.VALUE_ADDED
    message = "It says now who may keep its lists" if first else "Who may keep a list in a cache is another now"
    return RULE.about(change, f"{message}: {step(change)}.", severity=Severity.INFO)


RULE = Rule(
    id="cache-scope-opened",
    title="A list that was private may be kept by shared caches now",
    area=Area.BEHAVIOUR,
    action=Action.LOOSENED,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
)
