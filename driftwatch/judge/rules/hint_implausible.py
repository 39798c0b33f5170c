"""A hint contradicts what the tool says it does.

What it does
    Finds a claim of safety that the tool's own name, description or parameters contradict: a delete_… that says it
    only reads, a text that says it overwrites beside destructiveHint: false, a URL parameter beside a closed world.
    Names are read in camelCase and snake_case and in several languages; "does not delete" is not taken for
    "deletes".

Why it matters
    A false claim gets a dangerous call past the gates of a host. Among many tools that are annotated for the first
    time, the one that does not fit is the one to look at.

Example
    before  {"name": "archive_project"}
    after   {"name": "archive_project", "annotations": {"readOnlyHint": true}}

What to do
    Do not let the hint decide for this tool. Ask the maker, or set a rule in your host that always asks.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.hints import DESTRUCTIVE, OPEN_WORLD, READ_ONLY, annotations_of
from driftwatch.judge.hosts import as_effects, sentence, turns_by_hint
from driftwatch.judge.plausible import Doubt, doubts
from driftwatch.judge.rules.base import Action, Area, Context, Look, Rule, show
from driftwatch.model import Confidence, Effect, Finding, Kind, Severity

_CLAIMS = {
    READ_ONLY: "claims to only read",
    DESTRUCTIVE: "claims not to destroy anything",
    OPEN_WORLD: "claims a closed world",
}


def check(context: Context) -> Iterator[Finding]:
    """Give every claim that is contradicted now and was not before."""
    for look in context.looks(Kind.TOOL):
        earlier = {doubt.hint for doubt in doubts(look.before)}
        for doubt in doubts(look.after):
            if doubt.hint not in earlier:
                hosts = _believers(doubt, look)
                doubted = f"The tool {_CLAIMS[doubt.hint]}, but its {doubt.where} says {show(doubt.evidence, 40)}."
                yield RULE.finding(
                    look.after,
                    f"/annotations/{doubt.hint}",
                    doubted + sentence(hosts),
                    severity=_severity(doubt, look),
                    confidence=doubt.confidence,
                    after=look.after.raw["annotations"][doubt.hint],
                    hosts=hosts,
                )


def _believers(doubt: Doubt, look: Look) -> tuple[Effect, ...]:
    """Give the hosts that act otherwise because the approved tool makes this claim now."""
    if look.before is None:
        return ()
    behind = turns_by_hint(annotations_of(look.before), annotations_of(look.after))
    return as_effects(behind.get(doubt.hint, ()))


def _severity(doubt: Doubt, look: Look) -> Severity:
    """Weigh a claim that an approved tool makes anew above one that a tool came with."""
    if doubt.hint == OPEN_WORLD:
        return Severity.LOW if doubt.confidence is Confidence.LOW else Severity.MEDIUM
    return Severity.HIGH if look.before is not None else Severity.MEDIUM


RULE = Rule(
    id="hint-implausible",
    title="A hint contradicts what the tool says it does",
    area=Area.HINTS,
    action=Action.ODD,
    severity=Severity.HIGH,
    check=check,
    doc=__doc__,
    confidence=Confidence.MEDIUM,
)
