"""The shortest way from one sequence to another (Myers 1986), within a budget. Pure."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Sequence
from dataclasses import dataclass


@dataclass(eq=False, slots=True)
class Budget:
    """How much comparing is left, in steps of less than a microsecond."""

    left: int


@dataclass(frozen=True, slots=True)
class Block:
    """What both sides have alike: `size` parts from `before` on here, from `after` on there."""

    before: int
    after: int
    size: int


def alike(before: Sequence[Hashable], after: Sequence[Hashable], budget: Budget) -> list[Block] | None:
    """Give what two sequences have in common, in order; None where finding it costs more than is left.

    What is equal at both ends is found at once, whatever the budget.
    """
    head, tail = ends_alike(before, after)
    inner = _inner(before[head.size : tail.before], after[head.size : tail.after], budget)
    if inner is None:
        return None
    moved = (Block(one.before + head.size, one.after + head.size, one.size) for one in inner)
    return [one for one in (head, *moved, tail) if one.size]


def ends_alike(before: Sequence[Hashable], after: Sequence[Hashable]) -> tuple[Block, Block]:
    """Give what two sequences begin with alike, and what they end with."""
    start, shorter = 0, min(len(before), len(after))
    while start < shorter and before[start] == after[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return Block(0, 0, start), Block(len(before) - end, len(after) - end, end)


def _inner(before: Sequence[Hashable], after: Sequence[Hashable], budget: Budget) -> list[Block] | None:
    """Find the common parts of two sequences that begin and end differently."""
    if not before or not after or set(before).isdisjoint(after):
        return []
    reach: dict[int, int] = {1: 0}
    trail: list[array[int]] = []
    for edits in range(len(before) + len(after) + 1):
        budget.left -= 2 * edits + 1
        if budget.left < 0:
            return None
        trail.append(array("q", (reach.get(diagonal, 0) for diagonal in range(-edits - 1, edits + 2))))
        for diagonal in range(-edits, edits + 1, 2):
            down = diagonal == -edits or (diagonal != edits and reach[diagonal - 1] < reach[diagonal + 1])
            old = reach[diagonal + 1] if down else reach[diagonal - 1] + 1
            new = old - diagonal
            while old < len(before) and new < len(after) and before[old] == after[new]:
                old, new = old + 1, new + 1
                budget.left -= 1
            reach[diagonal] = old
            if old >= len(before) and new >= len(after):
                return _walked_back(trail, len(before), len(after))
    return []


def _walked_back(trail: Sequence[array[int]], old: int, new: int) -> list[Block]:
    """Walk the way back and gather where it went along both sides at once."""
    blocks: list[Block] = []
    for edits in range(len(trail) - 1, 0, -1):
        reach, diagonal, middle = trail[edits], old - new, edits + 1
        left, right = reach[middle + diagonal - 1], reach[middle + diagonal + 1]
        down = diagonal == -edits or (diagonal != edits and left < right)
        was_old = right if down else left
        was_new = was_old - (diagonal + 1 if down else diagonal - 1)
        size = old - was_old - (not down)
        if size:
            blocks.append(Block(old - size, new - size, size))
        old, new = was_old, was_new
    return [Block(0, 0, old), *blocks[::-1]] if old else blocks[::-1]
