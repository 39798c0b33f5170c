"""What is counted while a daemon runs."""

from __future__ import annotations

import pytest

from driftwatch.model import DeliveryState, Failure, Malformed, Refused, Unreachable
from driftwatch.run.tally import OUTCOMES, Spread, Tally, outcome_of
from driftwatch.watch.result import CheckCode, CheckResult
from tests.fakes import listed, tool


def test_values_are_spread_over_bounds_that_include_themselves() -> None:
    spread = Spread((1.0, 5.0))
    for value in (0.5, 1.0, 4.0, 6.0, -3.0):
        spread.add(value)

    assert (spread.upto(), spread.total) == ([3, 4, 5], 11.5)


@pytest.mark.parametrize(
    ("failure", "outcome"),
    [
        (Unreachable("timeout", ""), "unreachable"),
        (Malformed("html", ""), "malformed"),
        (Refused("unauthorized", ""), "refused"),
    ],
)
def test_a_look_that_failed_counts_by_how_it_failed(failure: Failure, outcome: str) -> None:
    assert outcome_of(CheckResult("notes", CheckCode.FAILED, failure)) == outcome


@pytest.mark.parametrize("code", [code for code in CheckCode if code is not CheckCode.FAILED])
def test_a_look_that_worked_counts_by_what_it_came_to(code: CheckCode) -> None:
    tally = Tally()
    tally.looked(CheckResult("notes", code, listed(tool())), 0.2)

    assert tally.looks == {code.value: 1}
    assert code.value in OUTCOMES


def test_attempts_count_by_channel_and_by_what_they_left() -> None:
    tally = Tally()
    for state in (DeliveryState.DELIVERED, DeliveryState.PENDING, DeliveryState.DEAD, DeliveryState.DEAD):
        tally.sent("hook", state)

    assert tally.attempts == {("hook", "delivered"): 1, ("hook", "retried"): 1, ("hook", "given-up"): 2}
