"""How a list came to be shown: in plain words, and for programs. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.behaviour import METHODS, lasts
from driftwatch.model import Arrival, Json
from driftwatch.report.excerpt import sentence


def arrival_words(arrival: Arrival | None) -> Iterator[str]:
    """Say what is worth a word: another version or protocol, freshness that did not hold, the notice."""
    if arrival is None:
        return
    for what, (before, after) in (("version", arrival.versions), ("protocol", arrival.protocols)):
        if before != after:
            yield sentence(f"{what} {before or 'none'} → {after or 'none'}")
    for kind, ttl_ms in arrival.fresh:
        yield f"{METHODS[kind]} changed after {lasts(arrival.quiet)}, inside its freshness of {lasts(ttl_ms / 1000)}"
    if arrival.promised and arrival.noticed is not None:
        yield "with notice" if arrival.noticed else "without the notice that was promised"


def arrival_json(arrival: Arrival | None) -> Json:
    """Give it for programs, None where a list was the first."""
    if arrival is None:
        return None
    return {
        "previous": arrival.previous,
        "seconds_since_previous": arrival.quiet,
        "inside_ttl": {METHODS[kind]: ttl_ms for kind, ttl_ms in arrival.fresh},
        "notice_promised": [METHODS[kind] for kind in arrival.promised],
        "noticed": arrival.noticed,
        "eras": list(arrival.eras),
        "protocols": list(arrival.protocols),
        "versions": list(arrival.versions),
    }
