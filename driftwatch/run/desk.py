"""What pages and API ask of a running daemon, from their threads: looks, previews, tests of channels."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
from collections.abc import Callable
from concurrent.futures import Future

from driftwatch.config.schema import ServerConfig
from driftwatch.review.candidate import Candidate
from driftwatch.review.preview import Preview, preview
from driftwatch.run.trial import chosen, try_out
from driftwatch.run.wiring import World
from driftwatch.watch.fetch.sandbox.said import sandbox_words
from driftwatch.web.desk import ChannelTest, Desk, Previewing


def desk_of(
    world: World,
    loop: asyncio.AbstractEventLoop,
    *,
    wake: Callable[[], None],
    look: Callable[[str], None],
    again: Callable[[str], None],
) -> Desk:
    """Make the desk of a daemon whose loop this is."""
    return Desk(
        store=world.store,
        settings=world.settings,
        clock=world.clock,
        random=secrets.token_bytes,
        wake=lambda: _hand_over(loop, wake),
        look=lambda server: _hand_over(loop, look, server),
        again=lambda server: _hand_over(loop, again, server),
        previewing=_previewing(world, loop),
        test_channel=lambda name: asyncio.run_coroutine_threadsafe(_tested(world, name), loop).result(),
        unsandboxed=lambda server: _unsandboxed(world, server),
        sandbox=lambda: _sandbox(world),
        spans=world.tracing.span,
    )


def _hand_over(loop: asyncio.AbstractEventLoop, act: Callable[..., None], *arguments: str) -> None:
    """Let the loop do something, from any thread; a loop that has ended does it no more."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(act, *arguments)


def _previewing(world: World, loop: asyncio.AbstractEventLoop) -> Previewing:
    async def once(candidate: Candidate, looked: Callable[[int], None]) -> Preview:
        with contextlib.ExitStack() as stack:
            fetcher = await asyncio.to_thread(stack.enter_context, world.trial())
            try:
                return await preview(world.store, world.settings, fetcher, candidate, now=world.clock, looked=looked)
            finally:
                # What was fetched may be thousands of files.
                await asyncio.shield(asyncio.to_thread(stack.close))

    def begin(candidate: Candidate, looked: Callable[[int], None]) -> Future[Preview]:
        return asyncio.run_coroutine_threadsafe(once(candidate, looked), loop)

    return begin


async def _tested(world: World, name: str) -> ChannelTest:
    """Send a channel a test message; that one works again which is said to fail is written down."""
    (config,) = chosen(world.settings, [name])
    (tried,) = await try_out([config], public_url=world.settings.daemon.public_url, clock=world.clock)
    if tried.works:
        health = await asyncio.to_thread(world.store.channel_health)
        if name in health and health[name].failures:
            await asyncio.to_thread(world.store.note_channel, name, tried.opened, now=world.clock())
    return ChannelTest(name, tried.works, tried.words, tried.next, tried.trouble)


def _sandbox(world: World) -> str:
    return "" if world.sandboxes is None else sandbox_words(world.settings, os.environ, tried=world.sandboxes.able)


def _unsandboxed(world: World, server: ServerConfig) -> str:
    return "" if world.sandboxes is None else world.sandboxes.open_because(server, os.environ)
