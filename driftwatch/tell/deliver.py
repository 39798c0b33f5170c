"""The deliver verb: empty the outbox, at least once, without one channel holding up another.

The steps for each delivery:

1. Claim it: the store sets a lease, so that no other worker takes it meanwhile.
2. Put it in its channel's line. What concerns one alert goes out one by one, and the store gives nothing out while
   something older waits, so that people are told in order; of other alerts a channel is told side by side.
3. Make one attempt.
4. Write down what came of it: delivered, again at a later time, or dead. Who asks to be left alone for a while
   (`Retry-After`) is left alone with everything.

Done is written after the send. A crash in between leaves the lease to expire, and the message is sent again with the
same id: a receiver can get it twice, and never not at all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from typing import Final, Protocol

import structlog

from driftwatch.errors import DriftwatchError, StoreError
from driftwatch.model import Delivery, DeliveryState, SendResult, SendVerdict
from driftwatch.model.spans import Spans, no_spans
from driftwatch.tell.channels.base import Channel
from driftwatch.tell.line import Line
from driftwatch.tell.retry import LONGEST, next_attempt

log = structlog.get_logger()

LEASE: Final = timedelta(seconds=10)
"""How long a claim holds beyond what an attempt takes: short enough that a crash delays nothing for long."""

BATCH: Final = 50
"""Deliveries claimed at once."""

AT_ONCE: Final = 16
"""Alerts that one channel is being told of at the same time."""

IDLE: Final = 30.0
"""Seconds after which the outbox is looked at even if nothing called."""

BREATH: Final = 0.5
"""Seconds between two looks at an outbox that says something is due and gives nothing out."""


class OutboxPort(Protocol):
    """What the loop needs of the store. Calls block, so they are made in a worker thread."""

    def claim_deliveries(self, *, now: datetime, lease: timedelta, limit: int, only: Collection[str]) -> list[Delivery]:
        """Lease pending deliveries that are due, oldest first, for these channels and no others.

        `attempts` counts the attempts finished before.
        """

    def finish_delivery(
        self,
        delivery_id: str,
        /,
        *,
        result: SendResult,
        state: DeliveryState,
        next_attempt_at: datetime | None,
        now: datetime,
    ) -> bool:
        """Count one attempt, write down what came of it and end the lease. What is delivered stays delivered.

        True when other messages may go now: they waited for this one, or for the channel to work again.
        """

    def next_delivery_at(self, *, only: Collection[str]) -> datetime | None:
        """Give the time at which the next delivery for these channels can be claimed, None when none is pending."""


class Deliverer:
    """Sends what is in the outbox. Use one method at a time: `run_due` once, or `run` until told to stop."""

    def __init__(
        self,
        store: OutboxPort,
        channels: Mapping[str, Channel],
        *,
        clock: Callable[[], datetime],
        jitter: Callable[[], float],
        attempt: timedelta = timedelta(),
        lease: timedelta = LEASE,
        sent: Callable[[str, DeliveryState], None] = lambda *_: None,
        spans: Spans = no_spans,
    ) -> None:
        """Take the outbox, the open channels by name, the clock, and a source of numbers in [0, 1).

        `attempt` is the longest that one attempt takes; a claim holds for `lease` beyond that. `sent` is told of each
        attempt to which channel it was, and in which state it left the message.
        """
        self._store = store
        self._channels = dict(channels)
        self._clock = clock
        self._jitter = jitter
        self._attempt, self._margin = attempt, lease
        self._sent = sent
        self._spans = spans
        self._lines: dict[str, Line] = {}
        self._pauses: dict[str, datetime] = {}
        self._retry_known = asyncio.Event()
        self._turned = asyncio.Event()
        self._more_is_due = False

    @property
    def _lease(self) -> timedelta:
        return self._attempt + self._margin

    def adopt(self, channels: Mapping[str, Channel], *, attempt: timedelta) -> list[Line]:
        """Deliver into these channels from now on; what is under way to others is finished.

        Gives the lines of those others: each says when it is idle, and its channel can be closed.
        """
        self._channels, self._attempt = dict(channels), attempt
        gone = [name for name, line in self._lines.items() if channels.get(name) is not line.channel]
        left = [self._lines.pop(name) for name in gone]
        for name, line in zip(gone, left, strict=True):
            line.waiting.clear()
            self._pauses.pop(name, None)
        self._retry_known.set()
        return left

    async def run_due(self) -> int:
        """Make one attempt at everything that is due now; give how many deliveries that were.

        What waited for its turn behind a message that is through by then is due now too, and so is what had no room.

        Raises:
            StoreError: the outbox could not be read. What was claimed by then is still attempted.

        """
        taken = 0
        trouble: StoreError | None = None
        self._more_is_due = True
        while self._more_is_due and trouble is None:
            self._more_is_due = False
            async with asyncio.TaskGroup() as workers:
                try:
                    taken += await self._take(workers, asyncio.Event())
                except StoreError as error:
                    trouble = error
        if trouble is not None:
            raise trouble
        return taken

    async def run(self, wake: asyncio.Event, stop: asyncio.Event) -> None:
        """Deliver until `stop`; look at the outbox when `wake` is set or when the next delivery is due.

        After `stop` the attempts under way are finished (each ends within its channel's time-out) and nothing new is
        begun. Cancelling ends at once; leases then bring back what was under way.
        """
        troubles, said = 0, ""
        async with asyncio.TaskGroup() as workers:
            while not stop.is_set():
                # Cleared before the look, so that what is written during it is not missed.
                wake.clear()
                self._retry_known.clear()
                try:
                    await self._take(workers, stop)
                    wait = await self._until_next()
                    if troubles:
                        log.info("the outbox can be read again", action="outbox-readable")
                    troubles, said = 0, ""
                except Exception as error:  # noqa: BLE001  A full disk or a locked database must not end telling.
                    troubles += 1
                    wait = min(BREATH * 2.0 ** min(troubles, 10), IDLE)
                    if repr(error) != said:
                        _report_unreadable(error)
                    said = repr(error)
                self._turned.set()
                await _first_of(stop, wake, self._retry_known, seconds=wait)

    async def turns(self) -> None:
        """Come back once `run` has gone through the outbox anew, or has said why it cannot; never while it hangs."""
        self._turned.clear()
        self._retry_known.set()
        await self._turned.wait()

    async def _take(self, workers: asyncio.TaskGroup, stop: asyncio.Event) -> int:
        """Claim all that is due and start on it; give how many that were."""
        taken = 0
        while not stop.is_set():
            now = self._clock()
            claimed = await asyncio.to_thread(
                self._store.claim_deliveries, now=now, lease=self._lease, limit=BATCH, only=self._open(now)
            )
            taken += sum(self._admit(delivery, now + self._lease, workers, stop) for delivery in claimed)
            if len(claimed) < BATCH:
                break
        return taken

    async def _until_next(self) -> float:
        """Give the seconds until there is something to claim."""
        now = self._clock()
        due = await asyncio.to_thread(self._store.next_delivery_at, only=self._open(now))
        ends = [moment for moment in (due, *(self._pauses[name] for name in self._paused(now))) if moment is not None]
        return IDLE if not ends else min(max((min(ends) - self._clock()).total_seconds(), BREATH), IDLE)

    def _open(self, now: datetime) -> frozenset[str]:
        """Give the channels to claim for: those that are there, are not to be left alone, and have room here.

        What is for a channel that this process does not know may be for one with a newer configuration.
        """
        full = {name for name, line in self._lines.items() if line.full}
        return frozenset(self._channels) - self._paused(now) - full

    def _paused(self, now: datetime) -> frozenset[str]:
        """Give the channels that asked to be left alone for now; a pause from before the clock was set back is over."""
        longest = timedelta(seconds=LONGEST)
        self._pauses = {name: until for name, until in self._pauses.items() if now < until <= now + longest}
        return frozenset(self._pauses)

    def _admit(self, delivery: Delivery, until: datetime, workers: asyncio.TaskGroup, stop: asyncio.Event) -> bool:
        """Put one delivery in its channel's line, with somebody to work on it; False when it is not taken."""
        channel = self._channels.get(delivery.channel)
        if channel is None:
            # It was taken out while this was claimed: the lease brings it back to whoever has it.
            return False
        line = self._lines.setdefault(delivery.channel, Line(channel))
        if not line.put(delivery, until):
            return False
        if line.workers < AT_ONCE:
            line.begin()
            workers.create_task(self._work(line, stop), name=f"deliver to {delivery.channel}")
        return True

    async def _work(self, line: Line, stop: asyncio.Event) -> None:
        """Deliver what waits for one channel, one by one, until nothing is left to begin."""
        try:
            while not stop.is_set() and (delivery := line.take(self._clock() + self._attempt)) is not None:
                try:
                    self._look_for_more(line)
                    if await self._deliver(line.channel, delivery) is DeliveryState.PENDING:
                        line.let_go(delivery.alert_id)
                    if delivery.channel in self._paused(self._clock()):
                        # Who says "too many requests" says it of every message.
                        line.waiting.clear()
                finally:
                    del line.sending[delivery.alert_id]
        finally:
            line.end()
            self._look_for_more(line)

    def _look_for_more(self, line: Line) -> None:
        """Have the outbox looked at when there is room again for what waits in it."""
        if line.has_room_again():
            self._more_is_due = True
            self._retry_known.set()

    async def _deliver(self, channel: Channel, delivery: Delivery) -> DeliveryState:
        """Make one attempt and write down what came of it."""
        with self._spans("deliver", channel=delivery.channel, server=delivery.server or None) as told:
            told(
                alert=delivery.alert_id, delivery=delivery.id, kind=delivery.event.value, attempts=delivery.attempts + 1
            )
            state = await self._attempted(channel, delivery)
            told(outcome=state.value, failed=state is not DeliveryState.DELIVERED)
        return state

    async def _attempted(self, channel: Channel, delivery: Delivery) -> DeliveryState:
        try:
            result = await channel.send(delivery)
        except Exception as error:  # noqa: BLE001  One message that trips a channel must not stop the others.
            # Only the type: the text of an unforeseen error can hold a URL or a header.
            result = SendResult(SendVerdict.RETRY, f"the channel failed: {type(error).__name__}")
        return await self._finish(delivery, result, max_attempts=channel.max_attempts)

    async def _finish(self, delivery: Delivery, result: SendResult, *, max_attempts: int) -> DeliveryState:
        now = self._clock()
        again = next_attempt(
            delivery.attempts + 1,
            result,
            now=now,
            max_attempts=max_attempts,
            jitter=self._jitter(),
            created_at=delivery.created_at,
        )
        state = _state(result, again)
        self._sent(delivery.channel, state)
        if result.retry_after:
            self._pauses[delivery.channel] = now + timedelta(seconds=min(result.retry_after, LONGEST))
        try:
            followed = await _whole(
                self._store.finish_delivery,
                delivery.id,
                result=result,
                state=state,
                next_attempt_at=again,
                now=now,
            )
        except Exception as error:  # noqa: BLE001  The lease brings it back; the receiver knows the id.
            log.warning(
                "an attempt could not be written down; it will be repeated",
                action="delivery-not-recorded",
                delivery=delivery.id,
                channel=delivery.channel,
                error=type(error).__name__,
            )
            return DeliveryState.PENDING
        _report(delivery, result, state, again)
        self._more_is_due = self._more_is_due or followed
        if state is DeliveryState.PENDING or followed:
            # There is another moment to wait for, or something that may go now.
            self._retry_known.set()
        return state


def _state(result: SendResult, again: datetime | None) -> DeliveryState:
    if result.verdict is SendVerdict.DONE:
        return DeliveryState.DELIVERED
    return DeliveryState.DEAD if again is None else DeliveryState.PENDING


def _report_unreadable(error: Exception) -> None:
    """Log once that the outbox cannot be read. An unforeseen error's own words can hold a database password."""
    log.warning(
        "the outbox cannot be read; it is tried again until it can",
        action="outbox-unreadable",
        error=type(error).__name__,
        reason=str(error) if isinstance(error, DriftwatchError) else "",
    )


def _report(delivery: Delivery, result: SendResult, state: DeliveryState, again: datetime | None) -> None:
    """Log one attempt: a message that nobody will get is an error, one that has to wait is a warning."""
    about = {
        "delivery": delivery.id,
        "alert": delivery.alert_id,
        "kind": delivery.event.value,
        "server": delivery.server,
        "channel": delivery.channel,
        "attempts": delivery.attempts + 1,
        "result": result.detail,
        "again_at": again.isoformat() if again else None,
    }
    if state is DeliveryState.DELIVERED:
        log.info("told a channel", action="delivery-sent", **about)
    elif state is DeliveryState.PENDING:
        log.warning("a channel did not take a message; trying again", action="delivery-retried", **about)
    else:
        log.error("a message was given up", action="delivery-dead", **about)


async def _whole(write: Callable[..., bool], *args: object, **kwargs: object) -> bool:
    """Let a write end even when its caller is cancelled: the message is out, so its record should be too."""
    task = asyncio.create_task(asyncio.to_thread(write, *args, **kwargs))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


async def _first_of(*events: asyncio.Event, seconds: float) -> None:
    """Wait until one of the events is set, at most so many seconds."""
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
