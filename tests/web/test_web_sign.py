"""Coming in and going out: links that are good once, passwords, sessions, cookies, and forms that are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    assert "Try again in 1 seconds" in right.text


# Browsers that are known


def guess(here: Site, name: str, times: int = 30) -> None:
    """Do what a hostile program on this machine does: guess, from the same address and without any cookie."""
    for _ in range(times):
        here.app.state.throttle.failed(name, "127.0.0.1")


@pytest.mark.parametrize("guessed", ["ann", "nobody"])
def test_who_guesses_at_the_same_address_shuts_out_no_browser_that_was_in_before(
    here: Site, ann: str, guessed: str
) -> None:
    with browser(here) as known, browser(here) as fresh:
        sign_in(known, ann)
        known.post("/sign-out", data=form_of(known.get("/account").text, "/sign-out"))
        guess(here, guessed)
        stranger, own = sign_in(fresh, ann), sign_in(known, ann)
        here.clock.forward(int(stranger.headers["retry-after"]))
        later = sign_in(fresh, ann)

        assert (stranger.status_code, own.status_code, is_in(known)) == (429, 303, True)
        assert later.status_code == 303
        assert int(stranger.headers["retry-after"]) <= 15 * 60


def test_a_known_browser_stays_known_when_the_daemon_is_started_anew(here: Site, ann: str) -> None:
    with browser(here) as client:
        sign_in(client, ann)
        cookie = f"driftwatch-known={client.cookies['driftwatch-known']}"
    app = create(here.desk)
    with served(guarded(app)) as url, browser(url, Cookie=cookie) as known, browser(url) as fresh:
        again = Site(url, here.desk, here.clock, "", app)
        guess(again, ann)

        assert [sign_in(one, ann).status_code for one in (known, fresh)] == [303, 429]


def test_a_known_browser_is_slowed_down_by_its_own_guesses(here: Site, ann: str) -> None:
    with browser(here) as known, browser(here) as fresh:
        sign_in(known, ann)
        tries = [sign_in(known, ann, "wrong password").status_code for _ in range(6)]
        other = sign_in(fresh, ann, "wrong password")
        here.clock.forward(2)
        right = sign_in(known, ann)

    assert (tries, other.status_code, right.status_code) == ([401] * 5 + [429], 401, 303)


def _another_users(here: Site, value: str) -> str:
    here.add("eve")
    with browser(here) as client:
        sign_in(client, "eve")
        return client.cookies["driftwatch-known"]


def _of_who_was_there_before(here: Site, value: str) -> str:
    here.store.remove_user("ann", by=BY, at=here.clock())
    here.clock.forward(1)
    here.add("ann")
    return value


def _old(here: Site, value: str) -> str:
    here.clock.forward(181 * 86_400)
    return value


def _longer(here: Site, value: str) -> str:
    end, _, rest = value.partition(".")
    return f"{int(end) + 1}.{rest}"


NOT_KNOWN: dict[str, Callable[[Site, str], str]] = {
    "another user's": _another_users,
    "of one of that name who was removed": _of_who_was_there_before,
    "old": _old,
    "made to last longer": _longer,
    "of another number": lambda _, value: value[:11] + ("0" if value[11] != "0" else "1") + value[12:],
    "cut": lambda _, value: value[:-1],
    "made up": lambda *_: f"9999999999.{'0' * 32}.{'0' * 64}",
    "nonsense": lambda *_: "x" * 3_000,
    "empty": lambda *_: "",
}


@pytest.mark.parametrize("what", NOT_KNOWN)
def test_no_other_cookie_makes_a_browser_known(here: Site, ann: str, what: str) -> None:
    with browser(here) as client:
        sign_in(client, ann)
        value = NOT_KNOWN[what](here, client.cookies["driftwatch-known"])
    with browser(here, Cookie=f"driftwatch-known={value}") as client:
        guess(here, ann)

        assert sign_in(client, ann).status_code == 429


def test_who_guesses_keeps_nobody_from_another_password_who_is_signed_in(here: Site, ann: str) -> None:
    with signed_in(here, ann) as client:
        guess(here, ann)
        form = form_of(client.get("/account").text, "/account/password")
        changed = client.post(
            "/account/password", data={**form, "current": PASSWORD, "password": OTHER, "again": OTHER}
        )

    assert changed.status_code == 303


# Cookies and sessions


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(here: Site, ann: str) -> None:
    with browser(here) as client:
        cookies = flags_of(sign_in(client, ann))

    assert cookies == {
        "driftwatch": ["HttpOnly", "Max-Age=604800", "Path=/", "SameSite=lax"],
        "driftwatch-known": ["HttpOnly", "Max-Age=15552000", "Path=/", "SameSite=strict"],
    }


def test_at_an_https_address_the_cookie_goes_over_tls_only(tmp_path: Path) -> None:
    with site(tmp_path, public_url="https://watch.example") as here:
        here.add("ann")
        with browser(here, Host="watch.example", Origin="https://watch.example") as client:
            cookies = flags_of(sign_in(client, "ann"))

    assert cookies == OVER_TLS


OVER_TLS = {
    "__Host-driftwatch": ["HttpOnly", "Max-Age=604800", "Path=/", "SameSite=lax", "Secure"],
    "__Host-driftwatch-known": ["HttpOnly", "Max-Age=15552000", "Path=/", "SameSite=strict", "Secure"],
}


def flags_of(answered: httpx.Response) -> dict[str, list[str]]:
    cookies = answered.headers.get_list("set-cookie")
    return {one.partition("=")[0]: one.split("; ")[1:] for one in cookies}


@pytest.mark.parametrize("name", ["watch.example", "watch.example:8443", "watch.example."])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_at_a_name_without_a_public_address_the_browser_says_whether_it_came_over_tls(
    tmp_path: Path, name: str, scheme: str
) -> None:
    with site(tmp_path, hosts=("watch.example",)) as here:
        here.add("ann", Role.ADMIN)
        at = {"Host": name, "Origin": f"{scheme}://{name}"}
        with browser(here, **at) as client:
            came = sign_in(client, "ann")
        cookies = [one.partition(";")[0] for one in came.headers.get_list("set-cookie")]
        with browser(here, **at, Cookie="; ".join(cookies)) as client:
            inside = client.get("/account").status_code
            form = {**form_of(client.get("/people").text, "/people/add"), "name": "eve", "role": "viewer"}
            link = client.post("/people/add", data=form).text
            gone = client.post("/sign-out", data=form_of(client.get("/account").text, "/sign-out"))
            guess(here, "ann")
            known = sign_in(client, "ann")

    assert [*flags_of(came)] == [one.removeprefix("__Host-" if scheme == "http" else "") for one in OVER_TLS]
    assert [("Secure" in flags) for flags in flags_of(came).values()] == [scheme == "https"] * 2
    assert (inside, f"<code>{scheme}://{name}/welcome?key=" in link) == (200, True)
    assert ("Secure" in gone.headers["set-cookie"], known.status_code) == (scheme == "https", 303)


def test_at_the_public_address_only_the_cookie_of_tls_counts(tmp_path: Path) -> None:
    with site(tmp_path, public_url="https://watch.example") as here:
        here.add("ann")
        with signed_in(here, "ann") as client:
            key = client.cookies["driftwatch"]
        statuses = []
        for name in ("driftwatch", "__Host-driftwatch"):
            with browser(here, Host="watch.example", Cookie=f"{name}={key}") as client:
                statuses.append(client.get("/account").status_code)

    assert statuses == [303, 200]


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
