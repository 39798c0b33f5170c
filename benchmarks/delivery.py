"""How fast the outbox empties, and what lies between an alert that is written down and its arrival.

Run: python benchmarks/delivery.py [--messages N] [--alerts N] [--repeat N]

A real Deliverer with a real SQLite outbox sends signed webhooks to a receiver on loopback, which answers at once. The
yardstick is a bare `httpx` client that posts the same bodies to the same receiver, as many at a time, in the same
process and minute; machines differ, so the ratio says more than the time.

Throughput: many messages lie in the outbox, each about an alert of its own, and all of them are sent. Latency: one
alert at a time is written down with its message, and the loop is woken. Both also with a second channel beside, which
is told of every alert too and refuses every connection. The fastest of the runs counts.

Ends with 1 when a ratio is above what it may be.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))


import httpx
import structlog

from driftwatch.config.channels import WebhookConfig
from driftwatch.config.secret import Secret
from driftwatch.model import Delivery, Event, EventKind, Severity
from driftwatch.run.demo import new_secret
from driftwatch.run.wiring import jitter, utc_now
from driftwatch.store.records import AlertWrite
from driftwatch.store.store import Store
from driftwatch.tell.channels.webhook import Webhook
from driftwatch.tell.deliver import AT_ONCE, Deliverer
from driftwatch.tell.payload import body, encode
from driftwatch.tell.samples import drill

MOST = {"throughput": 5.0, "throughput, one dead": 8.0, "latency": 15.0, "latency, one dead": 20.0}
"""What each ratio may be."""

BETWEEN = 0.02
"""Seconds of quiet between two alerts whose latency is measured."""

PATIENCE = 120.0
"""Seconds after which a run has failed."""


@dataclass
class Receiver:
    """Answers every request with 204, and says when each came."""

    arrived: asyncio.Queue[float] = field(default_factory=asyncio.Queue)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer everything that comes on one connection."""
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
                await reader.readexactly(int(length.partition(b":")[2]))
                self.arrived.put_nowait(time.perf_counter())
                writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            # Cancelled at the very end, when a connection that a client left open outlives the run.
            writer.close()

    async def wait(self, count: int) -> float:
        """Wait for so many requests; gives when the last one came."""
        async with asyncio.timeout(PATIENCE):
            return [await self.arrived.get() for _ in range(count)][-1]


@dataclass(frozen=True)
class Bench:
    """What all runs share: the receiver and where it is, where nobody is, and what signs."""

    receiver: Receiver
    url: str
    nobody: str
    secret: Secret

    async def bare_throughput(self, count: int) -> float:
        """Post so many bodies, as many at a time as the outbox does; gives the seconds."""
        bodies = iter([encode(write.deliveries[0].payload) for write in told(count, ["live"])])
        async with httpx.AsyncClient() as client:

            async def post() -> None:
                for content in bodies:
                    await client.post(self.url, content=content)

            began = time.perf_counter()
            await asyncio.gather(*(post() for _ in range(AT_ONCE)))
            return await self.receiver.wait(count) - began

    async def bare_latency(self, count: int) -> float:
        """Post one body after another; gives the median of the seconds until each was there."""
        bodies = iter([encode(write.deliveries[0].payload) for write in told(count, ["live"])])
        async with httpx.AsyncClient() as client:
            return await self._median(count, lambda: client.post(self.url, content=next(bodies)))

    async def throughput(self, count: int, channels: Sequence[str]) -> float:
        """Let an outbox with so many messages for each channel empty; gives the seconds until the last was there."""
        with tempfile.TemporaryDirectory() as folder, opened(folder) as store:
            for write in told(count, channels):
                store.record_alert(write)
            began = time.perf_counter()
            async with self._delivering(store):
                return await self.receiver.wait(count) - began

    async def latency(self, count: int, channels: Sequence[str]) -> float:
        """Write down one alert after another; gives the median of the seconds from there until each was told."""
        writes = iter(told(count, channels))
        with tempfile.TemporaryDirectory() as folder, opened(folder) as store:
            async with self._delivering(store) as wake:

                async def tell() -> None:
                    store.record_alert(next(writes))
                    wake.set()

                return await self._median(count, tell)

    async def _median(self, count: int, act: Callable[[], Awaitable[object]]) -> float:
        took = []
        for _ in range(count):
            # What comes after the one before is not what is measured here.
            await asyncio.sleep(BETWEEN)
            began = time.perf_counter()
            await act()
            took.append(await self.receiver.wait(1) - began)
        return statistics.median(took)

    @asynccontextmanager
    async def _delivering(self, store: Store) -> AsyncIterator[asyncio.Event]:
        """Run the loop within the block; gives what wakes it."""
        channels = {"live": self._channel("live", self.url), "dead": self._channel("dead", self.nobody)}
        wake, stop = asyncio.Event(), asyncio.Event()
        loop = asyncio.create_task(Deliverer(store, channels, clock=utc_now, jitter=jitter).run(wake, stop))
        try:
            yield wake
        finally:
            stop.set()
            await loop
            for channel in channels.values():
                await channel.aclose()

    def _channel(self, name: str, url: str) -> Webhook:
        return Webhook(WebhookConfig(name=name, kind="webhook", url=url, secret=self.secret))


def opened(folder: str) -> Store:
    return Store.open(f"sqlite:///{folder}/driftwatch.db", clock=utc_now)


def told(count: int, channels: Sequence[str]) -> list[AlertWrite]:
    """Make alerts, each about a server of its own and with a message for each channel."""
    return [_told(number, channels) for number in range(count)]


def _told(number: int, channels: Sequence[str]) -> AlertWrite:
    now = utc_now()
    event, _ = drill("bench", new_id=lambda: f"alr_{random.randbytes(16).hex()}", severity=Severity.HIGH, now=now)
    alert = replace(event.alert, server=f"server-{number}")
    payload = body(Event(EventKind.OPENED, alert, alert.findings), now=now, public_url=None, labels={})
    rows = tuple(
        Delivery(
            id=f"msg_{random.randbytes(16).hex()}",
            channel=channel,
            server=alert.server,
            alert_id=alert.id,
            event=EventKind.OPENED,
            payload=payload,
            created_at=now,
        )
        for channel in channels
    )
    return AlertWrite(alert=alert, event=EventKind.OPENED, deliveries=rows)


def nobody() -> str:
    """Give the address of a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/"


async def fastest(repeat: int, act: Callable[[], Awaitable[float]]) -> float:
    return min([await act() for _ in range(repeat)])


async def main(messages: int, alerts: int, repeat: int) -> int:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    receiver = Receiver()
    server = await asyncio.start_server(receiver.serve, "127.0.0.1", 0, limit=1 << 20)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    bench = Bench(receiver, url, nobody(), Secret(new_secret()))
    posts = await fastest(repeat, lambda: bench.bare_throughput(messages))
    post = await fastest(repeat, lambda: bench.bare_latency(alerts))
    rows = {
        "throughput": (await fastest(repeat, lambda: bench.throughput(messages, ["live"])), posts),
        "throughput, one dead": (await fastest(repeat, lambda: bench.throughput(messages, ["live", "dead"])), posts),
        "latency": (await fastest(repeat, lambda: bench.latency(alerts, ["live"])), post),
        "latency, one dead": (await fastest(repeat, lambda: bench.latency(alerts, ["live", "dead"])), post),
    }
    server.close()
    print(f"{messages} messages in the outbox, {alerts} alerts one by one, the fastest of {repeat}\n")
    print(f"{'':24}{'driftwatch':>14}{'bare httpx':>14}{'ratio':>8}{'may be':>8}")
    for name, (took, bare) in rows.items():
        many = name.startswith("throughput")
        ours, theirs = (f"{messages / one:,.0f} /s" if many else f"{one * 1000:.2f} ms" for one in (took, bare))
        print(f"{name:24}{ours:>14}{theirs:>14}{took / bare:8.2f}{MOST[name]:8.1f}")
    return int(any(took / bare > MOST[name] for name, (took, bare) in rows.items()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="How fast messages are delivered.")
    parser.add_argument("--messages", type=int, default=1000)
    parser.add_argument("--alerts", type=int, default=200)
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    sys.exit(asyncio.run(main(given.messages, given.alerts, given.repeat)))
