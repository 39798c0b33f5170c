"""What programs read: lists page by page, one thing whole, and nothing that the document does not tell of."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator
from web_site import Site, program

from driftwatch.model import Kind, Role
from driftwatch.web.api.router import document
from tests.web import town_lists as lists
from tests.web.town import town_site

API = "/api/v1"

LISTS = [
    "/servers",
    "/servers/calendar/snapshots",
    "/servers/calendar/snapshots/latest/items",
    "/servers/calendar/reviews",
    "/ahead",
    "/alerts",
    "/silences?state=all",
    "/deliveries",
    "/channels",
    "/rules",
    "/audit",
    "/users",
    "/tokens",
]


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with town_site(tmp_path_factory.mktemp("town")) as made:
        yield made


@pytest.fixture(scope="module")
def ci(town: Site) -> Iterator[httpx.Client]:
    _, secret = town.token(Role.ADMIN)
    with ExitStack() as stack:
        client = stack.enter_context(program(town, secret))
        client.base_url = httpx.URL(f"{town.url}{API}")
        yield client


def got(client: httpx.Client, path: str, **asked: Any) -> Any:
    answered = client.get(path, params=asked or None)
    assert answered.status_code == 200, answered.text
    return answered.json()


def with_(path: str, **asked: object) -> str:
    return path + ("&" if "?" in path else "?") + "&".join(f"{key}={value}" for key, value in asked.items())


def walked(client: httpx.Client, path: str, limit: int) -> list[Any]:
    """Give all entries of a list, page by page."""
    found, cursor = [], ""
    while True:
        page = got(client, with_(path, limit=limit, cursor=cursor))
        assert len(page["entries"]) <= limit
        found += page["entries"]
        if page["next"] is None:
            return found
        assert len(page["entries"]) == limit
        cursor = page["next"]


@pytest.mark.parametrize("path", LISTS)
def test_every_list_is_the_same_in_pages_of_any_size(ci: httpx.Client, path: str) -> None:
    everything = walked(ci, path, 200)

    assert everything, "the town has some of all"
    assert walked(ci, path, 3) == everything
    assert len({json.dumps(one, sort_keys=True) for one in everything}) == len(everything)


@pytest.mark.parametrize("path", LISTS)
def test_what_a_list_does_not_know_is_refused_and_gives_no_more(ci: httpx.Client, path: str) -> None:
    typo = ci.get(with_(path, lable="team=web"))
    twice = ci.get(with_(path, limit=3, cursor="x") + "&limit=9")
    made_up = ci.get(with_(path, cursor="bm9uc2Vuc2U"))
    of_another = ci.get(with_(path, cursor="WyJub3doZXJlIiwgMV0"))
    too_many = ci.get(with_(path, limit=201))

    assert [one.status_code for one in (typo, twice, made_up, of_another, too_many)] == [422, 422, 400, 400, 422]
    assert typo.json()["errors"] == [{"where": "query/lable", "what": "There is no such parameter."}]
    assert twice.json()["errors"] == [{"where": "query/limit", "what": "It is given more than once."}]


def test_what_is_wrong_in_a_request_is_said_in_plain_words(ci: httpx.Client) -> None:
    sent = {"server": "notes", "severity": "severe", "until": "soon", "ends": 1}

    problems = ci.post("/silences", json=sent).json()["errors"]

    assert {"where": "body/ends", "what": "There is no such field."} in problems
    assert {"where": "body/reason", "what": "It is missing."} in problems
    assert not [one for one in problems if "Value error" in one["what"] or "inputs" in one["what"]]


def test_what_takes_no_parameters_refuses_them_too(ci: httpx.Client) -> None:
    assert ci.get("/me?name=ann").status_code == 422
    assert ci.post("/servers/notes/look?when=now").status_code == 422


@pytest.mark.parametrize("path", ["/servers", "/alerts", "/rules/hint-loosened", "/me", "/settings"])
def test_who_has_an_answer_is_not_sent_it_again(ci: httpx.Client, path: str) -> None:
    first = ci.get(path)
    tag = first.headers["etag"]
    again = ci.get(path, headers={"If-None-Match": f'"other", W/{tag}'})
    changed = ci.get(path, headers={"If-None-Match": '"other"'})

    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert (changed.status_code, changed.content) == (200, first.content)


def test_servers_are_picked_by_what_is_said_of_them(ci: httpx.Client) -> None:
    def names(**asked: str) -> list[str]:
        return [one["name"] for one in got(ci, "/servers", **asked)["entries"]]

    assert names(label="team=office") == ["calendar", "docs", "notes"]
    assert names(standing="off") == ["billing"]
    assert names(q="CAL") == ["calendar"]
    assert set(names(severity="critical")) <= set(names(severity="high")) < set(names())
    assert names(label="team=offic") == []


def test_alerts_and_messages_are_picked_by_state_and_what_they_are_about(ci: httpx.Client) -> None:
    standing = got(ci, "/alerts", state="standing")["entries"]
    resolved = got(ci, "/alerts", state="resolved")["entries"]
    dead = got(ci, "/deliveries", state="dead")["entries"]
    (first, *_) = standing

    assert {one["state"] for one in standing} <= {"open", "acknowledged"}
    assert {one["state"] for one in resolved} == {"resolved"}
    assert {one["server"] for one in got(ci, "/alerts", server="docs")["entries"]} == {"docs"}
    assert {one["state"] for one in dead} == {"dead"}
    assert {one["alert"] for one in got(ci, "/deliveries", alert=first["id"])["entries"]} <= {first["id"]}
    assert got(ci, "/deliveries", since="2100-01-01T00:00:00Z")["entries"] == []


@pytest.mark.parametrize(
    "moment", ["yesterday", "2026-03-01", "1700000000", "2026-03-01T12:00:00", "2026-13-01T00:00:00Z"]
)
def test_a_moment_without_a_zone_or_sense_is_refused(ci: httpx.Client, moment: str) -> None:
    assert ci.get("/audit", params={"since": moment}).status_code == 422


def test_what_a_server_wrote_comes_back_to_the_letter_and_in_ascii(ci: httpx.Client, town: Site) -> None:
    digest = town.store.state("bazaar").last_digest
    answered = ci.get("/servers/bazaar/snapshots/latest/items", params={"limit": 200})
    kept = town.store.item_page(digest, Kind.TOOL, after=None, limit=200)

    assert answered.content.isascii()
    assert answered.json()["found"] == kept.found
    assert [one["raw"] for one in answered.json()["entries"]] == [one.raw for one in kept.items]
    assert any(lists.EVERYTHING in one.raw.get("description", "") for one in kept.items)


def test_one_item_is_had_by_its_name_whatever_that_is(ci: httpx.Client) -> None:
    items = got(ci, "/servers/bazaar/snapshots/latest/items", limit=200)["entries"]

    for one in items:
        asked = {"wire": json.dumps(one["key"])[1:-1], "occurrence": str(one["occurrence"])}
        assert got(ci, "/servers/bazaar/snapshots/latest/item", **asked) == one
    assert ci.get("/servers/bazaar/snapshots/latest/item", params={"key": "nothing"}).status_code == 404


def test_a_list_is_had_by_its_digest_by_the_beginning_of_it_and_by_what_it_is(ci: httpx.Client, town: Site) -> None:
    state = town.store.state("notes")
    whole = got(ci, f"/servers/notes/snapshots/{state.last_digest}")

    assert got(ci, "/servers/notes/snapshots/latest") == whole
    assert got(ci, f"/servers/notes/snapshots/{state.last_digest[:20]}") == whole
    assert state.baseline is not None
    assert got(ci, "/servers/notes/snapshots/baseline")["digest"] == state.baseline.digest
    assert "list_notes" in {one["name"] for one in whole["document"]["tools"]}
    assert whole["count"]["tool"] == len(whole["document"]["tools"])
    assert ci.get("/servers/newcomer/snapshots/latest").status_code == 404
    assert ci.get("/servers/notes/snapshots/zz").status_code == 404


def test_the_difference_is_what_a_look_found_and_says_what_can_be_decided(ci: httpx.Client, town: Site) -> None:
    found = got(ci, "/servers/notes/difference")
    state = town.store.state("notes")

    assert state.baseline is not None
    assert (found["digest"], found["baseline"]["digest"]) == (state.last_digest, state.baseline.digest)
    assert found["is_latest"] is True
    assert "text-injection" in {one["rule"] for one in found["report"]["findings"]}
    assert {"kind": "tool", "key": "list_notes", "occurrence": 0} in found["places"]


def test_any_two_lists_can_be_compared(ci: httpx.Client) -> None:
    seen = [one["digest"] for one in got(ci, "/servers/calendar/snapshots")["entries"]]
    forth = got(ci, "/servers/calendar/difference", **{"from": seen[-1], "to": seen[0]})
    same = got(ci, "/servers/calendar/difference", **{"from": seen[0], "to": seen[0]})

    assert forth["report"]["baseline_digest"] == seen[-1]
    assert forth["places"]
    assert same["places"] == []
    assert same["report"]["findings"] == []


def test_a_batch_says_what_it_told_of(ci: httpx.Client, town: Site) -> None:
    (batch, *_) = [one for one in town.store.deliveries() if one.event == "batch"]
    found = got(ci, f"/batches/{batch.id}")
    (other, *_) = [one for one in town.store.deliveries() if one.event != "batch"]

    assert found["channel"] == "weekly"
    assert {one["server"] for one in found["alerts"]} >= {"docs"}
    assert ci.get(f"/batches/{other.id}").status_code == 404


def test_an_id_is_given_whole(ci: httpx.Client, town: Site) -> None:
    alert = town.store.alerts()[0].id

    assert got(ci, f"/alerts/{alert}")["id"] == alert
    assert ci.get(f"/alerts/{alert[:-1]}").status_code == 404


def test_the_audit_log_is_verified_and_exported_line_by_line(ci: httpx.Client) -> None:
    verdict = got(ci, "/audit/verification")
    lines = ci.get("/audit/export").text.splitlines()
    wrong = ci.get("/audit/verification", params={"head": "ab" * 32}).json()

    assert verdict["whole"] is True
    assert verdict["entries"] <= len(lines)
    assert json.loads(lines[verdict["entries"] - 1])["hash"] == verdict["head"]
    assert [json.loads(line)["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert wrong["whole"] is False
    assert ci.get("/audit/verification", params={"head": "nothing"}).status_code == 400


def test_the_configuration_comes_without_its_secrets(ci: httpx.Client) -> None:
    answered = ci.get("/settings")
    channels = {one["name"]: one for one in answered.json()["channels"]}

    assert "whsec_" not in answered.text
    assert "hooks.example.com/services" not in answered.text
    assert channels["on-call"]["secret"] == "***"
    assert channels["office"]["url"] == "***"
    assert {one["name"] for one in answered.json()["servers"]} >= {"notes", "forge"}


# That the answers have the shapes of the document


def closed(schema: Any) -> Any:
    """Give a schema by which members that it does not name are wrong, of our own shapes only."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: closed(value) for key, value in schema.items()}
    if "properties" in found and "additionalProperties" not in found:
        found["additionalProperties"] = False
    return found


SCHEMAS = document()["components"]["schemas"]
CLOSED = {
    name: schema if name in {"Report.report", "Report.document"} else closed(schema) for name, schema in SCHEMAS.items()
}


def wanted(path: str) -> Any:
    schema = document()["paths"][f"{API}{path}"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    return {**schema, "components": {"schemas": CLOSED}}


SHAPES = [
    ("/servers", {}),
    ("/servers/{server}", {}),
    ("/servers/{server}/snapshots", {}),
    ("/servers/{server}/snapshots/{digest}", {}),
    ("/servers/{server}/snapshots/{digest}/items", {}),
    ("/servers/{server}/difference", {}),
    ("/servers/{server}/reviews", {}),
    ("/servers/{server}/previews", {}),
    ("/ahead", {}),
    ("/ahead/{ahead}", {}),
    ("/alerts", {}),
    ("/alerts/{alert}", {}),
    ("/batches/{batch}", {}),
    ("/silences", {"state": "all"}),
    ("/silences/{silence}", {}),
    ("/deliveries", {}),
    ("/deliveries/{delivery}", {}),
    ("/channels", {}),
    ("/rules", {}),
    ("/rules/{rule}", {}),
    ("/audit", {}),
    ("/audit/verification", {}),
    ("/settings", {}),
    ("/status", {}),
    ("/users", {}),
    ("/users/{user}", {}),
    ("/tokens", {}),
    ("/me", {}),
]


CASES = [
    (server, path, asked)
    for server in ("notes", "bazaar", "search")
    for path, asked in SHAPES
    if server == "notes" or "{server}" in path
]


@pytest.mark.parametrize(("server", "path", "asked"), CASES, ids=[f"{server} {path}" for server, path, _ in CASES])
def test_every_answer_has_just_the_members_that_the_document_tells_of(
    ci: httpx.Client, town: Site, server: str, path: str, asked: dict[str, str]
) -> None:
    store = town.store
    names = {
        "server": server,
        "digest": "latest",
        "ahead": store.aheads()[0].id,
        "alert": next(one.id for one in store.alerts() if one.findings),
        "batch": next(one.id for one in store.deliveries() if one.event == "batch"),
        "silence": store.silences()[0].id,
        "delivery": store.deliveries()[0].id,
        "rule": "hint-loosened",
        "user": "vic",
    }
    body = got(ci, path.format(**names), **asked)

    wrong = [
        f"{error.json_path}: {error.message[:200]}" for error in Draft202012Validator(wanted(path)).iter_errors(body)
    ]
    assert wrong == []
