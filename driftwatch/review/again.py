"""Whether a list of a server was looked at again before somebody decides on it. Reads the store."""

from __future__ import annotations

from driftwatch.config.schema import Settings
from driftwatch.model import BaselineState, Json
from driftwatch.report.again import Again
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
        baseline = state.baseline
        decided = baseline is not None and (baseline.state, baseline.digest) == (BaselineState.APPROVED, digest)
        if digest != state.last_digest or decided:
            return None
    client = client_of(settings, config)
    return Again(
        seen,
        local=config.transport == "stdio",
        off=not config.rehearse,
        looks=1 if seen is not None else _ordinary(store, server, digest),
        second=client.client_name or client.name,
    )


def looks_before(store: Store, server: str, digest: str) -> dict[str, Json]:
    """Give for the audit log how many looks showed a list before it is approved, and what looking again came to.

    `again` says whether anybody looked again; then `other` is the digest of another list that the next look showed,
    empty for none, `client` the name as whom it was looked at besides, and `as_client` what that showed.

    Raises:
        StoreError: the database could not be read.

    """
    seen = store.rehearsed(server, digest)
    if seen is None:
        return {"looks": _ordinary(store, server, digest), "again": False}
    again = seen.looks > 1 or bool(seen.other)
    how: dict[str, Json] = {"other": seen.other, "client": seen.client, "as_client": seen.as_client.value}
    return {"looks": seen.looks, "again": again, **(how if again else {})}


def _ordinary(store: Store, server: str, digest: str) -> int:
    """Count the ordinary looks that showed a list which nobody looked at again.

    They are all made afresh where no daemon runs. A daemon hears of lists in a held session too, and looks again by
    itself, but for the lists that come within the hour after: of those one look is certain.
    """
    shown = next((one for one in reversed(store.sightings(server)) if one.digest == digest), None)
    if shown is None or any(abs(shown.first_seen - one.at) < EVERY for one in store.rehearsals(server)):
        return 1
    return shown.looks
