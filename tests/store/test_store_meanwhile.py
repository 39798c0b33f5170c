"""An alert that is written by somebody who read it a while ago: what came meanwhile stays."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from store_world import ACTOR, MINUTE, START, Clock, alert, delivery, finding, look, snapshot, told, tool

from driftwatch.errors import BaselineMovedError
from driftwatch.model import Acknowledged, AlertState, DeliveryState
from driftwatch.store import AlertWrite, Store
from driftwatch.store.records import Wanted


def test_what_another_store_writes_is_noticed_once_and_what_it_reads_is_not(
    store: Store, file: Path, clock: Clock
) -> None:
    opened(store)
    with Store.open(f"sqlite:///{file}", clock=clock) as other, store.changes() as changes:
        calm = changes.any()
        other.deliveries()
        other.claim_deliveries(now=START - MINUTE, lease=MINUTE, limit=1)
        read = changes.any()
        other.retry_delivery("msg_1", by=ACTOR, now=START)
        written = [changes.any(), changes.any()]

    assert (calm, read, written) == (False, False, [True, False])


def opened(store: Store) -> None:
    first = alert("alr_1", server="git", findings=(finding(),), told_at=START)
    rows = (delivery("msg_1", alert_id="alr_1", server="git"), delivery("msg_2", state=DeliveryState.HELD))
    mine = (replace(row, alert_id="alr_1", server="git") for row in rows)
    store.record_look(look("git", snapshot(tool("read")), alert=(told(first, *mine),)))


def test_an_alert_that_grew_meanwhile_is_not_written_over(store: Store) -> None:
    opened(store)
    read = store.alert("alr_1")
    grown = replace(read, findings=(*read.findings, finding("hint-loosened")))
    store.record_alert(AlertWrite(grown))
    known = replace(read, state=AlertState.ACKNOWLEDGED, acknowledged=Acknowledged("ana", START))

    with pytest.raises(BaselineMovedError, match="changed meanwhile"):
        store.record_alert(AlertWrite(known, deliveries=(delivery("msg_9", alert_id="alr_1"),), expected=read))

    assert store.alert("alr_1") == grown
    assert "msg_9" not in {row.id for row in store.deliveries()}


def test_an_alert_that_is_as_it_was_read_is_written_as_it_is_given(store: Store) -> None:
    opened(store)
    read = store.alert("alr_1")
    earlier = replace(read, told_at=START - timedelta(hours=6), reminders=read.reminders + 1)

    store.record_alert(AlertWrite(earlier, expected=read))

    assert store.alert("alr_1") == earlier


def test_what_is_held_counts_as_waiting_and_by_itself(store: Store) -> None:
    opened(store)

    counts = store.counts()

    assert (counts.deliveries_pending, counts.deliveries_held) == (2, 1)


def test_the_messages_about_one_alert_can_be_asked_for(store: Store) -> None:
    opened(store)
    other = alert("alr_2", server="mail")
    row = replace(delivery("msg_3"), alert_id="alr_2", server="mail")
    store.record_look(look("mail", snapshot(tool("send")), at=START + MINUTE, alert=(told(other, row),)))

    assert [one.id for one in store.deliveries(wanted=Wanted(alert="alr_2"))] == ["msg_3"]
