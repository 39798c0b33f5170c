"""Fit linear models on sparse features with numpy alone: the same data gives the same weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Step = tuple[float, Floats]


@dataclass(frozen=True)
class Rows:
    """Sparse rows of ones over `columns` columns; each row counts the less per feature the more it has."""

    column: NDArray[np.int64]
    row: NDArray[np.int64]
    scale: Floats
    columns: int

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]], columns: int) -> Rows:
        """Make them of the columns of each row; a column may come twice."""
        sizes = np.array([len(row) for row in rows], dtype=np.int64)
        column = np.array([number for row in rows for number in row], dtype=np.int64)
        return cls(column, np.repeat(np.arange(len(rows)), sizes), 1 / np.sqrt(np.maximum(1, sizes)), columns)

    def times(self, weights: Floats) -> Floats:
        """Give the weighted sum of each row."""
        return np.bincount(self.row, weights=weights[self.column], minlength=len(self.scale)) * self.scale

    def back(self, factors: Floats) -> Floats:
        """Give the sum of each column, with a factor for each row."""
        return np.bincount(self.column, weights=(factors * self.scale)[self.row], minlength=self.columns)

    def rarity(self, least: int = 2) -> Floats:
        """Give how rare each column is (inverse document frequency); none for columns of fewer than `least` rows."""
        pairs = np.unique(self.row * self.columns + self.column)
        rows = np.bincount(pairs % self.columns, minlength=self.columns)
        return np.where(rows >= least, np.log((1 + len(self.scale)) / (1 + rows)) + 1, 0.0)


def minimise(value: Callable[[Floats], Step], start: Floats, *, rounds: int = 150, memory: int = 8) -> Floats:
    """Find the lowest point of a smooth function (L-BFGS with halved steps)."""
    at, (height, slope) = start, value(start)
    moves: list[tuple[Floats, Floats]] = []
    for _ in range(rounds):
        way = _downhill(slope, moves)
        size, fall = 1.0, float(slope @ way)
        new, (lower, other) = at - way, value(at - way)
        while lower > height - 1e-4 * size * fall and size > 1e-7:
            size /= 2
            new = at - size * way
            lower, other = value(new)
        move, turn = new - at, other - slope
        if move @ turn > 1e-10:
            moves = [*moves[1 - memory :], (move, turn)]
        done = abs(height - lower) < 1e-6 * max(1.0, abs(height))
        at, height, slope = new, lower, other
        if done:
            break
    return at


def _downhill(slope: Floats, moves: Sequence[tuple[Floats, Floats]]) -> Floats:
    """Give the way to go, from the slope and the last moves."""
    way = slope.copy()
    back: list[float] = []
    for move, turn in reversed(moves):
        back.append(float(move @ way) / float(turn @ move))
        way -= back[-1] * turn
    if moves:
        move, turn = moves[-1]
        way *= float(move @ turn) / float(turn @ turn)
    else:
        way /= max(1.0, float(np.linalg.norm(slope)))
    for (move, turn), part in zip(moves, reversed(back), strict=True):
        way += (part - float(turn @ way) / float(turn @ move)) * move
    return way


def logistic(rows: Rows, wanted: Floats, counts: Floats, strength: float, rarity: Floats) -> tuple[Floats, float]:
    """Fit weights and a bias that tell `wanted` (0 or 1); a row counts `counts` times, rare columns move easily."""
    sign = np.where(wanted > 0, 1.0, -1.0)

    def value(point: Floats) -> Step:
        margin = sign * (rows.times(point[:-1] * rarity) + point[-1])
        pull = -sign * counts / (1 + np.exp(np.clip(margin, -500, 500)))
        slope = point.copy()
        slope[:-1] += strength * rarity * rows.back(pull)
        slope[-1] = 1e-3 * point[-1] + strength * pull.sum()
        loss = strength * float(counts @ np.logaddexp(0, -margin))
        return 0.5 * float(point[:-1] @ point[:-1]) + 5e-4 * point[-1] ** 2 + loss, slope

    found = minimise(value, np.zeros(rows.columns + 1))
    return found[:-1] * rarity, float(found[-1])


def calibrate(scores: Floats, wanted: Floats, counts: Floats) -> tuple[float, float]:
    """Give the slope and the bias that make a logit of scores (Platt)."""
    spread = float(scores.std()) or 1.0

    def value(point: Floats) -> Step:
        sign = np.where(wanted > 0, 1.0, -1.0)
        margin = sign * (point[0] * scores / spread + point[1])
        pull = -sign * counts / (1 + np.exp(np.clip(margin, -500, 500)))
        return float(counts @ np.logaddexp(0, -margin)), np.array([pull @ scores / spread, pull.sum()])

    found = minimise(value, np.zeros(2))
    return float(found[0]) / spread, float(found[1])


def quantise(weights: Floats) -> tuple[list[int], float]:
    """Give weights as signed bytes, and how much one step is worth."""
    step = float(np.abs(weights).max()) / 127 or 1.0
    return [int(number) for number in np.rint(weights / step)], step
