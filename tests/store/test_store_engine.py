"""Many databases in one process: what was learned of speaking to one serves them all, and nothing else does."""

from __future__ import annotations

from pathlib import Path

from driftwatch.model import Actor, Role, User
from driftwatch.store import engine
from driftwatch.store.store import Store
from tests.blank import blank
from tests.fakes import FrozenClock

BY = Actor("root", "cli root@here")


def test_what_was_asked_of_one_database_is_asked_of_the_next_without_making_its_sql_anew(tmp_path: Path) -> None:
    clock = FrozenClock()
    one, other = (Store.open(blank(tmp_path / name), clock=clock) for name in ("one.db", "other.db"))
    with one, other:
        one.add_user(User("ann", Role.VIEWER, clock(), None), by=BY)
        assert [user.name for user in one.users()] == ["ann"]
        known = set(engine._COMPILED)

        assert other.users() == []
        other.add_user(User("eva", Role.ADMIN, clock(), None), by=BY)

        assert set(engine._COMPILED) == known
        assert [user.name for user in other.users()] == ["eva"]
        assert [user.name for user in one.users()] == ["ann"]
