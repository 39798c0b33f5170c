"""What an alert is told for while its server goes to and fro."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from driftwatch.judge.behaviour import OSCILLATING, Flapping
from driftwatch.model import Alert, EventKind, Finding, Kind, Severity
from driftwatch.tell.alerts import MOST_TOLD, Told, Why, decide_drift
from driftwatch.tell.told import MANY_PLACES

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
FLAPS = Flapping(returns=4, lists=2, since=NOW - timedelta(hours=1), calm_at=NOW + timedelta(hours=1))
RESTLESS = replace(FLAPS, restless=True)
TO_AND_FRO = Finding(OSCILLATING, Severity.HIGH, Kind.SERVER, "", "", "to and fro")


def finding(item: str = "read", value: object = 1, *, rule: str = "item-added", severity: str = "medium") -> Finding:
    return Finding(rule, Severity(severity), Kind.TOOL, item, "", "new", after=value)


def decide(
    current: Alert | None, *findings: Finding, flapping: Flapping | None = FLAPS, live: str = "sha256:live"
) -> Told | None:
    return decide_drift(
        current,
        findings,
        server="files",
        baseline_digest="sha256:base",
        snapshot_digest=live,
        now=NOW,
        new_id=lambda: "alr_1",
        upgraded=False,
        flapping=flapping,
    )


def alert_of(told: Told | None) -> Alert:
    assert told is not None
    return told.alert


def test_the_summary_says_that_it_goes_to_and_fro_and_what_is_shown_now() -> None:
    away = alert_of(decide(None, TO_AND_FRO, finding()))
    back = alert_of(decide(away, TO_AND_FRO, live="sha256:base"))

    assert "goes to and fro between lists: 2 lists, 4 returns; the worst is high" in away.summary
    assert "does not show its baseline at the moment" in away.summary
    assert "It shows its baseline at the moment" in back.summary


def test_a_return_to_the_baseline_is_told_to_nobody_while_it_goes_to_and_fro() -> None:
    away = alert_of(decide(None, TO_AND_FRO, finding()))

    told = decide(away, TO_AND_FRO, live="sha256:base")

    assert told is not None
    assert (told.event, told.alert.severity) == (None, Severity.HIGH)


def test_calm_on_the_baseline_ends_the_alert_and_says_why() -> None:
    away = alert_of(decide(None, TO_AND_FRO, finding()))

    told = decide(away, flapping=None, live="sha256:base")

    assert told is not None
    assert (told.event, told.reason, told.alert.reason) == (EventKind.RESOLVED, Why.CALM, "calm-again")


def test_another_value_is_news_while_a_server_comes_back_to_its_lists() -> None:
    away = alert_of(decide(None, TO_AND_FRO, finding(value=1)))

    told = decide(away, TO_AND_FRO, finding(value=2))

    assert told is not None
    assert told.new == (finding(value=2),)


def test_another_value_is_no_news_of_a_restless_server_but_another_place_and_a_higher_severity_are() -> None:
    away = alert_of(decide(None, TO_AND_FRO, finding(value=1), flapping=RESTLESS))

    same = decide(away, TO_AND_FRO, finding(value=2), flapping=RESTLESS)
    place = decide(away, TO_AND_FRO, finding("write"), flapping=RESTLESS)
    worse = decide(away, TO_AND_FRO, finding(value=3, severity="high"), flapping=RESTLESS)

    assert [told.event if told else None for told in (same, place, worse)] == [
        None,
        EventKind.UPDATED,
        EventKind.UPDATED,
    ]


def test_a_rule_that_was_told_of_many_places_is_no_news_at_one_more_and_a_higher_severity_still_is() -> None:
    many = [finding(f"tool_{number}") for number in range(MANY_PLACES)]
    away = alert_of(decide(None, TO_AND_FRO, *many, flapping=RESTLESS))

    more = decide(away, TO_AND_FRO, finding("one_more"), flapping=RESTLESS)
    worse = decide(away, TO_AND_FRO, finding("one_more", severity="critical"), flapping=RESTLESS)

    assert more is not None
    assert more.event is None
    assert worse is not None
    assert worse.event is EventKind.UPDATED


def test_what_a_restless_server_was_told_for_stays_small() -> None:
    current = alert_of(decide(None, TO_AND_FRO, finding(), flapping=RESTLESS))

    for number in range(2_000):
        current = alert_of(decide(current, TO_AND_FRO, finding(f"tool_{number}", number), flapping=RESTLESS))

    assert len(current.told) < MOST_TOLD / 1_000
