from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from driftwatch.watch.gate import HostGate

NOW = datetime(2026, 3, 1, 3, 0, tzinfo=UTC)


def gate(total: int = 10, per_host: int = 10, now: list[datetime] | None = None) -> HostGate:
    times = now or [NOW]
    return HostGate(total=total, per_host=per_host, clock=lambda: times[0])


async def most_at_once(tested: HostGate, hosts: list[str]) -> int:
    running, most, release = 0, 0, asyncio.Event()

    async def look(host: str) -> None:
        nonlocal running, most
        async with tested.enter(host):
            running += 1
            most = max(most, running)
            await release.wait()
            running -= 1

    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        for host in hosts:
            group.create_task(look(host))
        for _ in range(5 * len(hosts)):
            await asyncio.sleep(0)
        release.set()
    return most


async def test_looks_at_one_host_share_its_limit() -> None:
    assert await most_at_once(gate(per_host=2), ["a:443"] * 6) == 2


async def test_looks_in_all_share_the_total_limit() -> None:
    assert await most_at_once(gate(total=3), [f"h{number}:443" for number in range(6)]) == 3


async def test_local_servers_have_only_the_total_limit() -> None:
    assert await most_at_once(gate(total=5, per_host=1), [""] * 6) == 5


async def test_looks_that_queue_for_a_slow_host_hold_no_place_that_others_could_use() -> None:
    assert await most_at_once(gate(total=2, per_host=1), ["slow:1", "slow:1", "slow:1", "quick:1"]) == 2


def test_a_pause_ends_when_its_time_is_over() -> None:
    now = [NOW]
    tested = gate(now=now)

    tested.pause("a:443", 60)

    assert tested.paused_until("a:443") == NOW + timedelta(seconds=60)
    now[0] = NOW + timedelta(seconds=61)
    assert tested.paused_until("a:443") is None


def test_a_shorter_pause_does_not_cut_a_longer_one() -> None:
    tested = gate()

    tested.pause("a:443", 60)
    tested.pause("a:443", 5)

    assert tested.paused_until("a:443") == NOW + timedelta(seconds=60)


def test_a_pause_of_one_host_leaves_the_others_alone() -> None:
    tested = gate()

    tested.pause("a:443", 60)

    assert tested.paused_until("b:443") is None


async def test_other_limits_hold_from_then_on_and_who_is_in_stays_in() -> None:
    tested = gate(total=1, per_host=1)
    inside: list[int] = []
    leave = [asyncio.Event() for _ in range(5)]

    async def look(number: int) -> None:
        async with tested.enter("a:443"):
            inside.append(number)
            await leave[number].wait()
            inside.remove(number)

    async def settled() -> list[int]:
        for _ in range(20):
            await asyncio.sleep(0)
        return list(inside)

    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        tasks = [group.create_task(look(number)) for number in range(5)]
        first = await settled()
        tested.adopt(total=3, per_host=3)
        more = await settled()
        tasks[3].cancel()
        tested.adopt(total=1, per_host=1)
        leave[0].set()
        leave[1].set()
        fewer = await settled()
        leave[2].set()
        last = await settled()
        leave[4].set()

    assert (first, more, fewer, last) == ([0], [0, 1, 2], [2], [4])
