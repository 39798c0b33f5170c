"""A title is another one.

What it does
    Records that a title or a display name is another: of an item, of its annotations, of a parameter, of the
    server. A title that only repeats the name in other letters ("List tickets" for list_tickets) is for the record,
    and so is a short title inside a schema: libraries write both by themselves.

Why it matters
    A title is what a host shows to a person in the place of the name. A title that names another thing misleads
    whoever clicks.

Example
    before  {"title": "List tickets"}
    after   {"title": "Show tickets"}

What to do
    Check that the title still fits what the item does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from driftwatch.judge import pointer as at
from driftwatch.judge.names import word_set, words
from driftwatch.judge.places import is_title
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.schema import INPUT, OUTPUT
from driftwatch.model import Change, ChangeKind, Finding, Json, Kind, Severity

_SCHEMA_SUFFIXES = word_set("arguments args params parameters input request output response result model schema")
"""What libraries append to a tool's name to make a title of its schema."""

_SHORT = 8
"""Words of a title inside a schema that are no sentence yet."""


def check(context: Context) -> Iterator[Finding]:
    """Give every changed title."""
    for change in map(_inner, context.values()):
        if is_title(change):
            names = [title for title in (change.before, change.after) if title is not None]
            repeats = bool(names) and all(_repeats(title, change) for title in names)
            quiet = repeats or (_in_schema(change) and all(_short(title) for title in names))
            severity = Severity.INFO if quiet else Severity.LOW
            yield RULE.about(
                change, _message(change, repeats=repeats), severity=severity, category="repeats-name" if repeats else ""
            )


def _inner(change: Change) -> Change:
    """Give the change of the title where annotations came, went or were replaced as a whole, else the change itself."""
    if change.pointer != "/annotations":
        return change
    was, now = (value.get("title") if isinstance(value, dict) else None for value in (change.before, change.after))
    if was == now:
        return change
    kind = ChangeKind.VALUE_CHANGED
    if was is None or now is None:
        kind = ChangeKind.VALUE_ADDED if was is None else ChangeKind.VALUE_REMOVED
    return replace(change, change=kind, pointer="/annotations/title", before=was, after=now)


def _message(change: Change, *, repeats: bool) -> str:
    was, now = show(change.before), show(change.after)
    name = " Like the other, it repeats the name." if repeats else ""
    if change.change is ChangeKind.VALUE_CHANGED:
        return f"A title was {was} and is {now}.{name}"
    name = " that repeats the name" if repeats else ""
    came = change.change is ChangeKind.VALUE_ADDED
    return f"A title{name} was added: {now}." if came else f"A title{name} is gone: {was}."


def _in_schema(change: Change) -> bool:
    return change.pointer.startswith((f"/{INPUT}/", f"/{OUTPUT}/"))


def _short(title: Json) -> bool:
    return isinstance(title, str) and len(title.split()) <= _SHORT


def _repeats(title: Json, change: Change) -> bool:
    """Say whether a title is the name of what bears it, in other letters."""
    name = _name(change)
    if not isinstance(title, str) or not name:
        return False
    said, named = words(title), words(name)
    rest = said[len(named) :] if _of_schema_itself(change) else ()
    return said == named or bool(rest and said[: len(named)] == named and set(rest) <= _SCHEMA_SUFFIXES)


def _of_schema_itself(change: Change) -> bool:
    return change.pointer in (f"/{INPUT}/title", f"/{OUTPUT}/title")


def _name(change: Change) -> str:
    """Give the name of what bears a title: the parameter, or the item; nothing for what has none."""
    if _in_schema(change) and not _of_schema_itself(change):
        tokens = at.split(change.pointer)
        return tokens[-2] if tokens[-3:-2] == ["properties"] else ""
    return change.key if change.kind is not Kind.SERVER and not change.pointer.startswith("/arguments/") else ""


RULE = Rule(
    id="title-changed",
    title="A title is another one",
    area=Area.TEXT,
    action=Action.CHANGED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
)
