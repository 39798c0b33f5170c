"""The audit log as the verbs give it: pages, exports, and what is noted of a configuration."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from driftwatch.config.load import parse
from driftwatch.config.schema import Settings
from driftwatch.errors import UsageError
from driftwatch.model import Action, Actor, AlertState, EventKind, Role, User
from driftwatch.review import audit
from driftwatch.store.audit import AuditWanted
from tests.desk import GOOD, LOOSENED, Desk
from tests.fakes import person

DAEMON = Actor("", "daemon")
FILE = """
[servers.files]
command = "files-mcp"
args = ["--token", "${TOKEN}", "--all"]
env = {KEY = {env = "KEY"}}

[servers.git]
url = "https://git.example/mcp?key=%s"

[channels.ops]
url = "https://ops.example/hook"
secret = {env = "HOOK"}
"""
ENVIRON = {"TOKEN": "tok-1", "KEY": "k-1", "HOOK": "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldY"}


def parts(tmp_path: Path, text: str = FILE % "a", **environ: str) -> dict[str, str]:
    return audit.parts_of(parse(text, {**ENVIRON, **environ}, base=tmp_path))


def changed(one: dict[str, str], other: dict[str, str]) -> set[str]:
    return {name for name in {*one, *other} if one.get(name) != other.get(name)}


async def test_pages_follow_each_other_without_a_gap(desk: Desk) -> None:
    for number in range(7):
        desk.store.note_failed_sign_in(by=person(), at=desk.clock(), why=str(number))

    first = audit.entries(desk.store, limit=3)
    second = audit.entries(desk.store, limit=3, cursor=first.next)
    third = audit.entries(desk.store, limit=3, cursor=second.next)
    nothing = audit.entries(desk.store, wanted=AuditWanted(who="eve"))

    assert [[one.seq for one in page.entries] for page in (first, second, third)] == [[7, 6, 5], [4, 3, 2], [1]]
    assert (third.next, nothing) == (None, audit.Page(()))


async def test_an_export_is_all_of_it_oldest_first_or_from_a_time_on(desk: Desk) -> None:
    await desk.look(GOOD)
    desk.approve()
    await desk.look(LOOSENED)
    middle = desk.clock() + timedelta(seconds=1)
    desk.clock.forward(2)
    desk.approve()

    whole = list(audit.exported(desk.store))
    later = list(audit.exported(desk.store, since=middle))

    assert [one["seq"] for one in whole] == [1, 2]
    assert later == whole[1:]
    assert whole[0]["why"] == "read it"
    assert json.loads(json.dumps(whole)) == whole


async def test_of_a_user_it_is_said_to_what_they_were_changed(desk: Desk) -> None:
    desk.store.add_user(User("eve", Role.VIEWER, desk.clock()), by=person())
    desk.store.change_user("eve", by=person(), at=desk.clock(), disabled=True)
    desk.store.change_user("eve", by=person(), at=desk.clock(), disabled=False)
    desk.store.change_user("eve", by=person(), at=desk.clock(), role=Role.REVIEWER, password="$argon2id$x")
    desk.store.note_configuration({"daemon": "1"}, by=DAEMON)

    said = [audit.changed_words(one) for one in desk.store.audit(oldest_first=True)]

    assert said == [[], ["disabled"], ["enabled"], ["password", "role reviewer"], ["daemon"]]


async def test_a_head_that_is_no_hash_is_refused(desk: Desk) -> None:
    with pytest.raises(UsageError, match="64 hex digits") as error:
        audit.verify(desk.store, desk.settings, now=desk.clock(), head="3f1c")

    assert error.value.hint


async def test_whoever_verifies_tells_what_was_found_and_that_it_is_right_again(desk: Desk) -> None:
    desk.store.add_user(User("eve", Role.VIEWER, desk.clock()), by=person())
    verified: list[tuple[bool, list[AlertState]]] = []

    def verify() -> None:
        found = audit.verify(desk.store, desk.settings, now=desk.clock())
        verified.append((found.good, [one.state for one in desk.store.alerts()]))

    verify()
    with closing(sqlite3.connect(desk.settings.database_url.removeprefix("sqlite:///"))) as connection:
        connection.execute("UPDATE users SET role = 'admin'")
        connection.commit()
    verify()
    verify()
    desk.store.change_user("eve", by=person(), at=desk.clock(), role=Role.REVIEWER, even_last_admin=True)
    verify()

    assert verified == [
        (True, []),
        (False, [AlertState.OPEN]),
        (False, [AlertState.OPEN]),
        (True, [AlertState.RESOLVED]),
    ]
    assert desk.told() == [EventKind.OPENED, EventKind.RESOLVED]


async def test_a_noted_hash_that_is_not_in_the_log_is_no_alert(desk: Desk) -> None:
    desk.store.note_failed_sign_in(by=person(), at=desk.clock(), why="no such user")

    found = audit.verify(desk.store, desk.settings, now=desk.clock(), head="f" * 64)

    assert (found.whole, desk.store.alerts()) == (False, [])


async def test_a_configuration_is_noted_when_it_changes_and_named_by_its_tables(desk: Desk) -> None:
    first = audit.note_configuration(desk.store, desk.settings, by=DAEMON)
    same = audit.note_configuration(desk.store, desk.settings, by=DAEMON)
    other = audit.note_configuration(desk.store, more_patient(desk.settings), by=DAEMON)

    assert (first, same, other) == (True, False, True)
    last, begin = desk.store.audit()
    assert (last.action, last.who, last.origin) == (Action.CONFIGURATION_CHANGED, "", "daemon")
    assert last.details["changed"] == ["servers.notes"]
    assert begin.why == "The first one on record."


def more_patient(settings: Settings) -> Settings:
    (server,) = settings.servers
    return settings.model_copy(update={"servers": (server.model_copy(update={"alert_after": 9}),)})


def test_a_secret_that_changes_where_it_is_kept_does_not_show(tmp_path: Path) -> None:
    before = parts(tmp_path)

    assert parts(tmp_path, TOKEN="tok-2", KEY="k-2", HOOK="whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz") == before
    assert parts(tmp_path, FILE % "b") == before


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ('"--all"', '"--some"', {"servers.files"}),
        ('command = "files-mcp"', 'command = "other-mcp"', {"servers.files"}),
        ("[servers.git]", "[servers.gitea]", {"servers.git", "servers.gitea"}),
        ("https://ops.example/hook", "https://ops.example/other", {"channels.ops"}),
        ("\n[servers.files]", "[daemon]\nconcurrency = 3\n[servers.files]", {"daemon"}),
    ],
)
def test_what_changes_in_the_file_is_named(tmp_path: Path, old: str, new: str, where: set[str]) -> None:
    before = FILE % "a"

    assert changed(parts(tmp_path), parts(tmp_path, before.replace(old, new))) == where
