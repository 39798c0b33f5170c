"""A host's file names a new server, or has one switched on.

What it does
    Finds an entry of a watched host file that the approved file did not have, or had switched off, and says whether
    driftwatch watches the server that it names. An entry that is watched already, or that the host has switched off,
    weighs less; when it is switched on, it weighs as a new one. So does one that is started through a witness: what
    calls itself one may be any program.

Why it matters
    Whoever can write to the file can give the host a program to run: worms and injected orders have done so. People
    add servers themselves all day, too. What nobody watches can change without a word.

Example
    before  {"entries": []}
    after   {"entries": [{"name": "notes", "command": "npx", "args": ["notes-mcp"]}]}

What to do
    If you did not add it, take it out before the host starts again, and look for what did. If you did, watch it:
    `driftwatch import FILE` writes its table. Then approve the file.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.beside import Watching
from driftwatch.judge.entries import SWITCH, how, is_off, witnessed
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import ChangeKind, Finding, Item, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every entry that was added or switched on."""
    for look in context.looks(Kind.ENTRY):
        if look.before is not None and is_off(look.before) and not is_off(look.after):
            watched, severity, category = _watched(look.after, context.facts.watching)
            parts = [f"The host has switched on the server {show(look.after.key)}.", how(look.after.raw)]
            parts += [witnessed(look.after.raw), watched]
            yield RULE.finding(
                look.after,
                SWITCH,
                " ".join(part for part in parts if part),
                severity=severity,
                category=category,
                before=True,
            )
    live = {item.place: item for item in context.live.of(Kind.ENTRY)}
    for change in context.changes:
        if change.change is ChangeKind.ITEM_ADDED and change.kind is Kind.ENTRY:
            item = live[change.kind, change.key, change.occurrence]
            watched, severity, category = _watched(item, context.facts.watching)
            parts = [f"The file names a new server, {show(item.key)}.", how(item.raw), witnessed(item.raw), watched]
            parts += ["The host has it switched off."] if is_off(item) else []
            yield RULE.about(
                change,
                " ".join(part for part in parts if part),
                severity=Severity.LOW if is_off(item) else severity,
                category=category,
            )


def _watched(item: Item, watching: Watching | None) -> tuple[str, Severity, str]:
    """Say whether an entry is watched, how much that makes it weigh, and the same as a word."""
    if watching is None:
        return "Nobody has approved it.", RULE.severity, ""
    known = watching.of(item.key)
    if known is None:
        return "Nothing watches it, and nobody has approved it.", RULE.severity, "not-watched"
    if known.same:
        severity = RULE.severity if witnessed(item.raw) else Severity.LOW
        return f"driftwatch watches it as {known.server}.", severity, "watched"
    words = f"driftwatch watches a server of this name ({known.server}), but that one is reached otherwise."
    return words, RULE.severity, "other-launch"


RULE = Rule(
    id="entry-added",
    title="A host's file names a new server, or has one switched on",
    area=Area.LAUNCH,
    action=Action.ADDED,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
    categories=("not-watched", "watched", "other-launch"),
)
