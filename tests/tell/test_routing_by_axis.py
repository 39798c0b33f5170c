"""Channels that ask for some axes or areas hear of those, and of nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from driftwatch.config.channels import ChannelConfig
from driftwatch.config.routes import ways
from driftwatch.model import (
    Alert,
    AlertKind,
    AlertState,
    Axis,
    Delivery,
    Event,
    EventKind,
    Finding,
    Kind,
    Severity,
    worst_of,
)
from driftwatch.tell.routes import Routing, deliveries_for

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ATTACK = Finding("text-injection", Severity.CRITICAL, Kind.TOOL, "read_file", "/description", "It orders about.")
BREAKING = Finding(
    "parameter-removed",
    Severity.MEDIUM,
    Kind.TOOL,
    "write_file",
    "/inputSchema/properties/mode",
    "It is gone.",
    axis=Axis.CONTRACT,
)


def Hears(name: str = "team", **keys: object) -> ChannelConfig:  # noqa: N802 - it reads as the channel that it is
    return ChannelConfig(name=name, **keys)


def event(kind: EventKind, *findings: Finding, new: tuple[Finding, ...] | None = None, **alert: object) -> Event:
    base = Alert(
        id="alr_1",
        server="files",
        kind=AlertKind.DRIFT,
        state=AlertState.OPEN,
        severity=worst_of(findings),
        opened_at=NOW,
        updated_at=NOW,
        findings=findings,
        summary="files: all of it",
    )
    return Event(kind=kind, alert=replace(base, **alert), new=findings if new is None else new)


def heard(happened: Event, channel: ChannelConfig, *, told: bool = False) -> Delivery | None:
    earlier = frozenset({channel.name} if told else ())
    return next(iter(deliveries_for(happened, Routing([channel], ways((), [channel])), earlier=earlier, now=NOW)), None)


def rules(delivery: Delivery | None) -> list[str]:
    assert delivery is not None
    return [finding["rule"] for finding in delivery.payload["data"]["findings"]]


@pytest.mark.parametrize(
    ("channel", "expected"),
    [
        (Hears(), ["text-injection", "parameter-removed"]),
        (Hears(axes=("security",)), ["text-injection"]),
        (Hears(axes=("contract",)), ["parameter-removed"]),
        (Hears(axes=("security", "contract")), ["text-injection", "parameter-removed"]),
        (Hears(areas=("schema",)), ["parameter-removed"]),
        (Hears(areas=("text", "hints")), ["text-injection"]),
    ],
)
def test_a_channel_hears_of_what_it_asks_for(channel: ChannelConfig, expected: list[str]) -> None:
    assert rules(heard(event(EventKind.OPENED, ATTACK, BREAKING), channel)) == expected


def test_what_it_does_not_ask_for_does_not_count_for_its_threshold() -> None:
    opened = event(EventKind.OPENED, ATTACK, BREAKING)

    assert heard(opened, Hears(axes=("contract",), min_severity="high")) is None
    assert heard(opened, Hears(areas=("names",), min_severity="info")) is None
    assert heard(opened, Hears(axes=("contract",), areas=("text",), min_severity="info")) is None


def test_a_message_speaks_of_its_own_findings_only() -> None:
    delivery = heard(event(EventKind.OPENED, ATTACK, BREAKING), Hears(axes=("contract",)))

    assert delivery is not None
    data = delivery.payload["data"]
    assert (data["severity"], data["counts"]["findings"], data["counts"]["new"]) == ("medium", 1, 1)
    assert "parameter-removed" in data["summary"]
    assert "text-injection" not in data["summary"]


def test_an_update_reaches_a_channel_when_its_own_part_grew() -> None:
    grown = event(EventKind.UPDATED, ATTACK, BREAKING, new=(ATTACK,))

    assert heard(grown, Hears(axes=("contract",)), told=True) is None
    assert rules(heard(grown, Hears(axes=("security",)), told=True)) == ["text-injection"]


def test_a_channel_that_heard_nothing_yet_hears_it_as_opened_when_its_part_comes() -> None:
    delivery = heard(event(EventKind.UPDATED, ATTACK, BREAKING, new=(BREAKING,)), Hears(axes=("contract",)))

    assert delivery is not None
    assert delivery.event is EventKind.OPENED


def test_resolved_goes_to_those_who_were_told_with_their_part_of_it() -> None:
    over = event(EventKind.RESOLVED, ATTACK, BREAKING, new=(), state=AlertState.RESOLVED, reason="approved")

    assert heard(over, Hears(axes=("contract",))) is None
    delivery = heard(over, Hears(axes=("contract",)), told=True)
    assert rules(delivery) == ["parameter-removed"]
    assert delivery is not None
    assert delivery.payload["data"]["summary"] == "files: all of it"


def test_failed_looks_are_told_to_every_channel() -> None:
    blind = event(EventKind.OPENED)
    blind = replace(blind, alert=replace(blind.alert, kind=AlertKind.HEALTH, severity=Severity.HIGH))

    assert heard(blind, Hears(axes=("contract",), areas=("names",))) is not None


def test_a_drill_is_told_whole() -> None:
    drill = replace(event(EventKind.OPENED, ATTACK), drill=True)

    assert rules(heard(drill, Hears(axes=("contract",)))) == ["text-injection"]


def test_a_finding_of_a_rule_that_is_no_longer_there_goes_to_every_area() -> None:
    old = replace(ATTACK, rule="a-rule-of-an-earlier-release")

    assert rules(heard(event(EventKind.OPENED, old), Hears(areas=("schema",)))) == [old.rule]
