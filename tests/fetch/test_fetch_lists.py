"""What servers say in their lists, over both transports and in both eras."""

from __future__ import annotations

import json

import pytest
from fetch_world import codes, local, look, names, remote
from servers.over_http import HttpServer
from servers.scripts import POISON, READ, SCRIPTS, WRITE

from driftwatch.judge.judge import compare_snapshots, scan_snapshot
from driftwatch.judge.snapshot import document_of, oddities_of, take
from driftwatch.model import Era, Listed, Malformed, Outcome, Severity

pytestmark = pytest.mark.parametrize("transport", ["stdio", "http"])


async def look_at(script: str, transport: str, era: Era | None = None) -> Outcome:
    if transport == "stdio":
        return await look(local(script), era)
    async with HttpServer(script) as server:
        return await look(remote(server.url), era)


@pytest.mark.parametrize("era", list(Era))
async def test_a_listing_is_kept_as_it_was_on_the_wire(transport: str, era: Era) -> None:
    outcome = await look_at("honest", transport, era)

    assert isinstance(outcome, Listed)
    assert outcome.document == {
        "serverInfo": {"name": "scripted", "version": "1.2.3"},
        "capabilities": {"tools": {}},
        "protocolVersion": "2026-07-28" if era is Era.MODERN else "2025-11-25",
        "instructions": "Read before you write.",
        "tools": [READ, WRITE],
        "prompts": [],
        "resources": [],
        "resourceTemplates": [],
        **({"cacheScopes": {"server/discover": "private"}} if era is Era.MODERN else {}),
    }
    assert outcome.era is era
    assert outcome.oddities == ()


async def test_every_declared_list_is_walked_over_all_of_its_pages(transport: str) -> None:
    outcome = await look_at("full", transport)

    assert isinstance(outcome, Listed)
    assert outcome.document["tools"][1]["x-unknown"] == {"kept": True}
    assert [item["uri"] for item in outcome.document["resources"]] == ["file:///a", "file:///b"]
    assert len(outcome.document["prompts"]) == len(outcome.document["resourceTemplates"]) == 1
    assert [(page.method, page.number, page.ttl_ms, page.cache_scope) for page in outcome.pages] == [
        ("server/discover", 1, 0, "private"),
        ("tools/list", 1, 60000, "private"),
        ("prompts/list", 1, 60000, "private"),
        ("resources/list", 1, 9000, "public"),
        ("resources/list", 2, 4000, "public"),
        ("resources/templates/list", 1, 60000, "private"),
    ]
    assert outcome.ttl_ms == 4000
    assert outcome.listens


async def test_who_may_keep_a_list_is_in_the_document_and_for_how_long_is_not(transport: str) -> None:
    outcome = await look_at("full", transport)

    assert isinstance(outcome, Listed)
    assert outcome.document["cacheScopes"] == {
        "server/discover": "private",
        "tools/list": "private",
        "prompts/list": "private",
        "resources/list": "public",
        "resources/templates/list": "private",
    }
    assert "ttlMs" not in repr(outcome.document)


async def test_pages_that_do_not_agree_on_who_may_keep_them_say_both(transport: str) -> None:
    outcome = await look_at("mixed-scopes", transport)

    assert isinstance(outcome, Listed)
    assert outcome.document["cacheScopes"]["resources/list"] == "private+public"


async def test_a_handshake_session_has_no_cache_scopes(transport: str) -> None:
    outcome = await look_at("full", transport, Era.HANDSHAKE)

    assert isinstance(outcome, Listed)
    assert "cacheScopes" not in outcome.document


async def test_freshness_that_a_handshake_server_states_is_kept_too(transport: str) -> None:
    outcome = await look_at("full", transport, Era.HANDSHAKE)

    assert isinstance(outcome, Listed)
    assert outcome.ttl_ms == 4000


@pytest.mark.parametrize(("script", "ttl"), [("honest", None), ("stale", 0), ("odd-ttl", None)])
async def test_unusable_freshness_is_no_freshness(transport: str, script: str, ttl: int | None) -> None:
    outcome = await look_at(script, transport)

    assert isinstance(outcome, Listed)
    assert outcome.ttl_ms == ttl


@pytest.mark.parametrize(
    ("script", "odd"),
    [
        ("honest", ""),
        ("full", ""),
        ("stale", "ttlMs is negative, cacheScope is neither public nor private"),
        ("odd-ttl", "ttlMs is true or false"),
        ("text-ttl", "ttlMs is text"),
    ],
)
async def test_what_is_odd_in_a_pages_freshness_is_kept(transport: str, script: str, odd: str) -> None:
    outcome = await look_at(script, transport)

    assert isinstance(outcome, Listed)
    assert {page.odd for page in outcome.pages} - {""} == {odd} - {""}


@pytest.mark.parametrize("era", list(Era))
async def test_what_stands_beside_a_list_is_named_and_told_for_the_record(transport: str, era: Era) -> None:
    outcome = await look_at("beside-the-list", transport, era)

    assert isinstance(outcome, Listed)
    assert [(one.code, one.detail) for one in outcome.oddities] == [
        ("ignored-key", "tools/list: nextSteps"),
        ("ignored-key", "tools/list: _meta"),
    ]
    findings = scan_snapshot(take(outcome.document, outcome.oddities)).findings
    assert {(one.severity, one.pointer) for one in findings if one.category == "ignored-key"} == {("info", "")}
    assert POISON not in json.dumps(outcome.document)


@pytest.mark.parametrize("era", list(Era))
async def test_a_value_that_lost_to_a_later_one_is_another_list_and_is_read(transport: str, era: Era) -> None:
    outcome = await look_at("lost-to-a-later-one", transport, era)

    assert isinstance(outcome, Listed)
    snapshot, plain = take(outcome.document, outcome.oddities), take(outcome.document)
    assert snapshot.digest != plain.digest
    assert take(document_of(snapshot), oddities_of(snapshot)) == snapshot
    told = {one.rule: one for one in compare_snapshots(plain, snapshot).findings}
    assert told["text-injection"].after == POISON
    assert told["text-injection"].severity >= Severity.HIGH


async def test_what_is_not_declared_is_not_asked_for(transport: str) -> None:
    outcome = await look_at("no-tools-declared", transport)

    assert isinstance(outcome, Listed)
    assert outcome.document["tools"] == []
    assert [page.method for page in outcome.pages] == ["server/discover"]


async def test_a_declared_list_that_is_not_implemented_is_empty(transport: str) -> None:
    outcome = await look_at("prompts-not-implemented", transport)

    assert isinstance(outcome, Listed)
    assert outcome.document["prompts"] == []
    assert (names(outcome), outcome.pages[-1].number) == (["read", "write"], 0)


@pytest.mark.parametrize(
    ("script", "second", "oddity"),
    [
        ("not-an-object", "a tool", None),
        ("no-schema", "bare", None),
        ("null-schema", "bare", None),
        ("odd-hints", "odd", None),
        ("odd-header", "odd", None),
        ("duplicate-names", "read", None),
        ("deep", "deep", ("too-deep", "/tools/1/inputSchema")),
        ("lone-surrogate", "half", ("lone-surrogate", "/tools/1/description")),
        ("not-finite", "big", ("not-finite", "/tools/1/inputSchema/minimum")),
        ("huge-number", "big", ("huge-number", "/tools/1/inputSchema/maximum")),
        ("duplicate-keys", "two", ("duplicate-key", "/tools/1/description")),
    ],
)
@pytest.mark.parametrize("era", list(Era))
async def test_a_malformed_tool_hides_nothing(
    transport: str, era: Era, script: str, second: str, oddity: tuple[str, str] | None
) -> None:
    outcome = await look_at(script, transport, era)

    assert names(outcome) == ["read", second]
    if oddity is None:
        assert codes(outcome) == {}
    else:
        code, place = oddity
        assert codes(outcome)[code].startswith(place)


async def test_malformed_fields_are_kept_as_they_are(transport: str) -> None:
    outcome = await look_at("null-schema", transport)
    odd = await look_at("odd-hints", transport)

    assert isinstance(outcome, Listed)
    assert isinstance(odd, Listed)
    assert outcome.document["tools"][1] == {"name": "bare", "inputSchema": None}
    assert odd.document["tools"][1]["annotations"] == {"readOnlyHint": "yes", "destructiveHint": 0}


async def test_a_change_below_the_deepest_level_still_shows(transport: str) -> None:
    one, again, other = [await look_at(script, transport) for script in ("deep", "deep", "deep-otherwise")]

    assert isinstance(one, Listed)
    assert isinstance(again, Listed)
    assert isinstance(other, Listed)
    assert one.document == again.document
    assert one.document != other.document


async def test_invalid_utf8_is_replaced_and_noted(transport: str) -> None:
    outcome = await look_at("invalid-utf8", transport)

    assert names(outcome) == ["caf\ufffd"]
    assert codes(outcome) == {"invalid-utf8": "/tools/0/name"}


async def test_a_second_list_under_the_same_key_is_noted(transport: str) -> None:
    outcome = await look_at("two-lists", transport)

    assert names(outcome) == ["second"]
    assert codes(outcome) == {"duplicate-key": "/tools"}


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("not-a-list", "not-a-list"),
        ("result-not-an-object", "not-an-object"),
        ("input-required", "input-required"),
        ("internal-error", "list-error"),
        ("endless-pages", "too-many-pages"),
        ("repeated-cursor", "repeated-cursor"),
        ("bad-cursor", "bad-cursor"),
        ("cursor-refused", "cursor-refused"),
        ("many-items", "too-many-items"),
        ("no-capabilities", "no-capabilities"),
    ],
)
@pytest.mark.parametrize("era", list(Era))
async def test_a_list_that_cannot_be_read_whole_is_no_list(transport: str, era: Era, script: str, code: str) -> None:
    outcome = await look_at(script, transport, era)

    assert isinstance(outcome, Malformed)
    assert outcome.code == code


async def test_a_list_error_says_what_the_server_said(transport: str) -> None:
    outcome = await look_at("internal-error", transport)

    assert outcome == Malformed("list-error", 'tools/list, page 1: error -32603: "the database is away"')


async def test_a_walk_whose_cursor_expires_starts_again_from_the_first_page(transport: str) -> None:
    outcome = await look_at("cursor-refused-once", transport)

    assert names(outcome) == ["read", "write"]
    assert [page.number for page in outcome.pages if page.method == "tools/list"] == [1, 2]


async def test_an_empty_cursor_ends_the_list_and_is_noted(transport: str) -> None:
    outcome = await look_at("empty-cursor", transport)

    assert names(outcome) == ["read"]
    assert codes(outcome) == {"empty-cursor": "/tools"}


async def test_a_description_of_300_000_characters_is_read(transport: str) -> None:
    outcome = await look_at("large", transport)

    assert names(outcome) == ["long"]


async def test_an_answer_that_is_not_json_is_named_as_such(transport: str) -> None:
    if transport == "stdio":
        outcome = await look(local("invalid-json", times={"request": 0.5}))
    else:
        outcome = await look_at("invalid-json", transport)

    assert isinstance(outcome, Malformed)
    assert outcome.code == "invalid-json"


async def test_nothing_in_any_script_raises(transport: str) -> None:
    for script in SCRIPTS:
        if transport == "stdio":
            await look(local(script, times={"request": 0.5}))
        else:
            await look_at(script, transport)


async def test_the_first_protocol_version_is_still_spoken(transport: str) -> None:
    outcome = await look_at("first-version", transport)

    assert isinstance(outcome, Listed)
    assert outcome.document["protocolVersion"] == outcome.protocol_version == "2024-11-05"


async def test_a_protocol_version_that_nobody_knows_is_malformed(transport: str) -> None:
    outcome = await look_at("unknown-version", transport)

    assert isinstance(outcome, Malformed)
    assert outcome.code == "protocol-version"
