"""How long what is over is kept, as it is configured."""

from __future__ import annotations

from pathlib import Path

import pytest

from driftwatch.config.load import parse
from driftwatch.config.retention import RetentionConfig
from driftwatch.config.words import InvalidConfigError

DAY = 86_400.0


def read(text: str, tmp_path: Path) -> RetentionConfig:
    return parse(f"[retention]\n{text}\n", {}, base=tmp_path).retention


def test_nothing_is_dropped_by_default_but_messages_of_which_nobody_waits_for_anything() -> None:
    assert RetentionConfig().model_dump() == {
        "looks": None,
        "looks_count": None,
        "alerts": None,
        "alerts_count": None,
        "deliveries": 90 * DAY,
        "deliveries_count": None,
    }


def test_ages_are_durations_or_for_ever_and_numbers_are_numbers(tmp_path: Path) -> None:
    found = read('looks = "3650d"\nlooks_count = 1000\nalerts = 172800\ndeliveries = "forever"', tmp_path)

    assert (found.looks, found.looks_count, found.alerts, found.deliveries) == (3650 * DAY, 1000, 2 * DAY, None)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('looks = "7d"', "at least 8d"),
        ("looks_count = 499", "500"),
        ('alerts = "1h"', "at least 1d"),
        ('deliveries = "never"', "not a duration"),
        ("deliveries = true", "not a duration"),
        ('looks = "40000d"', "a hundred years"),
        ("alerts_count = 0", "1"),
        ('look = "9d"', "unknown key"),
    ],
)
def test_what_cannot_be_meant_is_a_problem_that_says_why(text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidConfigError) as raised:
        read(text, tmp_path)

    assert why in str(raised.value)
    assert "retention." in str(raised.value)
