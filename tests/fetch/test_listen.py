"""Held connections: what is told, what is listed on them, and how they end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from pathlib import Path

import pytest
from fetch_world import local, names, remote
from hearing import Ear, listen, listening
from mcp.server.subscriptions import InMemorySubscriptionBus, ToolsListChanged
from servers.over_http import HttpServer
from servers.scripts import tool
from servers.sdk_server import make_server, serving_sdk

from driftwatch.model import Era, Unreachable


@pytest.mark.parametrize(("fault", "era"), [("subscription", Era.MODERN), ("get-stream", Era.HANDSHAKE)])
async def test_a_notice_over_http_is_heard_and_answered_by_a_listing_on_the_same_connection(
    fault: str, era: Era
) -> None:
    async with HttpServer("listens", fault) as server, listening(remote(server.url), era) as ear:
        await ear.wait(ear.ready)
        assert ear.held is not None
        before = await ear.held.fetch()

        server.turn(tool("turned"))
        await ear.wait(ear.noticed)
        after = await ear.held.fetch()

    assert (names(before), names(after)) == (["read", "write"], ["turned"])
    assert (ear.notices, server.methods().count("initialize")) == (1, 0 if era is Era.MODERN else 1)


@pytest.mark.parametrize(("fault", "era"), [("subscribed", Era.MODERN), ("turns", Era.HANDSHAKE)])
async def test_a_notice_over_stdio_is_heard_and_answered_by_what_that_process_shows(fault: str, era: Era) -> None:
    async with listening(local("listens", fault), era) as ear:
        await ear.wait(ear.ready)
        assert ear.held is not None
        await ear.held.fetch()
        await ear.wait(ear.noticed)
        after = await ear.held.fetch()

    assert names(after) == ["turned"]


async def test_a_notice_over_the_legacy_transport_is_heard() -> None:
    async with HttpServer("listens", "legacy") as server, listening(remote(server.url, transport="sse")) as ear:
        await ear.wait(ear.ready)
        assert ear.held is not None
        server.turn(tool("turned"))
        await ear.held.fetch()
        await ear.wait(ear.noticed)


async def test_a_held_connection_finds_out_when_the_other_side_is_gone_without_a_word() -> None:
    async with HttpServer("listens", "subscription") as server, listening(remote(server.url), Era.MODERN) as ear:
        await ear.wait(ear.ready)
        probing = probing_towards(server.port)

    assert probing
    assert all(probing)


async def test_listings_on_one_connection_wait_for_one_another() -> None:
    async with HttpServer("listens", "subscription") as server, listening(remote(server.url)) as ear:
        await ear.wait(ear.ready)
        assert ear.held is not None
        outcomes = await asyncio.gather(*(ear.held.fetch() for _ in range(5)))

    assert [names(outcome) for outcome in outcomes] == [["read", "write"]] * 5


async def test_the_sdk_server_tells_of_a_new_tool_and_shows_it() -> None:
    bus = InMemorySubscriptionBus()
    notes = make_server(subscriptions=bus)
    async with serving_sdk(notes) as url, listening(remote(url)) as ear:
        await ear.wait(ear.ready)
        notes.add_tool(lambda: "gone", name="delete_note")
        await bus.publish(ToolsListChanged())
        await ear.wait(ear.noticed)
        assert ear.held is not None
        outcome = await ear.held.fetch()

    assert names(outcome) == ["list_notes", "delete_note"]


@pytest.mark.parametrize(
    ("script", "fault", "era", "code"),
    [
        ("honest", "none", None, "unsupported"),
        ("listens", "none", Era.MODERN, "unsupported"),
        ("listens", "none", Era.HANDSHAKE, "unsupported"),
        ("listens", "404-on-listen", Era.MODERN, "unsupported"),
        ("listens", "401", None, "failed"),
        ("listens", "endless-notices", Era.MODERN, "flood"),
    ],
)
async def test_a_stream_that_cannot_be_had_says_why(script: str, fault: str, era: Era | None, code: str) -> None:
    ear = Ear()
    async with HttpServer(script, fault) as server:
        end = await listen(remote(server.url), ear, era)

    assert (end.code, end.was_ready, ear.notices) == (code, False, 0)


@pytest.mark.parametrize(
    ("fault", "era", "code"), [("subscription-ends", Era.MODERN, "lost"), ("get-stream-ends", Era.HANDSHAKE, "lost")]
)
async def test_a_stream_that_breaks_off_is_lost(fault: str, era: Era, code: str) -> None:
    ear = Ear()
    async with HttpServer("listens", fault) as server:
        task = asyncio.ensure_future(listen(remote(server.url), ear, era))
        await ear.wait(ear.ready)
        server.turned.set()
        end = await task

    assert (end.code, end.was_ready) == (code, True)


@pytest.mark.parametrize(("fault", "code"), [("closes-later", "lost"), ("floods-later", "flood")])
async def test_a_local_server_that_ends_or_floods_ends_the_listening(fault: str, code: str) -> None:
    ear = Ear()

    end = await listen(local("listens", fault), ear, Era.HANDSHAKE)

    assert end.code == code
    assert ear.notices <= 500


async def test_a_server_that_cannot_be_reached_cannot_be_listened_to() -> None:
    ear = Ear()

    end = await listen(local("listens", "dies-at-once"), ear)

    assert (end.code, end.was_ready) == ("failed", False)
    assert isinstance(end.failure, Unreachable)


async def test_an_ended_connection_still_answers_that_it_has_ended() -> None:
    ear = Ear()

    await listen(local("listens", "closes-later"), ear, Era.HANDSHAKE)

    if ear.held is not None:
        outcome = await ear.held.fetch()
        assert isinstance(outcome, Unreachable)
        assert outcome.code == "closed-early"


def probing_towards(port: int) -> list[bool]:
    """Say of each of our connections to a port whether the kernel probes it."""
    found = []
    for entry in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            if os.readlink(entry).startswith("socket:"):
                with socket.socket(fileno=os.dup(int(entry.name))) as copy:
                    if copy.getpeername() == ("127.0.0.1", port):
                        found.append(bool(copy.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)))
    return found
