"""What people hear when something does not work: servers, channels, and driftwatch itself. Each by both ways to act."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime

import pytest
from contracts.http import status
from stories import APPROVED, LOOSENED, Gate, Story

from driftwatch.model import DeliveryState
from driftwatch.store.store import Store
from driftwatch.tell.upkeep import Upkeep

HOURLY = '[alerts]\nremind_every = "1h"'

# Servers


def silent(gate: Gate) -> None:
    gate.instead = (503, b"")


def nonsense(gate: Gate) -> None:
    gate.instead = (200, b"<html>")


def refusing(gate: Gate) -> None:
    gate.instead = (401, b"")


@pytest.mark.parametrize(
    ("breaks", "told", "outcome"),
    [
        (silent, "opened medium", "unreachable"),
        (nonsense, "opened medium", "malformed"),
        (refusing, "opened high", "refused"),
    ],
    ids=["unreachable", "malformed", "refused"],
)
def test_a_server_that_cannot_be_looked_at_is_told_after_some_looks_and_when_it_can_be_again(
    story: Story, breaks: Callable[[Gate], None], told: str, outcome: str
) -> None:
    story.begin("ops")
    breaks(story.gate)
    story.check(minutes=5, times=2)
    soon = story.heard()
    story.check(minutes=5, times=4)
    opened = story.bodies()
    story.gate.instead = None
    story.check(minutes=5, times=2)

    assert soon == []
    assert [f"{event} {data['severity']}" for event, data in opened] == [told]
    assert (opened[0][1]["kind"], opened[0][1]["outcome"]["outcome"]) == ("health", outcome)
    assert [(event, data["reason"]) for event, data in story.bodies()] == [("resolved", "looked-again")]


def test_a_server_that_begins_to_refuse_while_it_is_down_is_told_as_worse_and_reminded_of(story: Story) -> None:
    story.begin("ops", rest=HOURLY)
    silent(story.gate)
    story.check(minutes=5, times=3)
    story.check(hours=2)
    down = story.heard()
    refusing(story.gate)
    story.check(minutes=5, times=2)
    refused = story.heard()
    story.check(hours=1.1)

    assert down == ["opened medium"]
    assert (refused, story.heard()) == (["updated high"], ["reminded high"])


def test_a_server_under_repair_can_be_silenced_and_is_told_when_the_time_is_over(story: Story) -> None:
    story.begin("ops")
    story.hands.silence(server="files", rule="could-not-look", severity="high", hours=2)
    silent(story.gate)
    story.check(minutes=20, times=5)
    during = story.heard()
    story.check(hours=1)

    assert during == []
    assert story.heard() == ["opened medium"]


def test_a_difference_and_a_failure_are_two_alerts_that_are_acknowledged_apart(story: Story) -> None:
    story.begin("ops")
    drift = story.drift(*LOOSENED)
    refusing(story.gate)
    story.check(minutes=5, times=3)
    story.hands.acknowledge(drift, by="ana", note="")
    states = {one.id == drift: one.state for one in story.hands.alerts()}

    assert states == {True: "acknowledged", False: "open"}


# Channels


def test_a_channel_that_fails_is_told_through_the_others_and_its_end_too(story: Story) -> None:
    story.begin("ops", "chat")
    story.receivers["chat"].usual = status(503)
    story.drift(*LOOSENED)
    story.check(minutes=4)
    soon = story.heard("ops")
    story.check(minutes=7, times=3)
    failing = story.bodies("ops")
    story.receivers["chat"].usual = status(204)
    story.heard("chat")
    story.check(minutes=61)
    story.check(minutes=1)
    over = story.bodies("ops")

    assert soon == ["opened high"]
    assert [(event, data["kind"], data["channel"]) for event, data in failing] == [("opened", "channel", "chat")]
    assert [(event, data["reason"]) for event, data in over] == [("resolved", "delivers-again")]
    assert story.heard("chat") == ["opened high"]


def test_a_message_that_was_given_up_is_told_of_and_can_be_sent_again(story: Story) -> None:
    story.begin("ops", "chat")
    story.receivers["chat"].usual = status(410)
    story.drift(*LOOSENED)
    story.check(minutes=1)
    told = [(event, data["kind"]) for event, data in story.bodies("ops")]
    dead = [row.state for row in story.rows("chat")]
    story.heard("chat")
    story.receivers["chat"].usual = status(204)

    story.hands.retry_dead()
    story.check(minutes=1)
    again = story.heard("chat")
    story.show(*APPROVED)
    story.check(minutes=1)

    assert told == [("opened", "drift"), ("opened", "channel")]
    assert dead == [DeliveryState.DEAD]
    assert again == ["opened high"]
    assert story.heard("chat") == ["resolved high"]


def test_what_was_given_up_and_is_over_is_not_sent_again(story: Story) -> None:
    story.begin("ops", "chat")
    story.receivers["chat"].usual = status(410)
    story.drift(*LOOSENED)
    story.show(*APPROVED)
    story.check(minutes=1)
    story.receivers["chat"].usual = status(204)
    story.heard("chat")

    story.hands.retry_dead()
    story.check(minutes=1)

    assert story.heard("chat") == []


# Driftwatch itself


def test_when_no_look_works_that_is_told_and_only_a_look_that_works_ends_it(story: Story) -> None:
    story.begin("ops", rest='[servers.other]\nurl = "http://127.0.0.1:9/mcp"\nalert_after = 50')
    began = story.clock()
    silent(story.gate)
    story.check(minutes=20, times=2)
    turn(story, began)
    soon = kinds(story)
    story.check(minutes=30, times=3)
    turn(story, began)
    story.check(minutes=1)
    blind = kinds(story)
    # Whoever has just begun to watch must not give an all-clear.
    story.check(minutes=5, times=2)
    turn(story, story.clock())
    still = kinds(story)
    story.gate.instead = None
    story.check(minutes=5)
    story.check(minutes=1)

    assert "opened daemon" not in soon
    assert "opened daemon" in blind
    assert "resolved daemon" not in still
    assert "resolved daemon" in kinds(story)


@pytest.mark.parametrize("what", ["reminder", "escalation", "end of a silence", "a channel that fails", "blindness"])
def test_two_daemons_that_take_their_turns_at_once_tell_once(story: Story, what: str) -> None:
    began = story.clock()
    escalating = '[routes.default]\nchannels = ["ops"]\nescalate_after = "30m"\nescalate_to = ["boss"]'
    others = '[servers.other]\nurl = "http://127.0.0.1:9/mcp"\nalert_after = 50'
    story.begin("ops", "boss", rest=f"{HOURLY}\n{others if what == 'blindness' else escalating}")
    if what == "end of a silence":
        story.hands.silence(server="files", severity="critical", hours=1)
    if what == "a channel that fails":
        story.receivers["ops"].usual = status(410)
    if what != "blindness":
        story.drift(*LOOSENED)
    story.clock.forward({"reminder": 3700, "escalation": 1900, "blindness": 9 * 3600}.get(what, 3700))
    before = {row.id for name in ("ops", "boss") for row in story.rows(name)}

    turns_at_once(story, began, turns=4)

    new = [row for name in ("ops", "boss") for row in story.rows(name) if row.id not in before]
    assert len({(row.channel, row.event, row.payload["data"]["kind"]) for row in new}) == len(new) > 0


def kinds(story: Story) -> list[str]:
    return [f"{event} {data['kind']}" for event, data in story.bodies()]


def turn(story: Story, began: datetime) -> None:
    """Take a turn of a daemon that began to watch then."""
    with Store.open(story.settings.database_url, clock=story.clock) as store:
        Upkeep(store, story.settings, started=began).turn(story.clock())


def turns_at_once(story: Story, began: datetime, *, turns: int) -> None:
    """Let several daemons take a turn in the same moment, each with a database connection of its own."""
    gate = threading.Barrier(turns)
    failed: list[BaseException] = []

    def daemon() -> None:
        try:
            with Store.open(story.settings.database_url, clock=story.clock) as store:
                upkeep = Upkeep(store, story.settings, started=began)
                gate.wait(30)
                upkeep.turn(story.clock())
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=daemon) for _ in range(turns)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failed == []
