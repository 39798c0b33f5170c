"""Five hundred servers change in the same minute, with two routes that gather and one channel that is dead."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from contracts.http import Received
from contracts.pagerduty import ROUTING_KEY, Service
from contracts.secrets import SIGNING_KEY
from contracts.slack import accept_slack
from town import HttpPlace, PagerDutyPlace, SlackPlace, WebhookPlace

from driftwatch.config.load import load
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.judge.facts import Facts
from driftwatch.judge.snapshot import take
from driftwatch.model import Baseline, DeliveryState, Era, Finding, Listed, Outcome, Snapshot
from driftwatch.run.wiring import CHANNELS
from driftwatch.store.records import LookRecord
from driftwatch.store.store import Store
from driftwatch.tell.deliver import Deliverer
from driftwatch.tell.upkeep import Upkeep
from driftwatch.watch.check import Checker
from driftwatch.watch.judging import judge
from tests.fakes import FrozenClock, listed, tool

SERVERS = 500
WINDOW = 120
GOOD = {"readOnlyHint": True, "destructiveHint": False}
LOOSENED = {"readOnlyHint": False, "destructiveHint": True}
NAMES = [f"server-{number:03}" for number in range(SERVERS)]


class FleetFetcher:
    """A fetcher to which every server shows one and the same tool, all of them with the same hints."""

    hints: Mapping[str, bool] = GOOD

    async def fetch(self, server: ServerConfig, *, era: Era | None) -> Outcome:  # noqa: ARG002 - the port has it
        return self.shown()

    def shown(self) -> Listed:
        return listed(tool("list_parcels", annotations=dict(self.hints)))


@dataclass
class Fleet:
    """All that a daemon has, but that its looks are told what they see."""

    settings: Settings
    store: Store
    clock: FrozenClock
    fetcher: FleetFetcher
    checker: Checker
    upkeep: Upkeep
    deliverer: Deliverer

    def know(self) -> None:
        """Write down what all of them show at first: of a first look nobody is told, and it takes as long as any."""
        snapshot = take(self.fetcher.shown().document)
        for name in NAMES:
            self.store.record_look(
                LookRecord(
                    server=name,
                    at=self.clock(),
                    next_at=None,
                    era=Era.MODERN,
                    snapshot=snapshot,
                    expected_baseline=None,
                    judged="before the story",
                    become_provisional=True,
                )
            )

    async def show(self, hints: Mapping[str, bool]) -> None:
        """Look at all of them within a minute."""
        self.fetcher.hints = hints
        for server in self.settings.servers:
            self.clock.forward(60 / SERVERS)
            await self.checker.check(server)

    async def step(self, seconds: float) -> None:
        """Let time pass, then seal and send what is due."""
        self.clock.forward(seconds)
        self.upkeep.turn(self.clock())
        await self.deliverer.run_due()

    def waiting(self) -> Counter[str]:
        """Count what is not delivered, by channel and state."""
        rows = self.store.deliveries(limit=100_000)
        done = (DeliveryState.DELIVERED,)
        return Counter(f"{one.channel} {one.state.value}" for one in rows if one.state not in done)


@dataclass
class Places:
    """Where people are told, and one that is dead until it is opened."""

    hook: WebhookPlace
    chat: SlackPlace
    pager: PagerDutyPlace
    dead: WebhookPlace

    def counts(self) -> list[int]:
        return [len(place.taken) for place in (self.hook, self.chat, self.pager, self.dead)]

    def tables(self) -> list[str]:
        return [
            *("[channels.hook]", 'kind = "webhook"', f'url = "{self.hook.url}"', *_SIGNED),
            *("[channels.chat]", 'kind = "slack"', f'url = "{self.chat.url}"'),
            *("[channels.pager]", 'kind = "pagerduty"', f'url = "{self.pager.url}"', f'routing_key = "{ROUTING_KEY}"'),
            *("[channels.dead]", 'kind = "webhook"', f'url = "{self.dead.url}"', *_SIGNED),
            *("[routes.team]", 'servers = ["server-*"]', 'channels = ["hook", "chat"]', f"window = {WINDOW}"),
            *("[routes.on-call]", 'min_severity = "high"', 'channels = ["pager", "dead"]', f"window = {WINDOW}"),
        ]


_SIGNED = (f'secret = "{SIGNING_KEY}"', 'headers = {X-Token = "header-token-1234"}')


class ByItself:
    """Judges a server without its neighbours: each against all others is most of the time, and nothing comes of it.

    All of them show the same at each step, and what that comes to is found once.
    """

    def __init__(self) -> None:
        self._judged: dict[tuple[str, str], tuple[Finding, ...]] = {}

    def __call__(
        self, before: Snapshot, baseline: Baseline | None, live: Snapshot, facts: Facts
    ) -> tuple[Finding, ...]:
        step = (before.digest, live.digest)
        if step not in self._judged:
            self._judged[step] = judge(before, baseline, live, replace(facts, neighbours=()))
        return self._judged[step]


@asynccontextmanager
async def fleet(folder: Path) -> AsyncIterator[tuple[Fleet, Places]]:
    places = Places(WebhookPlace(), SlackPlace(), PagerDutyPlace(), WebhookPlace())
    every: list[HttpPlace] = [places.hook, places.chat, places.pager, places.dead]
    for place in every:
        await place.open()
    await places.dead.close()
    lines = ["[daemon]", 'public_url = "https://watch.example.com"', *places.tables()]
    for name in NAMES:
        lines += [f"[servers.{name}]", f'url = "https://{name}.example.com/mcp"', "notices = false", "rehearse = false"]
    config = folder / "driftwatch.toml"
    config.write_text("\n".join(lines), encoding="utf-8")
    settings = load(config, dict(os.environ))
    clock, fetcher = FrozenClock(), FleetFetcher()
    channels = {one.name: CHANNELS[one.kind](one) for one in settings.channels}
    with Store.open(settings.database_url, clock=clock) as store:
        checker = Checker(
            store=store, fetcher=fetcher, settings=settings, clock=clock, jitter=lambda: 0.0, judging=ByItself()
        )
        deliverer = Deliverer(store, channels, clock=clock, jitter=lambda: 0.0)
        upkeep = Upkeep(store, settings, started=clock())
        yield Fleet(settings, store, clock, fetcher, checker, upkeep, deliverer), places
    for channel in channels.values():
        await channel.aclose()
    for place in every:
        await place.close()


def body(request: Received) -> dict[str, Any]:
    decoded: dict[str, Any] = json.loads(request.body)
    return decoded


def rows_of(request: Received, word: str) -> list[str]:
    """Give the servers of a batch, each of whose rows tells this and nothing else."""
    data = body(request)["data"]
    assert {tuple(row["events"]) for row in data["alerts"]} == {(word,)}
    assert data["alerts_omitted"] == 0
    return sorted(row["server"] for row in data["alerts"])


@pytest.mark.processes
async def test_a_fleet_that_changes_in_a_minute_is_one_message_for_each_route_and_so_is_its_way_back(
    tmp_path: Path,
) -> None:
    async with fleet(tmp_path) as (scene, places):
        scene.know()
        await scene.show(LOOSENED)
        gathered = scene.waiting()
        await scene.step(WINDOW)
        opened, left = places.counts(), scene.waiting()
        await scene.step(WINDOW)
        still = places.counts()
        await places.dead.open()
        await scene.step(WINDOW)
        come_back, empty = places.counts(), scene.waiting()
        await scene.show(GOOD)
        await scene.step(WINDOW)
        ended = places.counts()

        assert gathered == Counter({f"{name} held": SERVERS for name in ("hook", "chat", "pager", "dead")})
        assert opened == still == [1, 1, 1, 0]
        assert left == Counter({"dead batched": SERVERS, "dead pending": 1}), "the dead one waits, the others do not"
        assert come_back == [1, 1, 1, 1]
        assert empty == Counter()
        assert ended == [2, 2, 2, 2]
        assert scene.waiting() == Counter()

    for place in (places.hook, places.dead):
        (first, _), (last, _) = place.taken
        assert rows_of(first, "opened") == rows_of(last, "resolved") == NAMES
        assert {place.read(first), place.read(last)} == {("batch", "")}
    (first, _), (last, _) = places.chat.taken
    for shown in (accept_slack(first), accept_slack(last)):
        assert f"{SERVERS} alerts on {SERVERS} servers" in shown.title
        assert "… and" in shown.text
        assert any(link.startswith("https://watch.example.com/batches/msg_") for link in shown.links)
    service = Service()
    for message, _ in places.pager.taken:
        service.take(message)
    key = body(places.pager.taken[0][0])["dedup_key"]
    assert service.history == [("triggered", key), ("resolved", key)]
