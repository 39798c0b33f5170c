"""Who may come in, through the API: users, links, and tokens that make no tokens."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute
from web_site import BY, program, signed_in

from driftwatch.model import Actor, Role
from driftwatch.store.store import Store
from driftwatch.web import accounts
from driftwatch.web.api.router import PARTS
from tests.web.reviewing import Stage, stage

API = "/api/v1"


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Stage]:
    with stage(tmp_path) as made:
        yield made


@pytest.fixture
def root(here: Stage) -> Iterator[httpx.Client]:
    """A program that may let people in."""
    _, secret = here.site.token(Role.ADMIN)
    with program(here.site, secret) as client:
        yield client


def sent_by(client: httpx.Client, method: str, path: str, **given: Any) -> httpx.Response:
    """Send what changes something as a page of ours does, for the person who is signed in there."""
    token = client.get(f"{API}/me/form-token").json()["token"]
    return client.request(method, f"{API}{path}", headers={"X-Form-Token": token}, **given)


@pytest.fixture
def ada(here: Stage) -> Iterator[httpx.Client]:
    """Somebody who may let people in, at a browser."""
    here.site.add("ada", Role.ADMIN)
    with signed_in(here.site, "ada") as client:
        yield client


def test_a_user_is_added_changed_and_removed(here: Stage, ada: httpx.Client) -> None:
    added = sent_by(ada, "POST", "/users", json={"name": "eva", "role": "viewer"})
    twice = sent_by(ada, "POST", "/users", json={"name": "eva", "role": "viewer"})
    changed = sent_by(ada, "PATCH", "/users/eva", json={"role": "reviewer"})
    link = sent_by(ada, "POST", "/users/eva/link")
    gone = sent_by(ada, "DELETE", "/users/eva")

    assert (added.status_code, twice.status_code, link.status_code) == (201, 400, 201)
    assert "/welcome?key=" in added.json()["link"]
    assert (changed.json()["role"], changed.json()["password"]) == ("reviewer", False)
    assert (gone.status_code, ada.get(f"{API}/users/eva").status_code) == (204, 404)


# What a program can do to who may come in: take away, and nothing from whom it stands for.

PROGRAMS: dict[str, tuple[str, str, dict[str, Any] | None, int]] = {
    "sees all": ("GET", "/users", None, 200),
    "lets another in no more": ("PATCH", "/users/joe", {"disabled": True}, 200),
    "makes another less": ("PATCH", "/users/joe", {"role": "viewer"}, 200),
    "leaves another as they are": ("PATCH", "/users/joe", {"role": "admin", "disabled": False}, 200),
    "removes another": ("DELETE", "/users/joe", None, 204),
    "adds nobody": ("POST", "/users", {"name": "eva", "role": "viewer"}, 403),
    "makes nobody more": ("PATCH", "/users/vic", {"role": "reviewer"}, 403),
    "makes nobody more and less at once": ("PATCH", "/users/vic", {"role": "admin", "disabled": True}, 403),
    "lets nobody in again": ("PATCH", "/users/out", {"disabled": False}, 403),
    "makes no link for who has a password": ("POST", "/users/joe/link", None, 403),
    "makes no link for who has none yet": ("POST", "/users/new/link", None, 403),
    "makes no token": ("POST", "/tokens", {"name": "more", "role": "viewer", "days": 1}, 403),
    "revokes no token": ("POST", "/tokens/{own}/revoke", None, 403),
    "does not disable its maker": ("PATCH", "/users/ada", {"disabled": True}, 400),
    "does not make its maker less": ("PATCH", "/users/ada", {"role": "viewer"}, 400),
    "does not remove its maker": ("DELETE", "/users/ada", None, 400),
    "makes no link for its maker": ("POST", "/users/ada/link", None, 403),
}


@pytest.mark.parametrize("what", PROGRAMS)
def test_a_program_takes_away_only_and_nothing_from_who_made_its_token(here: Stage, what: str) -> None:
    method, path, body, status = PROGRAMS[what]
    store = here.store
    for name in ("ada", "joe"):
        here.site.add(name, Role.ADMIN)
    here.site.add("new", password=None)
    here.site.add("out")
    store.change_user("out", by=BY, at=here.town.clock(), disabled=True)
    token, secret = here.site.token(Role.ADMIN, by=Actor("ada", "web"))
    before = store.users()
    with program(here.site, secret) as client:
        answered = client.request(method, f"{API}{path.format(own=token.id)}", json=body)

    assert answered.status_code == status, answered.text
    if status >= 400:
        assert answered.json()["hint"]
        assert (store.users(), [one.is_good(here.town.clock()) for one in store.tokens()]) == (before, [True])


@pytest.mark.parametrize("role", [None, *Role])
def test_a_token_may_do_what_its_maker_may_at_the_time_and_no_more(here: Stage, role: Role | None) -> None:
    for name in ("ada", "joe"):
        here.site.add(name, Role.ADMIN)
    _, secret = here.site.token(Role.ADMIN, by=Actor("joe", "web"))
    if role is None:
        here.store.remove_user("joe", by=BY, at=here.town.clock())
    else:
        here.store.change_user("joe", by=BY, at=here.town.clock(), role=role)
    with program(here.site, secret) as client:
        statuses = [client.get(f"{API}{path}").status_code for path in ("/me", "/users")]
        decides = client.post(f"{API}/servers/notes/look").status_code

    wanted = {None: [401, 401, 401], Role.VIEWER: [200, 403, 403], Role.REVIEWER: [200, 403, 202]}
    assert [*statuses, decides] == wanted.get(role, [200, 200, 202])


def test_a_token_that_is_made_while_its_maker_is_shut_out_is_none(here: Stage) -> None:
    here.site.add("joe", Role.REVIEWER)
    with (
        signed_in(here.site, "joe") as joe,
        Store.open(here.site.desk.settings.database_url, clock=here.town.clock) as other,
    ):
        form = {"X-Form-Token": joe.get(f"{API}/me/form-token").json()["token"]}
        random, asked = here.site.desk.random, threading.Event()
        gone = threading.Event()

        def slowly(count: int) -> bytes:
            # Randomness is asked for after it was found out who asks, and before anything is written.
            asked.set()
            assert gone.wait(timeout=30)
            return random(count)

        here.site.app.state.desk = replace(here.site.desk, random=slowly)
        answers: list[httpx.Response] = []
        body = {"name": "ci", "role": "viewer"}
        sending = threading.Thread(target=lambda: answers.append(joe.post(f"{API}/tokens", json=body, headers=form)))
        sending.start()
        assert asked.wait(timeout=30)
        other.remove_user("joe", by=BY, at=here.town.clock())
        gone.set()
        sending.join(timeout=60)

    assert (answers[0].status_code, here.store.tokens()) == (400, [])


ENDS: dict[str, tuple[str, dict[str, Any] | None]] = {
    "disabled": ("PATCH", {"disabled": True}),
    "made less": ("PATCH", {"role": "reviewer"}),
    "removed": ("DELETE", None),
}


@pytest.mark.parametrize("end", ENDS)
def test_the_last_admin_stays_and_the_answer_says_so(here: Stage, root: httpx.Client, end: str) -> None:
    here.site.add("ada", Role.ADMIN)
    method, body = ENDS[end]
    refused = root.request(method, f"{API}/users/ada", json=body)
    here.site.add("joe", Role.ADMIN)
    done = root.request(method, f"{API}/users/ada", json=body)

    assert (refused.status_code, refused.json()["type"]) == (409, "urn:driftwatch:problem:last-admin")
    assert "'ada' is the last admin" in refused.json()["detail"]
    assert done.status_code in {200, 204}


@pytest.mark.parametrize(
    ("scopes", "hint"),
    [(["servers", "alert"], "Did you mean alerts?"), (["nonsense"], "Known here: "), (["a/../b"], "Known here: ")],
)
def test_a_scope_that_is_no_part_of_the_api_is_refused_here_as_on_the_command_line(
    here: Stage, ada: httpx.Client, scopes: list[str], hint: str
) -> None:
    refused = sent_by(ada, "POST", "/tokens", json={"name": "ci", "role": "viewer", "scopes": scopes})

    assert (refused.status_code, here.store.tokens()) == (400, [])
    assert refused.json()["detail"] == f'The API has no part "{scopes[-1]}".'
    assert hint in refused.json()["hint"]


def test_the_scopes_are_the_parts_that_the_api_has() -> None:
    paths = [route.path for part in PARTS for route in part.routes if isinstance(route, APIRoute)]

    # The numbers are asked for outside of the API, by a path that needs no version.
    assert sorted({*(path.split("/")[3] for path in paths), "metrics"}) == list(accounts.SCOPES)


@pytest.mark.parametrize("kind", [None, "", "text/plain", "application/x-www-form-urlencoded", "application/jsonp"])
@pytest.mark.parametrize(("method", "path"), [("POST", "/users"), ("PATCH", "/users/vic"), ("POST", "/silences")])
def test_a_body_that_is_not_said_to_be_json_is_refused_with_what_is_expected(
    root: httpx.Client, method: str, path: str, kind: str | None
) -> None:
    headers = {} if kind is None else {"Content-Type": kind}
    refused = root.request(method, f"{API}{path}", content=b'{"role": "viewer"}', headers=headers)

    assert (refused.status_code, refused.headers["accept"]) == (415, "application/json")
    assert refused.json()["type"] == "urn:driftwatch:problem:wrong-content-type"
    assert "application/json" in refused.json()["detail"]
    assert "Content-Type: application/json" in refused.json()["hint"]


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON; charset=utf-8"])
def test_json_is_taken_in_every_spelling_of_its_name(root: httpx.Client, kind: str) -> None:
    done = root.patch(f"{API}/users/vic", content=b'{"disabled": true}', headers={"Content-Type": kind})

    assert done.status_code == 200


@pytest.mark.parametrize(
    ("sent", "member"),
    [
        ('{"name": "eva", "role": "viewer", "role": "admin"}', "role"),
        ('{"name": "eva", "role": "viewer", "more": {"a": 1, "a": 2}}', "a"),
        (f'{{"{"x" * 500}": 1, "{"x" * 500}": 2}}', "x" * 80),
    ],
)
def test_a_member_that_is_given_twice_is_refused_and_nobody_comes_in(
    here: Stage, root: httpx.Client, sent: str, member: str
) -> None:
    refused = root.post(f"{API}/users", content=sent, headers={"Content-Type": "application/json"})

    assert refused.status_code == 422
    assert refused.json()["errors"] == [{"where": f"body/{member}", "what": "It is given more than once."}]
    assert here.store.user("eva") is None


@pytest.mark.parametrize("sent", ["{", "[" * 100_000, '{"name": "eva"}'])
def test_a_body_that_cannot_be_read_is_refused_as_before(root: httpx.Client, sent: str) -> None:
    refused = root.post(f"{API}/users", content=sent, headers={"Content-Type": "application/json"})

    assert refused.status_code in {400, 422}
    assert refused.headers["content-type"].startswith("application/problem+json")


def test_a_user_who_was_changed_meanwhile_is_not_changed_blindly(here: Stage, root: httpx.Client) -> None:
    seen = root.get(f"{API}/users/vic").headers["etag"]
    here.store.change_user("vic", by=BY, at=here.town.clock(), role=Role.REVIEWER)
    refused = root.patch(f"{API}/users/vic", json={"disabled": True}, headers={"If-Match": seen})
    now = root.get(f"{API}/users/vic").headers["etag"]
    done = root.patch(f"{API}/users/vic", json={"disabled": True}, headers={"If-Match": now})

    assert (refused.status_code, done.status_code) == (412, 200)
    assert done.json()["disabled"] is True


def test_a_token_makes_no_tokens_and_people_make_none_above_themselves(here: Stage, root: httpx.Client) -> None:
    body = {"name": "nightly", "role": "viewer", "scopes": ["servers"], "days": 30}
    with ExitStack() as stack:
        vic = stack.enter_context(signed_in(here.site, "vic"))

        def send(given: dict[str, Any], path: str = "/tokens") -> httpx.Response:
            return sent_by(vic, "POST", path, json=given)

        by_a_token, too_much, made = root.post(f"{API}/tokens", json=body), send({**body, "role": "admin"}), send(body)
        theirs = vic.get(f"{API}/tokens").json()["entries"]
        with program(here.site, made.json()["secret"]) as nightly:
            inside, outside = nightly.get(f"{API}/servers"), nightly.get(f"{API}/alerts")
        revoked = send({}, f"/tokens/{made.json()['id']}/revoke")

    assert (by_a_token.status_code, too_much.status_code, made.status_code) == (403, 403, 201)
    assert made.json()["secret"].startswith("dw_")
    assert [one["name"] for one in theirs] == ["nightly"]
    assert "secret" not in theirs[0]
    assert (inside.status_code, outside.status_code) == (200, 403)
    assert (revoked.status_code, revoked.json()["good"]) == (200, False)
