from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from driftwatch.config.schema import Intervals
from driftwatch.watch.schedule import (
    Reason,
    after_failure,
    after_success,
    first_look,
    pause_of_host,
    reconnect_delay,
)

NOW = datetime(2026, 3, 1, 3, 0, tzinfo=UTC)
INTERVAL = Intervals(default=300, floor=30, ceiling=3600)

jitters = st.floats(min_value=0, max_value=1, exclude_max=True)
ttls = st.none() | st.integers(min_value=0, max_value=10**18)


@st.composite
def intervals(draw: st.DrawFn) -> Intervals:
    floor, default, ceiling = sorted(draw(st.lists(st.integers(1, 100_000), min_size=3, max_size=3)))
    return Intervals(default=default, floor=floor, ceiling=ceiling)


def seconds(at: datetime) -> float:
    return (at - NOW).total_seconds()


@given(ttls, intervals(), jitters)
def test_the_next_look_lies_within_floor_and_ceiling(ttl_ms: int | None, interval: Intervals, jitter: float) -> None:
    plan = after_success(now=NOW, ttl_ms=ttl_ms, interval=interval, jitter=jitter)

    assert interval.floor - 1e-3 <= seconds(plan.at) <= interval.ceiling + 1e-3


@given(st.integers(min_value=0, max_value=10**9), intervals(), jitters)
def test_the_next_look_never_comes_before_freshness_ends_unless_the_ceiling_does(
    ttl_ms: int, interval: Intervals, jitter: float
) -> None:
    plan = after_success(now=NOW, ttl_ms=ttl_ms, interval=interval, jitter=jitter)

    assert seconds(plan.at) >= ttl_ms / 1000 - 1e-3 or ttl_ms / 1000 > interval.ceiling * 0.9


@given(st.integers(min_value=1, max_value=10**6), st.none() | st.floats(0, 1e12), intervals(), jitters)
def test_a_failed_look_is_tried_again_within_floor_and_ceiling(
    failures: int, retry_after: float | None, interval: Intervals, jitter: float
) -> None:
    plan = after_failure(now=NOW, failures=failures, retry_after=retry_after, interval=interval, jitter=jitter)

    assert interval.floor - 1e-3 <= seconds(plan.at) <= interval.ceiling + 1e-3


def test_a_server_that_gives_no_freshness_gets_the_default_interval() -> None:
    plan = after_success(now=NOW, ttl_ms=None, interval=INTERVAL, jitter=0)

    assert (seconds(plan.at), plan.reason) == (300, Reason.DEFAULT)


def test_a_freshness_between_the_bounds_is_honoured() -> None:
    plan = after_success(now=NOW, ttl_ms=90_000, interval=INTERVAL, jitter=0)

    assert (seconds(plan.at), plan.reason) == (90, Reason.FRESHNESS)


def test_a_freshness_of_nothing_promises_nothing_and_gets_the_default_interval() -> None:
    plan = after_success(now=NOW, ttl_ms=0, interval=INTERVAL, jitter=0)

    assert (seconds(plan.at), plan.reason) == (300, Reason.DEFAULT)


def test_a_freshness_of_a_moment_cannot_make_us_hammer_a_server() -> None:
    plan = after_success(now=NOW, ttl_ms=1, interval=INTERVAL, jitter=0)

    assert (seconds(plan.at), plan.reason) == (30, Reason.FLOOR)


def test_a_freshness_of_a_hundred_years_cannot_stop_the_looking() -> None:
    plan = after_success(now=NOW, ttl_ms=100 * 365 * 86_400_000, interval=INTERVAL, jitter=0)

    assert (seconds(plan.at), plan.reason) == (3600, Reason.CEILING)


def test_a_freshness_that_no_float_can_hold_is_one_beyond_the_ceiling() -> None:
    look = after_success(now=NOW, ttl_ms=10**400, interval=Intervals(), jitter=0.0)

    assert (look.at - NOW, look.reason) == (timedelta(seconds=3600), Reason.CEILING)


def test_failures_in_a_row_are_tried_ever_later() -> None:
    delays = [
        seconds(after_failure(now=NOW, failures=count, retry_after=None, interval=INTERVAL, jitter=0).at)
        for count in (1, 2, 3, 4, 50)
    ]

    assert delays == [30, 60, 120, 240, 3600]


def test_a_retry_after_puts_the_look_off_but_not_past_the_ceiling() -> None:
    soon = after_failure(now=NOW, failures=1, retry_after=100, interval=INTERVAL, jitter=0)
    never = after_failure(now=NOW, failures=1, retry_after=1e9, interval=INTERVAL, jitter=0)

    assert (seconds(soon.at), soon.reason) == (100, Reason.RETRY_AFTER)
    assert seconds(never.at) == 3600


def test_a_retry_after_of_a_moment_does_not_undo_the_back_off() -> None:
    plan = after_failure(now=NOW, failures=4, retry_after=1, interval=INTERVAL, jitter=0)

    assert (seconds(plan.at), plan.reason) == (240, Reason.BACK_OFF)


def test_a_host_is_paused_for_as_long_as_it_asks_within_the_bounds() -> None:
    asked = [pause_of_host(retry_after=wish, interval=INTERVAL) for wish in (None, 1, 120, 1e9)]

    assert asked == [30, 30, 120, 3600]


def test_a_fleet_that_starts_is_spread_over_a_few_seconds() -> None:
    starts = {seconds(first_look(now=NOW, due=None, interval=INTERVAL, jitter=jitter)) for jitter in (0, 0.5, 0.9)}

    assert starts == {0, 2.5, 4.5}


def test_a_server_that_is_not_due_yet_keeps_its_time_over_a_restart() -> None:
    due = NOW + timedelta(seconds=200)

    assert first_look(now=NOW, due=due, interval=INTERVAL, jitter=0.5) == due


def test_a_time_far_in_the_future_is_brought_back_to_the_ceiling_at_a_restart() -> None:
    at = first_look(now=NOW, due=NOW + timedelta(days=30), interval=INTERVAL, jitter=0.5)

    assert seconds(at) == 3600


def test_a_stream_that_keeps_dropping_is_opened_ever_more_rarely() -> None:
    delays = [reconnect_delay(attempts=count, jitter=0, ceiling=60) for count in (1, 2, 3, 100)]

    assert delays == [1, 2, 4, 60]
