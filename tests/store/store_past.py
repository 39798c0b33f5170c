"""A database with a past: something in every table that matters, and the same in the shape of any earlier version."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from store_world import (
    ACTOR,
    DONE,
    MINUTE,
    START,
    Clock,
    alert,
    delivery,
    finding,
    look,
    review,
    snapshot,
    testimony,
    told,
    tool,
)

from driftwatch.model import (
    Acknowledged,
    Ahead,
    AlertKind,
    AlertState,
    Decision,
    DeliveryState,
    EventKind,
    Face,
    Rehearsed,
    Role,
    Severity,
    Silence,
    TestimonyState,
    Token,
    Unreachable,
    User,
)
from driftwatch.store import Store
from driftwatch.store.engine import connect, writing
from driftwatch.store.schema import migrations

FIRST, SECOND = snapshot(tool("read")), snapshot(tool("read", description="More."))
THIRD, AHEAD = snapshot(tool("write")), snapshot(tool("read"), tool("new"))
LATER = START + timedelta(days=30)


def live(store: Store) -> None:
    """Let a while pass: looks, decisions, alerts in every state, messages, people, witnesses."""
    store.record_look(look("git", FIRST))
    store.record_look(look("git", SECOND, baseline=FIRST.digest, at=START + MINUTE, findings=(finding(),)))
    store.approve(review(FIRST.digest, note="fine\u202e"), expected_baseline=FIRST.digest)
    store.reject(review(SECOND.digest, decision=Decision.REJECTED, by="bob", at=START + 2 * MINUTE))
    store.add_ahead(Ahead("ahd_1", "git", AHEAD.digest, AHEAD.body, "1.2.4", "ana", "cli", START, LATER), AHEAD)
    opened = alert(snapshot_digest=SECOND.digest, baseline_digest=FIRST.digest)
    store.record_alert(told(opened, delivery(), delivery("msg_2", channel="chat")))
    store.claim_deliveries(now=START, lease=MINUTE, limit=1)
    store.finish_delivery("msg_1", result=DONE, state=DeliveryState.DELIVERED, next_attempt_at=None, now=START)
    known = alert(
        snapshot_digest=SECOND.digest,
        baseline_digest=FIRST.digest,
        state=AlertState.ACKNOWLEDGED,
        acknowledged=Acknowledged("ana", START, "I see", frozenset()),
    )
    store.acknowledge(told(known, event=EventKind.ACKNOWLEDGED), by=ACTOR)
    store.record_look(look("mail", THIRD))
    over = alert("alr_2", "mail", kind=AlertKind.HEALTH, snapshot_digest=THIRD.digest)
    store.record_alert(told(over, delivery("msg_3", "alr_2", server="mail")))
    store.record_alert(
        told(
            alert("alr_2", "mail", kind=AlertKind.HEALTH, state=AlertState.RESOLVED, resolved_at=START),
            event=EventKind.RESOLVED,
        )
    )
    store.record_failure("mail", outcome=Unreachable("dns", "no such host"), at=START, next_at=LATER, era=None)
    store.record_face(Face("git", "cursor", looked_at=START, shown=FIRST.digest), seen=[SECOND])
    store.record_rehearsal(Rehearsed("git", SECOND.digest, START))
    store.add_silence(Silence("sil_1", "git", "", "", Severity.LOW, "noisy", "ana", START, LATER), origin="cli")
    store.add_user(User("ana", Role.ADMIN, START, "hash"), by=ACTOR)
    store.add_token(Token("tok_1", "ci", "ana", Role.VIEWER, "f" * 64, START), by=ACTOR)
    store.take_testimony(testimony("git", FIRST), shown=FIRST)
    store.take_testimony(testimony("git", THIRD, session="a2", state=TestimonyState.APART), shown=THIRD)


def earlier_version(file: Path, revision: str) -> None:
    """Make a database of an earlier version, with nothing in it."""
    file.touch()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    engine = connect(file)
    config = Config()
    config.set_main_option("script_location", str(migrations()))
    with writing(engine) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def filled(file: Path, made: Path) -> None:
    """Copy what is in a database into one of an earlier version, as far as that has tables and columns for it."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("ATTACH DATABASE ? AS made", (str(made),))
        tables = [name for (name,) in connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")]
        for table in (name for name in tables if name not in {"driftwatch_version", "keys", "sqlite_sequence"}):
            columns = ", ".join(f'"{row[1]}"' for row in connection.execute(f"PRAGMA main.table_info({table})"))
            connection.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM made.{table}")
        connection.commit()


def old(file: Path, made: Path, revision: str) -> Path:
    """Make a database of an earlier version, with a past in it."""
    if not made.exists():
        with Store.open(f"sqlite:///{made}", clock=Clock()) as store:
            live(store)
    earlier_version(file, revision)
    filled(file, made)
    return file


def everything(store: Store) -> dict[str, Any]:
    """Read all that can be read of it."""
    shown = [one.digest for name in store.states() for one in store.sightings(name)]
    return {
        "states": store.states(),
        "sightings": {name: store.sightings(name) for name in store.states()},
        "snapshots": {digest: store.snapshot(digest) for digest in shown},
        "findings": {name: store.findings(name, hidden=True) for name in store.states()},
        "baselines": {name: store.baselines(name) for name in store.states()},
        "reviews": {name: store.reviews(name) for name in store.states()},
        "aheads": store.aheads(),
        "alerts": store.alerts(),
        "deliveries": store.deliveries(),
        "silences": store.silences(),
        "faces": store.faces(),
        "rehearsals": store.rehearsals("git"),
        "testimonies": store.testimonies("git"),
        "users": store.users(),
        "tokens": store.tokens(),
        "audit": store.audit(),
        "channels": store.channel_health(),
    }
