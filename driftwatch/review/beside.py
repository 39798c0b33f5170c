"""Whether a server shows other lists beside the one that is about to be approved. Reads the store.

A list that nobody names is approved without a question only where no other one came to light: at another start, under
another name, in another era, with another credential, or to an agent.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from driftwatch.config.schema import Settings
from driftwatch.judge.rules import RULES
from driftwatch.judge.rules.base import Area
from driftwatch.judge.rules.witnessed_difference import UNREAD
from driftwatch.model import AsClient, TestimonyState, Verdict
from driftwatch.review.approve import difference
from driftwatch.store.store import Store

_OF_OTHER_LISTS: Final = frozenset(rule.id for rule in RULES if rule.area is Area.CLOAKING)
_OTHER: Final = frozenset({Verdict.LEARNED, Verdict.DRIFTED, Verdict.DIFFERS, Verdict.RESTLESS, Verdict.APART})
_SHORT: Final = 12
"""Hex digits of a digest that people see."""


def faces_seen(store: Store, server: str) -> frozenset[tuple[str, str]]:
    """Give who is shown another list than driftwatch, and which: by identity and digest.

    Raises:
        StoreError: the database could not be read.

    """
    return frozenset(
        (face.identity, shown)
        for face in store.faces(server)
        for shown in (face.suspect, face.shown if face.verdict in _OTHER and not face.accepted else "")
        if shown
    )


def other_lists(
    store: Store, settings: Settings, server: str, digest: str, now: datetime, *, before: frozenset[tuple[str, str]]
) -> tuple[str, ...]:
    """Say in some words each which other lists came to light beside one, that nobody decided on; nothing for none.

    `before` is what `faces_seen` gave before the server was looked at for this decision: a harmless list that was
    learned earlier for another identity, by a credential or era, is known, and approved along.

    Raises:
        StoreError: the database could not be read.

    """
    found = difference(store, settings, server, digest, now).findings
    told = (one for one in found if one.rule in _OF_OTHER_LISTS and one.category != UNREAD)
    stands = (f"{one.severity.value} {one.rule} stands" for one in told)
    return tuple(dict.fromkeys((*_seen(store, server, digest, before), *stands)))


def _seen(store: Store, server: str, digest: str, before: frozenset[tuple[str, str]]) -> Iterator[str]:
    seen = store.rehearsed(server, digest)
    if seen is not None and seen.other:
        other = seen.other.removeprefix("sha256:")[:_SHORT]
        yield f"the {seen.next_look} look, made before a decision, showed another list, {other}"
    if seen is not None and seen.as_client is AsClient.OTHER and not seen.other:
        yield f"as {seen.client} it is shown another list"
    for identity, shown in sorted(faces_seen(store, server) - before):
        yield f"as {identity} it is shown another list, {shown.removeprefix('sha256:')[:_SHORT]}"
    if store.witnessed_as(server, (TestimonyState.PENDING,)):
        yield "what an agent was shown waits to be compared"
