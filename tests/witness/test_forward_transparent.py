"""What passes through the forwarder arrives as it was, byte for byte, in both directions."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from witness.exchanges import Made, Maker
from witness.plain_http import FINE, NOBODY, Between, Connection, Message, Pairs, agent_before, always, between, request
from witness.wrapping import DIES

TAKES_ALL = ("/bin/sh", "-c", "exec cat >/dev/null")
TAKES_NOTHING = ("/bin/sh", "-c", "exec sleep 20 >/dev/null")


def without(headers: Pairs, *names: str) -> Pairs:
    return [pair for pair in headers if pair[0].lower().decode("latin-1") not in names]


async def lives_through(passing: Between, maker: Maker, pending: list[Made], count: int) -> None:
    """Send so many requests on one connection as long as it stands, and compare all that arrives."""
    done = 0
    while done < count:
        async with passing.agent() as agent:
            while done < count:
                method, asked = maker.request()
                answer = maker.answer(method)
                pending.append(answer)
                said = await agent.ask(*asked.wire, method=method)
                heard = passing.server.heard.pop()
                done += 1
                assert (heard.line, heard.body, heard.whole) == (asked.arrives.line, asked.arrives.body, True)
                assert without(heard.headers, "host") == asked.arrives.headers
                assert heard.value("host") == f"127.0.0.1:{passing.server.port}".encode()
                assert (said.line, said.body, said.whole) == (answer.arrives.line, answer.arrives.body, True)
                kept = ("transfer-encoding",)
                assert without(said.headers, *kept) == without(answer.arrives.headers, *kept)


@pytest.mark.parametrize(
    "copyist", [TAKES_ALL, TAKES_NOTHING, ("/bin/sh", "-c", DIES), NOBODY], ids=["fine", "hangs", "dies", "absent"]
)
async def test_a_thousand_made_up_requests_and_answers_arrive_as_they_were(copyist: tuple[str, ...]) -> None:
    pending: list[Made] = []

    async def answers(_: Message, connection: Connection) -> bool:
        made = pending.pop()
        await connection.send(*made.wire)
        return not made.ends

    async with between(answers, copyist=copyist) as passing:
        await lives_through(passing, Maker(len(copyist[-1])), pending, 1000)


async def test_requests_that_come_at_once_are_answered_in_their_order() -> None:
    async def answers(message: Message, connection: Connection) -> bool:
        await connection.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(message.body), message.body))
        return True

    async with between(answers) as passing, passing.agent() as agent:
        await agent.send(*(request(body=b"%d" % number * 9) for number in range(50)))
        bodies = [(await agent.answer()).body for _ in range(50)]

    assert bodies == [b"%d" % number * 9 for number in range(50)]


async def test_large_bodies_pass_in_both_directions_and_are_never_held() -> None:
    size = 24 << 20
    block = bytes(range(256)) * 256

    async def answers(message: Message, connection: Connection) -> bool:
        assert len(message.body) == size
        await connection.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(size // len(block)):
            await connection.send(b"10000\r\n", block, b"\r\n")
        await connection.send(b"0\r\n\r\n")
        return True

    async with between(answers) as passing, passing.agent() as agent:
        await agent.send(request("POST", b"").replace(b"\r\n\r\n", b"\r\nContent-Length: %d\r\n\r\n" % size))
        for _ in range(size // len(block)):
            await agent.send(block)
        said = await agent.answer()

    assert said.body == block * (size // len(block))


async def test_a_slow_agent_slows_the_server_down() -> None:
    sent = 0

    async def answers(_: Message, connection: Connection) -> bool:
        nonlocal sent
        await connection.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (1024 * 65536))
        for _ in range(1024):
            await connection.send(b"x" * 65536)
            sent += 65536
        return True

    async with between(answers) as passing, passing.agent() as agent:
        await agent.send(request())
        await agent.reader.readuntil(b"\r\n\r\n")
        received = most = 0
        while received < 1024 * 65536:
            for _ in range(20):
                await asyncio.sleep(0)
            most = max(most, sent - received)
            received += len(await agent.reader.read(65536))

    # The kernel holds some megabytes for each connection; nobody else holds any.
    assert most < 32 << 20


async def test_a_slow_server_slows_the_agent_down() -> None:
    size, received = 64 << 20, 0
    going_on = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal received
        await reader.readuntil(b"\r\n\r\n")
        await going_on.wait()
        while received < size:
            received += len(await reader.read(1 << 20))
        writer.write(FINE)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=1 << 16)
    async with server, agent_before(server.sockets[0].getsockname()[1]) as agent:
        sent = 0
        await agent.send(request(body=b"", headers=[(b"Content-Length", b"%d" % size)]))
        with contextlib.suppress(TimeoutError):
            while sent < size:
                # Once nobody takes any more, this one is stuck.
                await asyncio.wait_for(agent.send(b"x" * (1 << 20)), 0.5)
                sent += 1 << 20
        held = sent
        going_on.set()
        while sent < size - (1 << 20):
            await agent.send(b"x" * (1 << 20))
            sent += 1 << 20
        said = await agent.ask(b"x" * (size - sent))

    assert held < 32 << 20
    assert said.body == b"fine"


async def test_what_drips_in_arrives_drop_by_drop_in_both_directions() -> None:
    told: asyncio.Queue[bytes] = asyncio.Queue()

    async def answers(_: Message, connection: Connection) -> bool:
        await connection.send(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        while (event := await told.get()) != b"":
            await connection.send(b"%x\r\n%s\r\n" % (len(event), event))
        await connection.send(b"0\r\n\r\n")
        return True

    async with between(answers) as passing, passing.agent() as agent:
        whole = request(body=b"{ }")
        for at in range(len(whole)):
            await agent.send(whole[at : at + 1])
            await asyncio.sleep(0)
        await agent.reader.readuntil(b"\r\n\r\n")
        for number in range(20):
            event = b"data: %d\n\n" % number
            told.put_nowait(event)
            # The next one is not sent before this one has arrived.
            assert await agent.reader.readuntil(b"\n\n\r\n") == b"%x\r\n%s\r\n" % (len(event), event)
        told.put_nowait(b"")
        assert await agent.reader.readexactly(5) == b"0\r\n\r\n"
        assert (await agent.ask(request(), method="HEAD")).line == b"HTTP/1.1 200 OK"


async def test_an_agent_that_waits_to_be_told_to_go_on_is_told_by_the_server() -> None:
    async with between(always(FINE)) as passing, passing.agent() as agent:
        await agent.send(request(body=b"", headers=[(b"Expect", b"100-continue"), (b"Content-Length", b"5")]))
        informed = await agent.reader.readuntil(b"\r\n\r\n")
        said = await agent.ask(b"12345")

    assert informed == b"HTTP/1.1 100 Continue\r\n\r\n"
    assert (said.body, passing.server.heard[0].body) == (b"fine", b"12345")
    assert passing.server.heard[0].value("expect") == b"100-continue"


async def test_early_hints_and_trailers_pass() -> None:
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n"
    end = b"0\r\nX-Sum: 7\r\nx-more: \xe4\r\n\r\n"
    server = always(
        hints + b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n4\r\nfine\r\n" + end
    )
    asked = request("POST", b"", headers=[(b"Transfer-Encoding", b"chunked")]) + b"2\r\n{}\r\n0\r\nX-Own: 1\r\n\r\n"

    async with between(server) as passing, passing.agent() as agent:
        await agent.send(asked)
        informed = await agent.reader.readuntil(b"\r\n\r\n")
        said = await agent.answer()

    assert informed == hints
    assert (said.body, said.trailers) == (b"fine", [(b"X-Sum", b"7"), (b"x-more", b"\xe4")])
    assert passing.server.heard[0].trailers == [(b"X-Own", b"1")]


async def test_an_agent_of_the_older_version_is_answered_as_it_can_read() -> None:
    server = always(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfine\r\n0\r\nX-Sum: 7\r\n\r\n")

    async with between(server) as passing, passing.agent() as agent:
        said = await agent.ask(b"GET /mcp HTTP/1.0\r\nHost: localhost\r\n\r\n")

    assert (said.body, said.value("transfer-encoding")) == (b"fine", b"")


async def test_what_the_copy_cannot_read_is_not_asked_for() -> None:
    offers = [(b"Accept-Encoding", b"br, gzip;q=0.8, zstd , deflate"), (b"accept-encoding", b"zstd")]

    async with between(always(FINE)) as passing, passing.agent() as agent:
        await agent.ask(request(headers=offers))

    assert [pair for pair in passing.server.heard[0].headers if pair[0].lower() == b"accept-encoding"] == [
        (b"Accept-Encoding", b"gzip;q=0.8, deflate")
    ]


async def test_a_redirect_to_the_server_itself_leads_to_the_forwarder_and_is_not_followed() -> None:
    async def answers(_: Message, connection: Connection) -> bool:
        there = b"http://127.0.0.1:%d/mcp/" % passing.server.port
        await connection.send(b"HTTP/1.1 307 Elsewhere\r\nlocation: " + there + b"\r\nContent-Length: 0\r\n\r\n")
        return True

    async with between(answers) as passing, passing.agent() as agent:
        said = await agent.ask(request().replace(b"127.0.0.1", b"localhost:8700"))

    assert said.headers[0] == (b"location", b"http://localhost:8700/mcp/")
    assert len(passing.server.heard) == 1
