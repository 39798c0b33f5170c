"""What kind of place a pointer names: a description, a title, or something else."""

from __future__ import annotations

import re

from driftwatch.judge import pointer as at
from driftwatch.judge.schema import INPUT, OUTPUT, place
from driftwatch.model import Change, Kind

_DESCRIPTION = re.compile(r"^(?:/serverInfo|/arguments/\d+)?/description$")
_TITLE = re.compile(r"^(?:/serverInfo|/arguments/\d+|/annotations)?/title$")
_DISPLAY_NAMES = frozenset({Kind.RESOURCE, Kind.RESOURCE_TEMPLATE})


def is_description(change: Change) -> bool:
    """Say whether a change is about the text of a description."""
    return bool(_DESCRIPTION.match(change.pointer)) or _schema_keyword(change) == "description"


def is_title(change: Change) -> bool:
    """Say whether a change is about a title, or a resource's display name."""
    named = change.kind in _DISPLAY_NAMES and change.pointer == "/name"
    return named or bool(_TITLE.match(change.pointer)) or _schema_keyword(change) == "title"


def _schema_keyword(change: Change) -> str:
    """Give the keyword that a change inside a schema sets, nothing outside of schemas or deeper in a value."""
    tokens = at.split(change.pointer)
    if tokens[:1] not in ([INPUT], [OUTPUT]):
        return ""
    found = place(change, tokens)
    return "" if found.rest or found.name else found.keyword
