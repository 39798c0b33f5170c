"""What is measured: one judgement to make, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from driftwatch.model import Severity

GAINED = "gained"
"""A baseline exists, and the text arrives as a change of it."""
FIRST_SIGHT = "first sight"
"""There is no baseline."""

INJECTION = "injection"
WEAK = "weak"
"""Only nudges, or only has an odd parameter: counted apart."""
HONEST = "honest"

DEVELOPMENT = "development"
HELD_OUT = "held out"
OWN = "own"
"""Texts that were written for this project to develop with."""
SAMPLE = "sample"
"""A sample of a set of which the rest is kept elsewhere."""
UNSEEN = "unseen"
"""Texts of this project that nobody who works on the detector reads."""

CHANGED = ("*",)
"""As units: every item that changed counts for itself."""


@dataclass(frozen=True)
class Case:
    """One comparison (`before` is None: one scan), and which of its findings count.

    `units` name the items that count each for itself, as `kind:key`; without any the report counts as one. `kinds` are
    the tables in which it is counted, by their names. `text` is what was injected or added, for the list of misses;
    `quotable` says whether its licence lets it be shown. `pair` says how the baseline was made.
    """

    id: str
    set: str
    mode: str
    source: str
    part: str
    label: str
    live: Any
    before: Any = None
    units: tuple[str, ...] = ()
    server: str = ""
    kinds: Mapping[str, str] = field(default_factory=dict)
    pair: str = ""
    text: str = ""
    quotable: bool = False
    twin: str = ""


@dataclass(frozen=True)
class Outcome:
    """What came of one unit of a case. It holds nothing of the case's documents but the text for the lists.

    `told` is the worst that the rules about instructions said, `worst` the worst of every rule; `score` grades the
    former (see `judged.graded`). `rules` are those that reached medium, `seen` the words that the worst one points at.
    """

    case: str
    set: str
    mode: str
    source: str
    part: str
    label: str
    server: str
    kinds: Mapping[str, str]
    pair: str
    text: str
    quotable: bool
    twin: str
    unit: str
    told: Severity
    worst: Severity
    score: float
    rules: tuple[str, ...]
    seen: str

    @property
    def name(self) -> str:
        """Name the unit for a list: the row, and the item where a row has several."""
        return f"{self.case} {self.unit}".strip()
