"""The rehearsing verb: look again at a list before anybody decides on it.

A server that is clean at its first start may be another one at its second, or for another client. So a list that
nobody approved is looked at again:

1. An ordinary look, in a new process or session. Another list is judged and told as every difference is, and kept in
   mind: the server may show the first one again.
2. Right after it, unless it showed another list, a look under another client name. What that shows is judged as it is
   of every identity, with the looks that it takes to confirm it.

A look that fails is written down with its reason; it is no reason to call anything the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from driftwatch.config.identities import IdentityConfig, second_name
from driftwatch.config.inventory import WatchedFile
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.errors import UnknownDigestError
from driftwatch.judge.faces import face_of
from driftwatch.model import AsClient, BaselineState, Outcome, Rehearsed, Snapshot
from driftwatch.store.store import Store
from driftwatch.watch.check import Checker
from driftwatch.watch.known.starts import standing
from driftwatch.watch.result import CheckCode, CheckResult
from driftwatch.watch.seen import Seen, see

EVERY: Final = timedelta(hours=1)
"""A server that is never the same twice must not have itself looked at again at each look."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """How a list stands once it was looked at again, and what the ordinary look of it came to."""

    rehearsed: Rehearsed
    result: CheckResult


def client_of(settings: Settings, server: ServerConfig) -> IdentityConfig:
    """Give as whom a server is looked at besides: the first of its identities without a credential, else our own."""
    return second_name(settings.identities_of(server), local=server.transport == "stdio")


def can_rehearse(server: ServerConfig) -> bool:
    """Say whether there is anything to look at again: a host's file is the same to everybody."""
    return not isinstance(server, WatchedFile)


def may_be_due(server: ServerConfig, result: CheckResult) -> bool:
    """Say whether a look showed what may have to be looked at again, without asking the store."""
    if not server.rehearse or not can_rehearse(server) or result.code is CheckCode.FAILED:
        return False
    baseline = result.baseline
    approved = baseline is not None and baseline.state is BaselineState.APPROVED
    return not (approved and baseline is not None and baseline.digest == result.snapshot_digest)


def is_due(store: Store, server: ServerConfig, result: CheckResult, now: datetime) -> bool:
    """Say whether what a look showed is to be looked at again by itself: the first list at once, others once an hour.

    Raises:
        StoreError: the database could not be read.

    """
    if not may_be_due(server, result):
        return False
    known = store.rehearsals(server.name)
    if any(one.digest == result.snapshot_digest and (one.looks > 1 or one.other) for one in known):
        return False
    # A clock that was set back must not put it off for longer.
    return not known or not timedelta() <= now - known[-1].at < EVERY


async def rehearse(
    store: Store,
    settings: Settings,
    checker: Checker,
    server: ServerConfig,
    *,
    now: Callable[[], datetime],
    held: Callable[[], Awaitable[Outcome]] | None = None,
    heard: Callable[[], Awaitable[bool | None]] | None = None,
) -> Rehearsal:
    """Look again at what a server showed last, as itself and under another name, and write down how it stands.

    `held` and `heard` are as for `Checker.check`: a held session is asked only before a difference is taken to be over.

    Raises:
        UnknownDigestError: nothing was seen of it yet.
        StoreError: the database could not be read or written.

    """
    state = await asyncio.to_thread(store.state, server.name)
    first = await asyncio.to_thread(store.snapshot, state.last_digest) if state.last_digest else None
    if first is None:
        raise UnknownDigestError(f"Nothing was seen yet on the server {server.name!r}.", hint="Look first.")
    identity = client_of(settings, server)
    known = await asyncio.to_thread(_known, store, server.name, first.digest)
    begun = replace(
        known or Rehearsed(server.name, first.digest, now()), at=now(), client=identity.client_name or identity.name
    )

    def also_as(fresh: str) -> IdentityConfig | None:
        """Keep another list before anything else is looked at: what comes next may be the first one again."""
        if fresh == begun.digest:
            return identity
        store.record_rehearsal(replace(begun, other=fresh))
        return None

    result = await checker.check(server, held=held, heard=heard, also_as=also_as)
    other = await asyncio.to_thread(see, result.others[0]) if result.others else None
    seen = _as_client(_as_ourselves(begun, result), first, other)
    await asyncio.to_thread(partial(store.record_rehearsal, seen))
    return Rehearsal(seen, result)


def _known(store: Store, server: str, digest: str) -> Rehearsed | None:
    """Give what is known of a list; another list that somebody decided on since is no news any more."""
    known = store.rehearsed(server, digest)
    if known is None or not known.other or known in standing(store, server):
        return known
    return replace(known, other="")


def _as_ourselves(seen: Rehearsed, result: CheckResult) -> Rehearsed:
    """Count the ordinary look."""
    seen = replace(seen, failures=0, detail="", as_client=AsClient.NOT_TRIED)
    if result.code is CheckCode.FAILED:
        return replace(seen, failures=1, detail=result.detail)
    seen = _counted(seen) if result.fresh_digest == seen.digest else seen
    shown = [one for one in (result.fresh_digest, result.snapshot_digest) if one and one != seen.digest]
    return replace(seen, other=shown[0]) if shown else seen


def _counted(seen: Rehearsed) -> Rehearsed:
    """Count one more look that showed the list: only those count that came before another list."""
    return seen if seen.other else replace(seen, looks=seen.looks + 1)


def _as_client(seen: Rehearsed, first: Snapshot, other: object) -> Rehearsed:
    """Count the look under the other name; `other` is what it saw, or why it saw nothing, None where none was made."""
    if other is None:
        return seen
    if not isinstance(other, Seen):
        why = f"{getattr(other, 'code', '')}: {getattr(other, 'detail', '')}"
        return replace(seen, as_client=AsClient.FAILED, failures=seen.failures + 1, detail=why)
    if face_of(other.snapshot).digest != face_of(first).digest:
        return replace(seen, as_client=AsClient.OTHER)
    return replace(_counted(seen), as_client=AsClient.SAME)
