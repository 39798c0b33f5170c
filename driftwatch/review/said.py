"""What a person says along with a decision: a name and a note, within bounds. Whatever shows them escapes them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from driftwatch.errors import UsageError
from driftwatch.model import Actor
from driftwatch.model.amounts import many

NOTE: Final = 2_000
"""Characters of a note or a reason: it goes along with every message about the alert."""

NAME: Final = 200
"""Characters of a name."""


def noted(text: str, what: str = "note") -> str:
    """Give a note or a reason without the blanks around it.

    Raises:
        UsageError: it is too long.

    """
    return _within(text.strip(), NOTE, f"The {what}", "Say it in fewer words, or write where the rest is.")


def named(by: Actor) -> Actor:
    """Give who acts, without the blanks around the name.

    Raises:
        UsageError: the name is too long.

    """
    return replace(by, name=_within(by.name.strip(), NAME, "The name", "Give the name that others know."))


def _within(text: str, most: int, what: str, hint: str) -> str:
    if len(text) > most:
        raise UsageError(f"{what} has {many(len(text), 'character')}, and {most:,} are the most.", hint=hint)
    return text
