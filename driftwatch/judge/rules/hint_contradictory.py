"""Two hints of a tool contradict each other.

What it does
    Finds a tool that says it only reads and in the same breath that it destroys or must not be repeated.

Why it matters
    The schema calls the second hint meaningless then, but not every host does: some let the destructive word win,
    others the read-only one. The maker of the server did not mean both.

Example
    before  {"name": "list_tickets", "annotations": {"readOnlyHint": true}}
    after   {"name": "list_tickets", "annotations": {"readOnlyHint": true, "destructiveHint": true}}

What to do
    Find out which of the two is true and read the other as a mistake.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.hints import DESTRUCTIVE, IDEMPOTENT, READ_ONLY, annotations_of, declared
from driftwatch.judge.rules.base import Action, Area, Context, Rule
from driftwatch.model import Finding, Item, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every contradiction that the baseline did not have as well."""
    for look in context.looks(Kind.TOOL):
        for hint in sorted(_against(look.after) - _against(look.before)):
            value = declared(annotations_of(look.after))[hint]
            yield RULE.finding(
                look.after,
                f"/annotations/{hint}",
                f"The tool says that it only reads, and also {hint}: {str(value).lower()}. Hosts differ on which wins.",
                after=value,
            )


def _against(item: Item | None) -> set[str]:
    said = declared(annotations_of(item))
    if said.get(READ_ONLY) is not True:
        return set()
    return {hint for hint, value in ((DESTRUCTIVE, True), (IDEMPOTENT, False)) if said.get(hint) is value}


RULE = Rule(
    id="hint-contradictory",
    title="Two hints of a tool contradict each other",
    area=Area.HINTS,
    action=Action.ODD,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
)
