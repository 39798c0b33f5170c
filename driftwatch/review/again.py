"""Whether a list of a server was looked at again before somebody decides on it. Reads the store."""

from __future__ import annotations

from driftwatch.config.schema import Settings
from driftwatch.report.again import Again
from driftwatch.review.approve import is_approved
from driftwatch.store.store import Store
from driftwatch.watch.rehearsal import EVERY, can_rehearse, client_of


def looked_again(store: Store, settings: Settings, server: str, digest: str) -> Again | None:
    """Say how often a list was looked at, and how the looks differed.

    None where there is nothing to say: it is no server of the configuration, or a host's file; or nobody looked again,
    and it is approved or is not what the server shows now, so that nobody can.

    Raises:
        StoreError: the database could not be read.

    """
    config = settings.find(server)
    if config is None or not can_rehearse(config):
        return None
    seen = store.rehearsed(server, digest)
    if seen is None:
        state = store.state(server)
        if digest != state.last_digest or is_approved(state.baseline, digest):
            return None
    client = client_of(settings, config)
    return Again(
        seen,
        local=config.transport == "stdio",
        off=not config.rehearse,
        looks=1 if seen is not None else _ordinary(store, server, digest),
        second=client.client_name or client.name,
    )


def _ordinary(store: Store, server: str, digest: str) -> int:
    """Count the ordinary looks that showed a list which nobody looked at again.

    They are all made afresh where no daemon runs. A daemon hears of lists in a held session too, and looks again by
    itself, but for the lists that come within the hour after: of those one look is certain.
    """
    shown = next((one for one in reversed(store.sightings(server)) if one.digest == digest), None)
    if shown is None or any(abs(shown.first_seen - one.at) < EVERY for one in store.rehearsals(server)):
        return 1
    return shown.looks
