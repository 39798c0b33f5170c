"""Gathering what the rules may know beside two lists. Reads the store and the configuration, writes nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.errors import StoreError
from driftwatch.judge.behaviour import COMPANIONS, Flapping
from driftwatch.judge.facts import Facts
from driftwatch.model import Alert, AlertKind, Arrival, Baseline, Listing, ServerState, Sighting, Snapshot, worst_of
from driftwatch.store.store import Store
from driftwatch.watch.known.arrival import lasting
from driftwatch.watch.known.faces import faces_of
from driftwatch.watch.known.flapping import MOST_SIGHTINGS, flapping_of
from driftwatch.watch.known.neighbours import neighbours_key, neighbours_of
from driftwatch.watch.known.reviewed import reviewed_of
from driftwatch.watch.known.starts import starts_of
from driftwatch.watch.known.supplied import supplied_key, supplied_of
from driftwatch.watch.known.varied import varied_of
from driftwatch.watch.known.watching import watching_key, watching_of
from driftwatch.watch.known.witnessed import witnessed_of
from driftwatch.watch.opinion.known import opinions_key, opinions_of
from driftwatch.watch.policy import policy_of


@dataclass(frozen=True)
class Past:
    """What is known of a server itself at a moment: its latest sightings, oldest first, and its open drift alert.

    The last sighting is that of the live list.
    """

    sightings: tuple[Sighting, ...]
    alert: Alert | None


def before_of(store: Store, baseline: Baseline | None, live: Snapshot) -> Snapshot:
    """Rebuild the baseline from its stored raw items, so that both sides are judged by the same rules.

    Raises:
        StoreError: it is not in the database.

    """
    if baseline is None or baseline.digest == live.digest:
        return live
    kept = store.snapshot(baseline.digest)
    if kept is None:
        # Never compared with itself instead: that would read as clean.
        raise StoreError(f"The baseline {baseline.digest} is not in the database.", hint="Restore a backup.")
    return kept


def facts_of(
    store: Store,
    settings: Settings,
    state: ServerState,
    live: Snapshot,
    *,
    now: datetime,
    arrival: Arrival | None = None,
    listing: Listing | None = None,
    past: Past | None = None,
    approved: Snapshot | None = None,
) -> Facts:
    """Give what is known beside the lists of a server that shows `live`; its configuration may be gone.

    `arrival` and `listing` are those of a look that is not recorded yet; without them the recorded ones are taken.
    `past` is what was known of the server itself at an earlier moment, `now`: then what other servers had shown by then
    is taken, and of its identities what was known by then; of all else the present. `approved` is the baseline of
    `state` where that may not be in the database yet.
    """
    then = now if past is not None else None
    past = past or _present(store, state.server)
    if arrival is not None:
        arriving = Sighting(state.server, live.digest, first_seen=now, last_seen=now, arrival=arrival, body=live.body)
        past = replace(past, sightings=(*past.sightings, arriving))
    if listing is None and live.digest == state.last_digest:
        listing = state.listing
    policy = policy_of(settings, settings.find(state.server))
    variation = varied_of(store, state, live, policy, past.sightings, approved=approved)
    return Facts(
        server=state.server,
        expectations=policy.expect,
        varied=variation.places,
        steps=variation.steps,
        arrival=_arrival(past, live),
        flapping=_flapping(past, state, now),
        lasting=lasting(listing.pages) if listing is not None else (),
        faces=faces_of(store, settings, state.server, at=then),
        witnessed=witnessed_of(store, state, live, at=then),
        lossy=tuple(store.lossy(state.server, at=then)),
        starts=starts_of(store, state, live, at=then),
        neighbours=neighbours_of(store, settings, state.server, at=then),
        watching=watching_of(settings, live),
        supply=supplied_of(store, settings, live),
        reviewed=reviewed_of(store, state.server, now, then=then is not None),
        opinions=opinions_of(store, settings.second_opinion),
    )


def key_of(settings: Settings, server: ServerConfig | None, now: datetime) -> str:
    """Name what the configuration says that a judgement rests on: the policy, and facts that come from it.

    What comes from the store is not in it: whoever writes that makes the next look judge anew. What another server
    shows is held against this one's names when this one is judged, and moves nothing by itself.
    """
    parts = (
        policy_of(settings, server).key(now),
        neighbours_key(settings, server),
        watching_key(settings, server),
        supplied_key(settings),
        opinions_key(settings.second_opinion),
    )
    return "+".join(part for part in parts if part)


def _present(store: Store, server: str) -> Past:
    sightings = store.sightings(server, limit=MOST_SIGHTINGS)
    return Past(tuple(sightings), store.open_alert(server, AlertKind.DRIFT))


def _arrival(past: Past, live: Snapshot) -> Arrival | None:
    """Say how the live list came to be shown, the last time that it did."""
    return next((one.arrival for one in reversed(past.sightings) if one.digest == live.digest), None)


def _flapping(past: Past, state: ServerState, now: datetime) -> Flapping | None:
    """Say how the server goes to and fro, and how bad the worst is that was told of it meanwhile."""
    found = flapping_of(past.sightings, state.baseline, now) if state.baseline is not None else None
    if found is None or past.alert is None:
        return found
    # What only says how a change came about weighs as much as the change.
    return replace(found, worst=worst_of([one for one in past.alert.findings if one.rule not in COMPANIONS]))
