"""A look with the snapshot taken of it, and what it shows beside what is remembered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import structlog

from driftwatch.judge.snapshot import LAUNCH, take
from driftwatch.model import Failure, Kind, Listed, Malformed, Outcome, ServerState, Snapshot
from driftwatch.watch.supply.launch import still

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Seen:
    """A complete look with the snapshot taken of it."""

    listed: Listed
    snapshot: Snapshot


def see(outcome: Outcome, known: Callable[[], Snapshot | None] = lambda: None) -> Seen | Failure:
    """Take the snapshot of a complete look, of the list and of how it was reached; a failed one stays what it is.

    `known` gives the last snapshot that was recorded; it is asked only where part of the launch could not be had.
    """
    if not isinstance(outcome, Listed):
        return outcome
    try:
        document = outcome.document
        if outcome.launch is not None:
            before = known() if outcome.unsettled else None
            kept = [item.raw for item in before.of(Kind.LAUNCH)] if before is not None else []
            document = {**document, LAUNCH: still(outcome.launch, outcome.unsettled, kept[0] if kept else None)}
        return Seen(outcome, take(document, outcome.oddities))
    except Exception as error:
        log.exception("a list could not be read", action="judge-failed")
        return unjudged(error)


def unjudged(error: Exception) -> Failure:
    """Turn an error of our own into a failed look, so that it is counted and told: it must not read as quiet."""
    return Malformed("internal", f"driftwatch itself failed on this list ({type(error).__name__}); please report it")


def is_baseline(seen: Seen, state: ServerState) -> bool:
    """Say whether a look shows what is approved, or what stands in for it."""
    return state.baseline is not None and seen.snapshot.digest == state.baseline.digest


def is_news(seen: Seen | Failure, state: ServerState) -> bool:
    """Say whether a look shows another list than the last complete one did."""
    return isinstance(seen, Seen) and bool(state.last_digest) and seen.snapshot.digest != state.last_digest


def ends_a_difference(seen: Seen | Failure, state: ServerState) -> bool:
    """Say whether a look shows the baseline again where the last one showed something else."""
    return isinstance(seen, Seen) and is_baseline(seen, state) and seen.snapshot.digest != state.last_digest


def digest_of(seen: Seen | Failure | None) -> str:
    """Give the digest of what was seen, empty for a look that failed or was not made."""
    return seen.snapshot.digest if isinstance(seen, Seen) else ""
