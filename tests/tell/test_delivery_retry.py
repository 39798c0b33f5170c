"""When a failed delivery is tried again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.config.channels import WebhookConfig
from driftwatch.model import SendResult, SendVerdict
from driftwatch.tell.retry import LONGEST, MAX_AGE, next_attempt

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
AGAIN = SendResult(SendVerdict.RETRY, "HTTP 503")


def wait(attempts: int, *, result: SendResult = AGAIN, jitter: float = 0.999_999, most: int = 12) -> float | None:
    at = next_attempt(attempts, result, now=NOW, max_attempts=most, jitter=jitter)
    return None if at is None else (at - NOW).total_seconds()


def test_waits_grow_threefold_up_to_an_hour() -> None:
    waits = [round(wait(attempts) or 0) for attempts in range(1, 12)]

    assert waits == [1, 3, 9, 27, 81, 243, 729, 2187, 3600, 3600, 3600]


def test_jitter_moves_a_wait_between_its_half_and_its_whole() -> None:
    assert wait(3, jitter=0.0) == 4.5
    assert wait(3, jitter=0.5) == 6.75


def test_the_last_attempt_is_followed_by_none() -> None:
    assert wait(11) is not None
    assert wait(12) is None


def test_a_refusal_for_good_is_not_tried_again() -> None:
    assert wait(1, result=SendResult(SendVerdict.STOP, "HTTP 410")) is None


def test_a_receiver_can_ask_for_more_time_within_bounds() -> None:
    assert wait(1, result=SendResult(SendVerdict.RETRY, "HTTP 429", retry_after=120.0)) == 120.0
    assert wait(1, result=SendResult(SendVerdict.RETRY, "HTTP 429", retry_after=10.0**9)) == LONGEST


def test_a_receiver_cannot_ask_to_be_hurried() -> None:
    assert (wait(5, result=SendResult(SendVerdict.RETRY, "HTTP 429", retry_after=0.0)) or 0) > 40


def test_what_is_too_old_is_given_up() -> None:
    old, fresh = (
        next_attempt(3, AGAIN, now=NOW, max_attempts=12, jitter=0.5, created_at=NOW - age)
        for age in (MAX_AGE, timedelta(hours=1))
    )

    assert old is None
    assert fresh is not None


@pytest.mark.parametrize("attempts", [1, 2])
def test_a_clock_that_is_wrong_for_a_moment_costs_no_message_its_only_attempt(attempts: int) -> None:
    assert next_attempt(attempts, AGAIN, now=NOW, max_attempts=12, jitter=0.5, created_at=NOW - 9 * MAX_AGE) is not None


@given(
    attempts=st.integers(-3, 10**6),
    jitter=st.floats(0, 1, exclude_max=True),
    asked=st.none() | st.floats(allow_nan=False),
)
def test_every_wait_is_positive_and_at_most_an_hour(attempts: int, jitter: float, asked: float | None) -> None:
    at = next_attempt(
        attempts,
        SendResult(SendVerdict.RETRY, "HTTP 429", retry_after=asked),
        now=NOW,
        max_attempts=10**7,
        jitter=jitter,
    )

    assert at is not None
    assert timedelta(0) < at - NOW <= timedelta(seconds=LONGEST)


@pytest.mark.parametrize("asked", [float("nan"), float("inf"), -5.0])
def test_a_nonsensical_request_for_time_does_no_harm(asked: float) -> None:
    seconds = wait(1, result=SendResult(SendVerdict.RETRY, "HTTP 429", retry_after=asked))

    assert seconds is not None
    assert 0 < seconds <= LONGEST


def test_a_receiver_that_is_away_over_a_weekend_is_still_told() -> None:
    most = WebhookConfig.model_fields["max_attempts"].default
    now, attempts = NOW, 0

    while now < NOW + timedelta(hours=63):
        attempts += 1
        again = next_attempt(attempts, AGAIN, now=now, max_attempts=most, jitter=0.0, created_at=NOW)
        assert again is not None
        now = again
