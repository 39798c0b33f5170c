"""What a person wants told otherwise: severities, ignores, volatile values, profiles. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from driftwatch.model import Change, Finding


@dataclass(frozen=True)
class Policy:
    """A person's say about findings, for one server."""

    def key(self, now: datetime) -> str:
        """Name what the policy comes to at a time, in a short word without spaces; another one: judge anew."""
        return ""


BALANCED = Policy()
"""The default profile and nothing else."""


def apply(
    findings: Iterable[Finding], policy: Policy, *, now: datetime, changes: Iterable[Change] = ()
) -> tuple[Finding, ...]:
    """Give all findings as the policy has them, in order: some with another severity, some hidden with the reason."""
    return tuple(sorted(findings, key=lambda finding: finding.order))
