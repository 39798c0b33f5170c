"""A writer is killed at random moments; what it left is then read with its own eyes and with SQLite's."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from store_world import START, Clock

import driftwatch
from driftwatch.model import DeliveryState
from driftwatch.store import Store

ROOT = Path(driftwatch.__file__).resolve().parents[1]
KILLS = 6

WRITER = """
import sys
sys.path.insert(0, sys.argv[2])
from datetime import timedelta
from store_world import *
from driftwatch.model import AlertState, DeliveryState
from driftwatch.store import Store

store = Store.open(sys.argv[1], clock=Clock())
number = store.state("git").looks
while True:
    shown = snapshot(*(tool(f"t{each}", version=number // 2) for each in range(20)))
    baseline = store.baseline("git")
    open_alert = store.open_alert("git", AlertKind.DRIFT)
    name = open_alert.id if open_alert else f"alr_{number}"
    state = AlertState.RESOLVED if number % 3 == 2 else AlertState.OPEN
    rows = [delivery(f"msg_{number}_{channel}", name, channel=channel) for channel in ("ops", "chat")]
    write = told(alert(name, state=state, summary=str(number)), *rows)
    expected = baseline.digest if baseline else None
    store.record_look(look("git", shown, baseline=expected, findings=(finding(),) * 3, alert=(write,)))
    print("looked", number, flush=True)
    if number % 4 == 0:
        store.approve(review(shown.digest, note=str(number)), expected_baseline=store.baseline("git").digest)
        print("approved", number, flush=True)
    for each in store.claim_deliveries(now=START, lease=timedelta(0), limit=2):
        store.finish_delivery(each.id, result=DONE, state=DeliveryState.DELIVERED, next_attempt_at=None, now=START)
        print("delivered", each.id, flush=True)
    number += 1
"""


def killed_after(lines: int, file: Path, delay: random.Random) -> list[str]:
    """Run the writer, kill it some lines in and at no particular moment of its work, and give what it confirmed."""
    command = [sys.executable, "-c", WRITER, f"sqlite:///{file}", str(Path(__file__).parent)]
    with subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        said = [process.stdout.readline().strip() for _ in range(lines)]
        # Spin instead of sleeping: the kill is to fall inside a transaction, which lasts about a millisecond.
        for _ in range(delay.randrange(60_000)):
            pass
        os.kill(process.pid, signal.SIGKILL)
        # The last line may be cut off by the kill.
        said += [line.strip() for line in process.stdout.readlines() if line.endswith("\n")]
    return said


def check_invariants(file: Path, confirmed: list[str], clock: Clock) -> None:
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        sizes = connection.execute("SELECT count(*) FROM snapshot_items GROUP BY snapshot").fetchall()
        per_event = connection.execute(
            "SELECT count(*) FROM deliveries GROUP BY substr(id, 1, length(id) - length(channel))"
        ).fetchall()
    with Store.open(f"sqlite:///{file}", clock=clock) as store:
        state = store.state("git")
        sent = {each.id for each in store.deliveries(state=DeliveryState.DELIVERED, limit=10_000)}
        rows = store.deliveries(limit=10_000)
        notes = {each.note for each in store.reviews("git")}
        snapshots = [store.snapshot(each.digest) for each in store.sightings("git")]
        approved = {each.note for each in store.baselines("git") if each.note}
        summaries = {int(each.summary) for each in store.alerts(limit=10_000)}
        found = len(store.findings("git"))

    # Every look is whole: all of its items, both of its messages, an alert that knows of it, and it was counted.
    assert set(sizes) == {(20,)}
    assert set(per_event) == {(2,)}
    assert len(rows) == 2 * state.looks
    assert all(shown is not None and len(shown.items) == 20 for shown in snapshots)
    assert sum(each.looks for each in _sightings(file, clock)) == state.looks
    assert max(summaries) == state.looks - 1
    assert found in {0, 3}
    # An approval is a review and a baseline, or neither.
    assert notes == approved
    # What was confirmed is there.
    for line in confirmed:
        what, _, about = line.partition(" ")
        if what == "looked":
            assert int(about) < state.looks
        elif what == "approved":
            assert about in notes
        else:
            assert about in sent


def _sightings(file: Path, clock: Clock) -> list[object]:
    with Store.open(f"sqlite:///{file}", clock=clock) as store:
        return store.sightings("git")


@pytest.mark.processes
def test_a_write_that_dies_before_any_of_its_statements_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    command = [sys.executable, str(Path(__file__).with_name("store_killer.py")), str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)

    assert done.stderr == ""
    words = json.loads(done.stdout)
    assert {name: sorted(set(each)) for name, each in words.items()} == {name: ["after", "before"] for name in words}
    assert len(words["look"]) > 10


@pytest.mark.processes
def test_a_writer_killed_at_any_moment_leaves_whole_looks_and_all_that_it_confirmed(file: Path, clock: Clock) -> None:
    chance = random.Random(4)
    confirmed: list[str] = []

    for _ in range(KILLS):
        confirmed += killed_after(chance.randrange(1, 25), file, chance)
        check_invariants(file, confirmed, clock)

    assert len(confirmed) >= KILLS
    assert clock.now == START
