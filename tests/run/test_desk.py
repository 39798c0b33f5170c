"""What pages and API ask of a running daemon from their threads: previews and tests of channels."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from driftwatch.config.channels import WebhookConfig
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.config.secret import Secret
from driftwatch.errors import UsageError
from driftwatch.model import SendResult, SendVerdict
from driftwatch.review.candidate import Candidate
from driftwatch.run.desk import desk_of
from driftwatch.run.stage import served
from driftwatch.run.wiring import World, utc_now
from driftwatch.watch.fetch.turning import TurningServer
from driftwatch.web.desk import Desk

SECRET = Secret("whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")


@asynccontextmanager
async def desk(folder: Path, port: int, *channels: WebhookConfig) -> AsyncIterator[Desk]:
    """Make the desk of a daemon that watches a server at this port."""
    settings = Settings(
        database_url=f"sqlite:///{folder / 'driftwatch.db'}",
        servers=(ServerConfig(name="notes", url=f"http://127.0.0.1:{port}/mcp", rehearse=False),),
        channels=channels,
    )
    with World.open(settings) as world:
        yield desk_of(world, asyncio.get_running_loop(), wake=lambda: None, look=lambda _: None, again=lambda _: None)


def left_in(folder: Path) -> set[str]:
    return {one.name for one in folder.iterdir()}


async def test_a_preview_looks_twice_and_leaves_nothing_behind(tmp_path: Path) -> None:
    turning, looks = TurningServer(name="notes"), list[int]()
    async with served(turning.app) as port, desk(tmp_path, port) as at, asyncio.timeout(60):
        assert at.previewing is not None
        candidate = Candidate(at.settings.server("notes"), "as it is")
        future = await asyncio.to_thread(at.previewing, candidate, looks.append)
        seen = await asyncio.wrap_future(future)

        assert (seen.is_steady, seen.failure, looks) == (True, None, [1, 2])
        assert at.store.states() == {}
    assert left_in(tmp_path) <= {"driftwatch.db", "driftwatch.db-wal", "driftwatch.db-shm"}


async def test_a_preview_that_nobody_waits_for_any_more_is_ended(tmp_path: Path) -> None:
    begun = asyncio.Event()

    async def silent(_: Request) -> Response:
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError("never")

    app = Starlette(routes=[Route("/mcp", silent, methods=["GET", "POST", "DELETE"])])
    async with served(app) as port, desk(tmp_path, port) as at, asyncio.timeout(60):
        assert at.previewing is not None
        future = at.previewing(Candidate(at.settings.server("notes"), "as it is"), lambda _: None)
        await begun.wait()
        future.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wrap_future(future)


async def test_a_channel_is_sent_a_test_and_what_works_again_is_written_down(tmp_path: Path) -> None:
    async def hook(_: Request) -> Response:
        return Response(status_code=204)

    app = Starlette(routes=[Route("/hook", hook, methods=["POST"])])
    async with served(app) as port:
        channel = WebhookConfig(name="ops", url=f"http://127.0.0.1:{port}/hook", secret=SECRET)
        async with desk(tmp_path, port, channel) as at, asyncio.timeout(60):
            assert at.test_channel is not None
            at.store.note_channel("ops", SendResult(SendVerdict.RETRY, "503"), now=utc_now())
            came = await asyncio.to_thread(at.test_channel, "ops")
            with pytest.raises(UsageError):
                await asyncio.to_thread(at.test_channel, "nobody")

            assert (came.channel, came.works) == ("ops", True)
            assert at.store.channel_health()["ops"].failures == 0
