"""An item appeared.

What it does
    Finds a tool, prompt, resource or resource template that the baseline did not have. A tool weighs more when it
    looks destructive and says nothing about it, and most when it copies an approved tool (its text and parameters, or
    its name but for a number) and denies a danger that the approved one spells out. Several that came at once are
    told in one line, except those that something else in the report speaks of at medium or above.

Why it matters
    Nobody approved it, and a model may call it from now on. A copy that says less of its dangers takes the place of
    the approved tool without being asked about. Most new tools are honest; the few that delete things
    without a hint deserve a look before use.

Example
    before  {"tools": []}
    after   {"tools": [{"name": "delete_workspace", "description": "Delete the workspace."}]}

What to do
    Read its description and parameters. Approve if you want the model to have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from driftwatch.judge.hints import DESTRUCTIVE, READ_ONLY, annotations_of, declared, moves
from driftwatch.judge.pairing import copies
from driftwatch.judge.plausible import looks_destructive
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Change, ChangeKind, Finding, Item, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every added item."""
    added = {item.place: item for item in context.live.items}
    decoys = _decoys(context)
    for change in context.changes:
        if change.change is ChangeKind.ITEM_ADDED and change.kind is not Kind.ENTRY:
            item = added[change.kind, change.key, change.occurrence]
            yield _judge(change, item, decoys.get(item.place, ""))


def _decoys(context: Context) -> Mapping[tuple[Kind, str, int], str]:
    """Give the new tools that deny a danger which an approved tool of nearly the same kind spells out, with its name.

    Two of one name are told by duplicate-name.
    """
    approved = context.baseline.of(Kind.TOOL) if context.baseline is not None else ()
    dangerous = [item for item in approved if declared(annotations_of(item))]
    new = [look.after for look in context.looks(Kind.TOOL) if look.before is None]
    found: dict[tuple[Kind, str, int], str] = {}
    for pair in copies(new, dangerous):
        one, other = pair.before, pair.after
        if one is not None and other is not None and one.key != other.key:
            said = [declared(annotations_of(item)) for item in (one, other)]
            if any(move.denies for move in moves(*said)):
                found.setdefault(other.place, one.key)
    return found


def _judge(change: Change, item: Item, copied: str) -> Finding:
    what = change.kind.noun
    named = show(change.key) if change.key else "without a name"
    message = f"The {what} {named} is new. Nobody has approved it."
    if copied:
        message += f" It passes for the approved {show(copied)} and denies a danger that that one spells out."
        return RULE.about(change, message, severity=Severity.HIGH)
    deed = looks_destructive(item) if item.kind is Kind.TOOL else ""
    said = declared(annotations_of(item))
    if deed and DESTRUCTIVE not in said and READ_ONLY not in said:
        message += f" It seems to destroy things ({show(deed, 40)}) and carries no hint that says so."
        return RULE.about(change, message, severity=Severity.MEDIUM)
    return RULE.about(change, message)


def _together(wave: Finding, _: Sequence[Finding]) -> Finding:
    return replace(wave, message=f"{len(wave.places)} {wave.kind.nouns} are new. Nobody has approved them.")


RULE = Rule(
    id="item-added",
    title="An item appeared",
    area=Area.ITEMS,
    action=Action.ADDED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
    alike=lambda _: True,
    together=_together,
)
