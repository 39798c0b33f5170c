"""What one entry of the signal table holds."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from driftwatch.judge.text.gate import Gated
from driftwatch.model import Confidence, Severity

OVERRIDE: Final = "override"
SECRECY: Final = "secrecy"
CREDENTIALS: Final = "credential-reading"
EXFILTRATION: Final = "exfiltration"
STEERING: Final = "tool-steering"
CONTEXT: Final = "context-collecting"
ROLE: Final = "role-imitation"
AUTHORITY: Final = "authority-urgency"
EXECUTION: Final = "execution"
CONFIRMATION: Final = "disabling-confirmation"
TRIGGERS: Final = "conditional-trigger"
PERSISTENCE: Final = "persistence"
REPORTING: Final = "false-reporting"
HIDDEN: Final = "hidden-text"
SIZE: Final = "size"
UNEXAMINED: Final = "not-examined"

CATEGORIES: Final = (
    OVERRIDE, SECRECY, CREDENTIALS, EXFILTRATION, STEERING, CONTEXT, ROLE, AUTHORITY, EXECUTION, CONFIRMATION,
    TRIGGERS, PERSISTENCE, REPORTING, HIDDEN, SIZE, UNEXAMINED,
)  # fmt: skip
"""Every category that a signal can carry: stable words, public in findings."""


AGREED: Final = 0.60
"""The learned opinion agrees from this chance on."""
RULED_OUT: Final = 0.10
"""Below this chance it rules something out."""


@dataclass(frozen=True)
class Entry:
    """A meaning to look for in one sentence: concepts that stand near each other.

    `needs` are all needed, each met by any of its `|`-parted concepts; together they lie within `window` words.
    `unless` concepts within the window void it. `excused` concepts in the tool's stated purpose make it low.
    `negatable`: a "not" right before the first verb voids it (advice such as "never send passwords").
    `subject`: where this concept stands before the "not" in its clause, somebody else is meant, and it is void.
    `firm`: it stands though the learned opinion doubts it; for shapes that honest texts hardly ever have.
    `first`: honest servers say it of themselves, and only a text that gains it is odd by that alone; in a first list
    it stands from this chance of the learned opinion on.
    `positive` and `negative` are examples that a test runs.
    """

    id: str
    category: str
    needs: tuple[str, ...]
    severity: Severity
    why: str
    positive: tuple[str, ...]
    negative: tuple[str, ...]
    window: float = 12
    unless: tuple[str, ...] = ()
    excused: tuple[str, ...] = ()
    negatable: bool = True
    subject: str = ""
    firm: bool = False
    first: float = 0.0
    confidence: Confidence = Confidence.MEDIUM

    @cached_property
    def choices(self) -> tuple[frozenset[str], ...]:
        """The concepts that meet each need; the need that is met by the fewest comes first, as it fails first."""
        return tuple(sorted((frozenset(need.split("|")) for need in self.needs), key=len))

    @cached_property
    def informed(self) -> bool:
        """Say whether it rests on what is known of other tools, which the words alone do not tell."""
        return self._rests_on(_FOREIGN)

    @cached_property
    def own(self) -> bool:
        """Say whether it rests on the names of the server's other tools."""
        return self._rests_on(_OWN)

    def _rests_on(self, concepts: frozenset[str]) -> bool:
        return any(not concepts.isdisjoint(need.split("|")) for need in self.needs)


_FOREIGN: Final = frozenset({"FOREIGNTOOL"})
_OWN: Final = frozenset({"OWNTOOL", "OWNEFFECT"})


@dataclass(frozen=True)
class Pattern:
    """A shape to look for anywhere in the text as received. The expression must take time linear in the text.

    Every match holds one of the `literals` (in lower case; none: not said), which spares most texts the expression.
    `test`, when given, sees the match's text and has the last word.
    """

    id: str
    category: str
    expression: str
    severity: Severity
    why: str
    positive: tuple[str, ...]
    negative: tuple[str, ...]
    confidence: Confidence = Confidence.MEDIUM
    excused: tuple[str, ...] = ()
    test: Callable[[str], bool] | None = None
    literals: tuple[str, ...] = ()

    @cached_property
    def gate(self) -> Gated:
        """The expression, compiled, behind its literals."""
        return Gated(re.compile(self.expression), self.literals)
