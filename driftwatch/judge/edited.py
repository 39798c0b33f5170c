"""What was done to a schema, in words for a message."""

from __future__ import annotations

from driftwatch.judge.pointer import ABSENT
from driftwatch.judge.rules.base import show, step
from driftwatch.judge.schema import Edit
from driftwatch.model import ChangeKind


def edited(edit: Edit) -> str:
    """Write what became of a keyword, or of those that took each other's place: `{"const": "a"} → {"type": …}`."""
    if not edit.joined:
        return inside(edit) or f"{edit.keyword} {step(edit.change)}"
    was, now = (show(side or ABSENT, 120) for side in (edit.change.before, edit.change.after))
    return f"{was} → {now}"


def inside(edit: Edit) -> str:
    """Say which value came to or went from those of a keyword, such as an `enum`; empty where that is not the case."""
    change = edit.change
    if not edit.rest or change.change is ChangeKind.VALUE_CHANGED:
        return ""
    came = change.change is ChangeKind.VALUE_ADDED
    return f"{edit.keyword} {'has now' if came else 'had'} {show(change.after if came else change.before, 40)}"


def came_or_went(edit: Edit) -> str:
    """Say that a field of an answer came or went, without the full stop; empty where an edit is about anything else."""
    if edit.keyword != "properties" or not edit.name or edit.change.change is ChangeKind.VALUE_CHANGED:
        return ""
    happened = "new in" if edit.change.change is ChangeKind.VALUE_ADDED else "gone from"
    return f"The field {show(edit.parameter)} is {happened} what the tool says it returns"
