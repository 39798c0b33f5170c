"""The work of judging grows with what changed, counted in calls and not in time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.judge_speed import alike, listing, own
from driftwatch.judge.judge import compare

SERVER = 80
SLACK = 1.25
"""How much more a changed tool may cost where many changed: texts differ in length. Twice as much would be growth."""


def calls(work: Callable[[], object]) -> int:
    """Count the calls, of our own functions and of built-in ones, that some work makes."""
    count = 0

    def seen(_: object, event: str, __: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("turn", [own, alike])
def test_four_times_as_many_changed_tools_are_four_times_the_work(
    turn: Callable[[dict[str, Any]], dict[str, Any]],
) -> None:
    before = listing(SERVER, seed=3)
    compare(before, {"tools": [turn(tool) for tool in before["tools"]]})  # what is built once is no part of the work

    def work(changed: int) -> int:
        tools = [turn(tool) if number < changed else tool for number, tool in enumerate(before["tools"])]
        return calls(lambda: compare(before, {"tools": tools}))

    few, some, many = work(SERVER // 8), work(SERVER // 4), work(SERVER)

    assert (many - some) / 6 <= SLACK * (some - few)
