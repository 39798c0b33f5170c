"""The whole way of five servers that turn: agents on the SDK, the witness, a whole daemon, and the alerts it sends.

One daemon watches all of them over one transport and in one era, and a sixth that it catches by itself. First each of
the five turns for an agent that no witness stands beside, while driftwatch looks three times; then for one that is
witnessed.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import httpx2
import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from structlog.testing import capture_logs
from witness import turning, turning_http
from witness.forwarding import at_home_in, copyist_of, forwarded
from witness.wrapping import DRIFTWATCH, HOMES, witnessed

from driftwatch.config.channels import WebhookConfig
from driftwatch.config.isolation import SandboxConfig
from driftwatch.config.schema import DaemonConfig, Intervals, ServerConfig, Settings
from driftwatch.config.secret import Secret
from driftwatch.config.web import WebConfig
from driftwatch.model import Actor, Alert, AlertKind, Role, Testimony
from driftwatch.review.approve import approve
from driftwatch.run.daemon import run
from driftwatch.run.demo import Receiver, new_secret
from driftwatch.run.local import check_servers
from driftwatch.run.stage import served
from driftwatch.run.wiring import World, utc_now
from driftwatch.watch.check import CheckResult
from driftwatch.web import accounts
from tests.blank import blank

Transport = Literal["stdio", "http"]
Era = Literal["modern", "handshake"]
BY = Actor("root", "cli root@here")
HOST = "desk"
LOOKS = 3
RULE = "witnessed-difference"
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""All is on loopback without TLS: to load whom the system trusts would take longer than a session."""
AT_ONCE = Intervals(floor=0.1)
"""A fleet's first looks are spread over some seconds; these few may come at once."""
_DAEMON = ("DRIFTWATCH_WITNESS_URL", "DRIFTWATCH_WITNESS_TOKEN")


@dataclass
class Told:
    """What became of one server. `alone` and `shown` are what the two agents were shown, first and last."""

    alone: list[str] = field(default_factory=list)
    polled: list[CheckResult] = field(default_factory=list)
    early: Alert | None = None
    """What stood when driftwatch had looked on."""
    shown: list[str] = field(default_factory=list)
    alert: dict[str, Any] = field(default_factory=dict)
    """As the webhook had it."""
    standing: list[Testimony] = field(default_factory=list)
    after: list[CheckResult] = field(default_factory=list)

    @property
    def finding(self) -> dict[str, Any]:
        (one,) = self.alert["findings"]
        return dict(one)


def goes(transport: Transport, era: Era, folder: Path) -> tuple[dict[str, Told], dict[str, Any]]:
    """Let it all happen; give what became of each of the five, and the alert of the sixth."""
    with pytest.MonkeyPatch.context() as patch:
        return asyncio.run(_goes(transport, era, folder, patch))


async def _goes(
    transport: Transport, era: Era, folder: Path, patch: pytest.MonkeyPatch
) -> tuple[dict[str, Told], dict[str, Any]]:
    told, sleeper = {turn: Told() for turn in turning.TURNS}, dict[str, Any]()
    secret = new_secret()
    receiver = Receiver(secret)
    async with AsyncExitStack() as stack:
        hook = WebhookConfig(
            name="hook",
            url=f"http://127.0.0.1:{await stack.enter_async_context(served(receiver))}/",
            secret=Secret(secret),
        )
        settings = Settings(
            database_url=blank(folder / "driftwatch.db"),
            servers=[await _server(transport, era, turn, folder, stack) for turn in (*told, turning.SLEEPER)],
            channels=(hook,),
            daemon=DaemonConfig(grace=2),
            web=WebConfig(listen="127.0.0.1:0"),
        )
        world = stack.enter_context(World.open(settings))
        url = await stack.enter_async_context(_daemon(settings))
        at_home_in(folder, patch, url=url, token=_token(world))
        await _approved(world, told)
        async with AsyncExitStack() as sessions:
            for turn, one in told.items():
                one.alone = await _lives(_way(settings.server(turn), folder / f"alone-{turn}"), turn, era, sessions)
            await _looked_on(world, told)
        async with AsyncExitStack() as sessions:
            for turn, one in told.items():
                way = await _beside(settings.server(turn), folder / f"witnessed-{turn}", sessions)
                one.shown = await _lives(way, turn, era, sessions)
            await _alerted(receiver, told, sleeper)
            for result in await check_servers(world, list(told), deliver=False):
                told[result.server].after.append(result)
        for turn, one in told.items():
            one.standing = [row for row in world.store.testimonies(turn) if row.state.stands]
    return told, sleeper


async def _server(transport: Transport, era: Era, turn: str, folder: Path, stack: AsyncExitStack) -> ServerConfig:
    if transport == "http":
        port = await stack.enter_async_context(served(turning_http.Turning(turn, era).app))
        return ServerConfig(name=turn, url=f"http://127.0.0.1:{port}/mcp", interval=AT_ONCE)
    return ServerConfig(
        name=turn,
        command=sys.executable,
        args=("-SE", turning.__file__, turn, era),
        env={"STATE": Secret(str(folder / "starts"))} if turn == turning.SLEEPER else {},
        sandbox=SandboxConfig(kind="none"),
        interval=AT_ONCE,
    )


@asynccontextmanager
async def _daemon(settings: Settings) -> AsyncIterator[str]:
    """Run a daemon; give where its API is. It ends well, or the test fails."""
    stop = asyncio.Event()
    with capture_logs() as logged:
        daemon = asyncio.create_task(run(settings, stop=stop, signals=False))
        try:
            async with asyncio.timeout(30):
                while not any(line.get("action") == "web" for line in logged) and not daemon.done():  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            yield next(f"http://{line['address']}" for line in logged if line.get("action") == "web")
        finally:
            stop.set()
            async with asyncio.timeout(30):
                assert await daemon == 0


def _token(world: World) -> str:
    given = {"scopes": ["looks"], "lasts": None, "by": BY, "now": utc_now()}
    return accounts.add_token(world.store, secrets.token_bytes, HOST, Role.VIEWER, **given)[1]


async def _approved(world: World, names: Iterable[str]) -> None:
    """Approve each of these as soon as the daemon has looked at it."""
    for name in names:
        async with asyncio.timeout(60):
            while not world.store.state(name).last_digest:  # noqa: ASYNC110 - it tells only the database
                await asyncio.sleep(0.05)
        approve(world.store, world.settings, name, digest=None, by=BY, note="", now=utc_now())


async def _looked_on(world: World, told: Mapping[str, Told]) -> None:
    for _ in range(LOOKS):
        for result in await check_servers(world, list(told), deliver=False):
            told[result.server].polled.append(result)
    for turn, one in told.items():
        one.early = world.store.open_alert(turn, AlertKind.DRIFT)


async def _alerted(receiver: Receiver, told: Mapping[str, Told], sleeper: dict[str, Any]) -> None:
    """Wait until the webhook has an alert of what each agent was shown, and one of what woke up for driftwatch."""
    async with asyncio.timeout(60):
        while not (sleeper and all(one.alert for one in told.values())):
            alert = (await receiver.received.get())["data"]
            if alert["server"] == turning.SLEEPER:
                sleeper.update(alert)
            elif any(finding["rule"] == RULE for finding in alert["findings"]):
                told[alert["server"]].alert = alert


@dataclass(frozen=True)
class Way:
    """How an agent reaches a server: by a command line with a home of its own, or by an address with a credential."""

    line: tuple[str, ...] = ()
    home: Path = Path()
    url: str = ""

    def transport(self) -> AbstractAsyncContextManager[Any]:
        """Give what the SDK's client takes."""
        if self.line:
            environ = {name: os.environ[name] for name in ("PATH", *HOMES, *_DAEMON)}
            environ["STATE"] = str(self.home)
            return stdio_client(StdioServerParameters(command=self.line[0], args=[*self.line[1:]], env=environ))
        return _over_http(self.url, self.home.name)


@asynccontextmanager
async def _over_http(url: str, credential: str) -> AsyncIterator[Any]:
    headers = {"Authorization": f"Bearer {credential}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(30, read=None), verify=NO_TLS) as client,
        streamable_http_client(url, http_client=client) as streams,
    ):
        yield streams


def _way(server: ServerConfig, home: Path) -> Way:
    return Way((str(server.command), *map(str, server.args)) if server.command else (), home, str(server.url))


async def _beside(server: ServerConfig, home: Path, stack: AsyncExitStack) -> Way:
    """Put a witness before a server. Over HTTP one of the five has the command, the others what that runs."""
    if server.command:
        return Way(tuple(witnessed([str(server.command), *map(str, server.args)], name=server.name, host=HOST)), home)
    here = _command(server) if server.name == "calls" else forwarded(str(server.url), copy=copyist_of(server.name))
    return Way((), home, await stack.enter_async_context(here))


@asynccontextmanager
async def _command(server: ServerConfig) -> AsyncIterator[str]:
    """Run `driftwatch witness forward`; give the address that it prints. It ends as it is told to."""
    words = ("witness", "forward", server.name, "--upstream", str(server.url), "--listen", "127.0.0.1:0")
    command = await asyncio.create_subprocess_exec(*DRIFTWATCH, *words, "--host", HOST, stdout=subprocess.PIPE)
    assert command.stdout is not None
    try:
        yield (await command.stdout.readline()).decode().split()[-1]
    finally:
        command.send_signal(signal.SIGTERM)
        async with asyncio.timeout(30):
            assert await command.wait() == 0


async def _lives(way: Way, turn: str, era: Era, stack: AsyncExitStack) -> list[str]:
    """Live through a session, or two, until the server has turned; leave it open. Gives what was shown."""
    shown = []
    if turn == "starts":
        async with AsyncExitStack() as first:
            agent, _ = await _agent(way, turn, era, first)
            shown.append(await _tool(agent))
    agent, noticed = await _agent(way, turn, era, stack)
    shown.append(await _tool(agent))
    for _ in range({"calls": 3, "notice": 1}.get(turn, 0)):
        await agent.call_tool("search", {"text": "bread"})
    if turn == "notice":
        await asyncio.wait_for(noticed.wait(), 30)
    if turn in {"calls", "notice"}:
        shown.append(await _tool(agent))
    if turn == "body":
        shown = [await _body(agent), await _body(agent)]
    return shown


async def _agent(way: Way, turn: str, era: Era, stack: AsyncExitStack) -> tuple[Client, asyncio.Event]:
    """Open a session as a host does; the event is set by a change notice."""
    noticed = asyncio.Event()

    async def hears(message: object) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            noticed.set()

    async def listens(ready: asyncio.Event) -> None:
        async with agent.listen(tools_list_changed=True) as subscription:
            ready.set()
            async for _ in subscription:
                noticed.set()

    name = turning.NAME if turn == "name" else "an agent"
    about = types.Implementation(name=name, version="1")
    agent = await stack.enter_async_context(
        Client(way.transport(), cache=None, client_info=about, message_handler=hears)
    )
    if turn == "notice" and era == "modern":
        ready = asyncio.Event()
        listener = asyncio.create_task(listens(ready))
        stack.push_async_callback(_end, listener)
        await asyncio.wait_for(ready.wait(), 30)
    return agent, noticed


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task])


async def _tool(agent: Client) -> str:
    (tool,) = (await agent.list_tools()).tools
    return tool.description or ""


async def _body(agent: Client) -> str:
    (message,) = (await agent.get_prompt("summarise", {"topic": "bread"})).messages
    assert isinstance(message.content, types.TextContent)
    return message.content.text
