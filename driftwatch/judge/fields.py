"""Fields of an answer that came or went, in words: what an output schema then says is no bound of one value."""

from __future__ import annotations

from driftwatch.judge.rules.base import show
from driftwatch.judge.schema import Edit
from driftwatch.model import ChangeKind


def came_or_went(edit: Edit) -> str:
    """Say that a field came or went, without the full stop; empty where an edit is about anything else."""
    if edit.keyword != "properties" or not edit.name or edit.change.change is ChangeKind.VALUE_CHANGED:
        return ""
    happened = "new in" if edit.change.change is ChangeKind.VALUE_ADDED else "gone from"
    return f"The field {show(edit.parameter)} is {happened} what the tool says it returns"
