"""Snapshots: whatever a server shows is taken whole, in one order, and comes back as it was."""

from __future__ import annotations

from typing import Any

from driftwatch.judge.bounded import bounded
from driftwatch.judge.snapshot import LISTS, document_of, oddities_of, take
from tests.fuzz.listings import intake


def one(data: bytes) -> None:
    """Take one listing."""
    given = intake(data)
    if given is None:
        return
    snapshot = take(given.document, given.oddities)
    # Spelt: what is no number does not equal itself.
    assert repr(take(given.document, given.oddities)) == repr(snapshot)
    assert repr(take(document_of(snapshot), oddities_of(snapshot))) == repr(snapshot)
    shuffled = {
        key: value[::-1] if key in LISTS and isinstance(value, list) else _turned(value)
        for key, value in reversed(given.document.items())
    }
    assert take(shuffled).digest == take(given.document).digest
    (cut,) = bounded(snapshot)
    assert cut.digest == snapshot.digest
    assert len(cut.items) == len(snapshot.items)


def _turned(value: Any) -> Any:
    return dict(reversed(value.items())) if isinstance(value, dict) else value
