"""Approvals ahead that go on to wait while the server was bumped to another version. Reads the store."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final

from driftwatch.judge.landing import passes_by, running
from driftwatch.model import Ahead, Snapshot
from driftwatch.report.asides import Passed
from driftwatch.store.store import Store
from driftwatch.watch.known.reviewed import awaited

_MOST: Final = 1_000
"""Approvals that wait, of all servers together: the newest."""


def passed_by(
    store: Store, server: str, live: Snapshot | None, at: datetime, waiting: Sequence[Ahead] | None = None
) -> tuple[Passed, ...]:
    """Give the approvals that go on to wait although the server was bumped, as it went to another version.

    `live` is what the server shows, None for what it showed last; `waiting` are its approvals that wait, where they are
    known already.

    Raises:
        StoreError: the database could not be read.

    """
    waiting = [one for one in (store.waiting_aheads(server, at) if waiting is None else waiting) if one.version]
    state = store.state(server) if waiting else None
    if state is None or state.baseline is None:
        return ()
    live = store.snapshot(state.last_digest) if live is None else live
    before = store.snapshot(state.baseline.digest)
    if before is None or live is None or before.digest == live.digest:
        return ()
    runs = running(live)
    found = (one for one, listed in awaited(store, waiting) if passes_by(listed, before, live))
    return tuple(Passed(one.id, one.by, one.version, runs, one.until) for one in found)


def passed_everywhere(
    store: Store, at: datetime, names: Collection[str] | None = None
) -> dict[str, tuple[Passed, ...]]:
    """Give by server which approvals go on to wait although it was bumped, of all servers or of those named.

    Raises:
        StoreError: the database could not be read.

    """
    waiting: dict[str, list[Ahead]] = {}
    for one in store.ahead_page(at=at, limit=_MOST).rows:
        if names is None or one.server in names:
            waiting.setdefault(one.server, []).append(one)
    found = {server: passed_by(store, server, None, at, some) for server, some in waiting.items()}
    return {server: some for server, some in found.items() if some}
