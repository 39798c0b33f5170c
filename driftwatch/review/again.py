"""Whether a list of a server was looked at again before somebody decides on it. Reads the store."""

from __future__ import annotations

from driftwatch.config.schema import Settings
from driftwatch.report.again import Again
from driftwatch.review.approve import is_approved
from driftwatch.store.store import Store
from driftwatch.watch.rehearsal import can_rehearse


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
    return Again(seen, local=config.transport == "stdio", off=not config.rehearse)
