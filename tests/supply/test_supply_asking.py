"""Asking an address: bounded, without credentials, never led elsewhere; trouble is a value."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from driftwatch.run.stage import served
from driftwatch.watch.supply.asking import Answer, Asker, Trouble
from tests.servers.over_registry import RegistryServer


@asynccontextmanager
async def asking(pages: dict[str, Any]) -> AsyncIterator[Asker]:
    async with (
        served(RegistryServer(pages)) as port,
        Asker(f"http://127.0.0.1:{port}/", timeout=10, largest=10_000) as asker,
    ):
        yield asker


async def test_an_answer_is_decoded_json_and_the_question_says_who_asks_and_nothing_else() -> None:
    server = RegistryServer({"/a%2Fb": {"x": 1}, "/q": lambda question: {"got": question}})
    async with served(server) as port, Asker(f"http://127.0.0.1:{port}", timeout=10) as asker:
        got = await asker.get("/a%2Fb", accept="application/x")
        posted = await asker.post("/q", {"name": "é"})

    assert (got, posted) == (Answer({"x": 1}), Answer({"got": {"name": "é"}}))
    sent = {name: value for name, value in server.headers[0].items() if name not in {"host", "connection"}}
    assert sent.keys() == {"accept", "accept-encoding", "user-agent"}
    assert sent["user-agent"].startswith("driftwatch/")


@pytest.mark.parametrize(
    ("page", "why"),
    [
        ((401, {}), "asks for credentials"),
        ((403, {}), "refuses"),
        ((429, {}), "fewer"),
        ((500, {"error": "\x1b[2J"}), "HTTP 500"),
        (b"<html>", "not JSON"),
        (b"[" * 5000, "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b'"' + b"x" * 20_000 + b'"', "more than 10000 bytes"),
    ],
)
async def test_what_is_no_answer_is_trouble_in_our_own_words(page: Any, why: str) -> None:
    async with asking({"/a": page}) as asker:
        found = await asker.get("/a")

    assert isinstance(found, Trouble)
    assert why in found.why
    assert not found.absent
    assert found.why.isprintable()


async def test_what_is_not_known_there_is_called_absent() -> None:
    async with asking({}) as asker:
        assert await asker.get("/nothing") == Trouble("it knows no such package", absent=True)


async def test_a_redirect_is_followed_within_the_origin_and_only_there() -> None:
    pages: dict[str, Any] = {
        "/name": (301, {}, {"location": "/name/"}),
        "/name/": {"there": True},
        "/other": (302, {}, {"location": "http://127.0.0.1:1/name/"}),
        "/downgrade": (302, {}, {"location": "ftp://127.0.0.1/name/"}),
        "/round": (302, {}, {"location": "/round"}),
        "/nowhere": (302, {}, {"location": "http://[::1"}),
    }
    async with asking(pages) as asker:
        found = {path: await asker.get(path) for path in ("/name", "/other", "/downgrade", "/round", "/nowhere")}

    assert found["/name"] == Answer({"there": True})
    elsewhere = Trouble("it leads to another address, which is not followed")
    assert (found["/other"], found["/downgrade"]) == (elsewhere, elsewhere)
    assert found["/round"] == Trouble("it leads on and on")
    assert isinstance(found["/nowhere"], Trouble)


async def test_a_question_that_is_put_is_never_put_again_elsewhere() -> None:
    async with asking({"/q": (307, {}, {"location": "/r"}), "/r": {}}) as asker:
        assert isinstance(await asker.post("/q", {}), Trouble)


async def test_nobody_there_and_an_answer_that_never_comes_are_trouble() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, Asker(f"http://127.0.0.1:{port}", timeout=0.3) as asker:
        late = await asker.get("/a")
    async with Asker(f"http://127.0.0.1:{port}", timeout=5) as asker:
        gone = await asker.get("/a")

    assert late == Trouble("no answer in time")
    assert gone == Trouble("no answer (ConnectError)")


async def test_a_long_answer_without_a_stated_length_is_cut_off() -> None:
    async def long(scope: Any, _: Any, send: Callable[[Any], Any]) -> None:
        if scope["type"] != "http":
            raise RuntimeError("only HTTP is spoken here")
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(500):
            await send({"type": "http.response.body", "body": b" " * 1000, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async with served(long) as port, Asker(f"http://127.0.0.1:{port}", timeout=10, largest=50_000) as asker:
        found = await asker.get("/a")

    assert found == Trouble("the answer has more than 50000 bytes")
