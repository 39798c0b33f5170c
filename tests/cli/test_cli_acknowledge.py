"""alerts ack by more than ids: by the message that told of alerts, by a server, and all there are."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from cli_telling import MARCH, alert, flat, message, told
from cli_world import HOOK, SECRET, Ended

from driftwatch.model import AlertState, DeliveryState, EventKind
from driftwatch.store import AlertWrite, Store
from driftwatch.tell.batch import batch
from tests import zygote

Say = Callable[..., Ended]


def two(store: Store, *, gathered: bool = False) -> str:
    """Open an alert on files and one on git; with `gathered` they are told in one message. Give the id of the first."""
    state = DeliveryState.HELD if gathered else DeliveryState.PENDING
    first, second = alert(), alert(id="alr_git", server="git")
    rows = [message(first, 1, state=state), message(second, 2, state=state)]
    told(store, first, rows[0])
    told(store, second, rows[1])
    if not gathered:
        return rows[0].id
    whole = batch(rows, now=MARCH, public_url=None)
    store.seal([row.id for row in rows], batch=whole, now=MARCH)
    return whole.id


def known(store: Store) -> set[str]:
    """Give the servers whose alerts somebody knows of."""
    return {one.server for one in store.alerts(limit=100) if one.state is AlertState.ACKNOWLEDGED}


def test_a_message_means_the_alert_that_it_tells_of(say: Say, store: Store) -> None:
    name = two(store)

    ended = say("alerts", "ack", name[:12], "--by", "ana")

    assert (ended.code, known(store)) == (0, {"files"})
    assert flat(ended.out).startswith("files (alr_11112222333344445555666677778888): acknowledged.")


def test_a_message_about_several_means_all_of_them_that_stand(say: Say, store: Store) -> None:
    name = two(store, gathered=True)
    third = alert(id="alr_third", server="mail")
    told(store, third)

    ended = say("alerts", "ack", name, "--by", "ana", "--note", "the roll-out")

    assert known(store) == {"files", "git"}
    assert ended.out.endswith("2 alerts acknowledged; 1 left that nobody has.\n")


def test_of_a_message_about_several_what_is_over_is_left(say: Say, store: Store) -> None:
    name = two(store, gathered=True)
    for one in store.alerts():
        if one.server == "git":
            over = alert(id=one.id, server="git", state=AlertState.RESOLVED, resolved_at=MARCH)
            store.record_alert(AlertWrite(over, EventKind.RESOLVED, ()))

    first = say("alerts", "ack", name, "--by", "ana")
    store.record_alert(AlertWrite(alert(state=AlertState.RESOLVED, resolved_at=MARCH), EventKind.RESOLVED, ()))
    again = say("alerts", "ack", name, "--by", "ana")

    assert flat(first.out).startswith("files (")
    assert (again.code, again.out) == (2, "")
    assert f"All that the message {name} tells of is over." in flat(again.err)


def test_all_of_a_server_or_all_there_are_are_acknowledged_with_their_number(say: Say, store: Store) -> None:
    two(store)

    one = say("alerts", "ack", "--server", "git", "--by", "ana")
    rest = say("alerts", "ack", "--all", "--by", "ana", "--format", "json")
    none = say("alerts", "ack", "--all", "--by", "ana")

    assert one.out.startswith("1 alert of git that nobody has acknowledged.\ngit (alr_git): acknowledged.")
    assert one.out.endswith("1 alert acknowledged; 1 left that nobody has.\n")
    assert [each["alert"]["server"] for each in rest.json["acknowledged"]] == ["files"]
    assert rest.json["unanswered"] == 0
    assert none.out == "0 alerts that nobody has acknowledged.\n0 alerts acknowledged; 0 left that nobody has.\n"


def test_which_alerts_are_meant_is_said_once(say: Say, store: Store) -> None:
    two(store)

    for words in ((), ("alr_git", "--all"), ("--server", "git", "--all")):
        ended = say("alerts", "ack", *words, "--by", "ana")

        assert (ended.code, known(store)) == (2, set())
        assert "Say which alerts you know of." in ended.err
    assert "Did you mean files?" in say("alerts", "ack", "--server", "fils", "--by", "ana").err


def test_on_a_terminal_all_are_acknowledged_only_after_a_yes(store: Store, configured: Path) -> None:
    two(store)
    ours, theirs = os.openpty()
    os.write(ours, b"n\n")

    done = zygote.run(
        [sys.executable, "-m", "driftwatch", "alerts", "ack", "--all", "--by", "ana"],
        cwd=configured.parent,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "KEY": SECRET, "HOOK": HOOK},
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        timeout=60,
    )
    said = os.read(ours, 65536)
    os.close(ours)
    os.close(theirs)

    assert (done.returncode, known(store)) == (1, set())
    assert b"Acknowledge all of them? [y/N]" in said
