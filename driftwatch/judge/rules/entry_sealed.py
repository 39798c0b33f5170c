"""A masked value of an entry changed.

What it does
    Finds a change in what driftwatch masks because it may be a secret: values of variables and headers, and what looks
    like a token in a command or a URL. Only a digest of it is kept, so the report can say where and not what.

Why it matters
    Mostly somebody renewed a token. But a program can hide in a word that looks like one, and a variable can make a
    host load foreign code.

Example
    before  {"entries": [{"name": "notes", "args": ["--token", "***"], "sealed": {"args": "11d3"}}]}
    after   {"entries": [{"name": "notes", "args": ["--token", "***"], "sealed": {"args": "a80f"}}]}

What to do
    If you renewed a token, approve. If not, read the entry in the file itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge import pointer as at
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Change, ChangeKind, Confidence, Finding, Kind, Severity

_WHAT = {
    "args": "the arguments",
    "command": "the command",
    "cwd": "the folder",
    "env": "the variables",
    "headers": "the headers",
    "url": "the URL",
}
_MOST = 6
"""Parts of an entry that are named."""


def check(context: Context) -> Iterator[Finding]:
    """Give every seal that changed while the entry stayed; what came or went shows in the open parts."""
    for change in context.values(Kind.ENTRY):
        if not at.covers("/sealed", change.pointer):
            continue
        swapped = change.change is ChangeKind.VALUE_CHANGED
        verb = "is another" if swapped else "is new" if change.change is ChangeKind.VALUE_ADDED else "is gone"
        message = f"A masked value in {_where(change)} of the entry {show(change.key)} {verb}. Only the file shows it."
        yield RULE.about(change, message, severity=Severity.LOW if swapped else Severity.INFO)


def _where(change: Change) -> str:
    """Say in which part of an entry it is: one, or all those whose seals came or went together."""
    parts = at.split(change.pointer)[1:2]
    if not parts:
        sides = (change.before, change.after)
        parts = sorted({key for side in sides if isinstance(side, dict) for key in side})
    told = [_WHAT.get(part, f"the setting {show(part)}") for part in parts[:_MOST]]
    return " and ".join([", ".join(told[:-1]), told[-1]] if len(told) > 1 else told) or "a part"


RULE = Rule(
    id="entry-sealed",
    title="A masked value of an entry changed",
    area=Area.LAUNCH,
    action=Action.CHANGED,
    severity=Severity.LOW,
    confidence=Confidence.LOW,
    check=check,
    doc=__doc__,
    told=True,
)
