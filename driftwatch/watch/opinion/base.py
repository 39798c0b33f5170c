"""What asking for a second opinion needs to have kept: an interface, and one that keeps nothing beyond the process."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Protocol

from driftwatch.model import KeptOpinion


class Kept(Protocol):
    """Where questions and answers are kept. The store is one; its methods block."""

    def opinions(self, keys: Collection[str]) -> dict[str, KeptOpinion]:
        """Give what was asked already of these, by key."""

    def owed_opinions(self, now: datetime, *, limit: int) -> list[KeptOpinion]:
        """Give the questions without an answer that are to be asked again by now, the longest due first."""

    def take_opinion_request(self, now: datetime, *, per_hour: int, per_day: int) -> bool:
        """Count one more request, and say whether the limits let it be made."""

    def record_opinions(self, found: Iterable[KeptOpinion], *, judging: str = "") -> None:
        """Keep what came of questions."""


class InMemory:
    """Keeps for as long as it lives, for a judgement of files that no database remembers."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._known: dict[str, KeptOpinion] = {}
        self._requests = 0

    def opinions(self, keys: Collection[str]) -> dict[str, KeptOpinion]:
        """Give what was asked already of these, by key."""
        return {key: self._known[key] for key in keys if key in self._known}

    def owed_opinions(self, now: datetime, *, limit: int) -> list[KeptOpinion]:  # noqa: ARG002 - the port has them
        """Give nothing: nobody asks again."""
        return []

    def take_opinion_request(self, now: datetime, *, per_hour: int, per_day: int) -> bool:  # noqa: ARG002
        """Count one more request of this process."""
        self._requests += 1
        return self._requests <= min(per_hour, per_day)

    def record_opinions(self, found: Iterable[KeptOpinion], *, judging: str = "") -> None:  # noqa: ARG002
        """Keep what came of questions."""
        self._known.update({kept.key: kept for kept in found})
