"""A parameter invites the model to hand over more than the task needs.

What it does
    Finds a parameter whose name or description invites the model to hand over what it knows beyond the task: the
    conversation, its context or reasoning, its instructions, credentials, the contents of files or the environment.
    A name alone is medium; a description that asks for all of it outright ("the whole conversation") is high.

Why it matters
    A tool needs no words of attack to collect secrets: a plausible free-text field is enough, and the model fills
    it on its own.

Example
    before  {"properties": {"project": {"type": "string"}}}
    after   {"properties": {"project": {"type": "string"}, "conversation_history": {"type": "string"}}}

What to do
    Ask what the server does with it. Approve only if the task cannot be done without.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.outright import asks_outright
from driftwatch.judge.parameters import added, described
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.sinks import invites
from driftwatch.model import Confidence, Finding, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every new parameter that invites too much, of new items as well; in a scan, as a hint only."""
    for parameter in added(context):
        found = invites(parameter.name, parameter.schema)
        if found:
            what, severity = found
            new = context.baseline is not None and parameter.look.before is not None
            yield RULE.about(
                parameter.change,
                f"The parameter {show(parameter.path)} invites the model to hand over {what}.",
                severity=severity if new or severity is Severity.HIGH else Severity.LOW,
            )
    yield from _turned(context)


def _turned(context: Context) -> Iterator[Finding]:
    """Give every parameter that was there before and whose description now asks for all of something."""
    for change in context.values(Kind.TOOL, Kind.PROMPT):
        name = described(change.pointer)
        before, after = change.before, change.after
        if name is None or not isinstance(after, str):
            continue
        what = asks_outright(after)
        if what and not (isinstance(before, str) and asks_outright(before) == what):
            place = f"The parameter {show(name)}" if name else "An argument"
            yield RULE.about(change, f"{place} now asks for {what} as a whole.", severity=Severity.HIGH)


RULE = Rule(
    id="parameter-sink",
    title="A parameter invites the model to hand over more than the task needs",
    area=Area.SCHEMA,
    action=Action.WIDENED,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
    confidence=Confidence.MEDIUM,
)
