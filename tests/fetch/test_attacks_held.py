"""Servers that mean harm on a connection that is held, and local ones: what they cost the monitor."""

from __future__ import annotations

import pytest
from bounds import MIB, bounded
from fetch_world import children, entry, local, look, names, remote
from hearing import Ear, listen, listening
from servers.attacks import ATTACKS, FIRST, notices
from servers.http_faults import Fault
from servers.over_http import HttpServer

from driftwatch.model import Era, Listed

ENOUGH = 4000


@pytest.mark.parametrize("era", list(Era))
async def test_thousands_of_notices_on_a_held_connection_leave_nothing_behind(era: Era) -> None:
    many = {"noise_lines": 10 * ENOUGH, "look_bytes": 64 * MIB}
    async with (
        HttpServer("listens", fault=notices(ENOUGH)) as server,
        listening(remote(server.url, limits=many), era, enough=FIRST) as ear,
    ):
        await ear.wait(ear.ready)
        assert ear.held is not None
        await ear.held.fetch()
        # What is loaded for the first notice only is not what is measured.
        server.turned.set()
        await ear.wait(ear.noticed)
        ear.await_more(ENOUGH)
        async with bounded(memory=8 * MIB, kept=MIB // 4, files=4, traced=False):
            server.came["go on"].set()
            await ear.wait(ear.noticed)

        after = await ear.held.fetch()

    assert (ear.notices, names(after)) == (FIRST + ENOUGH, ["read", "write"])


@pytest.mark.parametrize("attack", ["endless events", "event without end", "comments", "many headers"])
async def test_a_stream_of_notices_that_is_an_attack_ends_the_listening(attack: str) -> None:
    async with bounded(), HttpServer("listens", fault=on_listening(ATTACKS[attack])) as server:
        end = await listen(remote(server.url), Ear(), Era.MODERN)

    assert end.code in {"flood", "failed"}


def on_listening(attack: Fault) -> Fault:
    """Let an attack on the listing of tools befall the stream of notices instead."""

    async def act(server: HttpServer, request: object, reply: object) -> bool:
        method = getattr(request, "method", "")
        if method == "subscriptions/listen":
            body = getattr(request, "body", b"").replace(b"subscriptions/listen", b"tools/list")
            request = type(request)(request.verb, request.path, request.headers, body)  # type: ignore[attr-defined,call-arg]
        return method == "subscriptions/listen" and await attack(server, request, reply)  # type: ignore[arg-type]

    return act


# ------------------------------------------------------------------------------------------------------- local servers


@pytest.mark.parametrize(
    ("fault", "codes"),
    [
        ("endless-line", {"too-large"}),
        ("endless-log", {"flood"}),
        ("endless-notices", {"flood"}),
        ("endless-stderr", {"timeout"}),
        ("deaf", {"flood"}),
        ("stubborn", {"listed"}),
    ],
)
async def test_a_local_server_that_means_harm_is_stopped_and_costs_little(fault: str, codes: set[str]) -> None:
    times = {"request": 0.5} if "timeout" in codes else {}
    before = children()
    async with bounded():
        outcome = await look(local("prompts-not-implemented", fault, times=times), Era.HANDSHAKE)

    assert ("listed" if isinstance(outcome, Listed) else outcome.code) in codes, outcome
    assert children() <= before


async def test_a_local_server_that_reads_nothing_and_says_nothing_is_ended() -> None:
    async with bounded():
        outcome = await look(entry(command="sleep", args=("600",), times={"start": 0.4}), Era.HANDSHAKE)

    assert not isinstance(outcome, Listed)
    assert outcome.code == "timeout"
