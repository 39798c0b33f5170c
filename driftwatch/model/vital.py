"""Whether the daemon does its work, part by part."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Part(StrEnum):
    """What is asked of a daemon: that it can record, looks on time, tells on time, and sees anything at all."""

    DATABASE = "database"
    SCHEDULER = "scheduler"
    DELIVERY = "delivery"
    LOOKS = "looks"


@dataclass(frozen=True, slots=True)
class Check:
    """How one part does. `why` is in fixed words that name nothing of what is watched: strangers may read it.

    What does not `decide` is said, and makes no daemon unwell: to start it again would not help.
    """

    part: Part
    ok: bool
    why: str
    decides: bool = True


@dataclass(frozen=True, slots=True)
class Health:
    """How all parts do, and that in a line for whoever runs it, with names in it."""

    checks: tuple[Check, ...]
    words: str

    @property
    def well(self) -> bool:
        """Whether the daemon does its work."""
        return all(check.ok for check in self.checks if check.decides)
