"""A host's file no longer names a server, or has it switched off.

What it does
    Finds an entry of the approved file that is gone, or that the host has switched off. Three and more that are gone
    are told as one.

Why it matters
    The host no longer starts it, and whoever relied on it is without. An entry can also go for a while and come back
    as something else; the approved one is kept, so that it is compared with what returns.

Example
    before  {"entries": [{"name": "notes", "command": "notes-mcp"}]}
    after   {"entries": []}

What to do
    If you took it out, approve the file. If not, see who did: another program may have written the file anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from driftwatch.judge.entries import SWITCH, is_off
from driftwatch.judge.rules.base import GROUP_FROM, Action, Area, Context, Rule, names, show
from driftwatch.model import Axis, ChangeKind, Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give the entries that were removed, many as one, and those that were switched off."""
    for look in context.looks(Kind.ENTRY):
        if look.before is not None and is_off(look.after) and not is_off(look.before):
            yield RULE.finding(
                look.after, SWITCH, f"The host has switched off the server {show(look.after.key)}.", after=True
            )
    gone = [one for one in context.changes if one.change is ChangeKind.ITEM_REMOVED and one.kind is Kind.ENTRY]
    if len(gone) < GROUP_FROM:
        for change in gone:
            yield RULE.about(change, f"The file no longer names the server {show(change.key)}.")
        return
    keys = tuple(change.key for change in gone)
    yield Finding(
        RULE.id,
        _weight(context),
        Kind.ENTRY,
        "",
        "",
        _words(context, keys),
        keys,
        RULE.confidence,
        axis=RULE.axis,
    )


def _weight(context: Context) -> Severity:
    """Weigh a file that lost all that it named more: another program may have written it anew."""
    return RULE.severity if context.live.of(Kind.ENTRY) else Severity.MEDIUM


def _words(context: Context, keys: Sequence[str]) -> str:
    left = "" if context.live.of(Kind.ENTRY) else " It names none any more."
    return f"The file no longer names {len(keys)} servers ({names(keys)}).{left}"


RULE = Rule(
    id="entry-removed",
    title="A host's file no longer names a server, or has it switched off",
    area=Area.LAUNCH,
    action=Action.REMOVED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
    axis=Axis.CONTRACT,
)
