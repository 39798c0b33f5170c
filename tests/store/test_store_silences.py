"""What the store keeps of people and time: acknowledgements, alerts about no server, silences."""

from __future__ import annotations

from dataclasses import replace

import pytest
from store_world import ACTOR, MINUTE, START, alert, look, snapshot, told, tool

from driftwatch.errors import AlertMovedError, BaselineMovedError
from driftwatch.model import (
    Acknowledged,
    AlertKind,
    AlertState,
    EventKind,
    Severity,
    Silence,
)
from driftwatch.store import Store

FIRST = snapshot(tool("read"))
ANA = Acknowledged(by="ana", at=START, note="it is the roll-out", known=frozenset({"a"}))


def fill(store: Store) -> None:
    """Open an alert."""
    store.record_look(look("git-1", FIRST, alert=(told(alert("alr_1", server="git-1")),)))


# Alerts


def test_what_a_person_acknowledged_is_not_written_over_by_a_look_that_read_the_alert_before(store: Store) -> None:
    fill(store)
    before = store.alert("alr_1")
    known = replace(before, state=AlertState.ACKNOWLEDGED, acknowledged=ANA)
    store.acknowledge(told(known, event=EventKind.ACKNOWLEDGED), by=ACTOR)

    with pytest.raises(AlertMovedError):
        store.record_alert(replace(told(replace(before, summary="later"), event=None), expected=before))

    assert store.alert("alr_1") == known


def test_channels_and_the_daemon_have_alerts_of_their_own_beside_those_of_servers(store: Store) -> None:
    mail = alert("alr_m", server="", channel="mail", kind=AlertKind.CHANNEL)
    ops = alert("alr_o", server="", channel="ops", kind=AlertKind.CHANNEL)
    blind = alert("alr_d", server="", kind=AlertKind.DAEMON)
    for one in (mail, ops, blind):
        store.record_alert(told(one))

    assert store.open_alert("", AlertKind.CHANNEL, channel="mail") == mail
    assert store.open_alert("", AlertKind.DAEMON) == blind
    with pytest.raises(BaselineMovedError):
        store.record_alert(told(replace(mail, id="alr_m2")))


def test_an_acknowledged_alert_is_not_over_and_keeps_another_from_opening(store: Store) -> None:
    fill(store)
    store.record_alert(told(replace(store.alert("alr_1"), state=AlertState.ACKNOWLEDGED, acknowledged=ANA), event=None))

    assert [one.id for one in store.alerts(stands=True)] == ["alr_1"]
    assert store.open_alert("git-1", AlertKind.DRIFT) is not None
    with pytest.raises(BaselineMovedError):
        store.record_alert(told(alert("alr_2", server="git-1")))


# Silences


def silence(name: str = "sil_1", **more: object) -> Silence:
    values = {
        "server": "pay-*",
        "tool": "",
        "rule": "",
        "severity": Severity.HIGH,
        "reason": "the roll-out",
        "by": "ana",
        "created_at": START,
        "until": START + 60 * MINUTE,
    }
    return Silence(id=name, **{**values, **more})


def test_a_silence_is_in_force_until_its_end(store: Store) -> None:
    store.add_silence(silence(), origin="cli")

    assert store.silences(at=START + 59 * MINUTE) == [silence()]
    assert store.silences(at=START + 60 * MINUTE) == []
    assert store.silences() == [silence()]


def test_a_silence_can_be_ended_once(store: Store) -> None:
    store.add_silence(silence(), origin="cli")

    ended = [store.end_silence("sil_1", at=START + MINUTE, by=replace(ACTOR, name="bob")) for _ in range(2)]

    assert ended == [True, False]
    assert store.silences(at=START + MINUTE) == []
    assert store.silence("sil").ended_by == "bob"
