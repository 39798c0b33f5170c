"""How a server behaves over time: the words that rules, checks and alerts share. Pure data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from driftwatch.model import Kind, Severity

DISCOVER = "server/discover"

METHODS = {
    Kind.SERVER: DISCOVER,
    Kind.TOOL: "tools/list",
    Kind.PROMPT: "prompts/list",
    Kind.RESOURCE: "resources/list",
    Kind.RESOURCE_TEMPLATE: "resources/templates/list",
}
"""By which request each kind is had: that is where its freshness and its cache scope are stated."""

KINDS = {method: kind for kind, method in METHODS.items()}

DAY_MS = 24 * 3_600_000

ABSURD_TTL_MS = DAY_MS
"""A list that calls itself fresh for longer asks not to be looked at: no host starts over that rarely."""

OSCILLATING = "oscillating"
"""The rule that speaks while a server goes to and fro. Alerts and policy know it by this name."""

DIFFERS = "differs-from-reviewed"
"""The rule that speaks while something else is shown than what was approved ahead. The check knows it by this name."""

COMPANIONS = frozenset(
    {"changed-same-package", "changed-same-version", "changed-inside-ttl", "changed-without-notice", DIFFERS}
)
"""The rules that say of a whole change how it came. Where the change is nothing but noise, so are they."""


@dataclass(frozen=True)
class Flapping:
    """A server that goes to and fro between lists, or shows another one at nearly every look.

    `returns` counts how often it came back to a list that it had shown before, and `lists` the different lists, all
    since `since`. `restless` says that hardly any list comes back. `calm_at` is when it will have kept one list for
    long enough to be calm. `worst` is the worst that was told of it while it did.
    """

    returns: int
    lists: int
    since: datetime
    calm_at: datetime
    restless: bool = False
    worst: Severity = Severity.INFO


def asks_for_too_long(lasting: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
    """Give the lists, of (method, ttlMs), that call themselves fresh for an absurd time."""
    return tuple((method, ttl_ms) for method, ttl_ms in lasting if ttl_ms > ABSURD_TTL_MS)


def lasts(seconds: float) -> str:
    """Say a length of time in its largest fitting unit, rounded down: `40 s`, `5 min`, `3 h`, `12 days`."""
    whole = int(min(seconds, 366 * 86_400))
    for size, unit in ((86_400, "days"), (3_600, "h"), (60, "min")):
        if whole >= 2 * size:
            return "more than a year" if whole >= 366 * 86_400 else f"{whole // size} {unit}"
    return f"{whole} s"
