"""Where alerts go, by routes, silences and channels, and the reasons that are given for it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from driftwatch.config.channels import AlertmanagerConfig, ChannelConfig, EmailConfig
from driftwatch.config.routes import RouteConfig, ways
from driftwatch.model import (
    Acknowledged,
    Alert,
    AlertKind,
    AlertState,
    Delivery,
    DeliveryState,
    Event,
    EventKind,
    Finding,
    Kind,
    Severity,
    Silence,
    worst_of,
)
from driftwatch.tell.routes import Routing, deliveries_for, paths, stops

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
PAY = {"team": "payments"}
WIDER = Finding("hint-widened", Severity.HIGH, Kind.TOOL, "pay", "/annotations", "a hint is looser")
POISON = Finding("text-injection", Severity.CRITICAL, Kind.TOOL, "pay", "/description", "it gives orders")
SMALL = Finding("description-changed", Severity.LOW, Kind.TOOL, "list", "/description", "other words")


def channel(name: str, **keys: object) -> ChannelConfig:
    return ChannelConfig(name=name, **{"min_severity": "info", **keys})


def way(name: str, *channels: str, **keys: object) -> RouteConfig:
    return RouteConfig(name=name, channels=channels, **keys)


def alert(*findings: Finding, **more: object) -> Alert:
    base = Alert(
        id="alr_1",
        server="pay-1",
        kind=AlertKind.DRIFT,
        state=AlertState.OPEN,
        severity=worst_of(findings),
        opened_at=NOW,
        updated_at=NOW,
        findings=findings,
        summary="something",
    )
    return replace(base, **more)


def event(one: Alert, kind: EventKind = EventKind.OPENED, **more: object) -> Event:
    return Event(kind=kind, alert=one, **{"new": one.findings, **more})


def routing(
    *routes: RouteConfig, channels: tuple[ChannelConfig, ...] = (), silences: tuple[Silence, ...] = ()
) -> Routing:
    there = channels or (channel("slack"), channel("mail"), channel("pager"))
    return Routing(there, ways(routes, there), silences)


def heard(
    happened: Event, by: Routing, *, earlier: tuple[str, ...] = (), labels: dict[str, str] | None = None, **more: object
) -> dict[str, Delivery]:
    rows = deliveries_for(happened, by, earlier=frozenset(earlier), now=NOW, labels=labels or PAY, **more)
    return {row.channel: row for row in rows}


def rules(row: Delivery) -> list[str]:
    return [finding["rule"] for finding in row.payload["data"]["findings"]]


# Which way


def test_without_routes_everything_goes_to_every_channel() -> None:
    assert list(heard(event(alert(WIDER)), routing())) == ["slack", "mail", "pager"]


@pytest.mark.parametrize(
    ("keys", "fits", "why"),
    [
        ({"servers": ("pay-*",)}, True, "it fits"),
        ({"servers": ("git", "pay-?")}, True, "it fits"),
        ({"servers": ("git", "Pay-*")}, False, "it is for the servers git or Pay-*"),
        ({"labels": {"team": "pay*"}}, True, "it fits"),
        ({"labels": {"team": "web"}}, False, "it is for team = web, and the server has team = payments"),
        ({"labels": {"tier": "*"}}, True, "it fits"),
        ({"labels": {"tier": "1"}}, False, "it is for tier = 1, and the server has no label tier"),
        ({"kinds": ("drift",)}, True, "it fits"),
        ({"kinds": ("health", "daemon")}, False, "it is for the kind health or daemon, and this is drift"),
        ({"min_severity": "high"}, True, "it fits"),
        ({"min_severity": "critical"}, False, "it is for critical or worse, and this is high"),
        ({"areas": ("hints",)}, True, "1 of 2 findings fit"),
        ({"areas": ("schema",)}, False, "it is for schema, and nothing here is"),
        ({"axes": ("security",)}, True, "it fits"),
    ],
)
def test_a_route_fits_or_says_why_not(keys: dict[str, object], fits: bool, why: str) -> None:
    one = alert(WIDER, SMALL)

    found, default = paths(one, one.findings, ways((way("mine", "pager", **keys),), ()), PAY)

    assert (found.taken, found.why) == (fits, why)
    assert default.taken == (not fits or len(found.findings) < 2)


def test_every_route_that_fits_takes_an_alert_and_the_default_one_takes_the_rest() -> None:
    by = routing(
        way("team", "slack", labels={"team": "payments"}),
        way("night", "pager", min_severity="high"),
        way("default", "mail"),
    )

    mine = heard(event(alert(WIDER)), by)
    others = heard(event(alert(SMALL)), by, labels={"team": "web"})

    assert list(mine) == ["slack", "pager"]
    assert list(others) == ["mail"]


def test_what_no_route_is_for_goes_to_every_channel_where_no_default_is_written() -> None:
    by = routing(way("team", "slack", labels={"team": "web"}))

    assert list(heard(event(alert(WIDER)), by)) == ["slack", "mail", "pager"]


def test_the_findings_of_one_alert_part_ways() -> None:
    by = routing(way("text", "slack", areas=("text",)), way("default", "mail"))

    rows = heard(event(alert(POISON, WIDER)), by)

    assert {name: rules(row) for name, row in rows.items()} == {
        "slack": ["text-injection"],
        "mail": ["hint-widened"],
    }
    assert rows["slack"].payload["data"]["severity"] == "critical"
    assert rows["mail"].payload["data"]["severity"] == "high"


def test_a_channel_on_two_ways_hears_once_of_all_that_they_bring() -> None:
    by = routing(way("text", "slack", areas=("text",), window=60), way("hints", "slack", areas=("hints",), window=30))

    (row,) = heard(event(alert(POISON, WIDER)), by).values()

    assert sorted(rules(row)) == ["hint-widened", "text-injection"]
    assert (row.state, row.next_attempt_at) == (DeliveryState.HELD, NOW + timedelta(seconds=30))


def test_a_route_for_some_findings_is_not_for_failed_looks() -> None:
    down = Finding("could-not-look", Severity.MEDIUM, Kind.SERVER, "", "", "down")
    by = routing(way("text", "slack", areas=("text",)), way("default", "mail"))

    assert list(heard(event(alert(down, kind=AlertKind.HEALTH)), by)) == ["mail"]


def test_a_channel_still_has_its_own_say_on_a_way() -> None:
    by = routing(channels=(channel("all"), channel("picky", min_severity="critical")))

    assert list(heard(event(alert(WIDER)), by)) == ["all"]


# Windows


def test_a_window_holds_messages_and_a_route_without_one_does_not() -> None:
    by = routing(way("slow", "mail", window=300), way("fast", "pager"))

    rows = heard(event(alert(WIDER)), by)

    assert (rows["mail"].state, rows["mail"].route) == (DeliveryState.HELD, "slow")
    assert rows["mail"].next_attempt_at == NOW + timedelta(minutes=5)
    assert (rows["pager"].state, rows["pager"].next_attempt_at) == (DeliveryState.PENDING, NOW)


def test_a_place_that_groups_by_itself_is_told_at_once() -> None:
    prometheus = AlertmanagerConfig(name="prometheus", kind="alertmanager", url="http://127.0.0.1:9093")
    by = routing(way("default", "prometheus", window=300), channels=(prometheus,))

    assert heard(event(alert(WIDER)), by)["prometheus"].state is DeliveryState.PENDING


def test_the_end_of_what_is_held_is_held_with_it() -> None:
    held = heard(event(alert(WIDER)), routing(way("default", "mail", window=300)))["mail"]
    over = alert(WIDER, state=AlertState.RESOLVED, reason="approved", resolved_at=NOW)

    rows = heard(event(over, EventKind.RESOLVED, new=()), routing(), earlier=("mail",), held={"mail": held})

    assert (rows["mail"].state, rows["mail"].route) == (DeliveryState.HELD, "default")
    assert rows["mail"].next_attempt_at == held.next_attempt_at


def test_a_drill_waits_for_no_window_and_is_kept_back_by_no_silence() -> None:
    by = routing(way("default", "mail", window=300), silences=(silence(server="*"),))

    rows = heard(event(alert(WIDER), drill=True), by)

    assert {row.state for row in rows.values()} == {DeliveryState.PENDING}
    assert list(rows) == ["slack", "mail", "pager"]


# Ends and acknowledgements


@pytest.mark.parametrize("kind", [EventKind.RESOLVED, EventKind.ACKNOWLEDGED])
def test_only_those_who_were_told_hear_the_end_whatever_the_routes_say_by_now(kind: EventKind) -> None:
    known = Acknowledged("ana", NOW)
    by = routing(way("team", "pager", labels={"team": "web"}), way("default", "slack"))

    rows = heard(
        event(alert(WIDER, acknowledged=known, reason="approved"), kind, new=()), by, earlier=("mail", "slack")
    )

    assert {name: row.event for name, row in rows.items()} == {"slack": kind, "mail": kind}


def test_an_acknowledgement_goes_only_where_it_means_something() -> None:
    mail = EmailConfig(name="mail", kind="email", host="localhost", sender="d@example.com", to=("a@example.com",))
    one = alert(WIDER, acknowledged=Acknowledged("ana", NOW))
    by = routing(channels=(channel("slack"), mail))

    rows = heard(event(one, EventKind.ACKNOWLEDGED, new=()), by, earlier=("mail", "slack"))

    assert list(rows) == ["slack"]


def test_two_acknowledgements_of_one_alert_are_two_messages() -> None:
    said = [alert(WIDER, acknowledged=Acknowledged("ana", NOW + timedelta(hours=number))) for number in range(2)]

    ids = {heard(event(one, EventKind.ACKNOWLEDGED, new=()), routing(), earlier=("slack",))["slack"].id for one in said}

    assert len(ids) == 2


# Silences


def silence(**keys: object) -> Silence:
    values = {
        "server": "",
        "tool": "",
        "rule": "",
        "severity": Severity.CRITICAL,
        "reason": "known",
        "by": "ana",
        "created_at": NOW,
        "until": NOW + timedelta(hours=1),
    }
    return Silence(id="sil_1", **{**values, **keys})


def test_what_a_silence_keeps_back_is_told_to_nobody() -> None:
    by = routing(silences=(silence(server="pay-*"),))

    assert heard(event(alert(WIDER, POISON)), by) == {}


def test_what_a_silence_leaves_over_is_told_without_the_rest() -> None:
    by = routing(silences=(silence(rule="hint-*"),))

    row = heard(event(alert(POISON, WIDER)), by)["slack"]

    assert rules(row) == ["text-injection"]
    assert "hint-widened" not in row.payload["data"]["summary"]


def test_a_silence_keeps_no_end_from_those_who_were_told() -> None:
    over = alert(WIDER, state=AlertState.RESOLVED, reason="approved", resolved_at=NOW)
    by = routing(silences=(silence(server="*"),))

    assert list(heard(event(over, EventKind.RESOLVED, new=()), by, earlier=("mail",))) == ["mail"]


# Again


def test_only_those_are_reminded_who_were_told_of_something_bad_enough() -> None:
    by = routing(way("text", "pager", areas=("text",)), way("default", "slack", "mail"))
    again = event(alert(POISON, SMALL, reminders=1), EventKind.REMINDED, new=(), cause="not-acknowledged")

    rows = heard(again, by, earlier=("pager", "slack"))

    assert list(rows) == ["pager"]
    assert rows["pager"].payload["data"]["reason"] == "not-acknowledged"
    assert "Nobody has acknowledged" in rows["pager"].payload["data"]["summary"]


def test_each_reminder_is_a_message_of_its_own() -> None:
    again = [
        event(alert(WIDER, reminders=number), EventKind.REMINDED, new=(), cause="not-acknowledged") for number in (1, 2)
    ]

    ids = [heard(one, routing(), earlier=("slack",))["slack"].id for one in again]

    assert len(set(ids)) == 2
    assert ids[0] == heard(again[0], routing(), earlier=("slack",))["slack"].id


def test_what_is_passed_on_goes_to_those_named_for_it_and_to_no_other() -> None:
    by = routing(way("team", "slack", escalate_after=60, escalate_to=("pager",)), way("rest", "mail"))
    late = event(alert(WIDER, reminders=1), EventKind.REMINDED, new=(), cause="escalated")

    rows = heard(late, by, earlier=("slack", "mail"), escalating="team")

    assert {name: row.event for name, row in rows.items()} == {"pager": EventKind.OPENED}
    assert rows["pager"].payload["data"]["reason"] == "escalated"


def test_those_it_was_passed_on_to_hear_what_comes_after() -> None:
    by = routing(way("team", "slack", escalate_after=60, escalate_to=("pager",)), way("default", "mail"))

    grown = event(alert(WIDER, POISON), EventKind.UPDATED, new=(POISON,))

    assert list(heard(grown, by, earlier=("slack", "pager"))) == ["slack", "pager"]
    assert list(heard(grown, by, earlier=("slack",))) == ["slack"]


def test_what_a_silence_kept_back_is_another_message_than_the_first_time() -> None:
    first = event(alert(WIDER))
    again = event(alert(WIDER, reminders=1), EventKind.UPDATED, cause="silence-ended")

    assert heard(first, routing())["slack"].id != heard(again, routing())["slack"].id


# Channels that fail


def failing(name: str) -> Alert:
    found = Finding("channel-failing", Severity.HIGH, Kind.SERVER, "", "", "it fails")
    return alert(found, kind=AlertKind.CHANNEL, server="", channel=name)


def test_a_failing_channel_is_told_of_through_the_others() -> None:
    assert list(heard(event(failing("slack")), routing())) == ["mail", "pager"]


def test_a_failing_channel_that_its_way_leads_to_alone_is_told_of_on_every_other() -> None:
    by = routing(way("default", "slack"))

    assert list(heard(event(failing("slack")), by)) == ["mail", "pager"]


def test_nobody_is_told_when_the_only_channel_fails() -> None:
    assert heard(event(failing("slack")), routing(channels=(channel("slack"),))) == {}


# Reasons


def test_every_channel_has_its_reason() -> None:
    by = routing(
        way("team", "slack", labels={"team": "payments"}),
        channels=(channel("slack", min_severity="critical"), channel("mail")),
    )

    found = stops(event(alert(WIDER)), by, earlier=frozenset(), labels=PAY)

    assert [(one.channel.name, one.event is not None, one.why) for one in found] == [
        ("slack", False, "it asks for critical or worse, and this is high"),
        ("mail", False, "no route leads there"),
    ]


def test_a_silence_is_the_reason_for_every_channel() -> None:
    found = stops(event(alert(WIDER)), routing(silences=(silence(server="*"),)), earlier=frozenset(), labels=PAY)

    assert {one.why for one in found} == {"a silence keeps all of it back"}


def test_the_channel_that_fails_has_its_own_reason_and_the_others_hear_why_they_are_asked() -> None:
    by = routing(way("default", "slack"), channels=(channel("slack"), channel("mail")))

    found = stops(event(failing("slack")), by, earlier=frozenset(), labels=PAY)

    first, other = found
    assert (first.event, first.why) == (None, "it is the one that takes no messages")
    assert other.event is not None
    assert other.why == (
        "no route leads to another channel than the one that fails, so all others are asked;"
        " this is high, and it was not told yet"
    )
