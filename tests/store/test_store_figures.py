"""What health and metrics read: counted right, and from one state of the database."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from store_world import BUSY, MINUTE, START, Clock, alert, delivery, finding, look, snapshot, testimony, told, tool

from driftwatch.errors import StoreError
from driftwatch.model import AlertKind, AlertState, BaselineState, DeliveryState, Severity, TestimonyState
from driftwatch.store import Store
from driftwatch.store.figures import Known, Waiting

SHOWN = snapshot(tool("read"))
CHANNELS = frozenset({"ops"})


def test_an_empty_database_has_a_size_and_nothing_else(store: Store) -> None:
    figures = store.figures(channels=CHANNELS)

    assert figures.sizes["main"] > 0
    assert figures.audited == 0
    assert not any((figures.pulse.states, figures.findings, figures.alerts, figures.waiting, figures.witnessed))


def test_findings_are_counted_by_severity_and_apart_from_those_that_the_policy_hides(store: Store) -> None:
    loud, low = finding(), finding("other", severity=Severity.LOW)
    hidden = finding("third", hidden="volatile")
    store.record_look(look("git", SHOWN, findings=(loud, low, hidden)))
    store.record_look(look("mail", SHOWN, findings=(hidden,)))

    figures = store.figures(channels=CHANNELS)

    assert figures.findings == {(Severity.HIGH, False): 1, (Severity.LOW, False): 1, (Severity.HIGH, True): 2}
    assert figures.found == {"git"}


def test_what_is_remembered_of_findings_between_two_counts_changes_no_count(store: Store) -> None:
    known: Known = {}
    store.record_look(look("git", SHOWN, findings=(finding(),)))
    first = store.figures(channels=CHANNELS, known=known)
    store.record_look(look("git", SHOWN, baseline=SHOWN.digest, at=START + MINUTE, findings=(finding("other"),) * 2))
    second = store.figures(channels=CHANNELS, known=known)
    store.record_look(look("git", SHOWN, baseline=SHOWN.digest, at=START + 2 * MINUTE))
    third = store.figures(channels=CHANNELS, known=known)

    assert [sum(one.findings.values()) for one in (first, second, third)] == [1, 2, 0]
    assert known == {}


def test_what_stands_between_looks_is_given_as_the_states_have_it(store: Store) -> None:
    store.record_look(look("git", SHOWN))

    state = store.pulse(channels=CHANNELS).states["git"]

    whole = store.state("git")
    assert (state.last_ok_at, state.next_look_at, state.failures) == (START, START + 5 * MINUTE, 0)
    assert (state.looks, state.last_digest, state.last_outcome) == (1, SHOWN.digest, whole.last_outcome)
    assert state.baseline is not None
    assert state.baseline.state is BaselineState.PROVISIONAL


def test_what_waits_is_counted_by_channel_and_how_long_the_oldest_does(store: Store) -> None:
    later = delivery("msg_2", created_at=START + MINUTE)
    held = delivery("msg_3", state=DeliveryState.HELD)
    store.record_alert(told(alert(), delivery(), later, held, delivery("msg_4", channel="gone")))

    figures = store.figures(channels=CHANNELS)

    assert figures.waiting == {
        ("ops", DeliveryState.PENDING): Waiting(2, START),
        ("ops", DeliveryState.HELD): Waiting(1, START),
        ("gone", DeliveryState.PENDING): Waiting(1, START),
    }
    assert figures.alerts == {(AlertKind.DRIFT, Severity.HIGH, AlertState.OPEN): 1}


def test_only_messages_to_channels_that_are_there_can_be_overdue(store: Store) -> None:
    store.record_alert(told(alert(), delivery("msg_1", channel="gone")))

    assert store.pulse(channels=CHANNELS).due_at is None
    assert store.pulse(channels=CHANNELS | {"gone"}).due_at == START


def test_the_log_is_known_not_to_hold_while_the_alert_about_it_stands(store: Store) -> None:
    before = store.pulse(channels=CHANNELS).tampered
    store.record_alert(told(alert(server="", kind=AlertKind.AUDIT)))

    assert (before, store.pulse(channels=CHANNELS).tampered) == (False, True)


def test_how_channels_do_and_what_agents_were_shown_is_counted(store: Store) -> None:
    store.record_look(look("git", SHOWN))
    store.take_testimony(testimony("git", SHOWN), shown=SHOWN)
    store.note_channel("ops", BUSY, now=START)

    figures = store.figures(channels=CHANNELS)

    assert figures.witnessed == {TestimonyState.SAME: 1}
    assert figures.pulse.channels["ops"].failures == 1


def test_to_try_whether_it_can_be_written_writes_nothing_and_waits_no_longer_than_asked(
    store: Store, file: Path, clock: Clock
) -> None:
    before = file.read_bytes()
    store.try_writing(0.0)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="is locked by another program"):
            store.try_writing(0.0)
        other.execute("ROLLBACK")
    store.try_writing(0.0)

    assert file.read_bytes() == before
    # What is written next waits for others as long as ever.
    store.plan("git", clock.later())
    with store._write() as connection:
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one() == 30_000
