"""What comes in as a listing, or as one before and one after: JSON where the bytes are some, else drawn from them."""

from __future__ import annotations

from typing import Any

from driftwatch.errors import UnreadableInputError
from driftwatch.judge.intake import Intake
from driftwatch.judge.intake import read as taken_in
from driftwatch.watch.fetch.reading import UnreadableError, read
from tests.fuzz.drawn import Drawn

DEPTH = 67
"""How deep our own fetching reads."""
PARTS = b"\n---\n"


def intake(data: bytes) -> Intake | None:
    """Read a listing as a file of it is read; None for what is none."""
    if data.lstrip()[:1] not in (b"{", b"["):
        return Intake(Drawn(data).listing())
    try:
        reading = read(data, depth=DEPTH)
        return taken_in(reading.value, reading.oddities)
    except (UnreadableError, UnreadableInputError):
        return None


def two(data: bytes) -> tuple[Intake, Intake] | None:
    """Read a listing and what became of it."""
    if data.lstrip()[:1] in (b"{", b"["):
        before, _, after = data.partition(PARTS)
        one, other = intake(before), intake(after)
        return (one, other) if one is not None and other is not None else None
    drawn = Drawn(data)
    document = drawn.listing()
    changed: dict[str, Any] = {key: drawn.changed(value) for key, value in document.items()}
    return Intake(document), Intake(changed)
