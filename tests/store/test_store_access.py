"""Who may come in: what is kept of users, tokens, sessions and links, and what of it stands in the audit log."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from store_world import ACTOR, MINUTE, START, Clock, dump

from driftwatch.errors import (
    DriftwatchError,
    NothingToDoError,
    UnknownIdError,
    UnknownUserError,
    UsageError,
)
from driftwatch.model import Action, Role, Session, SignInLink, Token, User
from driftwatch.store import Store

HOUR = timedelta(hours=1)
ANN = User("ann", Role.REVIEWER, START, password="$argon2id$v=19$long")
BOB = User("bob", Role.VIEWER, START)
TOKEN = Token("tok_1", "ci", "ann", Role.VIEWER, "a" * 64, START, scopes="lock", expires_at=START + HOUR)
SESSION = Session("b" * 64, "ann", START, START, START + HOUR, csrf="c" * 64, address="192.0.2.7")
LINK = SignInLink("d" * 64, "ann", START, START + HOUR)


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


def test_users_are_kept_as_they_were_made(peopled: Store) -> None:
    assert peopled.users() == [ANN, BOB]
    assert peopled.user("bob") == BOB
    assert peopled.user("eve") is None
    assert actions(peopled) == [Action.USER_ADDED, Action.USER_ADDED]


def test_a_name_is_given_once(peopled: Store) -> None:
    message = refused(UsageError, lambda: peopled.add_user(replace(ANN, role=Role.ADMIN), by=ACTOR))

    assert "already" in message
    assert peopled.user("ann") == ANN
    assert len(actions(peopled)) == 2


def test_a_change_says_what_changed_and_never_a_password(peopled: Store) -> None:
    changed = peopled.change_user("ann", by=ACTOR, at=START, role=Role.ADMIN, password="$argon2id$other")
    same = peopled.change_user("ann", by=ACTOR, at=START, role=Role.ADMIN)

    assert changed == same == replace(ANN, role=Role.ADMIN, password="$argon2id$other")
    last = peopled.audit()[0]
    assert (last.action, len(actions(peopled))) == (Action.USER_CHANGED, 3)
    assert (last.details["user"], last.details["changed"]) == ("ann", {"role": "admin", "password": True})


@pytest.mark.parametrize("change", [{"password": "$argon2id$new"}, {"disabled": True}])
def test_who_gets_another_password_or_is_shut_out_is_signed_out(peopled: Store, change: dict[str, Any]) -> None:
    peopled.open_session(SESSION, origin="web 192.0.2.7", how="password")
    peopled.add_link(LINK, by=ACTOR)

    peopled.change_user("ann", by=ACTOR, at=START, **change)

    assert peopled.session(SESSION.sha256) is None
    assert peopled.use_link(LINK.sha256, at=START) is None


def test_who_is_removed_is_gone_with_sessions_and_links_and_stays_in_the_log(peopled: Store, file: Path) -> None:
    peopled.open_session(SESSION, origin="web 192.0.2.7", how="password")
    peopled.add_link(LINK, by=ACTOR)

    peopled.remove_user("ann", by=ACTOR, at=START)

    rows = dump(file)
    assert [rows[name] for name in ("sessions", "links")] == [[], []]
    assert peopled.users() == [BOB]
    assert peopled.audit()[0].details == {"user": "ann", "role": "reviewer"}


def test_the_tokens_of_who_is_removed_are_taken_back_in_the_same_moment(peopled: Store) -> None:
    others = replace(TOKEN, id="tok_2", by="bob", sha256="e" * 64)
    peopled.add_token(TOKEN, by=ACTOR)
    peopled.add_token(others, by=ACTOR)

    peopled.remove_user("ann", by=ACTOR, at=START)

    assert {one.id: one.revoked_at for one in peopled.tokens()} == {"tok_1": START, "tok_2": None}
    assert actions(peopled)[-2:] == [Action.TOKEN_REVOKED, Action.USER_REMOVED]


def test_nothing_is_done_to_users_that_are_not_there(peopled: Store) -> None:
    before = actions(peopled)

    refused(UnknownUserError, lambda: peopled.change_user("eve", by=ACTOR, at=START, disabled=True))
    refused(UnknownUserError, lambda: peopled.remove_user("eve", by=ACTOR, at=START))
    refused(UnknownUserError, lambda: peopled.open_session(replace(SESSION, user="eve"), origin="web", how="link"))
    refused(UnknownUserError, lambda: peopled.add_link(replace(LINK, user="eve"), by=ACTOR))

    assert actions(peopled) == before


def test_roles_include_those_below_them() -> None:
    assert Role.ADMIN.includes(Role.REVIEWER)
    assert Role.REVIEWER.includes(Role.REVIEWER)
    assert not Role.VIEWER.includes(Role.REVIEWER)


def test_a_token_is_found_by_its_hash_and_good_until_it_expires_or_is_revoked(store: Store) -> None:
    store.add_token(TOKEN, by=ACTOR)
    store.touch_token("tok_1", at=START + MINUTE)

    found = store.token_by_hash("a" * 64)
    revoked = store.revoke_token("tok", by=ACTOR, at=START + 2 * MINUTE)

    assert found == replace(TOKEN, last_used_at=START + MINUTE)
    assert [found.is_good(START), found.is_good(START + HOUR)] == [True, False]
    assert (revoked.revoked_by, revoked.is_good(START)) == ("ana", False)
    assert store.tokens() == [revoked]
    assert store.token_by_hash("e" * 64) is None
    assert actions(store) == [Action.TOKEN_MADE, Action.TOKEN_REVOKED]


def test_a_token_is_revoked_once_and_only_if_it_is_the_one(store: Store) -> None:
    store.add_token(TOKEN, by=ACTOR)
    store.add_token(replace(TOKEN, id="tok_2", sha256="f" * 64), by=ACTOR)
    store.revoke_token("tok_1", by=ACTOR, at=START)

    refused(UnknownIdError, lambda: store.revoke_token("tok", by=ACTOR, at=START))
    refused(UnknownIdError, lambda: store.revoke_token("x", by=ACTOR, at=START))
    refused(NothingToDoError, lambda: store.revoke_token("tok_1", by=ACTOR, at=START))

    assert len(actions(store)) == 3


def test_tokens_are_given_newest_first_as_many_as_are_wanted_and_those_that_are_good_at_a_time(store: Store) -> None:
    made = [
        replace(TOKEN, id="tok_1", sha256="1" * 64, expires_at=START + MINUTE),
        replace(TOKEN, id="tok_2", sha256="2" * 64, created_at=START + MINUTE, expires_at=None),
        replace(TOKEN, id="tok_3", sha256="3" * 64, created_at=START + 2 * MINUTE, expires_at=None),
    ]
    for one in made:
        store.add_token(one, by=ACTOR)
    store.revoke_token("tok_3", by=ACTOR, at=START + 2 * MINUTE)

    def ids(**wanted: Any) -> list[str]:
        return [one.id for one in store.tokens(**wanted)]

    assert (ids(), ids(limit=2)) == (["tok_3", "tok_2", "tok_1"], ["tok_3", "tok_2"])
    assert (ids(at=START), ids(at=START + MINUTE)) == (["tok_2", "tok_1"], ["tok_2"])
    assert (store.token("tok_2"), store.token("tok")) == (made[1], None)


def test_a_session_is_given_with_its_user_moves_on_and_ends(peopled: Store) -> None:
    peopled.open_session(SESSION, origin="web 192.0.2.7", how="password")
    opened = peopled.session(SESSION.sha256)
    peopled.touch_session(SESSION.sha256, at=START + MINUTE, expires_at=START + 2 * HOUR)
    touched = peopled.session(SESSION.sha256)
    ended = [peopled.end_session(SESSION.sha256, by=ACTOR, at=START) for _ in range(2)]

    assert opened == (SESSION, ANN)
    assert touched == (replace(SESSION, last_seen_at=START + MINUTE, expires_at=START + 2 * HOUR), ANN)
    assert (ended, peopled.session(SESSION.sha256)) == ([True, False], None)
    entry = peopled.audit()[1]
    assert (entry.action, entry.who, entry.origin) == (Action.SIGNED_IN, "ann", "web 192.0.2.7")


def test_all_sessions_of_one_user_end_at_once_and_those_that_are_over_go_by_themselves(peopled: Store) -> None:
    for number, user in enumerate(("ann", "ann", "bob")):
        peopled.open_session(replace(SESSION, sha256=f"{number:064}", user=user), origin="web", how="password")

    ended = peopled.end_sessions("ann", by=ACTOR, at=START)
    late = replace(SESSION, sha256="9" * 64, created_at=START + HOUR, expires_at=START + 2 * HOUR)
    peopled.open_session(late, origin="web", how="password")

    assert (ended, peopled.end_sessions("ann", by=ACTOR, at=START)) == (2, 1)
    assert peopled.session(f"{2:064}") is None


def test_a_failed_sign_in_is_written_down(store: Store) -> None:
    store.note_failed_sign_in(
        by=replace(ACTOR, name="root\u202e", origin="web 192.0.2.9"), at=START, why="no such user"
    )

    (entry,) = store.audit()
    assert (entry.action, entry.who, entry.origin, entry.why) == (
        Action.SIGN_IN_FAILED,
        "root\u202e",
        "web 192.0.2.9",
        "no such user",
    )


def test_a_link_signs_in_once_and_not_when_it_is_over_or_its_user_is_shut_out(peopled: Store) -> None:
    peopled.add_link(LINK, by=ACTOR)
    peopled.add_link(replace(LINK, sha256="1" * 64), by=ACTOR)

    used = [peopled.use_link(LINK.sha256, at=START + MINUTE) for _ in range(2)]
    late = peopled.use_link("1" * 64, at=START + HOUR)
    unknown = peopled.use_link("2" * 64, at=START)

    assert used == [ANN, None]
    assert (late, unknown) == (None, None)


def test_of_many_who_use_a_link_at_once_one_gets_in(peopled: Store, file: Path) -> None:
    peopled.add_link(LINK, by=ACTOR)
    got: list[User | None] = []
    gate = threading.Barrier(6)

    def use(store: Store) -> None:
        gate.wait(timeout=30)
        got.append(store.use_link(LINK.sha256, at=START))

    stores = [Store.open(f"sqlite:///{file}", clock=Clock()) for _ in range(6)]
    threads = [threading.Thread(target=use, args=(one,)) for one in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    for one in stores:
        one.close()

    assert sorted(got, key=bool) == [None] * 5 + [ANN]


def test_the_whole_log_of_who_may_come_in_is_chained(peopled: Store) -> None:
    peopled.add_token(TOKEN, by=ACTOR)
    peopled.open_session(SESSION, origin="web", how="proxy")
    peopled.add_link(LINK, by=ACTOR)
    peopled.remove_user("bob", by=ACTOR, at=START)

    found = peopled.verify_audit()

    assert (found.whole, found.count) == (True, 6)


def test_a_key_is_made_once_and_is_the_same_ever_after(store: Store, file: Path) -> None:
    made = store.key("cookies", lambda count: b"k" * count)
    again = store.key("cookies", lambda count: b"x" * count)
    other = store.key("others", lambda count: b"o" * count)
    with Store.open(f"sqlite:///{file}", clock=Clock()) as anew:
        later = anew.key("cookies", lambda count: b"y" * count)

    assert (made, again, later, other) == (b"k" * 32, b"k" * 32, b"k" * 32, b"o" * 32)
