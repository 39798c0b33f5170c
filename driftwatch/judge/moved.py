"""Every hint that moved, with the hosts that act otherwise because of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from driftwatch.judge.context import Context, Look
from driftwatch.judge.hints import Move, annotations_of, moves
from driftwatch.judge.hosts import Turn, as_effects, turns_by_hint
from driftwatch.model import Effect, Kind


@dataclass(frozen=True)
class Moved:
    """One hint of one tool that moved. `turns` are the hosts that act otherwise because of it."""

    look: Look
    move: Move
    turns: tuple[Turn, ...]

    @property
    def pointer(self) -> str:
        """Where the hint is or was: what was withdrawn is at that place in the baseline only."""
        return f"/annotations/{self.move.hint}"

    @property
    def eased(self) -> tuple[Effect, ...]:
        """Give the hosts, those first that ask less now."""
        return as_effects(self.turns)

    @property
    def tightened(self) -> tuple[Effect, ...]:
        """Give the hosts, those first that ask more now."""
        return as_effects(self.turns, first=lambda turn: not turn.eases)


def moved_hints(context: Context) -> Iterator[Moved]:
    """Give every hint that moved, of the tools that are on both sides."""
    for look in context.altered(Kind.TOOL):
        before, after = annotations_of(look.before), annotations_of(look.after)
        found = moves(before, after)
        behind = turns_by_hint(before, after) if found else {}
        for move in found:
            yield Moved(look, move, behind.get(move.hint, ()))
