"""What holds in the very transaction: the last admin stays, and only users make tokens, none above themselves."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from store_world import ACTOR, START, Clock

from driftwatch.errors import DriftwatchError, LastAdminError, UsageError
from driftwatch.model import Role, SignInLink, Token, User
from driftwatch.store import Store

ADA = User("ada", Role.ADMIN, START)
ANN = User("ann", Role.REVIEWER, START)
BOB = User("bob", Role.VIEWER, START)
TOKEN = Token("tok_1", "ci", "ann", Role.VIEWER, "a" * 64, START)


@pytest.fixture
def peopled(store: Store) -> Store:
    store.add_user(ANN, by=ACTOR)
    store.add_user(BOB, by=ACTOR)
    return store


def actions(store: Store) -> list[str]:
    return [one.action for one in store.audit(oldest_first=True)]


def refused(error: type[DriftwatchError], act: Any) -> str:
    with pytest.raises(error) as caught:
        act()
    assert caught.value.hint
    return caught.value.message


# Whoever makes a token


@pytest.mark.parametrize(
    ("by", "role"),
    [
        ("eve", Role.VIEWER),
        ("out", Role.VIEWER),
        ("bob", Role.REVIEWER),
        ("ann", Role.ADMIN),
    ],
)
def test_only_users_who_may_come_in_make_tokens_and_none_above_themselves(peopled: Store, by: str, role: Role) -> None:
    peopled.add_user(replace(BOB, name="out", disabled=True), by=ACTOR)
    asked = replace(TOKEN, by=by, role=role)

    refused(UsageError, lambda: peopled.add_token(asked, by=ACTOR, of_user=True))

    assert peopled.tokens() == []


MEANWHILE = {
    "removed": "DELETE FROM users WHERE name = 'ann'",
    "disabled": "UPDATE users SET disabled = 1 WHERE name = 'ann'",
    "made less": "UPDATE users SET role = 'viewer' WHERE name = 'ann'",
}


@pytest.mark.parametrize("meanwhile", MEANWHILE)
def test_a_token_that_is_on_its_way_while_its_maker_is_shut_out_is_not_made(
    peopled: Store, file: Path, clock: Clock, meanwhile: str
) -> None:
    on_its_way, ended = threading.Event(), threading.Event()
    came: list[BaseException | None] = []

    def make() -> None:
        try:
            asking.add_token(replace(TOKEN, role=Role.REVIEWER), by=ACTOR, of_user=True)
            came.append(None)
        except DriftwatchError as refusal:
            came.append(refusal)
        ended.set()

    def hear(*_: object) -> None:
        on_its_way.set()

    url = f"sqlite:///{file}"
    with Store.open(url, clock=clock) as asking, closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute(MEANWHILE[meanwhile])
        # The first that it asks the database for is the turn to write, which the other connection has.
        event.listen(asking._engine, "before_cursor_execute", hear)
        thread = threading.Thread(target=make)
        thread.start()
        assert on_its_way.wait(timeout=30)
        made_before = ended.is_set()
        other.execute("COMMIT")
        thread.join(timeout=60)

    assert not made_before
    assert isinstance(came[0], UsageError)
    assert peopled.tokens() == []


# The last admin


ENDS: dict[str, Callable[..., object]] = {
    "disabled": lambda store, **more: store.change_user("ada", by=ACTOR, at=START, disabled=True, **more),
    "demoted": lambda store, **more: store.change_user("ada", by=ACTOR, at=START, role=Role.REVIEWER, **more),
    "removed": lambda store, **more: store.remove_user("ada", by=ACTOR, at=START, **more),
}


@pytest.mark.parametrize("others", [(), (replace(ADA, name="off", disabled=True),), (ANN, BOB)])
@pytest.mark.parametrize("end", ENDS)
def test_the_last_admin_stays_one_unless_it_is_said_to_be_meant(
    store: Store, end: str, others: tuple[User, ...]
) -> None:
    for one in (ADA, *others):
        store.add_user(one, by=ACTOR)
    before = actions(store)

    message = refused(LastAdminError, lambda: ENDS[end](store))
    kept, written = store.user("ada"), actions(store)
    ENDS[end](store, even_last_admin=True)

    assert "'ada' is the last admin" in message
    assert (kept, written) == (ADA, before)
    assert len(actions(store)) == len(before) + 1


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("way", ["password", "link", "proxy"])
def test_one_of_two_admins_may_go_where_the_other_one_can_come_in(store: Store, end: str, way: str) -> None:
    store.add_user(ADA, by=ACTOR)
    store.add_user(replace(ADA, name="eva", password="$argon2id$x" if way == "password" else None), by=ACTOR)
    if way == "link":
        store.add_link(SignInLink("a" * 64, "eva", START, START + timedelta(days=1)), by=ACTOR)

    ENDS[end](store, proxied=way == "proxy")

    assert [one.name for one in store.users() if one.role is Role.ADMIN and not one.disabled] == ["eva"]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("spent", ["no link", "over", "used"])
def test_an_admin_who_cannot_come_in_is_nobody_who_may_let_people_in(store: Store, end: str, spent: str) -> None:
    store.add_user(replace(ADA, password="$argon2id$x"), by=ACTOR)
    store.add_user(replace(ADA, name="eva"), by=ACTOR)
    store.add_user(replace(ADA, name="fay"), by=ACTOR)
    if spent != "no link":
        begun = START - timedelta(days=2)
        until = START + timedelta(days=1) if spent == "used" else START
        store.add_link(SignInLink("a" * 64, "eva", begun, until), by=ACTOR)
    if spent == "used":
        store.use_link("a" * 64, at=START - timedelta(days=1))

    message = refused(LastAdminError, lambda: ENDS[end](store))

    assert message == (
        "'ada' is the last admin who can come in: 'eva' (and 1 more) has no password, and no link that is still good."
    )
    assert store.user("ada") == replace(ADA, password="$argon2id$x")


def test_another_password_is_given_to_the_last_admin_and_enabling_one_is_no_matter(store: Store) -> None:
    store.add_user(ADA, by=ACTOR)
    store.change_user("ada", by=ACTOR, at=START, password="$argon2id$new")
    store.change_user("ada", by=ACTOR, at=START, disabled=True, even_last_admin=True)
    store.change_user("ada", by=ACTOR, at=START, role=Role.VIEWER)
    store.change_user("ada", by=ACTOR, at=START, disabled=False)

    assert store.user("ada") == replace(ADA, role=Role.VIEWER, password="$argon2id$new")


def test_of_two_admins_who_shut_each_other_out_at_once_one_stays(store: Store, file: Path) -> None:
    for name in ("ada", "eva"):
        store.add_user(replace(ADA, name=name, password="$argon2id$x"), by=ACTOR)
    gate = threading.Barrier(2)

    def shut(name: str) -> None:
        with Store.open(f"sqlite:///{file}", clock=Clock()) as other:
            gate.wait(timeout=30)
            try:
                other.remove_user(name, by=ACTOR, at=START)
            except LastAdminError as error:
                refusals.append(error)

    refusals: list[LastAdminError] = []
    threads = [threading.Thread(target=shut, args=(name,)) for name in ("ada", "eva")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)

    assert (len(refusals), len(store.users())) == (1, 1)
