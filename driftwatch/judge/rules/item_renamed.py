"""An item has another name.

What it does
    Finds an item that went under one name and came under another: the same body, or the same telling parts of it.
    What else changed in it is told beside this. Several renames at once are told together, each with both names.

Why it matters
    Callers that use the old name break, and rules that a host keeps by name (always allow, always ask) no longer
    apply to it.

Example
    before  {"name": "add_comment", "description": "Append a comment to a ticket."}
    after   {"name": "append_comment", "description": "Append a comment to a ticket."}

What to do
    Carry your own rules over to the new name, then approve.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from driftwatch.judge.pairing import NAME_FIELD
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import ChangeKind, Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every rename."""
    for change in context.changes:
        if change.change is ChangeKind.ITEM_RENAMED:
            what = change.kind.noun
            yield RULE.finding(
                change,
                "/" + NAME_FIELD[change.kind],
                f"The {what} {show(change.before_key)} is called {show(change.key)} now. Rules that a host keeps by "
                "name no longer apply to it.",
                before=change.before_key,
                after=change.key,
            )


def _together(wave: Finding, members: Sequence[Finding]) -> Finding:
    message = (
        f"{len(members)} {wave.kind.nouns} have other names. Rules that a host keeps by name no longer apply to them."
    )
    return replace(wave, message=message, before=None, after={member.before: member.after for member in members})


RULE = Rule(
    id="item-renamed",
    title="An item has another name",
    area=Area.ITEMS,
    action=Action.RENAMED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
    alike=lambda _: True,
    together=_together,
)
