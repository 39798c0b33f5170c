"""The pages of users and of tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest
from web_site import PASSWORD, Site, browser, form_of, program, signed_in, site

from driftwatch.model import Action, Actor, Role
from driftwatch.web import people


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path) as made:
        made.add("ann", Role.ADMIN)
        made.add("bob", Role.VIEWER)
        yield made


def send(client: httpx.Client, path: str, action: str, **typed: str) -> httpx.Response:
    return client.post(action, data={**form_of(client.get(path).text, action), **typed})


def test_an_admin_lets_somebody_in_by_a_link(here: Site) -> None:
    with signed_in(here, "ann") as client, browser(here) as eve:
        page = send(client, "/people", "/people/add", name="Eve", role="reviewer")
        link = re.search(r"<code>(http://\S+/welcome\?key=\w+)</code>", page.text)
        assert link
        form = form_of(eve.get(link[1]).text, "/welcome")
        came = eve.post("/welcome", data={**form, "password": PASSWORD, "again": PASSWORD})

    assert came.status_code == 303
    assert here.store.user("eve").role is Role.REVIEWER  # type: ignore[union-attr]
    added = next(one for one in here.store.audit() if one.action == Action.USER_ADDED and one.who == "ann")
    assert added.origin == "web 127.0.0.1"


def test_a_name_that_is_taken_or_is_none_is_said_and_kept(here: Site) -> None:
    with signed_in(here, "ann") as client:
        answers = [
            send(client, "/people", "/people/add", name=name, role="reviewer") for name in ("bob", '"><script>', "")
        ]
        no_role = send(client, "/people", "/people/add", name="eve", role="emperor")

    assert [one.status_code for one in (*answers, no_role)] == [400] * 4
    assert "already" in answers[0].text
    assert '<option value="reviewer" selected>' in answers[0].text
    assert "<script>" not in answers[1].text.partition("</head>")[2]
    assert "no role that you can give" in no_role.text


def test_an_admin_changes_disables_enables_and_removes_others(here: Site) -> None:
    with signed_in(here, "ann") as client, signed_in(here, "bob") as bob:
        send(client, "/people", "/people/bob/role", role="reviewer")
        role = here.store.user("bob")
        send(client, "/people", "/people/bob/disable")
        disabled = here.store.user("bob")
        out = bob.get("/account").status_code
        send(client, "/people", "/people/bob/enable")
        enabled = here.store.user("bob")
        gone = send(client, "/people", "/people/bob/remove")

    assert role
    assert disabled
    assert enabled
    assert (role.role, disabled.disabled, out, enabled.disabled) == (Role.REVIEWER, True, 303, False)
    assert (gone.status_code, gone.headers["location"], here.store.user("bob")) == (303, "/people", None)


def test_everybody_is_led_to_the_pages_that_they_may_see(here: Site) -> None:
    with signed_in(here, "ann") as ann, signed_in(here, "bob") as bob:
        led = [set(re.findall(r'<li><a href="([^"]+)"', client.get("/account").text)) for client in (ann, bob)]

    assert led[0] - led[1] == {"/people", "/settings"}
    assert "/tokens" in led[1]


@pytest.mark.parametrize("what", ["role", "disable", "remove"])
def test_no_admin_locks_themselves_out(here: Site, what: str) -> None:
    with signed_in(here, "ann") as client:
        offered = f"/people/ann/{what}" in client.get("/people").text
        (session,) = here.store.sessions("ann")
        token = here.app.state.forms.issue(session.csrf, f"/people/ann/{what}")
        refused = client.post(f"/people/ann/{what}", data={"form": token, "role": "viewer"})

    assert (offered, refused.status_code, "to yourself" in refused.text) == (False, 400, True)
    assert here.store.user("ann").role is Role.ADMIN  # type: ignore[union-attr]


ON_THE_PAGE = {
    "role": {"role": "viewer"},
    "disable": {},
    "remove": {},
}


@pytest.mark.parametrize("what", ON_THE_PAGE)
def test_the_last_admin_stays_and_the_page_says_so(tmp_path: Path, what: str) -> None:
    # Who is an admin by the word of a proxy alone is no user, so the one user who is an admin is the last.
    given = {"proxy_from": ("127.0.0.1",), "proxy_header": "Remote-User", "proxy_role": Role.ADMIN}
    with site(tmp_path, **given) as here, browser(here, **{"Remote-User": "eve"}) as eve:
        here.add("ann", Role.ADMIN)
        refused = send(eve, "/people", f"/people/ann/{what}", **ON_THE_PAGE[what])
        kept = here.store.user("ann")

    assert (refused.status_code, "is the last admin" in refused.text) == (400, True)
    assert kept
    assert (kept.role, kept.disabled) == (Role.ADMIN, False)


def test_a_user_who_is_gone_meanwhile_is_said_on_a_page(here: Site) -> None:
    with signed_in(here, "ann") as client:
        form = form_of(client.get("/people").text, "/people/bob/disable")
        send(client, "/people", "/people/bob/remove")
        answered = client.post("/people/bob/disable", data=form)

    assert (answered.status_code, "no user" in answered.text) == (404, True)


def test_a_form_for_one_user_does_nothing_to_another(here: Site) -> None:
    here.add("eve", Role.ADMIN)
    with signed_in(here, "ann") as client:
        form = form_of(client.get("/people").text, "/people/bob/remove")
        refused = client.post("/people/eve/remove", data=form)

    assert (refused.status_code, here.store.user("eve") is not None) == (400, True)


def test_everybody_makes_tokens_up_to_their_own_role_and_sees_the_secret_once(here: Site) -> None:
    typed = {"name": "CI", "lasts": "12h", "scopes": "me alerts"}
    with signed_in(here, "bob") as client:
        too_high = send(client, "/tokens", "/tokens/add", role="reviewer", **typed)
        made = send(client, "/tokens", "/tokens/add", role="viewer", **typed)
        later = client.get("/tokens").text

    secret = re.search(r"dw_\w{49}", made.text)
    assert secret
    with program(here, secret[0]) as ci:
        assert ci.get("/api/v1/me").json()["name"] == "ci (token of bob)"
    assert (too_high.status_code, secret[0] in later) == (400, False)
    (kept,) = here.store.tokens()
    assert (kept.by, kept.scopes, kept.expires_at) == ("bob", "alerts me", here.clock.at.replace(hour=15))


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "a b"},
        {"lasts": "soon"},
        {"lasts": "0"},
        {"lasts": "9999d"},
        {"scopes": "A/../b"},
        {"scopes": "alerts server"},
    ],
)
def test_a_token_that_cannot_be_made_is_said_and_what_was_typed_is_kept(here: Site, wrong: dict[str, str]) -> None:
    typed = {"name": "ci", "role": "viewer", "lasts": "45d", "scopes": "servers", **wrong}
    with signed_in(here, "bob") as client:
        refused = send(client, "/tokens", "/tokens/add", **typed)

    kept = dict(re.findall(r'<input id="(\w+)"[^>]*? value="([^"]*)"', refused.text))
    assert (refused.status_code, here.store.tokens()) == (400, [])
    assert {key: unescape(value) for key, value in kept.items()} == {
        key: value for key, value in typed.items() if value and key != "role"
    }


def test_somebody_sees_and_takes_back_their_own_tokens_and_an_admin_all(here: Site) -> None:
    mine, _ = here.token(by=Actor("bob", "web"))
    other, _ = here.token(by=Actor("ann", "web"))
    with signed_in(here, "bob") as bob, signed_in(here, "ann") as ann:
        seen = [client.get("/tokens").text.count("/revoke") for client in (bob, ann)]
        form = form_of(ann.get("/tokens").text, f"/tokens/{other.id}/revoke")
        stolen = bob.post(f"/tokens/{other.id}/revoke", data=form)
        own = send(bob, "/tokens", f"/tokens/{mine.id}/revoke")
        any_of_them = send(ann, "/tokens", f"/tokens/{other.id}/revoke")

    assert (seen, [one.status_code for one in (stolen, own, any_of_them)]) == ([1, 2], [400, 303, 303])
    assert all(one.revoked_at for one in here.store.tokens())


def test_tokens_are_shown_a_page_at_a_time(here: Site) -> None:
    for _ in range(people.PAGE + 1):
        here.clock.forward(1)
        here.token(by=Actor("bob", "web"))
    with signed_in(here, "bob") as bob:
        first = bob.get("/tokens").text
        older = re.search(r'href="(\?after=[^"]+)"', first)
        assert older
        second = bob.get(f"/tokens{unescape(older[1])}").text

    assert [one.count("/revoke") for one in (first, second)] == [people.PAGE, 1]


def test_names_of_others_are_shown_and_not_run(here: Site) -> None:
    here.token(by=Actor("<img src=x onerror=alert(1)>\u202e{{7*7}}", "cli"))
    with signed_in(here, "ann") as client:
        page = client.get("/tokens").text

    assert "&lt;img src=x onerror=alert(1)&gt;\\u{202E}{{7*7}}" in page
    assert "<img" not in page


def test_no_template_switches_the_escaping_off() -> None:
    folder = Path(__file__).parents[2] / "driftwatch" / "web"
    texts = {one: one.read_text(encoding="utf-8") for one in (*folder.rglob("*.html"), *folder.rglob("*.py"))}
    wrong = re.compile(
        r"\|\s*safe\b|autoescape\s+false|\bMarkup\b|<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=|javascript:"
    )

    found = [(path.name, match[0]) for path, text in texts.items() for match in wrong.finditer(text)]

    assert len(texts) > 20
    assert [one for one in found if one[0].endswith(".html") or "Markup" in one[1]] == []
