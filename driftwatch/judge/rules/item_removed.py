"""An item is gone.

What it does
    Finds an item of the baseline that is no longer listed.

Why it matters
    Callers that use it break. An item can also go for one listing and come back rewritten; the baseline keeps it,
    so that it is compared with what was approved whenever it returns.

Example
    before  {"tools": [{"name": "archive_project"}]}
    after   {"tools": []}

What to do
    Check that nothing of yours depends on it, then approve.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.rules.list_emptied import emptied
from driftwatch.model import Axis, ChangeKind, Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every removed item, except where a whole list went."""
    whole = emptied(context)
    for change in context.changes:
        if change.change is ChangeKind.ITEM_REMOVED and change.kind not in {*whole, Kind.ENTRY}:
            what = change.kind.noun
            yield RULE.about(change, f"The {what} {show(change.key)} is no longer listed. Callers that use it break.")


def _together(wave: Finding, _: Sequence[Finding]) -> Finding:
    return replace(
        wave, message=f"{len(wave.places)} {wave.kind.nouns} are no longer listed. Callers that use them break."
    )


RULE = Rule(
    id="item-removed",
    title="An item is gone",
    area=Area.ITEMS,
    action=Action.REMOVED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
    axis=Axis.CONTRACT,
    alike=lambda _: True,
    together=_together,
)
