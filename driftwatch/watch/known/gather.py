"""Gathering what the rules may know beside two lists. Reads the store and the configuration, writes nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.judge.behaviour import Flapping
from driftwatch.judge.facts import Facts
from driftwatch.model import AlertKind, Arrival, Listing, ServerState, Sighting, Snapshot
from driftwatch.store.store import Store
from driftwatch.watch.known.arrival import lasting
from driftwatch.watch.known.faces import faces_of
from driftwatch.watch.known.flapping import MOST_SIGHTINGS, flapping_of
from driftwatch.watch.known.neighbours import neighbours_of
from driftwatch.watch.known.policy import policy_of
from driftwatch.watch.known.supplied import supplied_key, supplied_of
from driftwatch.watch.known.varied import varied_of
from driftwatch.watch.known.watching import watching_key, watching_of


def facts_of(
    store: Store,
    settings: Settings,
    state: ServerState,
    live: Snapshot,
    *,
    now: datetime,
    arrival: Arrival | None = None,
    listing: Listing | None = None,
) -> Facts:
    """Give what is known beside the lists of a server that shows `live`; its configuration may be gone.

    `arrival` and `listing` are those of a look that is not recorded yet; without them the recorded ones are taken.
    """
    if listing is None and live.digest == state.last_digest:
        listing = state.listing
    policy = policy_of(settings, _configured(settings, state.server))
    return Facts(
        server=state.server,
        expectations=policy.expect,
        varied=varied_of(store, state, live, policy),
        arrival=arrival or store.arrival(state.server, live.digest),
        flapping=_flapping(store, state, live, now, arrives=arrival is not None),
        lasting=lasting(listing.pages) if listing is not None else (),
        faces=faces_of(store, settings, state.server),
        neighbours=neighbours_of(store, settings, state.server),
        watching=watching_of(settings, live),
        supply=supplied_of(store, settings, live),
    )


def key_of(settings: Settings, server: ServerConfig | None, now: datetime) -> str:
    """Name what the configuration says that a judgement rests on: the policy, and facts that come from it.

    What comes from the store is not in it: whoever writes that makes the next look judge anew.
    """
    parts = (policy_of(settings, server).key(now), watching_key(settings, server), supplied_key(settings))
    return "+".join(part for part in parts if part)


def _flapping(store: Store, state: ServerState, live: Snapshot, now: datetime, *, arrives: bool) -> Flapping | None:
    """Say how the server goes to and fro, and how bad the worst is that was told of it meanwhile."""
    if state.baseline is None:
        return None
    sightings = store.sightings(state.server, limit=MOST_SIGHTINGS)
    if arrives:
        sightings.append(Sighting(state.server, live.digest, first_seen=now, last_seen=now))
    found = flapping_of(sightings, state.baseline, now)
    alert = store.open_alert(state.server, AlertKind.DRIFT) if found is not None else None
    return replace(found, worst=alert.severity) if found is not None and alert is not None else found


def _configured(settings: Settings, server: str) -> ServerConfig | None:
    return next((one for one in settings.watched if one.name == server), None)
