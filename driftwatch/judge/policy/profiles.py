"""Named sets of severities, as data: how much the same finding weighs to different people.

`balanced` is what the rules say. The others only ever raise, and a person's own severities come after them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from driftwatch.errors import UsageError
from driftwatch.judge.rules import rule
from driftwatch.judge.rules.base import Action, Area, Rule
from driftwatch.model import Finding, Severity

BALANCED_PROFILE = "balanced"


@dataclass(frozen=True)
class Raise:
    """Which findings weigh at least so much, and why. Empty sets stand for all.

    What a rule holds to be for the record only (info) stays so, unless the rule is named.
    """

    at_least: Severity
    why: str
    rules: frozenset[str] = frozenset()
    areas: frozenset[Area] = frozenset()
    actions: frozenset[Action] = frozenset()
    categories: frozenset[str] = frozenset()

    def means(self, one: Rule, severity: Severity, category: str) -> bool:
        """Say whether findings of a rule at its own severity are meant."""
        named = (one.id in self.rules or not self.rules) and (category in self.categories or not self.categories)
        fits = (not self.areas or one.area in self.areas) and (not self.actions or one.action in self.actions)
        return named and fits and (severity > Severity.INFO or one.id in self.rules)


@dataclass(frozen=True)
class Profile:
    """One profile: for whom it is, and what it raises."""

    what: str
    raises: tuple[Raise, ...] = ()


PROFILES: Mapping[str, Profile] = {
    BALANCED_PROFILE: Profile("The rules as they are: few alerts on honest releases."),
    "strict": Profile(
        "For servers that must not move without a review: nothing that changed stays below medium.",
        (
            Raise(Severity.MEDIUM, "anything that changed is worth a look"),
            Raise(
                Severity.HIGH,
                "what lets a tool do, take or reach more",
                actions=frozenset({Action.LOOSENED, Action.WIDENED, Action.WITHDRAWN}),
            ),
            Raise(
                Severity.HIGH,
                "a new or renamed tool, prompt or resource was never reviewed",
                areas=frozenset({Area.ITEMS}),
                actions=frozenset({Action.ADDED, Action.RENAMED}),
            ),
        ),
    ),
    "directory": Profile(
        "For servers in an app directory: `readOnlyHint`, `destructiveHint` and `openWorldHint` must be explicit "
        "booleans on every tool.",
        (
            Raise(
                Severity.HIGH,
                "one of the three hints unsaid keeps a server out, also where it means nothing",
                rules=frozenset({"hint-undeclared"}),
                categories=frozenset({"missing", "moot"}),
            ),
            Raise(
                Severity.HIGH,
                "so does a hint that was taken back, or that is null or otherwise no boolean",
                rules=frozenset({"hint-withdrawn", "hint-malformed"}),
            ),
            Raise(
                Severity.HIGH,
                "a wrong hint is a reason to be refused",
                rules=frozenset({"hint-implausible", "hint-contradictory"}),
            ),
        ),
    ),
}
"""All profiles by name. The order is that of the documentation."""


def named(profile: str) -> str:
    """Accept the name of a profile.

    Raises:
        UsageError: there is none of that name.

    """
    if profile in PROFILES:
        return profile
    raise UsageError(f"There is no profile {profile!r}.", hint=f"Choose one of: {', '.join(PROFILES)}.")


def severity_under(one: Rule, severity: Severity, profile: str, category: str = "") -> Severity:
    """Give what a finding of a rule and category, at its own severity, weighs under a profile."""
    meant = (part.at_least for part in PROFILES[profile].raises if part.means(one, severity, category))
    return max((severity, *meant))


def raised(finding: Finding, profile: str) -> Finding:
    """Give a finding as a profile weighs it, with the rule's own severity in `ruled` where that is another."""
    own = finding.ruled or finding.severity
    try:
        weight = severity_under(rule(finding.rule), own, profile, finding.category)
    except KeyError:  # kept from a release that had another rule
        weight = own
    return finding if weight is own else replace(finding, severity=weight, ruled=own)
