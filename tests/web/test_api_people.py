"""Who may come in, through the API: users, links, and tokens that make no tokens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from web_site import BY, program, signed_in

from driftwatch.model import Role
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


def test_a_user_is_added_changed_and_removed(here: Stage, root: httpx.Client) -> None:
    added = root.post(f"{API}/users", json={"name": "eva", "role": "viewer"})
    twice = root.post(f"{API}/users", json={"name": "eva", "role": "viewer"})
    changed = root.patch(f"{API}/users/eva", json={"role": "reviewer"})
    gone = root.delete(f"{API}/users/eva")

    assert (added.status_code, twice.status_code) == (201, 400)
    assert "/welcome?key=" in added.json()["link"]
    assert (changed.json()["role"], changed.json()["password"]) == ("reviewer", False)
    assert (gone.status_code, root.get(f"{API}/users/eva").status_code) == (204, 404)


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


def test_a_program_makes_a_link_for_who_has_no_password_yet_and_for_nobody_else(
    here: Stage, root: httpx.Client
) -> None:
    here.site.add("eva", password=None)
    here.site.add("joe", Role.ADMIN)

    new, known = (root.post(f"{API}/users/{name}/link") for name in ("eva", "joe"))

    assert (new.status_code, known.status_code) == (201, 403)


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
            token = vic.get(f"{API}/me/form-token").json()["token"]
            return vic.post(f"{API}{path}", json=given, headers={"X-Form-Token": token})

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
