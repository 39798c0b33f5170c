"""The pages and the API inside the daemon: bound at its start, ended with it, started again when they fail.

Watching matters more than pages: whatever goes wrong here, once the daemon runs, is logged and ends nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final

import structlog
import uvicorn

from driftwatch.config.schema import Settings
from driftwatch.config.web import WebConfig
from driftwatch.errors import ConfigError
from driftwatch.run.desk import desk_of
from driftwatch.run.serving import Protocol, Server
from driftwatch.run.vitals import Vitals
from driftwatch.run.wiring import World
from driftwatch.store.store import Store
from driftwatch.web.app import App, Guarded, adopt, create, guarded
from driftwatch.web.live import live_in
from driftwatch.web.welcome import LASTS, Welcome

log = structlog.get_logger()

_BACK_OFF: Final = (1.0, 2.0, 5.0, 15.0, 60.0)
"""Seconds to wait before a server that failed is started again."""

_CONNECTIONS: Final = 500
"""Connections at the same time; those beyond are told to come later."""

_OF_ALL: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - looked for, not listened at
"""What stands for all addresses of a machine, and is the name of none: the pages answer to no such name."""


class Place:
    """Where pages are served: bound from its making on, whether anybody serves there yet or not."""

    def __init__(self, listener: socket.socket) -> None:
        """Take the bound socket."""
        self._listener = listener
        self._server: Server | None = None
        self._stopping = asyncio.Event()

    @property
    def address(self) -> tuple[str, int]:
        """The address and port that it listens at."""
        host, port = self._listener.getsockname()[:2]
        return host, port

    async def serve(self, app: Callable[[], Guarded], grace: Callable[[], float]) -> None:
        """Serve until `stop`; a server that fails is started again, after a while. Raises nothing."""
        loop = asyncio.get_running_loop()
        failures = 0
        while not self._stopping.is_set():
            since = loop.time()
            try:
                await self._serve_once(app(), grace)
            except Exception:
                log.exception("the pages failed; they are started again", action="web-failed")
            # One that worked for a while begins anew with a short wait.
            failures = 0 if loop.time() - since > _BACK_OFF[-1] else failures + 1
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_BACK_OFF[min(failures, len(_BACK_OFF) - 1)]):
                    await self._stopping.wait()

    def stop(self, grace: float) -> None:
        """Take no more requests; those that run may end within so many seconds."""
        self._stopping.set()
        self.close()
        if self._server is not None:
            self._server.config.timeout_graceful_shutdown = _whole(grace)
            self._server.should_exit = True

    def close(self) -> None:
        """Give the place back."""
        self._listener.close()

    async def _serve_once(self, app: Guarded, grace: Callable[[], float]) -> None:
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            # Who asks is worked out by the pages themselves, from the proxies that the configuration names.
            proxy_headers=False,
            server_header=False,
            http=Protocol,
            ws="none",
            lifespan="off",
            h11_max_incomplete_event_size=64 * 1024,
            limit_concurrency=_CONNECTIONS,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=_whole(grace()),
        )
        self._server = Server(config)
        if not self._stopping.is_set():
            # A server closes the sockets that it was given; the place itself is kept for the next one.
            await self._server.serve(sockets=[self._listener.dup()])


class Pages:
    """Pages and API of one daemon, or nothing where they are switched off or have no place."""

    def __init__(self, world: World, place: Place | None) -> None:
        """Take the world and where to listen; use `open`."""
        self._world, self._place = world, place
        self._app: App | None = None
        self._vitals = Vitals(world)
        self._moved = asyncio.Event()
        self._stopping = False

    @classmethod
    def open(cls, world: World) -> Pages:
        """Take the place that the configuration names.

        Raises:
            ConfigError: it cannot be had, or nothing would protect it from others.

        """
        pages = cls(world, None)
        pages._place = pages.prepared(world.settings)
        return pages

    def prepared(self, settings: Settings) -> Place | None:
        """Give the place that a configuration names: the one that there is, or another one, bound beside it.

        Raises:
            ConfigError: it cannot be had, or nothing would protect it from others.

        """
        if not settings.web.enabled:
            return None
        require_credential(self._world.store, settings, now=self._world.clock())
        if self._place is not None and settings.web.listen == self._world.settings.web.listen:
            return self._place
        listener = _bound(settings.web, must=self._place is not None)
        return None if listener is None else Place(listener)

    def discard(self, place: Place | None) -> None:
        """Give a place back that was prepared and is not wanted."""
        if place is not None and place is not self._place:
            place.close()

    def adopt(self, place: Place | None) -> None:
        """Go by the configuration that the world has by now, and serve at this place; requests that run may end."""
        if self._app is not None:
            adopt(self._app, self._world.settings)
        if place is not self._place:
            if self._place is not None:
                self._place.stop(self._world.settings.daemon.grace)
            self._place = place
            self._moved.set()

    async def serve(
        self, *, wake: Callable[[], None], look: Callable[[str], None], again: Callable[[str], None]
    ) -> None:
        """Serve until `stop`, where the configuration says so. Raises nothing."""
        async with asyncio.TaskGroup() as group:
            while not self._stopping:
                self._moved.clear()
                place = self._place
                if place is not None:
                    key = ""
                    if self._app is None:
                        self._app, key = await self._make(wake=wake, look=look, again=again)
                    self._say_where(place, key)
                    group.create_task(place.serve(partial(guarded, self._app), self._grace))
                await self._moved.wait()

    def stop(self) -> None:
        """Take no more requests; those that run may end within the time that the daemon has for it."""
        self._stopping = True
        if self._app is not None:
            # Streams of news end by nothing else, and would hold up the end of the server.
            live_in(self._app).close()
        if self._place is not None:
            self._place.stop(self._world.settings.daemon.grace)
        self._moved.set()

    def close(self) -> None:
        """Give the place back."""
        self._vitals.close()
        if self._place is not None:
            self._place.close()

    def _grace(self) -> float:
        return self._world.settings.daemon.grace

    async def _make(self, **to_do: Callable[..., None]) -> tuple[App, str]:
        """Make the application, with the key for the first admin where nobody could come in otherwise."""
        desk = desk_of(self._world, asyncio.get_running_loop(), **to_do)
        desk = replace(desk, ready=self._vitals.ready, metrics=self._vitals.metrics)
        welcome, key = await asyncio.to_thread(self._welcome)
        return create(desk, welcome=welcome), key

    def _welcome(self) -> tuple[Welcome, str]:
        """Make the link for the first admin where nobody could come in otherwise."""
        if self._world.store.users() or self._world.settings.web.proxy_header is not None:
            return Welcome(), ""
        return Welcome.with_key(secrets.token_bytes, self._world.clock())

    def _say_where(self, place: Place, key: str) -> None:
        base = self._world.settings.daemon.public_url or f"http://{_written(place, to_open=True)}"
        log.info("pages and API are served", action="web", address=_written(place))
        if key:
            words = "nobody can sign in yet; whoever opens this link becomes the first admin"
            minutes = f"{LASTS.seconds // 60} minutes"
            log.warning(words, action="welcome", good_for=minutes, link=f"{base}/welcome?key={key}")


def _written(place: Place, *, to_open: bool = False) -> str:
    """Give where it listens; `to_open` gives what a browser on this machine can open, and the pages answer to."""
    host, port = place.address
    host = _OF_ALL.get(host, host) if to_open else host
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _whole(grace: float) -> int:
    return max(1, int(grace))


def require_credential(store: Store, settings: Settings, *, now: datetime) -> None:
    """See that something protects pages that others than this machine can reach.

    Raises:
        ConfigError: nothing does.

    """
    web = settings.web
    if web.address.is_loopback or web.proxy_header is not None:
        return
    people = any(user.password is not None and not user.disabled for user in store.users())
    if people or store.tokens(at=now, limit=1):
        return
    raise ConfigError(
        f"The pages would listen at {web.address}, where others can reach them, and there is neither a user with a "
        "password nor a token.",
        hint="First make one: driftwatch user add NAME --role admin. Or listen on this machine only: "
        'listen = "127.0.0.1:8642" in [web], and see docs/web.md.',
    )


def _bound(web: WebConfig, *, must: bool = False) -> socket.socket | None:
    """Take the place to listen at. Without one that a person wrote, there are no pages; the daemon watches on.

    With `must` that is an error too: there are pages elsewhere, which would be lost.
    """
    address = web.address
    try:
        family, _, _, _, place = socket.getaddrinfo(
            address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.create_server(place[:2], family=family, backlog=128, dualstack_ipv6=False, reuse_port=False)
    except OSError as error:
        why = error.strerror or type(error).__name__
        if must or not web.is_default_place:
            hint = "Write another place in [web] listen, or switch the pages off: enabled = false. See docs/web.md."
            raise ConfigError(f"The pages cannot listen at {address}: {why}.", hint=hint) from error
        log.warning(
            "there are no pages and no API: the place is taken; write another one in [web] listen",
            action="web-no-place",
            address=str(address),
            error=why,
        )
        return None
    listener.setblocking(False)  # noqa: FBT003 - the name of the method says what it means
    return listener
