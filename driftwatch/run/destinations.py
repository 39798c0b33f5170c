"""The open channels of a daemon, by name; others take their place while messages are under way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

import structlog

from driftwatch.config.channels import ChannelConfig
from driftwatch.tell.channels.base import Channel, make_ready

log = structlog.get_logger()

Opened: TypeAlias = Mapping[str, tuple[ChannelConfig, Channel]]
"""Channels by name, each with what it was opened by."""


class Destinations:
    """Opens channels, and keeps those open that are configured as they were."""

    def __init__(self, make: Callable[[ChannelConfig], Channel]) -> None:
        """Take how one is opened; none is at first."""
        self._make = make
        self._open: Opened = {}

    @property
    def channels(self) -> dict[str, Channel]:
        """The open channels by name."""
        return {name: channel for name, (_, channel) in self._open.items()}

    async def prepared(self, configs: Iterable[ChannelConfig]) -> Opened:
        """Open what is not open so already, and let it find out whether it can work.

        Raises:
            ConfigError: one cannot; what was opened is closed again.

        """
        found: dict[str, tuple[ChannelConfig, Channel]] = {}
        for config in configs:
            known = self._open.get(config.name)
            found[config.name] = known if known and known[0] == config else (config, self._make(config))
        is_ready = False
        try:
            await make_ready(self._new(found))
            is_ready = True
        finally:
            if not is_ready:
                await self.discard(found)
        return found

    async def discard(self, prepared: Opened) -> None:
        """Close again what was prepared and is not wanted."""
        await close(self._new(prepared))

    def adopt(self, prepared: Opened) -> list[Channel]:
        """Take what was prepared; gives what is open and wanted no more, to be closed once nothing is under way."""
        kept = {id(channel) for _, channel in prepared.values()}
        left = [channel for _, channel in self._open.values() if id(channel) not in kept]
        self._open = prepared
        return left

    async def aclose(self) -> None:
        """Close all of them."""
        await close(self.adopt({}))

    def _new(self, prepared: Opened) -> list[Channel]:
        known = {id(channel) for _, channel in self._open.values()}
        return [channel for _, channel in prepared.values() if id(channel) not in known]


async def close(channels: Iterable[Channel]) -> None:
    """Close channels; one that cannot be closed is said, and keeps no other open."""
    these = list(channels)
    for channel, came in zip(
        these, await asyncio.gather(*(one.aclose() for one in these), return_exceptions=True), strict=True
    ):
        if isinstance(came, Exception):
            log.warning(
                "a channel could not be closed", action="close-failed", channel=channel.name, error=type(came).__name__
            )
