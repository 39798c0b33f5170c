"""The daemon holds its database against the audit log: what was changed by hand is told once, and its end too."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from driftwatch.model import AlertKind, AlertState, EventKind, Role, User
from driftwatch.run.health import healthcheck
from driftwatch.run.upkeep import keep_verifying
from driftwatch.run.wiring import World
from driftwatch.tell.upkeep import Upkeep
from tests.desk import ANN, GOOD, Desk


async def verified_once(world: World, *, tells: bool) -> None:
    """Let the keeper look over the log once; it then rests for a day."""
    told, rests = asyncio.Event(), asyncio.Event()

    class Watched(Upkeep):
        def mind_audit(self, *given: object) -> int:
            try:
                return super().mind_audit(*given)  # type: ignore[arg-type]
            finally:
                loop.call_soon_threadsafe(rests.set)

    loop = asyncio.get_running_loop()
    upkeep = Watched(world.store, world.settings, started=world.clock())
    keeper = asyncio.create_task(keep_verifying(world, upkeep, queued=told.set))
    async with asyncio.timeout(60):
        await (told if tells else rests).wait()
    keeper.cancel()
    with suppress(asyncio.CancelledError):
        await keeper


async def test_a_row_changed_by_hand_is_told_once_at_the_next_start_and_when_it_is_right_again(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    await desk.look(GOOD)
    desk.approve()
    for name, role in (("bob", Role.ADMIN), ("eve", Role.VIEWER)):
        desk.store.add_user(User(name, role, desk.clock(), password="$argon2id$x"), by=ANN)
    with closing(sqlite3.connect(tmp_path / "driftwatch.db")) as connection:
        connection.execute("UPDATE users SET role = 'admin' WHERE name = 'eve'")
        connection.commit()

    with World.open(desk.settings, clock=desk.clock) as world:
        await verified_once(world, tells=True)
        await verified_once(world, tells=False)
        (alert,) = world.store.alerts()
        health = healthcheck(desk.settings, now=desk.clock())
        world.store.change_user("eve", by=ANN, at=desk.clock(), role=Role.REVIEWER)
        await verified_once(world, tells=True)
        (over,) = world.store.alerts()

    assert (alert.kind, alert.state) == (AlertKind.AUDIT, AlertState.OPEN)
    assert "the user `eve`: role admin, but the last entry about it (nr 3, ann) says role viewer" in alert.summary
    assert health == (
        True,
        "every server is looked at on time, but the database was changed by hand (driftwatch audit verify)",
    )
    assert (over.id, over.state) == (alert.id, AlertState.RESOLVED)
    assert desk.told() == [EventKind.OPENED, EventKind.RESOLVED]
    desk.store.close()


async def test_what_agrees_is_no_news(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    await desk.look(GOOD)
    desk.approve()

    with World.open(desk.settings, clock=desk.clock) as world:
        await verified_once(world, tells=False)

        assert world.store.alerts() == []
    desk.store.close()
