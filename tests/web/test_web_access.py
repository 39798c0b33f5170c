"""Who is known to ask: programs by token, people whom a proxy names, and from where."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from web_site import BY, PATIENCE, Site, browser, form_of, program, site

from driftwatch.model import Actor, Role

DESKS = "/api/v1/desks"


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site(tmp_path_factory.mktemp("web")) as made:
        yield made


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site behind a proxy on this machine that names people."""
    folder = tmp_path_factory.mktemp("behind")
    with site(folder, proxy_from=("127.0.0.1", "10.0.0.0/8"), proxy_header="Remote-User") as made:
        made.add("ann", Role.REVIEWER, password=None)
        made.add("gone", Role.ADMIN, password=None)
        made.store.change_user("gone", by=BY, at=made.clock(), disabled=True, even_last_admin=True)
        yield made


def ask(at: Site, secret: str, path: str = DESKS) -> httpx.Response:
    with program(at, secret) as client:
        return client.get(path)


# Programs


def test_without_a_token_the_api_says_how_to_come_in(here: Site) -> None:
    with httpx.Client(timeout=PATIENCE, base_url=here.url) as client:
        answered = client.get(DESKS)

    assert answered.status_code == 401
    assert answered.headers["www-authenticate"] == 'Bearer realm="driftwatch"'
    assert answered.headers["content-type"] == "application/problem+json"
    assert {key: answered.json()[key] for key in ("type", "title", "status", "detail")} == {
        "type": "urn:driftwatch:problem:not-signed-in",
        "title": "Unauthorized",
        "status": 401,
        "detail": "Nobody is signed in.",
    }


def test_a_program_comes_in_by_its_token_and_is_told_apart_from_people(here: Site) -> None:
    token, secret = here.token(Role.REVIEWER, by=Actor("Ann", "cli"))
    answered = ask(here, secret).json()

    assert answered == {
        "name": "ci (token of Ann)",
        "role": "reviewer",
        "origin": f"token {token.id} 127.0.0.1",
    }
    assert here.store.tokens()[0].last_used_at == here.clock()


@pytest.mark.parametrize("change", ["cut", "longer", "other", "a word", "not ascii", "huge"])
def test_a_token_that_is_not_whole_is_told_so(here: Site, change: str) -> None:
    _, secret = here.token()
    wrong = {
        "cut": secret[:-1],
        "longer": secret + "x",
        "other": secret[:10] + ("a" if secret[10] != "a" else "b") + secret[11:],
        "a word": "x",
        "not ascii": "dw_\u00e9" + secret[4:],
        "huge": "dw_" + "a" * 10_000,
    }[change]
    with httpx.Client(
        timeout=PATIENCE, base_url=here.url, headers={"Authorization": f"Bearer {wrong}".encode()}
    ) as client:
        answered = client.get(DESKS)

    assert answered.status_code == 401
    assert answered.headers["www-authenticate"] == 'Bearer realm="driftwatch", error="invalid_token"'
    assert "a character of it is missing or wrong" in answered.json()["detail"]


def test_a_token_that_was_never_made_is_told_nothing_more(here: Site, tmp_path: Path) -> None:
    with site(tmp_path) as elsewhere:
        _, secret = elsewhere.token()

    assert ask(here, secret).status_code == 401


def test_a_token_ends_with_its_time_and_when_it_is_taken_back(here: Site) -> None:
    _, short = here.token(lasts=timedelta(hours=1))
    token, revoked = here.token()
    before = [ask(here, one).status_code for one in (short, revoked)]
    here.clock.forward(3600)
    here.store.revoke_token(token.id, by=BY, at=here.clock())

    assert (before, [ask(here, one).status_code for one in (short, revoked)]) == ([200, 200], [401, 401])


def test_a_token_is_worth_no_more_than_who_made_it(here: Site) -> None:
    here.add("bob", Role.ADMIN, password=None)
    _, secret = here.token(Role.ADMIN, by=Actor("bob", "web"))
    roles = [ask(here, secret).json()["role"]]
    here.store.change_user("bob", by=BY, at=here.clock(), role=Role.VIEWER, even_last_admin=True)
    roles.append(ask(here, secret).json()["role"])
    here.store.change_user("bob", by=BY, at=here.clock(), disabled=True)
    disabled = ask(here, secret).status_code
    here.store.change_user("bob", by=BY, at=here.clock(), disabled=False)
    here.store.remove_user("bob", by=BY, at=here.clock())
    removed = ask(here, secret).status_code

    assert (roles, disabled, removed) == (["admin", "viewer"], 401, 401)


def test_a_role_that_is_too_low_is_told_which_one_is_needed(here: Site) -> None:
    _, secret = here.token(Role.VIEWER)
    with program(here, secret) as client:
        refused = client.post(DESKS)

    assert (refused.status_code, refused.json()["detail"]) == (403, "This needs the role reviewer.")


def test_a_scope_holds_a_token_to_its_parts_of_the_api(here: Site) -> None:
    _, secret = here.token(Role.ADMIN, scopes=["servers", "rules"])
    paths = ("/api/v1/servers", "/api/v1/users", "/api/v1/servers?label=users")
    statuses = [ask(here, secret, path).status_code for path in paths]

    assert statuses == [200, 403, 200]


def test_a_token_opens_no_page_and_counts_before_a_cookie(here: Site) -> None:
    _, secret = here.token(Role.ADMIN)
    with program(here, secret) as client:
        page = client.get("/people")

    assert (page.status_code, page.headers["location"]) == (303, "/sign-in?next=%2Fpeople")


def test_what_the_framework_refuses_reads_as_everything_else_does(here: Site) -> None:
    _, secret = here.token()
    with program(here, secret) as client:
        answers = [client.get("/api/v1/nothing"), client.delete(DESKS)]

    assert [one.json()["type"] for one in answers] == [
        "urn:driftwatch:problem:not-found",
        "urn:driftwatch:problem:method-not-allowed",
    ]


# Proxies


def test_a_person_whom_the_proxy_names_is_in_without_a_session(behind: Site) -> None:
    with browser(behind, **{"Remote-User": "Ann", "X-Forwarded-For": "192.0.2.7"}) as client:
        known = client.get(DESKS).json()
        page = client.get("/account")

    assert known == {"name": "ann", "role": "reviewer", "origin": "web 192.0.2.7"}
    assert page.status_code == 200
    assert "Sign out" not in page.text


def test_a_form_of_somebody_whom_the_proxy_names_is_theirs(behind: Site) -> None:
    with browser(behind, **{"Remote-User": "ann"}) as client:
        form = form_of(client.get("/tokens").text, "/tokens/add")
        typed = {**form, "name": "ci", "role": "viewer", "lasts": "90d", "scopes": ""}
        stolen = client.post("/tokens/add", data=typed, headers={"Remote-User": "eve"})
        made = client.post("/tokens/add", data=typed)

    assert (stolen.status_code, made.status_code) == (403, 200)


@pytest.mark.parametrize("name", ["eve", "gone", "a b", "x" * 65, "ann, eve", "<b>"])
def test_somebody_who_may_not_come_in_is_told_so_though_the_proxy_names_them(behind: Site, name: str) -> None:
    with browser(behind, **{"Remote-User": name}) as client:
        answers = [client.get("/account"), client.get(DESKS)]

    assert [one.status_code for one in answers] == [403, 403]
    assert "<b>" not in answers[0].text


def test_a_proxy_that_names_two_people_names_nobody(behind: Site) -> None:
    headers = [("Remote-User", "ann"), ("Remote-User", "eve")]
    with httpx.Client(timeout=PATIENCE, base_url=behind.url) as client:
        assert client.get(DESKS, headers=headers).status_code == 403


def test_a_role_for_people_whom_only_the_proxy_knows(tmp_path: Path) -> None:
    given = {"proxy_from": ("127.0.0.1",), "proxy_header": "Remote-User", "proxy_role": Role.VIEWER}
    with site(tmp_path, **given) as here, browser(here, **{"Remote-User": "eve@example.com"}) as client:
        known = client.get(DESKS).json()

    assert (known["name"], known["role"]) == ("eve@example.com", "viewer")


def test_whom_only_the_proxy_knows_makes_no_tokens_that_outlive_its_word(tmp_path: Path) -> None:
    given = {"proxy_from": ("127.0.0.1",), "proxy_header": "Remote-User", "proxy_role": Role.ADMIN}
    with site(tmp_path, **given) as here, browser(here, **{"Remote-User": "eve"}) as client:
        form = form_of(client.get("/tokens").text, "/tokens/add")
        on_the_page = client.post("/tokens/add", data={**form, "name": "ci", "role": "viewer", "lasts": "1d"})
        token = {"X-Form-Token": client.get("/api/v1/me/form-token").json()["token"]}
        by_the_api = client.post("/api/v1/tokens", json={"name": "ci", "role": "viewer"}, headers=token)
        kept = here.store.tokens()

    assert (on_the_page.status_code, by_the_api.status_code, kept) == (400, 400, [])
    assert "Only users make tokens" in on_the_page.text
    assert "Only users make tokens" in by_the_api.json()["detail"]


def test_the_header_of_somebody_who_is_no_proxy_is_not_read(tmp_path: Path) -> None:
    with site(tmp_path, proxy_from=("192.0.2.1",), proxy_header="Remote-User") as here:
        here.add("ann", Role.ADMIN)
        with browser(here, **{"Remote-User": "ann", "X-Forwarded-For": "192.0.2.1"}) as client:
            answers = [client.get("/account"), client.get(DESKS)]

    assert [one.status_code for one in answers] == [303, 401]


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        ("", "127.0.0.1"),
        ("192.0.2.7", "192.0.2.7"),
        ("6.6.6.6, 192.0.2.7", "192.0.2.7"),
        ("6.6.6.6, 192.0.2.7, 10.1.2.3", "192.0.2.7"),
        ("2001:db8::1", "2001:db8::1"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("10.1.2.3", "10.1.2.3"),
        ("192.0.2.7, nonsense", "127.0.0.1"),
        ("<script>", "127.0.0.1"),
    ],
)
def test_behind_proxies_the_last_address_that_is_none_of_them_counts(
    behind: Site, forwarded: str, address: str
) -> None:
    with browser(behind, **{"Remote-User": "ann", "X-Forwarded-For": forwarded}) as client:
        assert client.get(DESKS).json()["origin"] == f"web {address}"


def test_what_somebody_who_is_no_proxy_says_of_addresses_does_not_count(here: Site) -> None:
    _, secret = here.token()
    with program(here, secret) as client:
        origin = client.get(DESKS, headers={"X-Forwarded-For": "192.0.2.7"}).json()["origin"]

    assert origin.endswith(" 127.0.0.1")
