"""The whole way: an agent in a wrapped session, the daemon's API, a look of driftwatch's own, and the alert."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import threading
from pathlib import Path

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from witness.wrapping import witnessed

from driftwatch.config.isolation import SandboxConfig
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.model import AlertKind, Role, TestimonyState
from driftwatch.review.approve import approve
from driftwatch.run.wiring import World, utc_now
from driftwatch.web import accounts
from driftwatch.web.app import create, guarded
from driftwatch.web.desk import Desk
from tests.blank import blank
from tests.fakes import person
from tests.web.web_site import served

FLIPPING = [sys.executable, str(Path(__file__).with_name("flipping.py"))]
SERVER = ServerConfig(name="notes", command=FLIPPING[0], args=tuple(FLIPPING[1:]), sandbox=SandboxConfig(kind="none"))


async def live_through_a_session(environ: dict[str, str]) -> None:
    line = witnessed(FLIPPING)
    transport = stdio_client(StdioServerParameters(command=line[0], args=line[1:], env=environ))
    async with Client(transport, cache=None) as agent:
        await agent.list_tools()
        for number in range(3):
            await agent.call_tool("search", {"text": f"thing {number}"})
        await agent.list_tools()


async def test_a_flip_after_three_calls_is_missed_by_polling_and_told_with_the_calls_by_the_witness(
    tmp_path: Path,
) -> None:
    settings = Settings(database_url=blank(tmp_path / "driftwatch.db"), servers=(SERVER,))
    asked = threading.Event()
    with World.open(settings) as world:
        await world.checker.check(SERVER)
        approve(world.store, settings, "notes", digest=None, by=person(), note="", now=utc_now())
        desk = Desk(world.store, settings, utc_now, secrets.token_bytes, wake=lambda: None, look=lambda _: asked.set())
        _, token = accounts.add_token(
            world.store,
            secrets.token_bytes,
            "desk",
            Role.VIEWER,
            scopes=["looks"],
            lasts=None,
            by=person(),
            now=utc_now(),
        )
        with served(guarded(create(desk))) as url:
            given = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
            given |= {"DRIFTWATCH_WITNESS_URL": url, "DRIFTWATCH_WITNESS_TOKEN": token}
            await live_through_a_session(given)
            assert await asyncio.to_thread(asked.wait, 30)
        told = await world.checker.check(SERVER)
        alert = world.store.open_alert("notes", AlertKind.DRIFT)
        standing = [one for one in world.store.testimonies("notes") if one.state.stands]

    assert told.baseline is not None
    assert told.snapshot_digest == told.baseline.digest
    assert {one.rule for one in told.findings} == {"witnessed-difference"}
    assert alert is not None
    assert "after 3 tool calls (the last: “search”)" in alert.findings[0].message
    assert [(one.state, one.calls) for one in standing] == [(TestimonyState.FLIPPED, 3)]
