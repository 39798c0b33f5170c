"""When driftwatch may not be trusted: channels that take nothing, looks none of which works, a changed database."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from driftwatch.model import AlertKind, AlertState, ChannelHealth, EventKind, ServerState, Severity, Verified
from driftwatch.tell.pipes import decide_audit, decide_blind, decide_channel, is_blind, is_failing, last_look
from driftwatch.tell.told import Told

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
BAD = ChannelHealth("mail", failures=4, failing_since=NOW - 10 * MINUTE, last_result="HTTP 503")
GOOD = ChannelHealth("mail", last_ok_at=NOW)


def decide(health: ChannelHealth, current: Told | None = None, *, now: datetime = NOW) -> Told | None:
    alert = None if current is None else current.alert
    return decide_channel(alert, health, after=600, now=now, new_id=lambda: "alr_1")


@pytest.mark.parametrize(
    ("health", "failing"),
    [
        (GOOD, False),
        (BAD, True),
        (replace(BAD, failing_since=NOW - 9 * MINUTE), False),
        (replace(BAD, failing_since=NOW - MINUTE, dead=1), True),
        (replace(BAD, failing_since=NOW + DAY), True),
        (ChannelHealth("mail"), False),
    ],
    ids=["well", "long", "short", "lost-one", "clock-set-back", "never-tried"],
)
def test_a_channel_fails_when_it_failed_for_long_or_lost_a_message(health: ChannelHealth, failing: bool) -> None:
    assert is_failing(health, after=600, now=NOW) == failing


def test_a_failing_channel_has_one_alert_that_says_what_to_do() -> None:
    told = decide(BAD)

    assert told is not None
    assert (told.event, told.alert.kind, told.alert.channel) == (EventKind.OPENED, AlertKind.CHANNEL, "mail")
    assert (told.alert.server, told.alert.severity) == ("", Severity.HIGH)
    assert "HTTP 503" in told.alert.summary
    assert "driftwatch channels test mail" in told.alert.summary
    assert decide(replace(BAD, failures=9), told) is None


@pytest.mark.parametrize(("dead", "words"), [(1, "One message was given up."), (3, "3 messages were given up.")])
def test_lost_messages_are_counted(dead: int, words: str) -> None:
    told = decide(replace(BAD, dead=dead))

    assert told is not None
    assert words in told.alert.summary


def test_the_alert_ends_when_the_channel_takes_a_message() -> None:
    opened = decide(BAD)

    told = decide(GOOD, opened, now=NOW + HOUR)

    assert told is not None
    assert (told.event, told.alert.state, told.alert.reason) == (
        EventKind.RESOLVED,
        AlertState.RESOLVED,
        "delivers-again",
    )


def server(name: str, *, ok: timedelta | None, due: timedelta = timedelta(), failures: int = 0) -> ServerState:
    return ServerState(
        server=name,
        last_ok_at=None if ok is None else NOW - ok,
        next_look_at=NOW + due,
        failures=failures,
    )


@pytest.mark.parametrize(
    ("servers", "blind"),
    [
        ([server("a", ok=2 * HOUR, failures=5), server("b", ok=3 * HOUR, failures=5)], True),
        ([server("a", ok=2 * HOUR, failures=5), server("b", ok=MINUTE)], False),
        ([server("a", ok=2 * HOUR, failures=5), server("b", ok=3 * HOUR, due=HOUR)], False),
        ([server("a", ok=2 * HOUR, due=-HOUR)], True),
        ([server("a", ok=None, failures=9)], True),
        ([server("a", ok=MINUTE, failures=1)], False),
        ([], False),
    ],
    ids=[
        "all-fail",
        "one-works",
        "one-is-not-due",
        "nobody-looks",
        "never-worked",
        "has-just-begun-to-fail",
        "none-watched",
    ],
)
def test_driftwatch_is_blind_when_nothing_is_seen_as_it_is_meant_to_be(servers: list[ServerState], blind: bool) -> None:
    states = {one.server: one for one in servers}

    assert is_blind(states, started=NOW - DAY, after=3600, now=NOW) == blind


def test_who_has_just_begun_to_look_is_not_blind_yet() -> None:
    states = {"a": server("a", ok=None, failures=9)}

    assert not is_blind(states, started=NOW - MINUTE, after=3600, now=NOW)


def test_blindness_is_told_once_and_its_end_too() -> None:
    def decide_(current: Told | None, *, blind: bool) -> Told | None:
        alert = None if current is None else current.alert
        return decide_blind(alert, blind=blind, last_ok=NOW - HOUR, now=NOW, new_id=lambda: "alr_1")

    opened = decide_(None, blind=True)
    again = decide_(opened, blind=True)
    over = decide_(opened, blind=False)

    assert opened is not None
    assert over is not None
    assert (opened.event, opened.alert.kind) == (EventKind.OPENED, AlertKind.DAEMON)
    assert "since 2026-03-01 11:00 UTC" in opened.alert.summary
    assert again is None
    assert (over.event, over.alert.reason) == (EventKind.RESOLVED, "sees-again")
    assert decide_(None, blind=False) is None


BROKEN = Verified(3, "a" * 64, 4, "entry 4 is missing")
ASTRAY = Verified(9, "a" * 64, astray=tuple(f"the user `eve{number}\x1b[2J` is there" for number in range(5)))


@pytest.mark.parametrize(
    ("found", "code", "said"),
    [
        (BROKEN, "chain", "not as it was written: entry 4 is missing. Somebody wrote"),
        (ASTRAY, "astray", "the user `eve2\\u{001B}[2J` is there (and 2 more). Somebody wrote"),
    ],
)
def test_a_database_changed_by_hand_is_told_once_and_its_end_too(found: Verified, code: str, said: str) -> None:
    def decide_(current: Told | None, found: Verified) -> Told | None:
        alert = None if current is None else current.alert
        return decide_audit(alert, found, now=NOW, new_id=lambda: "alr_1")

    opened = decide_(None, found)
    over = decide_(opened, Verified(9, "a" * 64))

    assert opened is not None
    assert over is not None
    assert (opened.event, opened.alert.kind, opened.alert.severity) == (
        EventKind.OPENED,
        AlertKind.AUDIT,
        Severity.CRITICAL,
    )
    assert said in opened.alert.summary
    assert "driftwatch audit verify" in opened.alert.summary
    assert opened.new[0].after["code"] == code
    assert decide_(opened, BROKEN) is None
    assert (over.event, over.alert.reason) == (EventKind.RESOLVED, "agrees-again")
    assert decide_(None, Verified(9, "a" * 64)) is None


def test_the_last_look_is_that_at_any_server() -> None:
    assert last_look({"a": server("a", ok=HOUR), "b": server("b", ok=MINUTE)}) == NOW - MINUTE
    assert last_look({"a": server("a", ok=None)}) is None
