"""The SDK's own server, in both eras and over each transport that it has."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from fetch_world import entry, listed, names, remote
from servers import sdk_server
from servers.sdk_server import make_server, serving_sdk

from driftwatch.model import Era


@pytest.mark.parametrize("era", [None, *Era])
@pytest.mark.parametrize("options", [{}, {"json_response": True}, {"stateless_http": True}], ids=str)
async def test_it_is_read_over_http(era: Era | None, options: dict[str, bool]) -> None:
    async with serving_sdk(make_server(ttl_ms=60_000), **options) as url:
        outcome = await listed(remote(url), era)

    assert outcome.era is (era or Era.MODERN)
    assert names(outcome) == ["list_notes"]
    assert outcome.document["serverInfo"]["name"] == "notes"
    assert outcome.document["instructions"] == "Ask before you delete."
    assert [item["name"] for item in outcome.document["prompts"]] == ["summarise"]
    assert [item["uriTemplate"] for item in outcome.document["resourceTemplates"]] == ["notes://{name}"]
    assert outcome.ttl_ms == (None if era is Era.HANDSHAKE else 60_000)


@pytest.mark.parametrize("era", [None, *Era])
async def test_it_is_read_over_stdio(era: Era | None) -> None:
    outcome = await listed(
        entry(command=sys.executable, args=(sdk_server.__file__,), cwd=str(Path(__file__).parents[1])), era
    )

    assert outcome.era is (era or Era.MODERN)
    assert names(outcome) == ["list_notes"]


async def test_a_cached_answer_is_never_taken_for_a_look() -> None:
    server = make_server(ttl_ms=3_600_000)
    async with serving_sdk(server) as url:
        before = await listed(remote(url))
        server.add_tool(lambda: "gone", name="delete_note")
        after = await listed(remote(url))

    assert (names(before), names(after)) == (["list_notes"], ["list_notes", "delete_note"])
