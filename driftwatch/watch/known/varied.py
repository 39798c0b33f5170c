"""Which values varied between the lists that a server showed of late: read only when a look is judged anyway."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from driftwatch.judge.policy import Policy
from driftwatch.judge.policy.volatile import declared
from driftwatch.judge.varied import Variation, varied
from driftwatch.model import ServerState, Sighting, Snapshot
from driftwatch.store.store import Store

MOST_LISTS = 6
"""The lists that are read back, the baseline among them: what varies at every start shows in that many."""


def varied_of(
    store: Store,
    state: ServerState,
    live: Snapshot,
    policy: Policy,
    sightings: Sequence[Sighting],
    *,
    approved: Snapshot | None = None,
) -> Variation:
    """Give the places whose value varied since the baseline within one release; what is declared is left out.

    `sightings` are the latest ones of the server, oldest first. `approved` is the baseline where it may not be in the
    database yet: one that a person is just making out of single items.
    """
    baseline = state.baseline
    if baseline is None:
        return Variation()
    since = [one.digest for one in sightings[-MOST_LISTS:] if one.last_seen >= baseline.since]
    digests = [digest for digest, _ in groupby([baseline.digest, *since, live.digest])][-MOST_LISTS:]
    if len(digests) < 2:
        return Variation()
    known = {one.digest: one for one in (approved, live) if one is not None}
    kept = {digest: known.get(digest) or store.snapshot(digest) for digest in set(digests)}
    lists = [snapshot for digest in digests if (snapshot := kept[digest]) is not None]
    return varied(lists, lambda change: declared(change, policy.volatile) is not None)
