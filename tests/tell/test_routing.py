"""Which channel hears of what."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from driftwatch.config.channels import ChannelConfig
from driftwatch.config.routes import ways
from driftwatch.model import Alert, AlertKind, AlertState, Delivery, Event, EventKind, Finding, Kind, Severity, worst_of
from driftwatch.tell.routes import Routing, deliveries_for

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def Hears(name: str, min_severity: str = "medium") -> ChannelConfig:  # noqa: N802 - it reads as the channel that it is
    return ChannelConfig(name=name, min_severity=min_severity)


def finding(severity: Severity, item: str = "read_file") -> Finding:
    return Finding("hint-loosened", severity, Kind.TOOL, item, "/annotations", "a hint is looser")


def event(kind: EventKind, *findings: Finding, new: tuple[Finding, ...] = (), drill: bool = False) -> Event:
    alert = Alert(
        id="alr_1",
        server="files",
        kind=AlertKind.DRIFT,
        state=AlertState.RESOLVED if kind is EventKind.RESOLVED else AlertState.OPEN,
        severity=worst_of(findings),
        opened_at=NOW,
        updated_at=NOW,
        findings=findings,
        reason="approved" if kind is EventKind.RESOLVED else "",
        summary="something",
    )
    return Event(kind=kind, alert=alert, new=new, drill=drill)


def route(happened: Event, *channels: ChannelConfig, earlier: tuple[str, ...] = ()) -> list[tuple[str, EventKind]]:
    return [(each.channel, each.event) for each in deliver(happened, *channels, earlier=earlier)]


def deliver(
    happened: Event, *channels: ChannelConfig, earlier: tuple[str, ...] = (), now: datetime = NOW
) -> tuple[Delivery, ...]:
    return deliveries_for(happened, Routing(channels, ways((), channels)), earlier=frozenset(earlier), now=now)


def test_a_channel_hears_of_what_reaches_its_threshold() -> None:
    bad = finding(Severity.HIGH)

    heard = route(
        event(EventKind.OPENED, bad, new=(bad,)), Hears("all", "info"), Hears("some"), Hears("few", "critical")
    )

    assert heard == [("all", EventKind.OPENED), ("some", EventKind.OPENED)]


def test_an_alert_below_every_threshold_is_told_to_nobody() -> None:
    small = finding(Severity.LOW)

    assert route(event(EventKind.OPENED, small, new=(small,)), Hears("ops")) == []


def test_a_channel_that_was_never_told_hears_a_grown_alert_as_opened_with_all_of_it() -> None:
    small, bad = finding(Severity.LOW, "a"), finding(Severity.HIGH, "b")
    grown = event(EventKind.UPDATED, bad, small, new=(bad,))

    told, untold = deliver(grown, Hears("told", "info"), Hears("untold"), earlier=("told",))

    assert (told.event, told.payload["data"]["counts"]["new"]) == (EventKind.UPDATED, 1)
    assert (untold.event, untold.payload["data"]["counts"]["new"]) == (EventKind.OPENED, 2)
    assert untold.payload["type"] == "driftwatch.alert.opened"


def test_an_update_with_only_small_news_does_not_reach_a_channel_that_was_told() -> None:
    small, bad = finding(Severity.LOW, "a"), finding(Severity.HIGH, "b")
    grown = event(EventKind.UPDATED, bad, small, new=(small,))

    assert route(grown, Hears("ops"), Hears("log", "info"), earlier=("ops", "log")) == [("log", EventKind.UPDATED)]


def test_resolved_goes_to_those_who_were_told_whatever_its_severity() -> None:
    over = event(EventKind.RESOLVED, finding(Severity.LOW))

    assert route(over, Hears("told", "critical"), Hears("untold", "info"), earlier=("told",)) == [
        ("told", EventKind.RESOLVED)
    ]


def test_a_channel_that_is_gone_from_the_configuration_gets_nothing_new() -> None:
    assert route(event(EventKind.RESOLVED), Hears("ops"), earlier=("gone",)) == []


def test_a_drill_goes_to_every_channel_and_says_so() -> None:
    small = finding(Severity.LOW)

    (delivery,) = deliver(event(EventKind.OPENED, small, new=(small,), drill=True), Hears("few", "critical"))

    assert delivery.payload["data"]["drill"] is True
    assert delivery.payload["data"]["summary"].startswith("DRILL")


def test_a_delivery_is_due_at_once() -> None:
    bad = finding(Severity.HIGH)

    (delivery,) = deliver(event(EventKind.OPENED, bad, new=(bad,)), Hears("ops"))

    assert (delivery.server, delivery.alert_id, delivery.attempts) == ("files", "alr_1", 0)
    assert delivery.created_at == delivery.next_attempt_at == NOW
    assert re.fullmatch(r"msg_[0-9a-f]{32}", delivery.id)


def test_neither_wording_nor_time_nor_order_moves_a_message_id() -> None:
    a, b = finding(Severity.HIGH, "a"), finding(Severity.HIGH, "b")
    reworded = replace(a, message="said otherwise")

    first = deliver(event(EventKind.OPENED, a, b, new=(a, b)), Hears("ops"))
    second = deliver(event(EventKind.OPENED, b, reworded, new=(b, reworded)), Hears("ops"), now=NOW + timedelta(days=1))

    assert [each.id for each in first] == [each.id for each in second]


@pytest.mark.parametrize(
    "other",
    [
        event(EventKind.RESOLVED, finding(Severity.HIGH)),
        event(EventKind.UPDATED, finding(Severity.HIGH), new=(finding(Severity.HIGH),)),
        event(EventKind.UPDATED, finding(Severity.HIGH), new=(finding(Severity.CRITICAL),)),
    ],
)
def test_each_thing_to_tell_has_an_id_of_its_own(other: Event) -> None:
    bad = finding(Severity.HIGH)
    opening = deliver(event(EventKind.OPENED, bad, new=(bad,)), Hears("ops"), Hears("team"))

    ids = {each.id for each in (*opening, *deliver(other, Hears("ops"), earlier=("ops",)))}

    assert len(ids) == 3


def test_what_channels_hear_alike_is_written_once_and_what_one_hears_otherwise_is_not() -> None:
    small, bad = finding(Severity.LOW, "a"), finding(Severity.HIGH, "b")
    grown = event(EventKind.UPDATED, bad, small, new=(bad, small))

    told, alike, untold = deliver(grown, Hears("told"), Hears("alike"), Hears("untold"), earlier=("told", "alike"))

    assert told.payload is alike.payload
    assert (told.event, untold.event) == (EventKind.UPDATED, EventKind.OPENED)
    assert untold.payload["type"] == "driftwatch.alert.opened"
    assert told.payload["type"] == "driftwatch.alert.updated"
