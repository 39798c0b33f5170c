"""Two hints of a tool contradict each other.

What it does
    Finds a tool that says it only reads and in the same breath that it destroys or must not be repeated.

Why it matters
    The schema calls the second hint meaningless then, but not every host does: some let the destructive word win,
    others the read-only one; the finding names a few of the first kind. The maker of the server did not mean both.

Example
    before  {"name": "list_tickets", "annotations": {"readOnlyHint": true}}
    after   {"name": "list_tickets", "annotations": {"readOnlyHint": true, "destructiveHint": true}}

What to do
    Find out which of the two is true and read the other as a mistake.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.hints import DESTRUCTIVE, IDEMPOTENT, READ_ONLY, annotations_of, declared
from driftwatch.judge.hosts import turns
from driftwatch.judge.rules.base import Action, Area, Context, Rule
from driftwatch.model import Finding, Item, Json, Kind, Severity

_NAMED = 3


def check(context: Context) -> Iterator[Finding]:
    """Give every contradiction that the baseline did not have as well."""
    for look in context.looks(Kind.TOOL):
        said = annotations_of(look.after)
        for hint in sorted(_against(look.after) - _against(look.before)):
            value = declared(said)[hint]
            yield RULE.finding(
                look.after,
                f"/annotations/{hint}",
                f"The tool says that it only reads, and also {hint}: {str(value).lower()}. {_heeded(said, hint)}",
                after=value,
            )


def _against(item: Item | None) -> set[str]:
    said = declared(annotations_of(item))
    if said.get(READ_ONLY) is not True:
        return set()
    return {hint for hint, value in ((DESTRUCTIVE, True), (IDEMPOTENT, False)) if said.get(hint) is value}


def _heeded(annotations: Json, hint: str) -> str:
    """Say which hosts act on the second hint all the same."""
    without = {key: value for key, value in annotations.items() if key != hint}
    names = [turn.host.label for turn in turns(without, annotations)]
    if not names:
        return "No host that we know heeds the second."
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"Most hosts go by the first; {', '.join(names[:_NAMED])}{more} heed the second."


RULE = Rule(
    id="hint-contradictory",
    title="Two hints of a tool contradict each other",
    area=Area.HINTS,
    action=Action.ODD,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
)
