"""Servers beside each other: what one shows counts when the other is judged, whichever of the two is seen first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from driftwatch.config.identities import IdentityConfig
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.judge.facts import Facts
from driftwatch.model import Baseline, Era, Finding, Outcome, Snapshot
from driftwatch.store.store import Store
from driftwatch.watch.check import CheckCode, Checker
from driftwatch.watch.judging import Judging, judge
from tests.fakes import FrozenClock, listed, tool

MAIL = ServerConfig(name="mail", url="https://mail.example.com/mcp")
SHOP = ServerConfig(name="shop", url="https://shop.example.com/mcp")
SHOWN = {
    "mail": listed(tool("send_customer_invoice"), tool("list_folders")),
    "shop": listed(tool("send_customer_invoice", description="Sends what was bought."), tool("list_baskets")),
}


class _Servers:
    """Servers that show what is written above, whoever asks."""

    async def fetch(
        self,
        server: ServerConfig,
        *,
        era: Era | None,  # noqa: ARG002 - the port has it
        identity: IdentityConfig | None = None,  # noqa: ARG002
    ) -> Outcome:
        return SHOWN[server.name]


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def store(tmp_path: Path, clock: FrozenClock) -> Iterator[Store]:
    with Store.open(f"sqlite:///{tmp_path / 'driftwatch.db'}", clock=clock) as made:
        yield made


def checker(store: Store, clock: FrozenClock, *servers: ServerConfig, judging: Judging | None = None) -> Checker:
    settings = Settings(servers=servers)
    return Checker(store=store, fetcher=_Servers(), settings=settings, clock=clock, jitter=lambda: 0.0, judging=judging)


def meanwhile(act: Callable[[], object]) -> Judging:
    """Judge as ever, and let something happen between what is known and what is written down."""

    def judging(before: Snapshot, baseline: Baseline | None, live: Snapshot, facts: Facts) -> tuple[Finding, ...]:
        act()
        return judge(before, baseline, live, facts)

    return judging


def shadowed(store: Store) -> list[str]:
    """Name the servers of which it was found that they have another one's name for a tool."""
    return [name for name in ("mail", "shop") if any(one.rule == "name-shadowed" for one in store.findings(name))]


async def test_two_servers_that_are_first_seen_at_once_are_held_against_each_other_all_the_same(
    store: Store, clock: FrozenClock
) -> None:
    together = checker(store, clock, MAIL, SHOP)
    # The other server is judged whole while this one is.
    other = meanwhile(lambda: asyncio.run(together.check(SHOP)))
    await checker(store, clock, MAIL, SHOP, judging=other).check(MAIL)
    at_once = shadowed(store)

    again = [(await together.check(server)).code for server in (SHOP, MAIL)]

    assert at_once == []
    assert shadowed(store) == ["mail"]
    assert again[0] is CheckCode.SAME


async def test_a_name_is_no_longer_shadowed_once_the_other_server_is_not_watched_any_more(
    store: Store, clock: FrozenClock
) -> None:
    for server in (MAIL, SHOP):
        await checker(store, clock, MAIL, SHOP).check(server)
    before = shadowed(store)

    await checker(store, clock, SHOP).check(SHOP)

    assert (before, shadowed(store)) == (["shop"], [])
