"""Wiring: the one place that knows the concrete classes."""

from __future__ import annotations

import os
import random
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Final, Self

from driftwatch.config.channels import ChannelConfig
from driftwatch.config.schema import Settings
from driftwatch.model import Actor
from driftwatch.run.apart import apart
from driftwatch.run.tally import Tally
from driftwatch.run.tracing import Tracing
from driftwatch.store.store import Store
from driftwatch.tell.channels.alertmanager import Alertmanager
from driftwatch.tell.channels.apprise import Apprise
from driftwatch.tell.channels.base import Channel
from driftwatch.tell.channels.command import Command
from driftwatch.tell.channels.email import Email
from driftwatch.tell.channels.pagerduty import PagerDuty
from driftwatch.tell.channels.post import utc_now
from driftwatch.tell.channels.slack import Slack
from driftwatch.tell.channels.webhook import Webhook
from driftwatch.tell.deliver import Deliverer
from driftwatch.watch.check import Checker
from driftwatch.watch.fetch.base import Fetcher, Listener
from driftwatch.watch.fetch.client import McpFetcher
from driftwatch.watch.fetch.kit import Kit
from driftwatch.watch.fetch.listen import McpListener
from driftwatch.watch.fetch.sandbox.choose import Sandboxes
from driftwatch.watch.inventory import FilesToo

__all__ = ["CHANNELS", "DAEMON", "World", "jitter", "utc_now"]

CHANNELS: dict[str, Callable[[Any], Channel]] = {
    "alertmanager": Alertmanager,
    "apprise": Apprise,
    "command": Command,
    "email": Email,
    "pagerduty": PagerDuty,
    "slack": Slack,
    "webhook": Webhook,
}
"""Every kind of channel that a configuration may name. A new kind is one line here."""

DAEMON: Final = Actor("", "daemon")
"""Who acts, by the audit log, where no person asked for it."""


def jitter() -> float:
    """Give a number in [0, 1) that spreads looks and retries; it guards nothing, so it need not be secret."""
    return random.random()  # noqa: S311


@dataclass
class World:
    """A configuration with all that it needs to run: open it, use it, close it. `adopt` puts another in its place."""

    settings: Settings
    store: Store
    fetcher: Fetcher
    listener: Listener
    checker: Checker
    clock: Callable[[], datetime]
    pool: ThreadPoolExecutor | None = None
    sandboxes: Sandboxes | None = None
    tally: Tally = field(default_factory=Tally)
    """What is counted as it happens. Whoever makes a world in place of another one hands this on."""
    tracing: Tracing = field(default_factory=Tracing)
    """What is told of what is done; handed on too."""
    made: Callable[[Settings], Checker] | None = None
    """How a checker is made that goes by another configuration, and shares all else with this one."""

    @classmethod
    def open(
        cls,
        settings: Settings,
        *,
        clock: Callable[[], datetime] = utc_now,
        drill: bool = False,
        tally: Tally | None = None,
        tracing: Tracing | None = None,
    ) -> Self:
        """Open the database and build everything that rests on it.

        Raises:
            StoreError: the database cannot be used.

        """
        store = Store.open(settings.database_url, clock=clock)
        tally, tracing = tally or Tally(), tracing or Tracing()
        # One for both: what a look and a held session remember of launches must not differ.
        sandboxes = Sandboxes.of(settings, os.environ)
        kit = Kit(sandboxes=sandboxes, came=tally.came)
        fetcher = FilesToo(McpFetcher(kit))
        # Few, so that lists that take long to judge hold up neither the outbox nor the event loop.
        pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="check")

        def made(settings: Settings) -> Checker:
            return Checker(
                store=store,
                fetcher=fetcher,
                settings=settings,
                clock=clock,
                jitter=jitter,
                drill=drill,
                pool=pool,
                spans=tracing.span,
            )

        listener, checker = McpListener(kit), made(settings)
        return cls(settings, store, fetcher, listener, checker, clock, pool, sandboxes, tally, tracing, made)

    def __enter__(self) -> Self:
        """Enter; closes the database on the way out."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the database, once what still runs in the pool has ended."""
        if self.pool is not None:
            self.pool.shutdown(cancel_futures=True)
        self.store.close()

    def adopt(self, settings: Settings) -> None:
        """Go by another configuration from now on; a look that is under way goes by the one that it began with."""
        self.settings = settings
        if self.made is not None:
            self.checker = self.made(settings)

    @contextmanager
    def trial(self, *, as_configured: bool = False) -> Iterator[Fetcher]:
        """Give a fetcher for what is tried out: it shares nothing with what is watched, and leaves nothing behind.

        `as_configured`: it is the servers of the configuration that are looked at, and not a candidate.
        """
        if self.sandboxes is None:
            yield McpFetcher(Kit(is_trial=not as_configured))
            return
        with apart(self.sandboxes) as sandboxes:
            yield McpFetcher(Kit(sandboxes=sandboxes, is_trial=not as_configured))

    @asynccontextmanager
    async def channels(self) -> AsyncIterator[dict[str, Channel]]:
        """Open the channels, by name; closes them on the way out."""
        async with AsyncExitStack() as stack:
            channels: dict[str, Channel] = {}
            for config in self.settings.channels:
                channel = self.channel(config)
                stack.push_async_callback(channel.aclose)
                channels[config.name] = channel
            yield channels

    def channel(self, config: ChannelConfig) -> Channel:
        """Open one channel."""
        channel = CHANNELS[config.kind](config)
        if isinstance(channel, Webhook):
            channel.carried = self.tracing.carried
        return channel

    @property
    def attempt(self) -> timedelta:
        """The longest that an attempt at a message takes."""
        longest = max((channel.timeout for channel in self.settings.channels), default=0.0)
        # Some messages take two requests, and each may take the whole time-out.
        return timedelta(seconds=2 * longest + 1)

    def deliverer(self, channels: Mapping[str, Channel]) -> Deliverer:
        """Give the loop that empties the outbox into these channels."""
        return Deliverer(
            self.store,
            channels,
            clock=self.clock,
            jitter=jitter,
            attempt=self.attempt,
            sent=self.tally.sent,
            spans=self.tracing.span,
        )
