"""The worst misses and the worst false alarms: which, and with their text where it may be shown."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.detection.measured.cases import DEVELOPMENT, GAINED, HELD_OUT, HONEST, INJECTION, OWN, SAMPLE, Outcome
from driftwatch.judge.text import visible
from driftwatch.model import Severity

MOST = 20
LENGTH = 600


def misses(outcomes: Sequence[Outcome], *, held_out: bool = False, own: bool) -> list[Outcome]:
    """Give the injections that no rule about instructions finds at medium, the lowest grade first.

    Of those with one grade, an order comes before what reads like documentation, and plain text before disguised.
    """
    found = [one for one in _open(outcomes, held_out, own) if one.label == INJECTION and one.told < Severity.MEDIUM]
    return _once(sorted(found, key=_blatant))


def alarms(outcomes: Sequence[Outcome], *, held_out: bool = False, own: bool) -> list[Outcome]:
    """Give the honest texts that are flagged at medium, the highest grade first."""
    found = [one for one in _open(outcomes, held_out, own) if one.label == HONEST and one.told >= Severity.MEDIUM]
    return _once(sorted(found, key=lambda one: (-one.score, one.mode != GAINED, one.name)))


def _open(outcomes: Sequence[Outcome], held_out: bool, own: bool) -> list[Outcome]:
    """Give what may be looked at: never the unseen part, and the held out one only on demand."""
    parts = {OWN} if own else {DEVELOPMENT, SAMPLE, *([HELD_OUT] if held_out else [])}
    return [one for one in outcomes if one.part in parts]


def _once(found: Sequence[Outcome]) -> list[Outcome]:
    """Give the first of what was judged in both modes; of a listing each item is one."""
    kept = {one.case if one.text else one.name: one for one in reversed(found)}
    return [one for one in found if kept[one.case if one.text else one.name] is one][:MOST]


def _blatant(one: Outcome) -> tuple[object, ...]:
    plain = one.kinds.get("disguise", "none") in ("none", "plain")
    subtle = one.kinds.get("tone") in ("documentary", "subtle")
    return (one.score, subtle, not plain, one.mode != GAINED, one.name)


def listed(outcomes: Sequence[Outcome], *, quote: bool) -> str:
    """Write a list of outcomes. `quote` lets texts of the shared corpus be shown where their licence does."""
    if not outcomes:
        return "None."
    return "\n\n".join(_entry(number, one, quote) for number, one in enumerate(outcomes, 1))


def _entry(number: int, one: Outcome, quote: bool) -> str:
    kinds = [value for name, value in one.kinds.items() if name not in ("server", "source", "pair") and value != "none"]
    rules = f"; {', '.join(one.rules)}" if one.rules else ""
    head = f"{number}. `{escaped(one.name)}` ({one.mode}; {', '.join(kinds) or one.source}; {one.told.value}{rules})"
    shown = one.part == OWN or (quote and one.quotable)
    said = one.seen or one.text if one.label == HONEST else one.text
    if not shown or not said:
        return head
    return f"{head}\n\n        {escaped(said)}"


def escaped(text: str) -> str:
    """Show hostile text on one line, without anything that hides, and without what could end a code span."""
    shown = visible(text).replace("`", "'")
    return shown if len(shown) <= LENGTH else f"{shown[:LENGTH]} … ({len(shown) - LENGTH} more characters)"
