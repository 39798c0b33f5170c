"""What pages keep in memory so that large lists stay quick: lists, which never change, and what was found between two.

A judgement is kept until the server is looked at again or the policy means something else by now, and for some minutes
at the most: what it rests on besides may have moved.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Annotated, Final

from fastapi import Depends, Request

from driftwatch.errors import StoreError
from driftwatch.model import BaselineState, Report, Snapshot
from driftwatch.review.approve import mark_of, shown
from driftwatch.review.reading import Reading, between, is_judged, report_of
from driftwatch.watch.known import key_of
from driftwatch.web.desk import Desk

_SNAPSHOTS: Final = 12
_REPORTS: Final = 24
_LASTS: Final = timedelta(minutes=5)


class Kept:
    """Lists and judgements that were asked for lately. May be used from many threads."""

    def __init__(self, desk: Desk) -> None:
        """Take the desk."""
        self._desk = desk
        self._reports: OrderedDict[Hashable, tuple[datetime, Report]] = OrderedDict()
        self._lock = threading.Lock()
        self.snapshot: Callable[[str], Snapshot] = lru_cache(_SNAPSHOTS)(self._snapshot)

    def reading(self, server: str, digest: str | None) -> Reading:
        """Give what a person reads of a list of a server (`digest`: a prefix is enough), or of the one seen last.

        Raises:
            UnknownDigestError: the server never showed that list, or none at all.
            StoreError: the database could not be read.

        """
        store, settings, now = self._desk.store, self._desk.settings, self._desk.clock()
        state = store.state(server)
        # Before the report: what comes in between must not count as read.
        identities = mark_of(store.faces(server))
        wanted = state.last_digest if not digest else store.resolve_digest(server, digest)
        live = self.snapshot(wanted) if wanted else shown(store, server, None)
        approved = state.baseline is not None and state.baseline.state is BaselineState.APPROVED
        before = self.snapshot(state.baseline.digest) if state.baseline is not None else None
        if before == live and not approved:
            before = None
        if is_judged(settings, state, live.digest, now):
            report = report_of(store, settings, state, live, before=before, now=now)
        else:
            rests = (server, live.digest, state.baseline, key_of(settings, settings.find(server), now), state.judged)
            report = self._judged(
                (*rests, state.last_look_at), lambda: report_of(store, settings, state, live, before=before, now=now)
            )
        return Reading(server, live, state.last_digest, state.baseline, before, report, identities)

    def between(self, server: str, before: Snapshot, live: Snapshot) -> Report:
        """Judge any list of a server beside any other of its lists."""
        settings, now = self._desk.settings, self._desk.clock()
        key = ("between", server, before.digest, live.digest, key_of(settings, settings.find(server), now))
        return self._judged(key, lambda: between(settings, server, before, live, now))

    def _judged(self, key: Hashable, judge: Callable[[], Report]) -> Report:
        # One at a time: two would only take turns on one processor.
        with self._lock:
            now = self._desk.clock()
            at, report = self._reports.get(key, (None, None))
            if report is None or at is None or not timedelta() <= now - at < _LASTS:
                report = judge()
                self._reports[key] = now, report
            self._reports.move_to_end(key)
            while len(self._reports) > _REPORTS:
                self._reports.popitem(last=False)
            return report

    def _snapshot(self, digest: str) -> Snapshot:
        found = self._desk.store.snapshot(digest)
        if found is None:
            raise StoreError(f"The list {digest} is not in the database.", hint="Restore a backup.")
        return found


def kept_of(request: Request) -> Kept:
    """Give what the pages of this application keep."""
    kept: Kept = request.app.state.kept
    return kept


TheKept = Annotated[Kept, Depends(kept_of)]
"""How an endpoint asks for it."""
