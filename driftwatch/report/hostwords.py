"""The hosts that act otherwise, those together that do the same. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from driftwatch.model import Effect
from driftwatch.report.cut import clipped

_LONGEST = 400

NAMED = 3
"""Hosts named of those that act otherwise in one way; the rest is counted."""


def acts_of(effects: Iterable[Effect], *, named: int = NAMED) -> list[tuple[str, str, str]]:
    """Give each way to act otherwise once, as (hosts, what they did, what they do now), in the order of the effects."""
    acts: dict[tuple[str, str], dict[str, None]] = {}
    for effect in effects:
        acts.setdefault((effect.was, effect.now), {})[effect.host] = None
    return [
        (clipped(_listed(list(hosts), named), _LONGEST), clipped(was, _LONGEST), clipped(now, _LONGEST))
        for (was, now), hosts in acts.items()
    ]


def _listed(hosts: list[str], named: int) -> str:
    more = f" and {len(hosts) - named} more" if len(hosts) > named else ""
    return f"{', '.join(hosts[:named])}{more}"
