"""A whole daemon with its pages: where they are, who comes in first, and that the watching never depends on them."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs

from driftwatch.config.schema import DaemonConfig, Intervals, ServerConfig, Settings
from driftwatch.config.web import WebConfig
from driftwatch.errors import ConfigError
from driftwatch.model import Actor, Role
from driftwatch.run.daemon import run
from driftwatch.run.stage import served
from driftwatch.run.web import Pages, require_credential
from driftwatch.run.wiring import World, utc_now
from driftwatch.store.store import Store
from driftwatch.watch.fetch.turning import TurningServer
from driftwatch.web import accounts

BY = Actor("root", "cli root@here")
FREE = "127.0.0.1:0"
PASSWORD = "correct horse battery staple"
SLOW = Intervals(default=300, floor=60, ceiling=600)


def settings(folder: Path, *servers: ServerConfig, **web: Any) -> Settings:
    return Settings(
        database_url=f"sqlite:///{folder / 'driftwatch.db'}",
        servers=servers,
        daemon=DaemonConfig(grace=1),
        web=WebConfig(**web),
    )


def said(logged: list[Any], action: str) -> dict[str, Any]:
    return next((line for line in logged if line.get("action") == action), {})


@asynccontextmanager
async def running(these: Settings) -> AsyncIterator[list[Any]]:
    """Run a daemon; give what it logs. It ends well, or the test fails."""
    stop = asyncio.Event()
    with capture_logs() as logged:
        daemon = asyncio.create_task(run(these, stop=stop, signals=False))
        try:
            async with asyncio.timeout(30):
                while not (said(logged, "web") or said(logged, "web-no-place")) and not daemon.done():  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            yield logged
        finally:
            stop.set()
            async with asyncio.timeout(30):
                assert await daemon == 0


def hidden(page: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', page)}


async def test_a_daemon_serves_its_pages_and_lets_the_first_admin_in_by_the_link_that_it_logs(tmp_path: Path) -> None:
    async with running(settings(tmp_path, listen=FREE)) as logged:
        url = f"http://{said(logged, 'web')['address']}"
        link = said(logged, "welcome")["link"]
        async with httpx.AsyncClient(headers={"Origin": url}) as client:
            form = hidden((await client.get(link)).text)
            typed = {"name": "ann", "password": PASSWORD, "again": PASSWORD}
            came = await client.post(f"{url}/welcome", data={**form, **typed})
            inside = await client.get(f"{url}/account")

    assert link.startswith(f"{url}/welcome?key=")
    assert (came.status_code, inside.status_code) == (303, 200)
    assert "server" not in inside.headers
    with pytest.raises(OSError, match=r"."):
        socket.create_connection(tuple(url.removeprefix("http://").split(":")), timeout=5)  # type: ignore[arg-type]


async def test_the_first_link_names_a_place_that_is_answered_where_it_listens_everywhere(tmp_path: Path) -> None:
    these = settings(tmp_path, listen="0.0.0.0:0")
    with Store.open(these.database_url, clock=utc_now) as store:
        accounts.add_token(store, lambda n: b"x" * n, "ci", Role.VIEWER, lasts=timedelta(days=1), by=BY, now=utc_now())

    async with running(these) as logged:
        link = said(logged, "welcome")["link"]
        async with httpx.AsyncClient() as client:
            answered = await client.get(link)

    assert link.startswith("http://127.0.0.1:")
    assert answered.status_code == 200


async def test_with_a_user_there_is_no_first_link(tmp_path: Path) -> None:
    these = settings(tmp_path, listen=FREE)
    with Store.open(these.database_url, clock=utc_now) as store:
        accounts.add_user(store, "ann", Role.ADMIN, None, by=BY, now=utc_now())

    async with running(these) as logged:
        pass

    assert said(logged, "welcome") == {}


async def test_pages_that_are_switched_off_are_not_there(tmp_path: Path) -> None:
    stop = asyncio.Event()
    stop.set()
    with capture_logs() as logged:
        assert await run(settings(tmp_path, enabled=False), stop=stop, signals=False) == 0

    assert said(logged, "web") == {}


async def test_where_the_usual_place_is_taken_the_daemon_says_so_and_watches_on(tmp_path: Path) -> None:
    usual = WebConfig().address
    taken = socket.socket()
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((usual.host, usual.port))
        taken.listen()
    except OSError:
        pass  # somebody else has it, which is as good
    turning = TurningServer(name="notes")
    with taken:
        async with served(turning.app) as port:
            server = ServerConfig(name="notes", url=f"http://127.0.0.1:{port}/mcp", interval=SLOW, rehearse=False)
            these = settings(tmp_path, server)
            async with running(these) as logged:
                with World.open(these) as world:
                    async with asyncio.timeout(30):
                        while not world.store.state("notes").last_digest:  # noqa: ASYNC110 - it tells only the database
                            await asyncio.sleep(0.05)

    assert said(logged, "web-no-place")["address"] == str(usual)
    assert said(logged, "web") == {}


async def test_a_place_that_somebody_wrote_and_that_is_taken_is_an_error(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        these = settings(tmp_path, listen=f"127.0.0.1:{taken.getsockname()[1]}")
        with pytest.raises(ConfigError) as caught:
            await run(these, signals=False)

    assert "cannot listen at 127.0.0.1:" in caught.value.message
    assert "enabled = false" in caught.value.hint


async def test_beyond_this_machine_it_does_not_listen_without_somebody_who_may_come_in(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        await run(settings(tmp_path, listen="0.0.0.0:0"), signals=False)

    assert "driftwatch user add NAME --role admin" in caught.value.hint


def test_a_password_a_token_or_a_proxy_is_enough_to_listen_beyond_this_machine(tmp_path: Path) -> None:
    open_ = settings(tmp_path, listen="0.0.0.0:0")
    proxied = settings(tmp_path, listen="0.0.0.0:0", proxy_from=("192.0.2.1",), proxy_header="Remote-User")
    refused = []

    with Store.open(open_.database_url, clock=utc_now) as store:

        def try_it(these: Settings = open_) -> None:
            try:
                require_credential(store, these, now=utc_now())
            except ConfigError:
                refused.append(True)
            else:
                refused.append(False)

        try_it()
        try_it(proxied)
        accounts.add_user(store, "ann", Role.ADMIN, None, by=BY, now=utc_now())
        try_it()
        token, _ = accounts.add_token(
            store, lambda n: b"x" * n, "ci", Role.VIEWER, lasts=timedelta(days=1), by=BY, now=utc_now()
        )
        try_it()
        store.revoke_token(token.id, by=BY, at=utc_now())
        try_it()
        accounts.set_password(store, "ann", PASSWORD, by=BY, now=utc_now())
        try_it()
        store.change_user("ann", by=BY, at=utc_now(), disabled=True, even_last_admin=True)
        try_it()

    assert refused == [True, False, True, False, True, False, True]


async def test_pages_that_fail_are_started_again_and_nothing_else_ends(tmp_path: Path) -> None:
    with World.open(settings(tmp_path, listen=FREE)) as world, capture_logs() as logged:
        pages = Pages.open(world)
        serving = asyncio.create_task(pages.serve(wake=lambda: None, look=lambda _: None, again=lambda _: None))
        async with asyncio.timeout(30):
            place = pages._place
            assert place is not None
            while place._server is None or not place._server.started:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            first, url = place._server, f"http://{said(logged, 'web')['address']}/sign-in"
            # As after a fault: this server ends, and nobody asked it to.
            first.should_exit = True
            while place._server is first or not place._server.started:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
            async with httpx.AsyncClient() as client:
                answered = await client.get(url)
            pages.stop()
            await serving
        pages.close()

    assert answered.status_code == 200
