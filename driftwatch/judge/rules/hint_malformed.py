"""A hint has a value that is neither true nor false.

What it does
    Finds a hint whose value is not true or false, and annotations that are not an object. For the dangers the hint
    counts as absent; its raw value is kept. It is high when the value takes the place of a hint that was spelled
    out and a host that only tests for truth asks less because of it.

Why it matters
    Clients differ on such values. A strict one refuses the tool or the whole list; one that only tests for truth
    reads the string "false" as true; others ignore the hint. Each of them is a way around a gate.

Example
    before  {"name": "update_ticket", "annotations": {"destructiveHint": true}}
    after   {"name": "update_ticket", "annotations": {"destructiveHint": "false"}}

What to do
    Treat the hint as not given, and report the mistake to the server's maker.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.canonical import same
from driftwatch.judge.context import Look
from driftwatch.judge.hints import annotations_of, malformed
from driftwatch.judge.hosts import Turn, as_effects, sentence, turns_by_hint
from driftwatch.judge.hosts.base import Odd, truthy
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Finding, Json, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every malformed hint that the baseline did not have as well."""
    for look in context.looks(Kind.TOOL):
        was, now = annotations_of(look.before), annotations_of(look.after)
        if now is not None and not isinstance(now, dict) and not same(was, now):
            message = f"The annotations are {show(now, 40)}, which is no object: every hint counts as absent."
            yield RULE.finding(look.after, "/annotations", message, before=was, after=now)
        earlier = malformed(was)
        news = {hint: value for hint, value in malformed(now).items() if not _same(earlier, hint, value)}
        behind = turns_by_hint(was, now) if news and look.before is not None else {}
        for hint, value in news.items():
            yield _finding(look, hint, value, behind.get(hint, ()))


def _same(earlier: dict[str, Json], hint: str, value: Json) -> bool:
    return hint in earlier and same(earlier[hint], value)


def _finding(look: Look, hint: str, value: Json, turns: tuple[Turn, ...]) -> Finding:
    was = annotations_of(look.before)
    before = was.get(hint) if isinstance(was, dict) else None
    buys = isinstance(before, bool) and any(turn.eases and turn.host.odd is Odd.TRUTHY for turn in turns)
    effects = as_effects(turns)
    return RULE.finding(
        look.after,
        f"/annotations/{hint}",
        f"{hint} is {show(value, 40)}, neither true nor false. A strict client refuses the tool or the whole list, one "
        f"that only tests for truth takes it for {str(truthy(value)).lower()}, and here it counts as absent."
        f"{sentence(effects)}",
        severity=Severity.HIGH if buys else Severity.MEDIUM,
        before=before,
        after=value,
        hosts=effects,
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
