"""What a silence keeps back: findings, by the server, the tool, the rule and how bad they are. Pure.

A silence never hides what is worse than it says, and never a wave of which it names only some tools.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from driftwatch.config.routes import fits
from driftwatch.model import Alert, Finding, Silence, worst_of


def silenced_by(finding: Finding, server: str, silences: Iterable[Silence]) -> Silence | None:
    """Give the first silence that keeps a finding on a server back, None when none does."""
    return next((one for one in silences if _covers(one, finding, server)), None)


def muted_in(alert: Alert, silences: Sequence[Silence]) -> frozenset[str]:
    """Give the identities of those findings of an alert that are kept back."""
    held = [finding for finding in alert.findings if silenced_by(finding, alert.server, silences)]
    return frozenset(identity for finding in held for identity in finding.identities)


def kept_back_by(silence: Silence) -> str:
    """Say what a silence keeps back: `on files by hint-*, up to high`."""
    parts = {"on": silence.server, "about": silence.tool, "by": silence.rule}
    named = " ".join(f"{word} {value}" for word, value in parts.items() if value)
    return f"{named}, up to {silence.severity.value}"


def heard(alert: Alert, muted: frozenset[str]) -> Alert:
    """Give the alert with those of its findings that no silence keeps back, as bad as the worst of these."""
    kept = tuple(one for one in alert.findings if not muted.issuperset(one.identities))
    return replace(alert, findings=kept, severity=worst_of(kept))


def _covers(silence: Silence, finding: Finding, server: str) -> bool:
    names = finding.items or (finding.item,)
    return (
        finding.severity <= silence.severity
        and _fits(silence.server, server)
        and _fits(silence.rule, finding.rule)
        and all(_fits(silence.tool, name) for name in names)
    )


def _fits(pattern: str, name: str) -> bool:
    return not pattern or fits(pattern, name)
