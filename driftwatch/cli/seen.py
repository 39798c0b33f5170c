"""When a list was last seen, and whether the server can be looked at now: what stands over every list."""

from __future__ import annotations

from driftwatch.cli.ground import now
from driftwatch.cli.moments import ago, moment
from driftwatch.errors import UnknownDigestError
from driftwatch.model import ServerState, Snapshot
from driftwatch.review.approve import shown
from driftwatch.store.store import Store


def why(state: ServerState) -> str:
    """Say why the last look failed."""
    code = state.last_outcome.partition(":")[2] or state.last_outcome
    return f"{code}: {state.last_detail}" if state.last_detail else code


def unseen_lines(state: ServerState) -> list[str]:
    """Say that the server cannot be looked at now, when that is so: what follows may no longer be what it shows."""
    if not state.failures:
        return []
    times = f"{state.failures} times in a row" if state.failures > 1 else "at the last look"
    since = f"since {moment(state.last_ok_at)}" if state.last_ok_at else "so far"
    when = f"{since} ({times}, last {ago(state.last_look_at, now())})"
    return [f"{state.server} could not be looked at {when}: {why(state)}.", "What it shows now is not known."]


def seen_words(store: Store, server: str, digest: str) -> str:
    """Say when a list was seen last."""
    seen = [sighting.last_seen for sighting in store.sightings(server) if sighting.digest == digest]
    return f"last seen {moment(max(seen))} ({ago(max(seen), now())})" if seen else "never seen"


def listed(store: Store, server: str, digest: str | None) -> Snapshot:
    """Give the list named by `digest`, or the one seen last.

    Raises:
        UnknownDigestError: the server never showed such a list, or none at all: then it is said why, if it is known.

    """
    state = store.state(server)
    if not state.last_digest and state.failures:
        raise UnknownDigestError(
            " ".join(unseen_lines(state)), hint=f"See that it can be reached, then: driftwatch check {server}"
        )
    return shown(store, server, digest)
