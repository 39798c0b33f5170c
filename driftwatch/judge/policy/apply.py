"""The policy's say over what the rules found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from driftwatch.judge.policy.policy import Policy
from driftwatch.judge.policy.profiles import raised
from driftwatch.judge.policy.volatile import Noise
from driftwatch.model import Change, Finding, Severity


def apply(
    findings: Iterable[Finding], policy: Policy, *, now: datetime | None, changes: Iterable[Change] = ()
) -> tuple[Finding, ...]:
    """Give all findings as the policy has them, in order: some with another severity, some hidden with the reason.

    First the profile, then a person's own severities, then what hides: an ignore comes before noise.
    """
    holds = policy.at(now)
    noise = Noise(changes, holds.volatile)
    ruled = (_overridden(raised(finding, holds.profile), holds) for finding in findings)
    told = (replace(finding, hidden=_why_hidden(finding, holds, noise)) for finding in ruled)
    return tuple(sorted(told, key=lambda finding: finding.order))


def _overridden(finding: Finding, policy: Policy) -> Finding:
    """Give a finding the severity that a person set for it; the last line that fits counts."""
    for override in reversed(policy.overrides):
        adds = override.severity > finding.severity
        if override.where.meets_any(finding) if adds else override.where.meets_all(finding):
            return weighed(finding, override.severity)
    return finding


def weighed(finding: Finding, severity: Severity) -> Finding:
    """Give a finding another severity and keep the rule's own beside it."""
    own = finding.ruled or finding.severity
    return replace(finding, severity=severity, ruled=None if severity is own else own)


def _why_hidden(finding: Finding, policy: Policy, noise: Noise) -> str:
    for ignore in policy.ignores:
        if ignore.where.meets_all(finding):
            return ignore.words
    reason = noise.why(finding)
    return f"volatile: {reason}" if reason else ""
