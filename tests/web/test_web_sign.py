"""Coming in and going out: links that are good once, passwords, sessions, cookies, and forms that are refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from web_site import BY, PASSWORD, Site, browser, form_of, sign_in, signed_in, site

from driftwatch.model import Action, Role
from driftwatch.web import accounts, passwords
from driftwatch.web.app import create, guarded
from driftwatch.web.sign import own_path
from tests.web.web_site import served

OTHER = "a quite different password"


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path) as made:
        yield made


@pytest.fixture
def ann(here: Site) -> str:
    here.add("ann", Role.REVIEWER)
    return "ann"


def is_in(client: httpx.Client) -> bool:
    return client.get("/account").status_code == 200


def acts(here: Site) -> list[tuple[str, str, str]]:
    return [(one.who, one.origin, one.action) for one in reversed(here.store.audit(limit=100))]


def take(client: httpx.Client, key: str, name: str = "", password: str = PASSWORD) -> httpx.Response:
    form = form_of(client.get("/welcome", params={"key": key}).text, "/welcome")
    typed = {"password": password, "again": password, **({"name": name} if name else {})}
    return client.post("/welcome", data={**form, **typed})


# The first admin


def test_the_first_link_makes_the_first_admin_and_is_then_used_up(here: Site) -> None:
    with browser(here) as client, browser(here) as other:
        came = take(client, here.key, "Ann")
        again = other.get("/welcome", params={"key": here.key})

        assert (came.status_code, came.headers["location"], is_in(client)) == (303, "/", True)
        assert (again.status_code, is_in(other)) == (410, False)
    assert [(user.name, user.role) for user in here.store.users()] == [("ann", Role.ADMIN)]
    assert acts(here) == [("ann", "web 127.0.0.1", "user-added"), ("ann", "web 127.0.0.1", "signed-in")]


def test_looking_at_a_link_does_not_use_it_up(here: Site) -> None:
    with browser(here) as client:
        looks = [client.get("/welcome", params={"key": here.key}).status_code for _ in range(3)]
        came = take(client, here.key, "ann")

    assert (looks, came.status_code) == ([200, 200, 200], 303)


@pytest.mark.parametrize("key", ["", "x", "A" * 43])
def test_a_link_that_was_never_made_opens_nothing(here: Site, key: str) -> None:
    with browser(here) as client:
        assert client.get("/welcome", params={"key": key}).status_code == 410


def test_the_first_link_ends_with_its_hour_and_with_the_first_user(here: Site) -> None:
    with browser(here) as client:
        page = client.get("/welcome", params={"key": here.key}).text
        here.add("bob")
        form = {**form_of(page, "/welcome"), "name": "eve", "password": PASSWORD, "again": PASSWORD}
        refused = client.post("/welcome", data=form)
        here.store.remove_user("bob", by=BY, at=here.clock())
        here.clock.forward(3601)
        late = client.get("/welcome", params={"key": here.key})

    assert (refused.status_code, late.status_code, here.store.users()) == (410, 410, [])


@pytest.mark.parametrize(
    ("name", "password", "words"),
    [
        ("ann", "short", "at least 12 characters"),
        ("ann", "a" * 1001, "at most 1,000 characters"),
        ("ann", "aaaaaaaaaaaaaaaa", "the same few characters"),
        ("alexandra-maria", "Alexandra-Maria", "must not be the name"),
        ("a b", PASSWORD, "cannot be a name"),
    ],
)
def test_what_is_no_good_is_said_and_the_link_stays_good(here: Site, name: str, password: str, words: str) -> None:
    with browser(here) as client:
        refused = take(client, here.key, name, password)
        came = take(client, here.key, "ann")

    assert (refused.status_code, came.status_code) == (400, 303)
    assert words in refused.text
    assert f'value="{name}"' in refused.text


def test_who_is_told_to_try_again_in_a_moment_still_has_the_link(here: Site) -> None:
    here.add("ann")
    key = accounts.add_link(here.store, here.desk.random, "ann", by=BY, now=here.clock())
    with browser(here) as client, ExitStack() as others:
        while passwords._QUEUE.acquire(blocking=False):
            others.callback(passwords._QUEUE.release)
        busy = take(client, key, password=OTHER)
        others.close()
        came = take(client, key, password=OTHER)

    assert (busy.status_code, came.status_code) == (503, 303)


def test_two_passwords_that_differ_are_said(here: Site) -> None:
    with browser(here) as client:
        form = form_of(client.get("/welcome", params={"key": here.key}).text, "/welcome")
        refused = client.post("/welcome", data={**form, "name": "ann", "password": PASSWORD, "again": OTHER})

    assert (refused.status_code, here.store.users()) == (400, [])
    assert "not the same" in refused.text


# A new password


def test_a_link_for_a_user_sets_another_password_once_and_ends_their_sessions(here: Site, ann: str) -> None:
    with signed_in(here, ann) as before, browser(here) as client:
        key = accounts.add_link(here.store, here.desk.random, ann, by=BY, now=here.clock())
        came = take(client, key, password=OTHER)

        assert (came.status_code, is_in(client), is_in(before)) == (303, True, False)
        assert client.get("/welcome", params={"key": key}).status_code == 410
    with browser(here) as client:
        assert [sign_in(client, ann, one).status_code for one in (PASSWORD, OTHER)] == [401, 303]


def test_a_link_for_a_user_who_was_disabled_opens_nothing(here: Site, ann: str) -> None:
    key = accounts.add_link(here.store, here.desk.random, ann, by=BY, now=here.clock())
    here.store.change_user(ann, by=BY, at=here.clock(), disabled=True)
    with browser(here) as client:
        assert client.get("/welcome", params={"key": key}).status_code == 410


def test_a_link_for_a_user_ends_after_a_day(here: Site, ann: str) -> None:
    key = accounts.add_link(here.store, here.desk.random, ann, by=BY, now=here.clock())
    here.clock.forward(86_401)
    with browser(here) as client:
        assert client.get("/welcome", params={"key": key}).status_code == 410


def test_ones_own_password_needs_the_old_one_and_ends_all_other_sessions(here: Site, ann: str) -> None:
    with signed_in(here, ann) as client, signed_in(here, ann) as other:
        answers = []
        for current in ("not my password", PASSWORD):
            form = form_of(client.get("/account").text, "/account/password")
            typed = {"current": current, "password": OTHER, "again": OTHER}
            answers.append(client.post("/account/password", data={**form, **typed}).status_code)

        assert (answers, is_in(client), is_in(other)) == ([400, 303], True, False)


# Signing in


def test_a_wrong_password_and_an_unknown_name_read_the_same(here: Site, ann: str) -> None:
    here.add("proxied", password=None)
    with browser(here) as client:
        answers = [sign_in(client, name, "wrong password") for name in ("ann", "nobody", "proxied")]
        pages = {one.text.partition("<form")[0] for one in answers}

        assert ([one.status_code for one in answers], len(pages), is_in(client)) == ([401] * 3, 1, False)
    names = ("ann", "an unknown name", "proxied")
    assert acts(here)[-3:] == [(name, "web 127.0.0.1", Action.SIGN_IN_FAILED) for name in names]


@pytest.mark.parametrize("typed", [PASSWORD, "ann@", "x" * 90, "<b>", "\u202e", ""])
def test_what_is_typed_as_a_name_and_is_no_users_is_not_kept(here: Site, ann: str, typed: str) -> None:
    with browser(here) as client:
        refused = sign_in(client, typed, "wrong password")

    assert refused.status_code == 401
    assert [one.who for one in here.store.audit() if one.action == Action.SIGN_IN_FAILED] == ["an unknown name"]


def test_somebody_who_is_disabled_cannot_sign_in(here: Site, ann: str) -> None:
    here.store.change_user(ann, by=BY, at=here.clock(), disabled=True)
    with browser(here) as client:
        assert sign_in(client, ann).status_code == 401


def test_a_page_that_needs_somebody_is_shown_after_signing_in(here: Site, ann: str) -> None:
    with browser(here) as client:
        sent_away = client.get("/tokens?a=b")
        page = client.get(sent_away.headers["location"]).text
        came = client.post("/sign-in", data={**form_of(page, "/sign-in"), "name": "ANN ", "password": PASSWORD})

    assert (sent_away.status_code, sent_away.headers["location"]) == (303, "/sign-in?next=%2Ftokens%3Fa%3Db")
    assert (came.status_code, came.headers["location"]) == (303, "/tokens?a=b")


@pytest.mark.parametrize(
    "onward",
    [
        "https://evil.example/",
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "http:evil.example",
        "javascript:alert(1)",
        "/\t/evil.example",
        "/\n/evil.example",
        " //evil.example",
        "evil.example",
        "/é",
        "",
        "/" + "x" * 3000,
        "https://[",
        "/\r\nSet-Cookie:x=y",
    ],
)
def test_signing_in_leads_to_no_other_place(onward: str) -> None:
    assert own_path(onward) == "/"


@pytest.mark.parametrize("onward", ["/", "/servers/a%20b?x=1&y=//2", "/a:b"])
def test_signing_in_leads_on_to_our_own_pages(onward: str) -> None:
    assert own_path(onward) == onward


def test_a_link_with_another_site_in_it_signs_in_and_stays_here(here: Site, ann: str) -> None:
    with browser(here) as client:
        assert sign_in(client, ann, onward="https://evil.example/").headers["location"] == "/"


def test_guessing_is_slowed_down_and_nobody_is_locked_out_for_ever(here: Site, ann: str) -> None:
    with browser(here) as client:
        tries = [sign_in(client, ann, "wrong password").status_code for _ in range(6)]
        right = sign_in(client, ann)
        here.clock.forward(int(right.headers["retry-after"]))
        later = sign_in(client, ann)

    assert (tries, right.status_code, later.status_code) == ([401] * 5 + [429], 429, 303)
    assert "Try again in 1 second" in right.text


# Cookies and sessions


def test_the_database_holds_no_secret_that_opens_anything(here: Site, ann: str) -> None:
    _, secret = here.token()
    key = accounts.add_link(here.store, here.desk.random, ann, by=BY, now=here.clock())
    with browser(here) as client:
        sign_in(client, ann)
        cookie = client.cookies["driftwatch"]
        here.store.close()
        kept = b"".join(one.read_bytes() for one in Path(here.desk.settings.database_url[10:]).parent.glob("*.db*"))

    assert not [one for one in (secret, key, cookie, PASSWORD) if one.encode() in kept]
    assert b"$argon2id$v=19$m=65536,t=3,p=4$" in kept


def test_signing_in_again_makes_a_new_session_and_ends_the_one_before(here: Site, ann: str) -> None:
    with browser(here) as client:
        sign_in(client, ann)
        before = client.cookies["driftwatch"]
        sign_in(client, ann)
        with browser(here, Cookie=f"driftwatch={before}") as thief:
            assert (is_in(client), is_in(thief)) == (True, False)


def test_a_session_that_somebody_else_chose_is_not_taken(here: Site, ann: str) -> None:
    with browser(here, Cookie="driftwatch=chosen-by-somebody-else") as client:
        cookie = sign_in(client, ann).headers["set-cookie"]

    assert "chosen" not in cookie


def test_signing_out_ends_the_session_for_whoever_kept_the_cookie(here: Site, ann: str) -> None:
    with signed_in(here, ann) as client:
        kept = client.cookies["driftwatch"]
        gone = client.post("/sign-out", data=form_of(client.get("/account").text, "/sign-out"))
        with browser(here, Cookie=f"driftwatch={kept}") as thief:
            assert (gone.status_code, gone.headers["location"], is_in(thief)) == (303, "/sign-in", False)
    assert "driftwatch=" not in str(client.cookies)


def test_signing_out_everywhere_ends_all_sessions(here: Site, ann: str) -> None:
    with signed_in(here, ann) as client, signed_in(here, ann) as other:
        form = form_of(client.get("/account").text, "/account/sign-out-everywhere")
        client.post("/account/sign-out-everywhere", data=form)

        assert (is_in(client), is_in(other)) == (False, False)


@pytest.mark.parametrize("change", [{"disabled": True}, {"role": Role.VIEWER}, {"password": "$argon2id$x"}])
def test_what_changes_of_a_user_ends_their_sessions_at_once(here: Site, ann: str, change: dict[str, object]) -> None:
    with signed_in(here, ann) as client:
        here.store.change_user(ann, by=BY, at=here.clock(), **change)  # type: ignore[arg-type]

        assert not is_in(client)


def test_a_session_ends_when_nothing_is_asked_and_at_its_longest(tmp_path: Path) -> None:
    with site(tmp_path, session_idle=600, session_longest=1800) as here:
        here.add("ann")
        with signed_in(here, "ann") as client, signed_in(here, "ann") as idle:
            busy = []
            for _ in range(4):
                here.clock.forward(500)
                busy.append(is_in(client))

            assert (busy, is_in(idle)) == ([True, True, True, False], False)


# Forms


def test_a_form_is_good_once(here: Site, ann: str) -> None:
    with signed_in(here, ann) as client:
        form = form_of(client.get("/account").text, "/account/password")
        typed = {**form, "current": PASSWORD, "password": "short", "again": "short"}
        first = client.post("/account/password", data=typed)
        again = client.post("/account/password", data=typed)

    assert "at least 12 characters" in first.text
    assert (again.status_code, "was sent before" in again.text) == (400, True)


def test_a_form_of_another_session_or_for_something_else_is_refused(here: Site, ann: str) -> None:
    here.add("eve")
    with signed_in(here, ann) as client, signed_in(here, "eve") as eve:
        page = client.get("/account").text
        theirs = form_of(eve.get("/account").text, "/sign-out")
        for_something_else = form_of(page, "/account/password")
        none = {"form": ""}
        refused = [client.post("/sign-out", data=one) for one in (theirs, for_something_else, none)]

        assert [one.status_code for one in refused] == [400, 400, 400]
        assert all("Nothing was changed" in one.text for one in refused)
        assert is_in(client)


def test_a_form_that_was_open_for_too_long_is_refused(here: Site) -> None:
    with browser(here) as client:
        form = form_of(client.get("/sign-in").text, "/sign-in")
        here.clock.forward(8 * 3600 + 1)
        late = client.post("/sign-in", data={**form, "name": "Ann", "password": PASSWORD})

    assert (late.status_code, "open for too long" in late.text, 'value="ann"' in late.text) == (400, True, True)


def test_a_form_from_before_a_restart_is_refused_and_keeps_what_was_typed(here: Site, ann: str) -> None:
    with signed_in(here, ann) as client:
        page = client.get("/account").text
        cookie = client.cookies["driftwatch"]
    with served(guarded(create(here.desk))) as url, browser(url, Cookie=f"driftwatch={cookie}") as client:
        refused = client.post("/sign-out", data=form_of(page, "/sign-out"))
        fresh = client.post("/sign-out", data=form_of(refused.text, "/sign-out"))

    assert (refused.status_code, "started anew" in refused.text) == (400, True)
    assert (fresh.status_code, fresh.headers["location"]) == (303, "/sign-in")
