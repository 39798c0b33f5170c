"""What a person says about alerts and messages: what is accepted, what is refused, and what is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from driftwatch.errors import BaselineMovedError, DriftwatchError, NothingToDoError, UnknownIdError, UsageError
from driftwatch.model import Alert, AlertState, Delivery, DeliveryState, EventKind, SendResult, SendVerdict, Severity
from driftwatch.review import attend
from driftwatch.store import AlertWrite, Store
from driftwatch.tell.upkeep import Upkeep
from tests.desk import GOOD, HOOK, LOOSENED, Desk
from tests.fakes import person

HOUR = timedelta(hours=1)
ANA, BOB, NOBODY = person("ana"), person("bob"), person(" ")
ABOUT: dict[str, Any] = {"server": "notes", "severity": Severity.HIGH, "reason": "roll-out", "by": ANA}


class Hasty(Store):
    """A store in which a look writes to an alert as soon as somebody has read it, so many times."""

    looks = 0

    def alert(self, prefix: str) -> Alert:
        found = super().alert(prefix)
        if self.looks:
            self.looks -= 1
            self.record_alert(AlertWrite(replace(found, summary=f"{found.summary}!")))
        return found


@pytest.fixture
def hasty(desk: Desk) -> Iterator[Hasty]:
    with Hasty.open(desk.url, clock=desk.clock) as opened:
        assert isinstance(opened, Hasty)
        yield opened


async def drifted(desk: Desk) -> Alert:
    await desk.look(GOOD)
    desk.approve()
    await desk.look(LOOSENED)
    (alert,) = desk.store.alerts(stands=True)
    return alert


def finish(desk: Desk, row: Delivery, state: DeliveryState) -> None:
    verdict = SendVerdict.DONE if state is DeliveryState.DELIVERED else SendVerdict.STOP
    result = SendResult(verdict, "as it went")
    desk.store.finish_delivery(row.id, result=result, state=state, next_attempt_at=None, now=desk.clock())


def refused(error: type[DriftwatchError], act: Any) -> DriftwatchError:
    with pytest.raises(error) as caught:
        act()
    assert caught.value.hint
    return caught.value


# Acknowledging


async def test_an_acknowledgement_says_who_and_why_and_which_messages_tell_it(desk: Desk) -> None:
    alert = await drifted(desk)

    done = attend.acknowledge(
        desk.store, desk.settings, alert.id[:10], by=person(" ana "), note=" seen ", now=desk.clock()
    )

    kept = desk.store.alert(alert.id)
    assert done.is_new
    assert done.alert.state is kept.state is AlertState.ACKNOWLEDGED
    assert kept.acknowledged is not None
    assert (kept.acknowledged.by, kept.acknowledged.note) == ("ana", "seen")
    assert [desk.store.delivery(one).event for one in done.queued] == [EventKind.ACKNOWLEDGED]


async def test_what_somebody_else_acknowledged_stays_theirs(desk: Desk) -> None:
    alert = await drifted(desk)
    attend.acknowledge(desk.store, desk.settings, alert.id, by=ANA, now=desk.clock())

    again = attend.acknowledge(desk.store, desk.settings, alert.id, by=BOB, now=desk.clock())

    assert (again.is_new, again.queued) == (False, ())
    assert again.alert.acknowledged is not None
    assert again.alert.acknowledged.by == "ana"


async def test_an_acknowledgement_without_a_name_or_of_what_is_not_there_or_over_is_refused(desk: Desk) -> None:
    alert = await drifted(desk)

    refused(UsageError, lambda: attend.acknowledge(desk.store, desk.settings, alert.id, by=NOBODY, now=desk.clock()))
    refused(UnknownIdError, lambda: attend.acknowledge(desk.store, desk.settings, "alr_x", by=ANA, now=desk.clock()))
    await desk.look(GOOD)
    over = refused(
        NothingToDoError,
        lambda: attend.acknowledge(desk.store, desk.settings, alert.id, by=ANA, now=desk.clock()),
    )

    assert alert.id in over.message


async def test_a_look_in_the_very_moment_of_an_acknowledgement_loses_nothing(desk: Desk, hasty: Hasty) -> None:
    alert = await drifted(desk)
    hasty.looks = 2

    done = attend.acknowledge(hasty, desk.settings, alert.id, by=ANA, now=desk.clock())

    kept = desk.store.alert(alert.id)
    assert done.is_new
    assert kept.state is AlertState.ACKNOWLEDGED
    assert kept.summary == f"{alert.summary}!!"


async def test_an_alert_that_never_keeps_still_is_not_acknowledged_by_guess(desk: Desk, hasty: Hasty) -> None:
    alert = await drifted(desk)
    hasty.looks = 1_000

    refused(
        BaselineMovedError,
        lambda: attend.acknowledge(hasty, desk.settings, alert.id, by=ANA, now=desk.clock()),
    )

    assert desk.store.alert(alert.id).state is AlertState.OPEN


# Silences


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"server": ""}, "leaving everything out"),
        ({"server": "  "}, "leaving everything out"),
        ({"reason": " "}, "needs a reason"),
        ({"by": NOBODY}, "Nobody is named"),
        ({"lasts": timedelta(0)}, "over before it begins"),
        ({"lasts": -HOUR}, "over before it begins"),
        ({"lasts": timedelta(days=367)}, "too long"),
        ({"rule": "hint-widend"}, "No rule is called"),
        ({"rule": "no-such-*"}, "No rule is called"),
    ],
)
def test_a_silence_that_makes_no_sense_is_refused_and_nothing_is_kept(
    desk: Desk, wrong: dict[str, Any], said: str
) -> None:
    given = {**ABOUT, **wrong}
    until = desk.clock() + given.pop("lasts", HOUR)

    error = refused(UsageError, lambda: attend.silence(desk.store, **given, now=desk.clock(), until=until))

    assert said in error.message
    assert desk.store.silences() == []


@pytest.mark.parametrize("rule", ["hint-*", "could-not-look", "channel-failing", "nothing-looked-at", "*"])
def test_every_rule_that_an_alert_can_have_can_be_silenced(desk: Desk, rule: str) -> None:
    made = attend.silence(
        desk.store, **{**ABOUT, "server": "", "rule": rule}, now=desk.clock(), until=desk.clock() + HOUR
    )

    assert desk.store.silence(made.id[:9]) == made


def test_a_silence_is_ended_once_and_by_whom_is_kept(desk: Desk) -> None:
    made = attend.silence(desk.store, **ABOUT, now=desk.clock(), until=desk.clock() + HOUR)
    desk.clock.forward(60)

    ended = attend.unsilence(desk.store, made.id[:9], by=BOB, now=desk.clock())
    again = refused(NothingToDoError, lambda: attend.unsilence(desk.store, made.id, by=person("cy"), now=desk.clock()))

    assert desk.store.silence(made.id) == ended
    assert (ended.ended_by, ended.ended_at) == ("bob", desk.clock())
    assert "ended by bob" in again.message


def test_a_silence_that_ran_out_cannot_be_ended(desk: Desk) -> None:
    made = attend.silence(desk.store, **ABOUT, now=desk.clock(), until=desk.clock() + HOUR)
    desk.clock.forward(3601)

    error = refused(NothingToDoError, lambda: attend.unsilence(desk.store, made.id, by=BOB, now=desk.clock()))

    assert "ended by" not in error.message


# Messages


async def test_what_was_given_up_is_sent_again_at_once(desk: Desk) -> None:
    await drifted(desk)
    (row,) = desk.store.deliveries()
    finish(desk, row, DeliveryState.DEAD)
    desk.clock.forward(60)

    done = attend.retry(desk.store, [row.id[:12], row.id], by=person(), now=desk.clock())

    assert [one.id for one in done.sent] == [row.id]
    kept = desk.store.delivery(row.id)
    assert (kept.state, kept.attempts, kept.next_attempt_at) == (DeliveryState.PENDING, 0, desk.clock())


async def test_what_was_delivered_is_neither_sent_again_nor_taken_out(desk: Desk) -> None:
    await drifted(desk)
    (row,) = desk.store.deliveries()
    finish(desk, row, DeliveryState.DELIVERED)

    refused(NothingToDoError, lambda: attend.retry(desk.store, [row.id], by=person(), now=desk.clock()))
    refused(NothingToDoError, lambda: attend.cancel(desk.store, [row.id], by=ANA, now=desk.clock()))

    assert desk.store.delivery(row.id).state is DeliveryState.DELIVERED


async def test_the_beginning_of_what_is_over_is_not_sent_to_those_who_never_heard_of_it(desk: Desk) -> None:
    await drifted(desk)
    (row,) = desk.store.deliveries()
    finish(desk, row, DeliveryState.DEAD)
    await desk.look(GOOD)

    error = refused(NothingToDoError, lambda: attend.retry(desk.store, [row.id], by=person(), now=desk.clock()))
    done = attend.retry_dead(desk.store, by=person(), now=desk.clock())

    assert "cancel" in error.hint
    assert (done.sent, [one.id for one in done.left]) == ((), [row.id])
    assert desk.store.delivery(row.id).state is DeliveryState.DEAD


async def test_the_end_that_was_given_up_is_sent_again(desk: Desk) -> None:
    await drifted(desk)
    finish(desk, desk.store.deliveries()[0], DeliveryState.DELIVERED)
    await desk.look(GOOD)
    end = desk.store.deliveries()[0]
    finish(desk, end, DeliveryState.DEAD)

    done = attend.retry_dead(desk.store, channel="hook", by=person(), now=desk.clock())

    assert (end.event, [one.id for one in done.sent]) == (EventKind.RESOLVED, [end.id])
    assert attend.retry_dead(desk.store, channel="other", by=person(), now=desk.clock()) == attend.Retried(())


async def test_what_is_taken_out_is_kept_with_who_did_it(desk: Desk) -> None:
    await drifted(desk)
    (row,) = desk.store.deliveries()

    (done,) = attend.cancel(desk.store, [row.id[:12]], by=ANA, now=desk.clock())

    assert (done.state, done.last_result) == (DeliveryState.CANCELLED, "taken out by ana")
    refused(NothingToDoError, lambda: attend.cancel(desk.store, [row.id], by=BOB, now=desk.clock()))
    refused(UsageError, lambda: attend.cancel(desk.store, [row.id], by=NOBODY, now=desk.clock()))


async def test_one_message_that_cannot_be_helped_leaves_the_others_alone(desk: Desk) -> None:
    await drifted(desk)
    finish(desk, desk.store.deliveries()[0], DeliveryState.DELIVERED)
    await desk.look(GOOD)
    delivered, waiting = (one.id for one in reversed(desk.store.deliveries()))

    refused(NothingToDoError, lambda: attend.cancel(desk.store, [waiting, delivered], by=ANA, now=desk.clock()))
    refused(UnknownIdError, lambda: attend.cancel(desk.store, [waiting, "msg_nowhere"], by=ANA, now=desk.clock()))

    assert desk.store.delivery(waiting).state is DeliveryState.PENDING


async def test_a_message_that_went_out_with_others_is_helped_through_the_one_that_holds_them(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    second = HOOK.model_copy(update={"name": "other"})
    desk.settings = desk.settings.model_copy(update={"channels": (HOOK, second)})
    await drifted(desk)
    first, _ = desk.store.deliveries()
    batch = replace(first, id="msg_batch", alert_id="", server="", event=EventKind.BATCH, payload={})
    members = [replace(first, id=f"msg_held_{number}", state=DeliveryState.HELD) for number in (1, 2)]
    (alert,) = desk.store.alerts(stands=True)
    desk.store.record_alert(AlertWrite(alert, deliveries=tuple(members)))
    desk.store.seal([member.id for member in members], batch=batch, now=desk.clock())
    finish(desk, batch, DeliveryState.DEAD)

    error = refused(NothingToDoError, lambda: attend.retry(desk.store, ["msg_held_1"], by=person(), now=desk.clock()))
    done = attend.retry_dead(desk.store, by=person(), now=desk.clock())

    assert "msg_batch" in error.hint
    assert [one.id for one in done.sent] == ["msg_batch"]
    assert desk.store.delivery("msg_held_2").state is DeliveryState.BATCHED
    desk.store.close()


async def test_a_turn_after_a_silence_was_ended_tells_without_a_daemon(desk: Desk) -> None:
    made = attend.silence(desk.store, **ABOUT, now=desk.clock(), until=desk.clock() + 100 * HOUR)
    await drifted(desk)
    before = desk.store.deliveries()

    attend.unsilence(desk.store, made.id, by=BOB, now=desk.clock())
    Upkeep(desk.store, desk.settings, started=desk.clock()).mind_alerts(desk.clock())

    assert before == []
    assert desk.told() == [EventKind.OPENED]
