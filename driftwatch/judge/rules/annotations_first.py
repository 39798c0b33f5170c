"""Tools carry hints for the first time.

What it does
    Finds the tools that carry hints for the first time, where there are at least two. What they claim is told once,
    with the names behind each claim and the hosts that act on it. A claim that the tool's own words contradict is a
    finding of its own, and its tool stands by itself.

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

from collections.abc import Iterator, Sequence
from dataclasses import replace

from driftwatch.judge.hints import Reading, annotations_of, declared, first_annotated, loosened
from driftwatch.judge.hosts import as_effects, sentence, turns
from driftwatch.judge.pairing import Pair
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show_hint
from driftwatch.model import Finding, Item, Json, Severity

_LESS = "Clients that apply the schema's defaults will ask less for"
_NO_LESS = "no less than the schema's defaults"


def check(context: Context) -> Iterator[Finding]:
    """Give every tool that carries hints for the first time."""
    for pair in first_annotated(context.differences).values():
        if pair.after is not None:
            yield _of(pair, pair.after)


def _of(pair: Pair, tool: Item) -> Finding:
    before, after = annotations_of(pair.before), annotations_of(tool)
    less = bool(loosened(before, after, Reading.SPEC))
    said = ", ".join(f"{hint}: {show_hint(value)}" for hint, value in declared(after).items())
    effect = f"{_LESS} it." if less else f"That is {_NO_LESS}."
    hosts = as_effects(turns(before, after))
    return RULE.finding(
        tool,
        "/annotations",
        f"The tool carries hints for the first time: {said}. {effect}{sentence(hosts)}",
        severity=Severity.MEDIUM if less else Severity.INFO,
        before=before,
        after=after,
        category="less" if less else "no-less",
        hosts=hosts,
    )


def _together(wave: Finding, members: Sequence[Finding]) -> Finding:
    """Say how many tools claim what, and keep their names with each claim."""
    claims: dict[str, Json] = {}
    for member in members:
        for hint, value in declared(member.after).items():
            claims.setdefault(f"{hint}: {show_hint(value)}", []).append(member.item)
    counted = ", ".join(f"{claim} on {len(tools)}" for claim, tools in sorted(claims.items()))
    effect = f"{_LESS} them." if wave.category == "less" else f"They claim {_NO_LESS}."
    message = f"{len(wave.items)} tools carry hints for the first time. They say {counted}. {effect}"
    message += sentence(wave.hosts)
    return replace(wave, message=message, before=None, after=dict(sorted(claims.items())))


RULE = Rule(
    id="annotations-first",
    title="Tools carry hints for the first time",
    area=Area.HINTS,
    action=Action.ADDED,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
    categories=("less", "no-less"),
    alike=lambda _: True,
    together=_together,
)
