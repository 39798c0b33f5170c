"""Precision and recall at every grade, and the picture of them. Drawn by hand, so that no library is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from benchmarks.detection.measured.cases import HONEST, INJECTION, Outcome
from driftwatch.model import Severity

WIDTH, HEIGHT = 760, 560
LEFT, TOP, SIDE, DEEP = 64, 24, 660, 400
LOOKS = 'font-family="sans-serif" font-size="13" role="img" aria-label="Precision by recall"'
COLOURS = ("#1f5fa8", "#b3420f", "#2e7d32", "#6a3d9a", "#555555")
DASHES = ("", "8 4", "2 3", "10 3 2 3", "4 2")


@dataclass(frozen=True)
class Point:
    """What holds when everything from one grade on is an alarm. `mark` names the severity that begins here."""

    grade: float
    precision: float
    recall: float
    mark: str = ""


def points(outcomes: Sequence[Outcome]) -> list[Point]:
    """Give the curve of some outcomes, from the strictest grade to none; empty without injections and honest text."""
    bad = sorted(one.score for one in outcomes if one.label == INJECTION)
    good = sorted(one.score for one in outcomes if one.label == HONEST)
    if not bad or not good:
        return []
    grades = sorted({*bad, *good, 0.0}, reverse=True)
    marked = {_begins(grades, level): level.value for level in (Severity.HIGH, Severity.MEDIUM)}
    found = []
    for grade in grades:
        hits, alarms = (sum(score >= grade for score in scores) for scores in (bad, good))
        found.append(Point(grade, hits / (hits + alarms), hits / len(bad), marked.get(grade, "")))
    return found


def _begins(grades: Sequence[float], level: Severity) -> float:
    """Give the lowest grade that is still of a level or worse."""
    least = level.rank / len(Severity)
    return min((grade for grade in grades if grade > least), default=2.0)


def draw(curves: Mapping[str, Sequence[Point]]) -> str:
    """Draw curves by their names as an SVG picture. A ring marks where medium begins, a disc where high does."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" {LOOKS}>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        *_axes(),
    ]
    for number, (name, curve) in enumerate(curves.items()):
        parts += _line(number, name, curve)
    return "\n".join([*parts, "</svg>", ""])


def _axes() -> list[str]:
    parts = []
    for tenth in range(0, 11, 2):
        x, y = _x(tenth / 10), _y(tenth / 10)
        parts += [
            f'<path d="M{x} {TOP}V{TOP + DEEP}M{LEFT} {y}H{LEFT + SIDE}" stroke="#dddddd" fill="none"/>',
            f'<text x="{x}" y="{TOP + DEEP + 18}" text-anchor="middle">{tenth * 10} %</text>',
            f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{tenth * 10} %</text>',
        ]
    return [
        *parts,
        f'<text x="{LEFT + SIDE / 2}" y="{TOP + DEEP + 36}" text-anchor="middle">recall</text>',
        f'<text transform="translate(16 {TOP + DEEP / 2}) rotate(-90)" text-anchor="middle">precision</text>',
    ]


def _line(number: int, name: str, curve: Sequence[Point]) -> list[str]:
    colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
    drawn = [(round(_x(point.recall), 1), round(_y(point.precision), 1)) for point in curve if point.recall]
    way = " ".join(f"{x},{y}" for x, y in drawn)
    y = TOP + DEEP + 58 + 18 * number
    style = f'fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'
    parts = [
        f'<polyline points="{way}" {style}/>',
        f'<path d="M{LEFT} {y - 4}h36" {style}/>',
        f'<text x="{LEFT + 46}" y="{y}">{escape(name)}</text>',
    ]
    for point in curve:
        if point.mark:
            fill = colour if point.mark == Severity.HIGH else "#ffffff"
            at = f'cx="{round(_x(point.recall), 1)}" cy="{round(_y(point.precision), 1)}"'
            parts.append(f'<circle {at} r="5" fill="{fill}" stroke="{colour}" stroke-width="2"/>')
    return parts


def _x(share: float) -> float:
    return LEFT + SIDE * share


def _y(share: float) -> float:
    return TOP + DEEP * (1 - share)
