"""user and token: who may come in, on the command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cli_world import Run

from driftwatch.model import Role
from driftwatch.store import Store
from driftwatch.web import passwords

PASSWORD = "correct horse battery staple"


def test_a_user_is_made_with_a_password_from_standard_input_or_a_file(run: Run, store: Store, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(PASSWORD + "\r\nanother line\n", encoding="utf-8")
    made = [
        run("user", "add", "Ann", "--role", "admin", "--password-file", "-", stdin=PASSWORD + "\n"),
        run("user", "add", "bob", "--password-file", "secret"),
    ]

    assert [one.code for one in made] == [0, 0]
    assert made[0].out == "ann: may come in, as admin.\n"
    assert [(one.name, one.role) for one in store.users()] == [("ann", Role.ADMIN), ("bob", Role.VIEWER)]
    assert all(one.password and passwords.verify(one.password, PASSWORD) for one in store.users())
    assert PASSWORD not in "".join(one.out + one.err for one in made)


def test_without_a_terminal_nobody_is_asked_for_a_password(run: Run, store: Store) -> None:
    ended = run("user", "add", "ann")

    assert (ended.code, store.users()) == (2, [])
    assert "--password-file FILE (- for standard input), or use --link" in ended.err


@pytest.mark.parametrize(
    ("args", "stdin", "words"),
    [
        (("ann", "--password-file", "-"), "short", "at least 12 characters"),
        (("ann", "--password-file", "-"), b"\xff" * 20, "not UTF-8"),
        (("ann", "--password-file", "nowhere"), "", "No such file"),
        (("a b", "--link"), "", "cannot be a name"),
        (("ann", "--link", "--no-password"), "", "exclude each other"),
        (("bob", "--link"), "", "a user 'bob' already"),
        (("bob",), "", "a user 'bob' already"),
    ],
)
def test_what_cannot_be_is_said_and_nobody_is_let_in(
    run: Run, store: Store, args: tuple[str, ...], stdin: str | bytes, words: str
) -> None:
    run("user", "add", "bob", "--no-password")
    ended = run("user", "add", *args, stdin=stdin)

    assert (ended.code, [one.name for one in store.users()]) == (2, ["bob"])
    assert words in ended.err


def test_a_link_is_printed_on_a_line_of_its_own(run: Run, store: Store) -> None:
    added, again = run("user", "add", "ann", "--link"), run("user", "link", "ann")

    links = [re.search(r"(?m)^http://127\.0\.0\.1:8642/welcome\?key=\w{43}$", one.out) for one in (added, again)]
    assert all(links)
    assert links[0] != links[1]


def test_a_user_is_changed_and_listed_and_removed(run: Run, store: Store) -> None:
    run("user", "add", "ann", "--no-password")
    said = [run("user", *args).out for args in (("role", "ann", "reviewer"), ("disable", "ann"), ("enable", "Ann"))]
    listed = run("user")
    machine = run("user", "--format", "json").json["users"]
    said.append(run("user", "remove", "ann").out)

    assert said == [
        "ann: has the role reviewer.\n",
        "ann: cannot come in any more.\n",
        "ann: can come in again.\n",
        "ann: is no user any more.\n",
    ]
    assert re.search(r"ann +reviewer +a link, or the proxy", listed.out)
    assert [(one["name"], one["role"], one["has_password"], one["disabled"]) for one in machine] == [
        ("ann", "reviewer", False, False)
    ]
    assert "driftwatch user add NAME --role admin" in run("user").out


@pytest.mark.parametrize("args", [("role", "ann", "viewer"), ("disable", "ann"), ("remove", "ann")])
def test_the_last_admin_goes_only_where_that_is_said_to_be_meant(run: Run, store: Store, args: tuple[str, ...]) -> None:
    run("user", "add", "ann", "--no-password", "--role", "admin")
    run("user", "add", "bob", "--no-password", "--role", "reviewer")
    refused = run("user", *args)
    kept = store.user("ann")
    meant = run("user", *args, "--even-last-admin")

    assert (refused.code, "'ann' is the last admin" in refused.err, "--even-last-admin" in refused.err) == (
        2, True, True,
    )  # fmt: skip
    assert kept
    assert (kept.role, kept.disabled, meant.code) == (Role.ADMIN, False, 0)
    assert [one.name for one in store.users() if one.role is Role.ADMIN and not one.disabled] == []


@pytest.mark.parametrize("args", [("role", "eve", "admin"), ("disable", "eve"), ("link", "eve"), ("remove", "eve")])
def test_a_user_who_is_none_is_said(run: Run, store: Store, args: tuple[str, ...]) -> None:
    ended = run("user", *args)

    assert (ended.code, "There is no user 'eve'." in ended.err) == (2, True)


def test_a_token_is_shown_once_listed_without_its_secret_and_taken_back(run: Run, store: Store) -> None:
    made = run("token", "add", "CI", "--role", "reviewer", "--scope", "servers", "--scope", "alerts", "--by", "ann")
    secret = re.search(r"(?m)^dw_\w{49}$", made.out)
    listed, machine = run("token"), run("token", "--format", "json").json["tokens"]
    (kept,) = store.tokens()
    gone = run("token", "revoke", kept.id[:12])
    twice = run("token", "revoke", kept.id[:12])

    assert secret
    assert secret[0] not in listed.out
    assert re.search(rf"{kept.id[:12]} +ci +reviewer +alerts servers +ann +never", listed.out)
    assert machine[0]["scopes"] == ["alerts", "servers"]
    assert (gone.code, twice.code) == (0, 2)
    assert "There is no token" in run("token").out
    assert "revoked" in run("token", "--all").out


def test_a_token_in_json_holds_its_secret(run: Run, store: Store) -> None:
    made = run("token", "add", "ci", "--expires", "never", "--format", "json").json

    assert made["secret"].startswith("dw_")
    assert (made["token"]["role"], made["token"]["expires_at"]) == ("viewer", None)


@pytest.mark.parametrize("expires", ["soon", "0d", "2y", "400d", "-1d"])
def test_a_token_lasts_for_a_time_that_there_is(run: Run, store: Store, expires: str) -> None:
    ended = run("token", "add", "ci", f"--expires={expires}")

    assert (ended.code, store.tokens()) == (2, [])


@pytest.mark.parametrize(
    ("scope", "hint"), [("server", "Did you mean servers?"), ("nonsense", "Known here: "), ("a/../b", "Known here: ")]
)
def test_a_scope_that_is_no_part_of_the_api_is_refused(run: Run, store: Store, scope: str, hint: str) -> None:
    ended = run("token", "add", "ci", "--scope", "alerts", "--scope", scope)

    assert (ended.code, store.tokens()) == (2, [])
    assert f'The API has no part "{scope}".' in ended.err
    assert hint in ended.err


@pytest.mark.parametrize(
    ("scopes", "said"),
    [
        (["looks"], "lets ci hand in what agents were shown, and do nothing else, whatever its role, until"),
        (["alerts", "looks"], "lets ci in as viewer, only to alerts, looks, until"),
        (["servers"], "lets ci in as viewer, only to servers, until"),
    ],
)
def test_of_a_token_for_a_part_it_is_said_what_it_can_do(run: Run, store: Store, scopes: list[str], said: str) -> None:
    made = run("token", "add", "ci", *(word for scope in scopes for word in ("--scope", scope)))

    assert [one.scopes for one in store.tokens()] == [" ".join(scopes)]
    assert said in " ".join(made.out.split())


@pytest.mark.parametrize("role", ["viewer", "reviewer", "admin"])
def test_a_token_that_hands_in_looks_and_nothing_else_takes_no_role(run: Run, store: Store, role: str) -> None:
    refused = run("token", "add", "ci", "--scope", "looks", "--role", role)
    more = run("token", "add", "ci", "--scope", "looks", "--scope", "alerts", "--role", role)

    assert (refused.code, more.code, len(store.tokens())) == (2, 0, 1)
    assert "has no use for a role" in refused.err


def test_a_token_is_said_to_be_worth_what_its_maker_is(run: Run, store: Store) -> None:
    run("user", "add", "vera", "--no-password")
    lesser = run("token", "add", "ci", "--role", "admin", "--by", "vera")
    own = run("token", "add", "ci", "--role", "viewer", "--by", "vera")
    of_nobody = run("token", "add", "ci", "--role", "admin", "--by", "ann")

    assert "lets ci in as viewer (not as admin: vera, who makes it, is no more than that)" in " ".join(
        lesser.out.split()
    )
    assert "lets ci in as viewer, until" in own.out
    assert "lets ci in as admin, until" in of_nobody.out
