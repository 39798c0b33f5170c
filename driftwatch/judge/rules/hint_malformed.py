"""A hint has a value that is neither true nor false.

What it does
    Finds a hint whose value is not true or false, and annotations that are not an object. For the dangers the hint
    counts as absent; its raw value is kept.

Why it matters
    Clients differ on such values. A strict one refuses the tool or the whole list; a loose one may read the string
    "false" as true. Either is a way around a gate.

Example
    before  {"name": "update_ticket", "annotations": {"destructiveHint": true}}
    after   {"name": "update_ticket", "annotations": {"destructiveHint": "false"}}

What to do
    Treat the hint as not given, and report the mistake to the server's maker.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.canonical import same
from driftwatch.judge.hints import annotations_of, malformed
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every malformed hint that the baseline did not have as well."""
    for look in context.looks(Kind.TOOL):
        was, now = annotations_of(look.before), annotations_of(look.after)
        if now is not None and not isinstance(now, dict) and not same(was, now):
            message = f"The annotations are {show(now, 40)}, which is no object: every hint counts as absent."
            yield RULE.finding(look.after, "/annotations", message, before=was, after=now)
        earlier = malformed(was)
        for hint, value in malformed(now).items():
            if hint not in earlier or not same(earlier[hint], value):
                yield RULE.finding(
                    look.after,
                    f"/annotations/{hint}",
                    f"{hint} is {show(value, 40)}, neither true nor false. Strict clients may refuse the tool, loose "
                    "ones may read it as true; here it counts as absent.",
                    before=was.get(hint) if isinstance(was, dict) else None,
                    after=value,
                )


RULE = Rule(
    id="hint-malformed",
    title="A hint has a value that is neither true nor false",
    area=Area.HINTS,
    action=Action.ODD,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
)
