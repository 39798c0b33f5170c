"""Pictures of a soak over time. Drawn by hand, so that no library is needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

_WIDTH, _HEIGHT = 760, 300
_LEFT, _TOP, _SIDE, _DEEP = 64, 40, 670, 200
_LINE, _MARK = "#1f5fa8", "#b3420f"
_MOST: Final = 600
"""Points in a picture: more cannot be told apart."""


@dataclass(frozen=True)
class Picture:
    """What is drawn: points of (minutes, value), and moments that are marked with a word."""

    title: str
    unit: str
    points: Sequence[tuple[float, float]]
    moments: Sequence[tuple[float, str]] = ()


def draw(picture: Picture) -> str:
    """Draw a picture as SVG; a line that breaks where a moment lies between two points."""
    points = _thinned(picture.points)
    first = min((at for at, _ in points), default=0.0)
    last = max((at for at, _ in points), default=1.0)
    top = _round(max((value for _, value in points), default=1.0))
    looks = f'font-family="sans-serif" font-size="13" role="img" aria-label="{escape(picture.title)}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" {looks}>',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="22" font-weight="bold">{escape(picture.title)} ({escape(picture.unit)})</text>',
        *_axes(first, last, top),
    ]
    ways: list[list[str]] = [[]]
    broken = sorted(at for at, _ in picture.moments)
    before = first
    for at, value in points:
        if any(before < moment <= at for moment in broken):
            ways.append([])
        ways[-1].append(f"{_x(at, first, last):.1f},{_y(value, top):.1f}")
        before = at
    parts += [f'<polyline points="{" ".join(way)}" fill="none" stroke="{_LINE}" stroke-width="1.5"/>' for way in ways]
    for at, word in picture.moments:
        x = round(_x(at, first, last), 1)
        parts += [
            f'<path d="M{x} {_TOP}V{_TOP + _DEEP}" stroke="{_MARK}" stroke-dasharray="4 3"/>',
            f'<text x="{x + 4}" y="{_TOP + 12}" fill="{_MARK}">{escape(word)}</text>',
        ]
    return "\n".join([*parts, "</svg>", ""])


def _thinned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Keep the highest of each few points, so that no peak is lost."""
    few = max(1, -(-len(points) // _MOST))
    return [max(points[start : start + few], key=lambda one: one[1]) for start in range(0, len(points), few)]


def _round(most: float) -> float:
    """Give a round number that is not below another one."""
    size = 1.0
    while size * 10 <= most:
        size *= 10
    return next((step * size for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if step * size >= most), most) or 1.0


def _axes(first: float, last: float, top: float) -> list[str]:
    parts = []
    for quarter in range(5):
        y, x = _y(top * quarter / 4, top), _LEFT + _SIDE * quarter / 4
        minutes = first + (last - first) * quarter / 4
        parts += [
            f'<path d="M{_LEFT} {y}H{_LEFT + _SIDE}" stroke="#dddddd"/>',
            f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{top * quarter / 4:g}</text>',
            f'<text x="{x}" y="{_TOP + _DEEP + 18}" text-anchor="middle">{minutes:.1f}</text>',
        ]
    return [*parts, f'<text x="{_LEFT + _SIDE / 2}" y="{_TOP + _DEEP + 36}" text-anchor="middle">minutes</text>']


def _x(at: float, first: float, last: float) -> float:
    return _LEFT + _SIDE * (at - first) / ((last - first) or 1)


def _y(value: float, top: float) -> float:
    return round(_TOP + _DEEP * (1 - value / top), 1)
