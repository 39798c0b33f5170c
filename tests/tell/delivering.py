"""The ports of the delivery loop, made for tests: an outbox in memory, a channel that records, a clock that obeys."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from driftwatch.model import Delivery, DeliveryState, EventKind, SendResult, SendVerdict
from driftwatch.tell.channels.base import Channel
from driftwatch.tell.deliver import Deliverer, OutboxPort

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
PATIENCE = 5.0
DONE = SendResult(SendVerdict.DONE, "HTTP 204 No Content")
AGAIN = SendResult(SendVerdict.RETRY, "HTTP 503 Service Unavailable")
STOP = SendResult(SendVerdict.STOP, "HTTP 410 Gone")


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def forward(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


class Outbox:
    """The outbox in memory, with faults on demand. Called from worker threads, as the real one is."""

    def __init__(self, *rows: Delivery) -> None:
        self.rows = {row.id: row for row in rows}
        self.leases: dict[str, datetime] = {}
        self.faults: list[Exception] = []
        self.deaf: list[Exception] = []
        self.recorded: list[str] = []
        self.hold: threading.Event | None = None
        self.writing = False
        self.lock = threading.Lock()

    def add(self, row: Delivery) -> None:
        with self.lock:
            self.rows[row.id] = row

    def claim_deliveries(self, *, now: datetime, lease: timedelta, limit: int, only: Collection[str]) -> list[Delivery]:
        with self.lock:
            if self.faults:
                raise self.faults.pop(0)
            due = [row for row in self._waiting(only) if self._at(row) <= now]
            claimed = sorted(due, key=lambda row: row.next_attempt_at or START)[:limit]
            self.leases.update({row.id: now + lease for row in claimed})
            return claimed

    def finish_delivery(
        self,
        delivery_id: str,
        /,
        *,
        result: SendResult,
        state: DeliveryState,
        next_attempt_at: datetime | None,
        now: datetime,
    ) -> None:
        self.writing = True
        if self.hold is not None:
            assert self.hold.wait(PATIENCE)
        with self.lock:
            if self.deaf:
                raise self.deaf.pop(0)
            row = self.rows[delivery_id]
            self.rows[delivery_id] = replace(
                row,
                state=state,
                attempts=row.attempts + 1,
                last_result=result.detail,
                next_attempt_at=next_attempt_at or now,
            )
            self.leases.pop(delivery_id, None)
            self.recorded.append(delivery_id)

    def next_delivery_at(self, *, only: Collection[str]) -> datetime | None:
        with self.lock:
            return min(map(self._at, self._waiting(only)), default=None)

    def _waiting(self, only: Collection[str]) -> list[Delivery]:
        return [row for row in self.rows.values() if row.state is DeliveryState.PENDING and row.channel in only]

    def _at(self, row: Delivery) -> datetime:
        return max(row.next_attempt_at or START, self.leases.get(row.id, START))

    def states(self) -> dict[str, DeliveryState]:
        return {name: row.state for name, row in self.rows.items()}


@dataclass
class Recorder:
    """A channel that answers as told, then with done, and remembers what it was given."""

    answers: list[SendResult | Exception] = field(default_factory=list)
    name: str = "ops"
    max_attempts: int = 3
    sent: list[str] = field(default_factory=list)
    before: Callable[[Delivery], Awaitable[object]] | None = None

    async def send(self, delivery: Delivery) -> SendResult:
        self.sent.append(delivery.id)
        if self.before is not None:
            await self.before(delivery)
        answer = self.answers.pop(0) if self.answers else DONE
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def aclose(self) -> None:
        """Nothing to close."""


def row(name: str = "a", *, channel: str = "ops", alert: str = "", event: EventKind = EventKind.OPENED) -> Delivery:
    return Delivery(
        id=f"msg_{name}",
        channel=channel,
        server="files",
        alert_id=alert or f"alr_{name}",
        event=event,
        payload={"n": name},
        created_at=START,
        next_attempt_at=START,
    )


def deliverer(
    outbox: OutboxPort,
    *channels: Channel,
    clock: Callable[[], datetime] | None = None,
    attempt: timedelta = timedelta(),
) -> Deliverer:
    there = {channel.name: channel for channel in channels}
    return Deliverer(outbox, there, clock=clock or Clock(), jitter=lambda: 0.0, attempt=attempt)


@asynccontextmanager
async def running(loop: Deliverer) -> AsyncIterator[tuple[asyncio.Event, asyncio.Event]]:
    """Run the loop within the block, then stop it; gives `wake` and `stop`."""
    wake, stop = asyncio.Event(), asyncio.Event()
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        group.create_task(loop.run(wake, stop))
        yield wake, stop
        stop.set()


async def until(so: Callable[[], bool]) -> None:
    """Let everything else run until something is so."""
    async with asyncio.timeout(PATIENCE):
        while not so():  # noqa: ASYNC110  What is waited for happens in worker threads too.
            await asyncio.sleep(0)


async def due(loop: Deliverer) -> int:
    async with asyncio.timeout(PATIENCE):
        return await loop.run_due()
