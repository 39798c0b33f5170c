"""How one server stands, as a word and a sentence: what `status` and `check` say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from driftwatch.model import BaselineState, Finding, ServerState, Severity, worst_of


class Standing(StrEnum):
    """How a server stands. The value is public (`--format json`)."""

    UNSEEN = "not-looked-at"
    FAILED = "could-not-look"
    DRIFT = "drift"
    UNAPPROVED = "not-approved"
    CLEAN = "clean"


@dataclass(frozen=True, slots=True)
class Stand:
    """A standing with its words; `worst` is None where nothing is found."""

    standing: Standing
    words: str
    worst: Severity | None = None


def stand(state: ServerState | None, findings: Sequence[Finding]) -> Stand:
    """Say how a server stands. A failed look comes first: what was found before it may no longer be so."""
    worst = worst_of(findings) if findings else None
    found = f", worst {worst.value}" if worst is not None else ""
    if state is None or state.last_look_at is None:
        return Stand(Standing.UNSEEN, "not looked at yet")
    if state.failures:
        before = f"; before that: drift{found}" if findings else ""
        return Stand(Standing.FAILED, f"could not look ×{state.failures}{before}", worst)
    if state.baseline is None or state.baseline.state is BaselineState.PROVISIONAL:
        return Stand(Standing.UNAPPROVED, f"not approved{found}", worst)
    if findings:
        return Stand(Standing.DRIFT, f"drift{found}", worst)
    return Stand(Standing.CLEAN, "clean")
