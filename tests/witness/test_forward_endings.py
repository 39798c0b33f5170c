"""Who goes away goes away for the other side too, what is cut off arrives cut off, and what is not ours is refused."""

from __future__ import annotations

import asyncio

import pytest
from witness.plain_http import FINE, Answers, Connection, Message, agent_before, always, between, request

from driftwatch.watch.witness import forward

EVENTS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n6\r\ndata:\n\r\n"


def drops(*parts: bytes) -> Answers:
    """Say so much of an answer, and drop the connection."""

    async def answers(_: Message, connection: Connection) -> bool:
        await connection.send(*parts)
        return False

    return answers


@pytest.mark.parametrize(
    ("said", "arrives"),
    [
        (b"", b""),
        (b"HTTP/1.1 200 O", b""),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", b"half"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", b"4\r\nhalf\r\n"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf", b"4\r\nhalf\r\n"),
    ],
    ids=["nothing", "half a head", "half a body", "no last chunk", "half a chunk"],
)
async def test_an_answer_that_is_cut_off_arrives_cut_off(said: bytes, arrives: bytes) -> None:
    async with between(drops(said)) as passing, passing.agent() as agent:
        await agent.send(request())
        heard = await agent.reader.read(-1)

    assert heard.partition(b"\r\n\r\n")[2] == arrives
    assert heard.startswith(b"HTTP/1.1 200 OK") == bool(arrives)


async def test_an_answer_that_ends_with_the_connection_arrives_whole() -> None:
    async with between(drops(b"HTTP/1.1 200 OK\r\n\r\nall of it")) as passing, passing.agent() as agent:
        said = await agent.ask(request())
        again = await agent.ask(request())

    assert (said.body, said.whole) == (b"all of it", True)
    assert again.body == b"all of it"
    assert passing.server.connections == 2


async def test_an_agent_that_goes_away_while_it_listens_is_gone_for_the_server() -> None:
    async def answers(_: Message, connection: Connection) -> bool:
        await connection.send(EVENTS)
        await connection.reader.read(1)
        return False

    async with between(answers) as passing:
        async with passing.agent() as agent:
            await agent.send(request())
            await agent.reader.readuntil(b"data:\n")

        await asyncio.wait_for(passing.server.gone.wait(), 10)


async def test_an_agent_that_goes_away_before_an_answer_is_gone_for_the_server() -> None:
    async def answers(_: Message, connection: Connection) -> bool:
        await connection.reader.read(1)
        return False

    async with between(answers) as passing:
        async with passing.agent() as agent:
            await agent.send(request())
            await asyncio.wait_for(passing.server.came.wait(), 10)

        await asyncio.wait_for(passing.server.gone.wait(), 10)


async def test_a_request_that_is_cut_off_arrives_cut_off() -> None:
    async with between(drops()) as passing:
        async with passing.agent() as agent:
            await agent.send(request(body=b"", headers=[(b"Content-Length", b"10")]) + b"half")
            await asyncio.wait_for(passing.server.came.wait(), 10)

        await asyncio.wait_for(passing.server.gone.wait(), 10)

    assert [one.whole for one in passing.server.heard] == [False]


async def test_an_answer_that_comes_before_the_request_is_whole_arrives_and_ends_the_connection() -> None:
    async def early(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbig!")
        await reader.read(-1)
        writer.close()

    server = await asyncio.start_server(early, "127.0.0.1", 0)
    async with server, agent_before(server.sockets[0].getsockname()[1]) as agent:
        said = await agent.ask(request(body=b"", headers=[(b"Content-Length", b"1000000")]), b"x" * 1000)
        after = await agent.reader.read(-1)

    assert (said.line, said.body, said.value("connection")) == (b"HTTP/1.1 413 Too Large", b"big!", b"close")
    assert after == b""


@pytest.mark.parametrize(
    ("method", "body", "arrives"),
    [("GET", b"", b"fine"), ("GET", b"{}", None), ("POST", b"", None), ("POST", b"{}", None)],
)
async def test_only_what_may_be_said_twice_is_said_again_where_a_kept_connection_turns_out_to_be_closed(
    method: str, body: bytes, arrives: bytes | None
) -> None:
    async def answers(message: Message, connection: Connection) -> bool:
        # The second request on a connection is not answered, but read.
        if b"second" in message.line and passing.server.connections == 1:
            return False
        await connection.send(FINE)
        return True

    async with between(answers) as passing, passing.agent() as agent:
        await agent.ask(request())
        await agent.send(request(method, body, path="/second"))
        heard = await agent.reader.read(1 << 16)

    assert heard.endswith(arrives) if arrives else heard == b""
    seconds = [message for message in passing.server.heard if b"second" in message.line]
    assert len(seconds) == (2 if arrives else 1)


async def test_connections_to_the_server_are_used_again_whichever_agent_asks() -> None:
    async with between(always(FINE)) as passing:
        for _ in range(5):
            async with passing.agent() as agent:
                for _ in range(5):
                    await agent.ask(request())

    assert passing.server.connections == 1
    assert len(passing.server.heard) == 25


@pytest.mark.parametrize(
    "unasked", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"], ids=["closed", "spoken on"]
)
async def test_a_kept_connection_that_the_server_closes_or_speaks_on_unasked_is_not_used_again(unasked: bytes) -> None:
    async def answers(_: Message, connection: Connection) -> bool:
        await connection.send(FINE)
        if passing.server.connections > 1:
            return True
        await asked_again.wait()
        await connection.send(unasked)
        return bool(unasked)

    asked_again = asyncio.Event()
    async with between(answers) as passing, passing.agent() as agent:
        await agent.ask(request())
        asked_again.set()
        await asyncio.wait_for(passing.server.gone.wait(), 10)
        said = await agent.ask(request())

    assert (said.body, passing.server.connections) == (b"fine", 2)


@pytest.mark.parametrize("keeps", [b"Connection: close", b"Keep-Alive: timeout=1"])
async def test_a_connection_that_the_server_will_not_keep_is_not_used_again(keeps: bytes) -> None:
    said = b"HTTP/1.1 200 OK\r\n" + keeps + b"\r\nContent-Length: 4\r\n\r\nfine"

    async with between(always(said)) as passing, passing.agent() as agent:
        heard = [await agent.ask(request()) for _ in range(3)]

    assert [one.body for one in heard] == [b"fine"] * 3
    assert passing.server.connections == 3


async def test_a_server_that_is_not_there_is_told_to_the_agent() -> None:
    async with agent_before(1) as agent:
        said = await agent.ask(request())

    assert said.line.startswith(b"HTTP/1.1 502")
    assert said.body == b"driftwatch witness: the server cannot be reached (ConnectionRefusedError)\n"


@pytest.mark.parametrize(
    "garbage", [b"SSH-2.0-x\r\n\r\n", b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n", b"HTTP/1.1 101 Hm\r\n\r\n"]
)
async def test_a_server_that_does_not_speak_http_is_told_to_the_agent(garbage: bytes) -> None:
    async with between(always(garbage)) as passing, passing.agent() as agent:
        said = await agent.ask(request())

    assert said.line.startswith(b"HTTP/1.1 502")


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (b"POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\n\r\n{}", b"421"),
        (b"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1.evil.example:80\r\n\r\n", b"421"),
        (b"GET /mcp HTTP/1.0\r\n\r\n", b"421"),
        (b"GET http://elsewhere.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", b"400"),
        (b"CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n", b"400"),
        (b"GET /mcp HTTP/1.1\r\n\r\n", b"400"),
        (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", b"400"),
        (b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", b"400"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * (1 << 17) + b"\r\n\r\n", b"431"),
    ],
    ids=["foreign", "alike", "nameless", "proxy", "connect", "no host", "tls", "two lengths", "huge head"],
)
async def test_what_is_not_to_be_passed_on_is_refused_and_goes_nowhere(asked: bytes, status: bytes) -> None:
    async with between(always(FINE)) as passing, passing.agent() as agent:
        said = await agent.ask(asked)
        after = await agent.reader.read(-1)

    assert said.line.split()[1] == status
    assert (passing.server.heard, after) == ([], b"")


async def test_more_connections_than_there_is_room_for_are_dropped_and_the_others_go_on() -> None:
    async with between(always(FINE)) as passing, passing.agent() as first:
        await first.ask(request())
        crowd = [await asyncio.open_connection("127.0.0.1", passing.forwarder.port) for _ in range(forward.MOST)]
        last = crowd[-1]
        dropped = await last[0].read(-1)
        said = await first.ask(request())
        for _, writer in crowd:
            writer.close()

    assert dropped == b""
    assert said.body == b"fine"


async def test_when_it_ends_what_is_under_way_comes_to_its_end_and_nothing_new_begins() -> None:
    going_on = asyncio.Event()

    async def answers(_: Message, connection: Connection) -> bool:
        await connection.send(EVENTS)
        await going_on.wait()
        await connection.send(b"0\r\n\r\n")
        return True

    async with between(answers) as passing, passing.agent() as agent, passing.agent() as idle:
        await agent.send(request())
        await agent.reader.readuntil(b"data:\n")
        ending = asyncio.create_task(passing.forwarder.__aexit__())
        nothing = await idle.reader.read(-1)
        going_on.set()
        rest = await agent.reader.read(-1)
        await ending

    assert (nothing, rest) == (b"", b"\r\n0\r\n\r\n")
