"""What one channel is being told of, and what waits for it, in memory."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from driftwatch.model import Delivery
from driftwatch.tell.channels.base import Channel

IN_LINE: Final = 100
"""Deliveries that wait for one channel in memory. While there are so many, the rest stays in the outbox: one that is
slow or dead takes up neither memory nor claims, and a crash leaves few leases behind."""


@dataclass
class Line:
    """What one open channel is being told of, and what waits for it."""

    channel: Channel
    waiting: dict[str, tuple[Delivery, datetime]] = field(default_factory=dict)
    """By id, in the order of arrival, each with the end of its lease."""
    sending: dict[str, str] = field(default_factory=dict)
    """The message under way for each alert."""
    workers: int = 0
    full: bool = False
    """Whether nothing more is claimed until half of those who wait are gone."""
    _idle: asyncio.Event = field(default_factory=asyncio.Event)

    def put(self, delivery: Delivery, until: datetime) -> bool:
        """Let a delivery wait. False when it is here already: claimed again after its lease."""
        known = delivery.id in self.waiting
        if delivery.id in self.sending.values():
            return False
        self.waiting[delivery.id] = (delivery, until)
        self.full = self.full or len(self.waiting) >= IN_LINE
        return not known

    def has_room_again(self) -> bool:
        """Say whether it was full and is not any more."""
        if not self.full or len(self.waiting) > IN_LINE // 2:
            return False
        self.full = False
        return True

    def take(self, until: datetime) -> Delivery | None:
        """Give the next delivery about an alert that the channel is not being told of, and count it as under way.

        What is not leased until then is let go: its lease could end during the attempt, and somebody else send it too.
        """
        self.waiting = {name: entry for name, entry in self.waiting.items() if entry[1] > until}
        for delivery, _ in self.waiting.values():
            if delivery.alert_id not in self.sending:
                del self.waiting[delivery.id]
                self.sending[delivery.alert_id] = delivery.id
                return delivery
        return None

    def let_go(self, alert_id: str) -> None:
        """Leave what waits about one alert to its leases."""
        self.waiting = {name: entry for name, entry in self.waiting.items() if entry[0].alert_id != alert_id}

    def begin(self) -> None:
        """Count one more who works on it."""
        self.workers += 1
        self._idle.clear()

    def end(self) -> None:
        """Count one less."""
        self.workers -= 1
        if not self.workers:
            self._idle.set()

    async def idle(self) -> None:
        """Come back once nobody works on it."""
        if self.workers:
            await self._idle.wait()
