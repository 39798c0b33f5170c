"""Run by a test: do each write of the store again and again, and die in it one statement later every time.

Prints one JSON object: for each write, one word for each death: the file was as `before`, as `after`, or `torn`.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from sqlalchemy import event
from store_world import (
    DONE,
    MINUTE,
    START,
    Clock,
    alert,
    delivery,
    dump,
    finding,
    look,
    review,
    snapshot,
    told,
    tool,
)

from driftwatch.model import AlertState, Decision, DeliveryState, EventKind, Unreachable
from driftwatch.store import Store

FIRST = snapshot(tool("read"), tool("write"))
SECOND = snapshot(tool("read", description="More."), tool("write"), tool("new"))
THIRD = snapshot(tool("write"))
OPEN = alert(snapshot_digest=SECOND.digest)
OVER = alert(state=AlertState.RESOLVED, resolved_at=START, reason="approved")

WRITES: dict[str, Callable[[Store], object]] = {
    "first look": lambda store: store.record_look(look("new", THIRD)),
    "look": lambda store: store.record_look(
        look("git", THIRD, baseline=FIRST.digest, findings=(finding(),) * 2, alert=(told(OPEN, delivery("msg_2")),))
    ),
    "failure": lambda store: store.record_failure(
        "git",
        outcome=Unreachable("dns", ""),
        at=START,
        next_at=START + MINUTE,
        era=None,
        alert=told(OPEN, delivery("msg_3")),
    ),
    "approval": lambda store: store.approve(
        review(SECOND.digest),
        expected_baseline=FIRST.digest,
        judged="anew",
        findings=(finding("new"),),
        alert=told(OVER, delivery("msg_4", event=EventKind.RESOLVED)),
    ),
    "rejection": lambda store: store.reject(review(SECOND.digest, decision=Decision.REJECTED)),
    "touch": lambda store: store.touch("git", at=START + MINUTE, next_at=None, era=None),
    "claim": lambda store: store.claim_deliveries(now=START, lease=timedelta(1), limit=5),
    "finish": lambda store: store.finish_delivery(
        "msg_1", result=DONE, state=DeliveryState.DELIVERED, next_attempt_at=None, now=START
    ),
}


def prepare(file: Path) -> None:
    with Store.open(f"sqlite:///{file}", clock=Clock()) as store:
        store.record_look(look("git", FIRST))
        rows = (delivery("msg_0"), delivery("msg_1", channel="chat"))
        store.record_look(look("git", SECOND, baseline=FIRST.digest, findings=(finding(),), alert=(told(OPEN, *rows),)))


def write(file: Path, action: Callable[[Store], object], *, die_at: int) -> None:
    """Do one write; die before its statement number `die_at` (BEGIN and COMMIT count)."""
    done = 0

    def step(*_: object) -> None:
        nonlocal done
        done += 1
        if done == die_at:
            os.kill(os.getpid(), signal.SIGKILL)

    with Store.open(f"sqlite:///{file}", clock=Clock()) as store:
        event.listen(store._engine, "before_cursor_execute", step)
        event.listen(store._engine, "commit", step)
        action(store)


def deaths(folder: Path, name: str, action: Callable[[Store], object]) -> list[str]:
    base, whole = folder / "base.db", folder / "whole.db"
    shutil.copy(base, whole)
    write(whole, action, die_at=0)
    before, after = dump(base), dump(whole)
    words: list[str] = []
    while True:
        file = folder / f"{name} {len(words)}.db"
        shutil.copy(base, file)
        child = os.fork()
        if child == 0:
            write(file, action, die_at=len(words) + 1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status == 0:
            return [*words, "after" if dump(file) == after else "torn"]
        found = dump(file)
        words.append("before" if found == before else "after" if found == after else "torn")


def main(folder: Path) -> None:
    prepare(folder / "base.db")
    print(json.dumps({name: deaths(folder, name, action) for name, action in WRITES.items()}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
