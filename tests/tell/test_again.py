"""What becomes of an alert over time, as decisions."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from driftwatch.config.routes import AlertsConfig, RouteConfig
from driftwatch.model import Acknowledged, Alert, AlertKind, AlertState, EventKind, Finding, Kind, Severity, Silence
from driftwatch.tell.again import decide_acknowledged, decide_escalated, decide_reminder, decide_unmuted
from driftwatch.tell.alerts import decide_drift
from driftwatch.tell.told import Told, Why

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FINDING = Finding("hint-widened", Severity.HIGH, Kind.TOOL, "pay", "/annotations", "a hint is looser")
WORSE = replace(FINDING, rule="text-injection", severity=Severity.CRITICAL)
CONFIG = AlertsConfig(remind_every=3600)
WAY = RouteConfig(name="team", channels=("slack",), escalate_after=7200, escalate_to=("pager",))


def alert(*findings: Finding, **more: object) -> Alert:
    found = findings or (FINDING,)
    base = Alert(
        "alr_1",
        "files",
        AlertKind.DRIFT,
        AlertState.OPEN,
        max(one.severity for one in found),
        NOW,
        NOW,
        findings=found,
        told_at=NOW,
    )
    return replace(base, **more)


KNOWN = Acknowledged(by="ana", at=NOW, note="ours", known=frozenset(FINDING.identities))
ACKNOWLEDGED = alert(state=AlertState.ACKNOWLEDGED, acknowledged=KNOWN)
OVER = alert(state=AlertState.RESOLVED)


# Acknowledged


def test_who_says_that_they_know_is_written_down_and_told() -> None:
    told = decide_acknowledged(alert(), by="ana", note="ours", now=NOW)

    assert told is not None
    assert (told.event, told.alert.state, told.alert.acknowledged) == (EventKind.ACKNOWLEDGED, "acknowledged", KNOWN)


@pytest.mark.parametrize("one", [ACKNOWLEDGED, OVER], ids=["known", "over"])
def test_what_is_known_or_over_is_not_acknowledged_again(one: Alert) -> None:
    assert decide_acknowledged(one, by="bob", note="", now=NOW) is None


def looked(current: Alert, *findings: Finding) -> Told | None:
    return decide_drift(
        current,
        findings,
        server="files",
        baseline_digest="sha256:a",
        snapshot_digest="sha256:b",
        now=NOW + HOUR,
        new_id=lambda: "alr_2",
        upgraded=False,
    )


def test_a_difference_that_grows_is_known_to_nobody_again() -> None:
    told = looked(replace(ACKNOWLEDGED, escalated=frozenset({"team"})), FINDING, WORSE)

    assert told is not None
    assert (told.event, told.alert.state, told.alert.acknowledged) == (EventKind.UPDATED, "open", None)
    assert (told.alert.waiting_since, told.alert.escalated) == (NOW + HOUR, frozenset())


def test_a_difference_that_shrinks_or_ends_stays_known() -> None:
    first = looked(replace(ACKNOWLEDGED, findings=()), FINDING, WORSE)
    assert first is not None
    both = replace(first.alert, state=AlertState.ACKNOWLEDGED, acknowledged=KNOWN)

    less, nothing = looked(both, FINDING), looked(both)

    assert less is not None
    assert nothing is not None
    assert (less.event, less.alert.state, less.alert.acknowledged) == (None, "acknowledged", KNOWN)
    assert (nothing.event, nothing.alert.state) == (EventKind.RESOLVED, "resolved")


# Reminders


@pytest.mark.parametrize(
    ("one", "after", "due"),
    [
        (alert(), HOUR, True),
        (alert(), HOUR - timedelta(seconds=1), False),
        (alert(replace(FINDING, severity=Severity.MEDIUM)), DAY, False),
        (alert(WORSE), HOUR, True),
        (ACKNOWLEDGED, DAY, False),
        (OVER, DAY, False),
        (alert(told_at=None), DAY, False),
        (alert(told_at=NOW + DAY), timedelta(), True),
        (alert(told_at=NOW + timedelta(minutes=4)), timedelta(), False),
    ],
    ids=["due", "early", "mild", "critical", "known", "over", "nobody-told", "clock-set-back", "clock-shifted"],
)
def test_a_reminder_comes_in_time_and_only_where_it_is_meant_to(one: Alert, after: timedelta, due: bool) -> None:
    told = decide_reminder(one, CONFIG, now=NOW + after)

    assert (told is not None) == due
    if told is not None:
        assert (told.event, told.reason, told.alert.reminders) == (EventKind.REMINDED, Why.NOT_ACKNOWLEDGED, 1)
        assert decide_reminder(told.alert, CONFIG, now=NOW + after) is None


def test_reminders_can_be_switched_off() -> None:
    assert decide_reminder(alert(), AlertsConfig(remind_every=0), now=NOW + DAY) is None


def test_who_is_reminded_of_is_for_the_configuration_to_say() -> None:
    mild = alert(replace(FINDING, severity=Severity.LOW))

    assert decide_reminder(mild, AlertsConfig(remind_from="low", remind_every=60), now=NOW + HOUR) is not None


# Escalation


def test_what_nobody_acknowledged_in_time_is_passed_on_once() -> None:
    told = decide_escalated(alert(), WAY, now=NOW + 2 * HOUR)

    assert told is not None
    assert (told.event, told.reason, told.alert.escalated) == (EventKind.REMINDED, Why.ESCALATED, {"team"})
    assert decide_escalated(told.alert, WAY, now=NOW + DAY) is None


@pytest.mark.parametrize(
    ("one", "after"),
    [(alert(), HOUR), (ACKNOWLEDGED, DAY), (OVER, DAY), (alert(told_at=None), DAY)],
    ids=["early", "known", "over", "nobody-told"],
)
def test_nothing_else_is_passed_on(one: Alert, after: timedelta) -> None:
    assert decide_escalated(one, WAY, now=NOW + after) is None


def test_an_alert_that_grew_after_it_was_known_waits_anew() -> None:
    grown = alert(waiting_since=NOW + DAY)

    assert decide_escalated(grown, WAY, now=NOW + DAY + HOUR) is None
    assert decide_escalated(grown, WAY, now=NOW + DAY + 2 * HOUR) is not None


def test_a_route_that_passes_nothing_on_passes_nothing_on() -> None:
    assert decide_escalated(alert(), RouteConfig(name="team", channels=("slack",)), now=NOW + DAY) is None


# Silences


def silence(**keys: object) -> Silence:
    values = {
        "server": "",
        "tool": "",
        "rule": "hint-*",
        "severity": Severity.CRITICAL,
        "reason": "known",
        "by": "ana",
        "created_at": NOW,
        "until": NOW + HOUR,
    }
    return Silence(id="sil_1", **{**values, **keys})


MUTED = alert(FINDING, WORSE, muted=frozenset(FINDING.identities))


def test_a_silence_that_begins_is_only_written_down() -> None:
    told = decide_unmuted(alert(FINDING, WORSE), [silence()], now=NOW)

    assert told is not None
    assert (told.event, told.alert.muted) == (None, frozenset(FINDING.identities))


def test_what_a_silence_kept_back_is_told_when_it_ends() -> None:
    told = decide_unmuted(MUTED, [], now=NOW + HOUR)

    assert told is not None
    assert (told.event, told.reason, told.new) == (EventKind.UPDATED, Why.SILENCE_ENDED, (FINDING,))
    assert (told.alert.muted, told.alert.reminders) == (frozenset(), 1)


def test_what_another_silence_still_keeps_back_is_not_told() -> None:
    assert decide_unmuted(MUTED, [silence(rule="*widened")], now=NOW + HOUR) is None


def test_what_is_gone_by_the_end_of_a_silence_is_not_told() -> None:
    told = decide_unmuted(replace(MUTED, findings=(WORSE,)), [], now=NOW + HOUR)

    assert told is not None
    assert (told.event, told.alert.muted) == (None, frozenset())


def test_what_somebody_knows_is_not_told_when_a_silence_ends() -> None:
    told = decide_unmuted(replace(MUTED, state=AlertState.ACKNOWLEDGED, acknowledged=KNOWN), [], now=NOW + HOUR)

    assert told is not None
    assert (told.event, told.alert.muted) == (None, frozenset())


def test_what_was_kept_back_from_whoever_acknowledged_is_told_and_nobody_knows_of_it_yet() -> None:
    first = decide_acknowledged(MUTED, by="ana", note="", now=NOW)
    assert first is not None

    told = decide_unmuted(first.alert, [], now=NOW + HOUR)

    assert told is not None
    assert (told.event, told.new) == (EventKind.UPDATED, (FINDING,))
    assert (told.alert.state, told.alert.acknowledged, told.alert.waiting_since) == ("open", None, NOW + HOUR)
