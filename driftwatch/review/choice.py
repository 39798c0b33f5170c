"""What a person chose in a review, and what they had before their eyes when they did: one value for every way in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from driftwatch.errors import Moved, StaleReviewError
from driftwatch.model import Place, Rehearsed, ServerState


@dataclass(frozen=True, slots=True)
class Choice:
    """What of a list is decided on, and what a person had seen then.

    `items` are the places that are taken, None for all of the list: something that was added or changed there, or
    nothing where it was removed; a rename is two places. What other identities are shown is approved with a list as a
    whole, unless that is approved `alone`.

    The rest is what was before their eyes, None where that is not held against them: `shown` and `baseline` are
    digests, `identities` is the mark of what other identities are shown (`driftwatch.review.approve.mark_of`).
    """

    items: tuple[Place, ...] | None = None
    alone: bool = False
    shown: str | None = None
    baseline: str | None = None
    identities: str | None = None


ALL: Final = Choice()
"""All of a list, whatever was seen."""


def moved(state: ServerState, choice: Choice) -> Moved | None:
    """Say what is no longer as it was seen, None where all still is. What identities are shown is not looked at."""
    if choice.shown is not None and choice.shown != state.last_digest:
        return Moved.SHOWN
    if choice.baseline is not None and choice.baseline != (state.baseline.digest if state.baseline else ""):
        return Moved.BASELINE
    return None


def looked_again(again: Rehearsed | None) -> str:
    """Say that another list came to light because the one that was reviewed was looked at again; empty where not."""
    return (
        "" if again is None or not again.other else f": the {again.next_look} look, made before a decision, showed it"
    )


def refuse_moved(state: ServerState, choice: Choice, identities: str, again: Rehearsed | None = None) -> None:
    """Refuse a decision on what is no longer so; `identities` is the mark of what they are shown now.

    `again` is what is known of the list that a person had before their eyes, where it was looked at again.

    Raises:
        StaleReviewError: something moved.

    """
    words = {
        Moved.SHOWN: f"{state.server!r} shows another list by now than the one that was reviewed{looked_again(again)}.",
        Moved.BASELINE: f"Another list of {state.server!r} was approved since the difference was shown.",
        Moved.IDENTITIES: (
            f"What other identities are shown by {state.server!r} changed since the difference was shown."
        ),
    }
    found = moved(state, choice)
    if found is None and choice.items is None and choice.identities not in {None, identities}:
        found = Moved.IDENTITIES
    if found is not None:
        raise StaleReviewError(words[found], moved=found)
