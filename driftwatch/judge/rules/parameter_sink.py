"""A parameter invites the model to hand over more than the task needs.

What it does
    Finds a parameter whose name or description invites the model to hand over what it knows beyond the task: the
    conversation, its context or reasoning, its instructions, credentials, the contents of files or the environment,
    or, with a plausible reason, whatever else there is. It looks at any depth, behind references, at patterns of
    property names, at a parameter under a new name, and at one that was there and turns into such: by another
    description, by taking free text where it took a fixed choice, by becoming required. A name alone is medium; a
    name or a description that asks for all of it outright ("full_chat_history") is high.

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
from typing import NamedTuple

from driftwatch.judge import pointer as at
from driftwatch.judge.outright import asks_outright
from driftwatch.judge.parameters import Kept, Parameter, added, kept
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.schema.slots import Slot
from driftwatch.judge.sinks import Descriptions, invites
from driftwatch.model import Change, Confidence, Finding, Json, Kind, Severity

_ARGUMENT = re.compile(r"^/arguments/\d+/description$")


def check(context: Context) -> Iterator[Finding]:
    """Give every new parameter that invites too much, of new items as well; in a scan, as a hint only."""
    descriptions = Descriptions()
    for parameter in added(context, unnamed=True):
        found = _invitation(parameter.slot, descriptions) if parameter.slot else _of_argument(parameter)
        if found and parameter.free:
            what, severity, pointer, schema = found
            new = context.baseline is not None and parameter.look.before is not None
            yield RULE.finding(
                parameter.look.after,
                pointer,
                f"The parameter {show(parameter.path)} invites the model to hand over {what}.",
                severity=severity if new or severity is Severity.HIGH else Severity.LOW,
                after=schema,
            )
    for one in kept(context):
        yield from _turned(one, descriptions)
    yield from _arguments(context)


class _Invitation(NamedTuple):
    """What a parameter invites to, how bad that is, and the declaration that does: where it stands, what it is."""

    what: str
    severity: Severity
    pointer: str
    schema: Json


def _invitation(slot: Slot, descriptions: Descriptions) -> _Invitation | None:
    """Give the worst of what the declarations of a parameter invite to, the first of equals."""
    found = ((invites(one.name, one.schema, descriptions), one) for one in slot.declarations)
    told = [_Invitation(*said, one.pointer, one.sub.raw) for said, one in found if said is not None]
    return max(told, key=lambda one: one.severity, default=None)


def _of_argument(parameter: Parameter) -> _Invitation | None:
    found = invites(parameter.name, parameter.schema)
    return _Invitation(*found, parameter.change.pointer, parameter.change.after) if found else None


def _turned(one: Kept, descriptions: Descriptions) -> Iterator[Finding]:
    """Give a parameter that was there before and invites too much now, or that has to be filled in now."""
    after = _invitation(one.after, descriptions)
    if after is None or not one.after.free():
        return
    before = _invitation(one.before, descriptions) if one.before.free() else None
    severity, name = after.severity, show(one.after.path)
    if before is None or severity > before.severity:
        as_a_whole = " as a whole" if severity is Severity.HIGH else ""
        message = f"The parameter {name} now invites the model to hand over {after.what}{as_a_whole}."
    elif one.after.required and not one.before.required:
        message = f"The parameter {name}, which invites the model to hand over {after.what}, is required now."
        severity = Severity.MEDIUM
    else:
        return
    was, now = _said(one.before.schema), _said(after.schema) or _said(one.after.schema)
    # The place of the description where that is what changed, else of the parameter.
    reworded = was != now and _said(after.schema) is not None
    pointer = at.join(after.pointer, "description") if reworded else after.pointer
    yield RULE.finding(one.look.after, pointer, message, severity=severity, before=was, after=now)


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
