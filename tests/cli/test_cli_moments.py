"""Moments as people read them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from driftwatch.cli.moments import ago

NOW = datetime(2026, 3, 1, 3, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (0.4, "just now"),
        (0.0, "just now"),
        (-0.9, "just now"),
        (-1.0, "1 s ago"),
        (-300.0, "5 min ago"),
        (90.0, "in 90 s"),
    ],
)
def test_what_was_just_written_does_not_seem_to_lie_ahead(after: float, said: str) -> None:
    assert ago(NOW + timedelta(seconds=after), NOW) == said
