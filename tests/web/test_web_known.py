"""Cookies: a browser that was in before is not shut out by strangers, and what came over TLS goes over nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from web_site import BY, PASSWORD, Site, browser, form_of, sign_in, signed_in, site

from driftwatch.model import Role
from driftwatch.web.app import create, guarded
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


# What the cookies say


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
