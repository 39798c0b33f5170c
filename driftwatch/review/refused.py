"""What was rejected and stands beside the list that driftwatch is shown, until an approval. Reads the store."""

from __future__ import annotations

from driftwatch.report.asides import Rejected
from driftwatch.review.witnessed import rejected_shown
from driftwatch.store.store import Store
from driftwatch.watch.known.starts import refusals, standing


def rejected_starts(store: Store, server: str) -> tuple[Rejected, ...]:
    """Give what stands of other starts and was rejected, oldest first; what the server shows now is no other one.

    Raises:
        StoreError: the database could not be read.

    """
    rows = standing(store, server)
    if not rows:
        return ()
    live, said_no = store.state(server).last_digest, refusals(store, server)
    found = dict.fromkeys(one.other for one in rows if one.other in said_no and one.other != live)
    about = (said_no[one] for one in found)
    return tuple(Rejected(None, one.by, one.at, one.note, start=one.digest) for one in about)


def rejected_beside(store: Store, server: str) -> tuple[Rejected, ...]:
    """Give what was rejected and stands beside the list that driftwatch is shown: to agents, and at other starts.

    Raises:
        StoreError: the database could not be read.

    """
    return (*rejected_shown(store, server), *rejected_starts(store, server))
