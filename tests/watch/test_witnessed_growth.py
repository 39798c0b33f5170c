"""What looks of witnesses cost grows with their number, and not faster. Counted in calls, so that no clock says it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from cProfile import Profile
from pathlib import Path
from pstats import Stats

import pytest
from witness_desk import GOOD, MORE, WitnessDesk

from driftwatch.model import Listed
from driftwatch.watch.seen import Seen, see
from tests.fakes import listed, tool

FEW, MANY = 20, 60


@pytest.fixture
def desks(tmp_path: Path) -> Iterator[Callable[[int], WitnessDesk]]:
    made: list[WitnessDesk] = []

    def desk(number: int) -> WitnessDesk:
        folder = tmp_path / f"{number}"
        folder.mkdir()
        made.append(WitnessDesk(folder))
        return made[-1]

    yield desk
    for one in made:
        one.store.close()


def calls_of(act: Callable[[], object]) -> int:
    profile = Profile()
    profile.runcall(act)
    return int(Stats(profile).total_calls)  # type: ignore[attr-defined]


async def costs(desk: WitnessDesk, shown: list[Listed]) -> tuple[int, int]:
    """What it takes to take in one look for each list, in a session each, and to compare them all."""
    await desk.approved()

    def take_in() -> None:
        for number, one in enumerate(shown):
            desk.hand_in(one, session=f"s{number}")

    taken = calls_of(take_in)
    ours = see(GOOD, lambda: None)
    assert isinstance(ours, Seen)
    settled = calls_of(lambda: desk.witnesses.settle(desk.server, ours, desk.clock()))
    return taken, settled


@pytest.mark.parametrize("alike", [True, False], ids=["one list", "a list each"])
async def test_three_times_the_looks_cost_three_times_as_much(desks: Callable[[int], WitnessDesk], alike: bool) -> None:
    def shown(number: int) -> list[Listed]:
        return [MORE if alike else listed(tool(), tool("get_note"), tool(f"t{one}")) for one in range(number)]

    few, many = await costs(desks(FEW), shown(FEW)), await costs(desks(MANY), shown(MANY))

    for little, much in zip(few, many, strict=True):
        assert much < 1.4 * little * MANY / FEW
