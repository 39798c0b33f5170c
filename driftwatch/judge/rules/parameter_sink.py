"""A parameter invites the model to hand over more than the task needs.

What it does
    Finds a parameter whose name or description invites the model to hand over what it knows beyond the task: the
    conversation, its context or reasoning, its instructions, credentials, the contents of files or the environment,
    or, with a plausible reason, whatever else there is. It looks at any depth, behind references, at patterns of
    property names, at a parameter under a new name, and at one that was there and turns into such: by another
    description, by taking free text where it took a fixed choice, by becoming required. A name alone is medium; a
    description that asks for all of it outright ("the whole conversation") is high.

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

import re
from collections.abc import Iterator

from driftwatch.judge import pointer as at
from driftwatch.judge.outright import asks_outright
from driftwatch.judge.parameters import Kept, added, kept
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.sinks import invites
from driftwatch.model import Change, Confidence, Finding, Kind, Severity

_ARGUMENT = re.compile(r"^/arguments/\d+/description$")


def check(context: Context) -> Iterator[Finding]:
    """Give every new parameter that invites too much, of new items as well; in a scan, as a hint only."""
    for parameter in added(context, unnamed=True):
        found = invites(parameter.name, parameter.schema)
        if found and parameter.free:
            what, severity = found
            new = context.baseline is not None and parameter.look.before is not None
            yield RULE.about(
                parameter.change,
                f"The parameter {show(parameter.path)} invites the model to hand over {what}.",
                severity=severity if new or severity is Severity.HIGH else Severity.LOW,
            )
    for one in kept(context):
        yield from _turned(one)
    yield from _arguments(context)


def _turned(one: Kept) -> Iterator[Finding]:
    """Give a parameter that was there before and invites too much now, or that has to be filled in now."""
    after = invites(one.after.name, one.after.schema)
    if after is None or not one.after.free():
        return
    before = invites(one.before.name, one.before.schema) if one.before.free() else None
    what, severity = after
    name = show(one.after.path)
    if before is None or severity > before[1]:
        as_a_whole = " as a whole" if severity is Severity.HIGH else ""
        message = f"The parameter {name} now invites the model to hand over {what}{as_a_whole}."
    elif one.after.required and not one.before.required:
        message = f"The parameter {name}, which invites the model to hand over {what}, is required now."
        severity = Severity.MEDIUM
    else:
        return
    yield RULE.finding(
        one.look.after,
        _place(one),
        message,
        severity=severity,
        before=_said(one.before.schema),
        after=_said(one.after.schema),
    )


def _place(one: Kept) -> str:
    """Give the place of the description where that is what changed, else of the parameter."""
    reworded = _said(one.before.schema) != _said(one.after.schema)
    here = isinstance(one.after.sub.raw, dict) and "description" in one.after.sub.raw
    return at.join(one.after.pointer, "description") if reworded and here else one.after.pointer


def _said(schema: object) -> object:
    return schema.get("description") if isinstance(schema, dict) else None


def _arguments(context: Context) -> Iterator[Finding]:
    """Give every argument of a prompt whose description now asks for all of something."""
    for change in context.values(Kind.PROMPT):
        after = change.after
        if not _ARGUMENT.match(change.pointer) or not isinstance(after, str):
            continue
        what = asks_outright(after)
        if what and not _asked(change, what):
            yield RULE.about(change, f"An argument now asks for {what} as a whole.", severity=Severity.HIGH)


def _asked(change: Change, what: str) -> bool:
    return isinstance(change.before, str) and asks_outright(change.before) == what


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
