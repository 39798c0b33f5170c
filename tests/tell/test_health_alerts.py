"""When failed looks are told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from driftwatch.model import Alert, AlertState, EventKind, Failure, Malformed, Refused, Severity, Unreachable
from driftwatch.tell.alerts import Told, Why, decide_health
from driftwatch.tell.health import outcome_of, spoken

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DOWN = Unreachable("timeout", "no answer in 30 s")
LOCKED = Refused("unauthorized", "HTTP 401", status=401)


def decide(
    current: Alert | None,
    outcome: Failure | None,
    *,
    failures: int = 3,
    after: timedelta = timedelta(),
    since: datetime | None = NOW - timedelta(hours=1),
) -> Told | None:
    return decide_health(
        current,
        server="files",
        failures=failures,
        alert_after=3,
        outcome=outcome,
        now=NOW + after,
        new_id=lambda: "alr_h",
        since=since,
    )


def opened(outcome: Failure = DOWN) -> Alert:
    told = decide(None, outcome)
    assert told is not None
    return told.alert


@pytest.mark.parametrize("failures", [0, 1, 2])
def test_a_few_failed_looks_are_not_an_alert(failures: int) -> None:
    assert decide(None, DOWN, failures=failures) is None


def test_another_key_than_the_pinned_one_is_told_at_once_as_high_with_what_it_may_mean() -> None:
    told = decide(
        None, Refused("tls-pin", "the server showed another TLS key than the pinned ones: sha256/x"), failures=1
    )

    assert told is not None
    assert (told.event, told.alert.severity) == (EventKind.OPENED, Severity.HIGH)
    assert "sha256/x" in told.alert.summary
    assert "somebody else answers in its place" in told.alert.summary


@pytest.mark.parametrize(
    ("outcome", "severity", "advice"),
    [
        (Refused("address-refused", "the host leads to 127.0.0.1"), Severity.HIGH, "Find out why its name leads there"),
        (Refused("sign-in", "HTTP 401"), Severity.HIGH, "Check its authorization server"),
        (Unreachable("sign-in", "HTTP 503"), Severity.MEDIUM, "Check its authorization server"),
        (Unreachable("proxy", "no connection to the proxy"), Severity.MEDIUM, "Check the proxy, then"),
    ],
)
def test_what_is_not_the_servers_own_health_has_its_own_advice(
    outcome: Failure, severity: Severity, advice: str
) -> None:
    told = decide(None, outcome)

    assert told is not None
    assert told.alert.severity is severity
    assert advice in told.alert.summary


def test_enough_failed_looks_in_a_row_open_an_alert() -> None:
    told = decide(None, DOWN)

    assert told is not None
    assert (told.event, told.reason, told.alert.severity) == (EventKind.OPENED, Why.FIRST, Severity.MEDIUM)
    assert told.alert.summary == (
        "The last 3 looks at files failed (timeout: no answer in 30 s). Nothing is known about its list since "
        "2026-03-01 11:00 UTC. Check that it runs, then: driftwatch check files"
    )
    assert outcome_of(told.alert) == {
        "outcome": "unreachable",
        "code": "timeout",
        "status": None,
        "failures": 3,
        "since": "2026-03-01T11:00:00+00:00",
    }


def test_refused_credentials_are_worse_because_they_do_not_heal_by_themselves() -> None:
    told = decide(None, LOCKED)

    assert told is not None
    assert told.alert.severity is Severity.HIGH
    assert "Check its credentials" in told.alert.summary


def test_an_alert_that_goes_on_is_told_once() -> None:
    assert decide(opened(), DOWN, failures=40) is None


def test_another_kind_of_failure_is_written_down_and_wakes_nobody() -> None:
    told = decide(opened(), Malformed("html", "got a web page"), failures=4)

    assert told is not None
    assert told.event is None
    assert (outcome_of(told.alert) or {})["outcome"] == "malformed"


def test_a_failure_that_became_worse_is_told_once_more() -> None:
    worse = decide(opened(), LOCKED, failures=4)
    assert worse is not None
    back = decide(worse.alert, DOWN, failures=5)
    assert back is not None

    again = decide(back.alert, LOCKED, failures=6)

    assert (worse.event, worse.reason) == (EventKind.UPDATED, Why.WORSENED)
    assert back.event is None
    assert again is not None
    assert again.event is None


def test_the_next_look_that_works_resolves_and_says_how_long_it_took() -> None:
    told = decide(opened(), None, failures=0, after=timedelta(minutes=65))

    assert told is not None
    assert (told.event, told.alert.state, told.alert.reason) == (
        EventKind.RESOLVED,
        AlertState.RESOLVED,
        "looked-again",
    )
    assert told.alert.summary == "files could be looked at again after 2 h 5 min."


def test_a_look_that_works_without_an_alert_is_nothing_to_tell() -> None:
    assert decide(None, None, failures=0) is None


def test_what_a_failing_server_says_is_escaped_and_cut() -> None:
    alert = opened(Unreachable("http-status", "\x1b[2J\u202e" + "z" * 5_000))

    assert alert.summary.isprintable()
    assert len(alert.summary) < 600


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-5, "0 s"), (0, "0 s"), (59, "59 s"), (3_600, "1 h"), (90_061, "1 d 1 h"), (3_601, "1 h 1 s")],
)
def test_lengths_of_time_read_well(seconds: int, text: str) -> None:
    assert spoken(timedelta(seconds=seconds)) == text
