"""Tools carry hints for the first time.

What it does
    Groups the tools that carry hints for the first time. What they claim is told once, with all of their names; a
    claim that the tool's own words contradict is a finding of its own beside it.

Why it matters
    It is the commonest honest change of hints by far, often the work of an upgraded library: a whole server at
    once. Still, hosts that apply the schema's defaults will ask less for these tools from now on.

Example
    before  {"tools": [{"name": "list_tickets"}, {"name": "get_ticket"}]}
    after   both with {"annotations": {"readOnlyHint": true}}

What to do
    Read the list of tools once. If the claims fit what they do, approve.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from driftwatch.judge.hints import Reading, annotations_of, declared, first_annotated, loosened
from driftwatch.judge.rules.base import Action, Area, Context, Rule, names
from driftwatch.model import Finding, Item, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give one finding for those that claim less danger than the defaults, one for those that do not."""
    first = first_annotated(context.differences)
    safer = {key for key, pair in first.items() if _claims_less(pair.before, pair.after)}
    for group, severity, what in (
        (safer, Severity.MEDIUM, "Clients that apply the schema's defaults will ask less for them."),
        (first.keys() - safer, Severity.INFO, "They claim no less than the schema's defaults."),
    ):
        if group:
            listed = tuple(sorted(group))
            claims = _claims({key: first[key].after for key in listed})
            counted = ", ".join(f"{claim} on {len(tools)}" for claim, tools in claims.items())
            message = f"{len(listed)} tools carry hints for the first time: {names(listed)}. They say {counted}. {what}"
            yield Finding(
                RULE.id, severity, Kind.TOOL, "", "/annotations", message, listed, RULE.confidence, after=claims
            )


def _claims(tools: Mapping[str, Item | None]) -> dict[str, list[str]]:
    """Give what is claimed, as `hint: value`, with the tools that claim it."""
    claims: dict[str, list[str]] = {}
    for key, tool in tools.items():
        for hint, value in declared(annotations_of(tool)).items():
            claims.setdefault(f"{hint}: {str(value).lower()}", []).append(key)
    return dict(sorted(claims.items()))


def _claims_less(before: Item | None, after: Item | None) -> bool:
    return bool(loosened(annotations_of(before), annotations_of(after), Reading.SPEC))


RULE = Rule(
    id="annotations-first",
    title="Tools carry hints for the first time",
    area=Area.HINTS,
    action=Action.ADDED,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
)
