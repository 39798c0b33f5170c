"""What a person wants told otherwise: profiles, severities, ignores, volatile values, expectations. Pure.

The policy has its say after the rules. It never takes a finding away: it sets another severity, with the rule's own in
`Finding.ruled`, or keeps it from alerts, with the reason in `Finding.hidden`.
"""

from driftwatch.judge.policy.apply import apply
from driftwatch.judge.policy.policy import BALANCED, Ignore, Override, Policy
from driftwatch.judge.policy.profiles import PROFILES, Profile, raised, severity_under
from driftwatch.judge.policy.volatile import Volatile
from driftwatch.judge.policy.where import Where

__all__ = [
    "BALANCED",
    "PROFILES",
    "Ignore",
    "Override",
    "Policy",
    "Profile",
    "Volatile",
    "Where",
    "apply",
    "raised",
    "severity_under",
]
