"""Single items as people write them: `tool:NAME`, `prompt:NAME`, `resource:URI`, `server`, `launch`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeAlias

import typer

from driftwatch.config.words import did_you_mean, quoted
from driftwatch.errors import UnknownItemError, UsageError
from driftwatch.judge.text.visible import visible
from driftwatch.model import Kind, Place

Items: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--item",
        metavar="KIND:NAME",
        help="Only this item, as in tool:NAME; server is what it says of itself, launch how it is started. May be "
        "given more than once.",
    ),
]

_WHOLE = frozenset({Kind.SERVER, Kind.LAUNCH})
"""The kinds of which there is one, without a name."""


def spelled(place: Place) -> str:
    """Write a place as it can be given to `--item`."""
    kind, key, _ = place
    return kind.value if kind in _WHOLE else f"{kind.value}:{visible(key)}"


def places_of(words: Sequence[str] | None, differing: Sequence[Place]) -> tuple[Place, ...] | None:
    """Read the items that a person named, of those that differ; None where none was named: the whole list is meant.

    A name may be written as it is shown, with what is invisible in it escaped. Items of one name are taken together.

    Raises:
        UsageError: one is not written as an item is.
        UnknownItemError: nothing of that name differs.

    """
    if not words:
        return None
    return tuple(dict.fromkeys(place for one in words for place in _places(one, differing)))


def _places(word: str, differing: Sequence[Place]) -> list[Place]:
    kind, key = _read(word)
    found = [place for place in differing if place[0] is kind and key in {place[1], visible(place[1])}]
    if not found:
        known = [spelled(place) for place in differing]
        few = f"What differs: {', '.join(known[:8])}{' …' if len(known) > 8 else ''}" if known else "Nothing differs."
        hint = did_you_mean(word, known, otherwise=few)
        raise UnknownItemError(f"Nothing called {quoted(word)} differs.", hint=hint[:1].upper() + hint[1:])
    return found


def _read(word: str) -> tuple[Kind, str]:
    sort, colon, key = word.partition(":")
    try:
        kind = Kind(sort.strip().lower().replace("-", "_").replace(" ", "_"))
    except ValueError:
        kind = None
    if kind is None or (not colon and kind not in _WHOLE) or (colon and kind in _WHOLE and key):
        hint = "Write it as tool:NAME, prompt:NAME, resource:URI, resource_template:URI, server or launch."
        raise UsageError(f"{quoted(word)} is not an item.", hint=hint)
    return kind, key
