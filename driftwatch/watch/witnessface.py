"""How a witness stands as one of the identities that a server is seen as. Reads the store, writes nothing."""

from __future__ import annotations

from dataclasses import replace

from driftwatch.judge.witnessed import within
from driftwatch.model import Face, Snapshot, Testimony, TestimonyState, Verdict
from driftwatch.store.store import Store
from driftwatch.store.witnessed import STANDING

_VERDICTS = {
    TestimonyState.SAME: Verdict.SAME,
    TestimonyState.OLDER: Verdict.OLDER,
    TestimonyState.LEARNED: Verdict.LEARNED,
    TestimonyState.SETTLED: Verdict.LEARNED,
    TestimonyState.FLIPPED: Verdict.APART,
    TestimonyState.APART: Verdict.APART,
    TestimonyState.LEFT: Verdict.APART,
}


def faced(store: Store, one: Testimony, *, ours: Snapshot | None) -> Face:
    """Give the face of a witness once a look of it stands as it does.

    Whatever stands apart is its suspect, the newest of it: an approval settles all of it, and what a person approves is
    refused if anything joined it meanwhile.
    """
    known = {face.identity: face for face in store.faces(one.server)}
    face = known.get(one.identity, Face(one.server, one.identity))
    at = max(one.received_at, face.looked_at or one.received_at)
    face = replace(_suspected(store, face, one), looked_at=at, ok_at=at, outcome="listed", failures=0)
    verdict = _VERDICTS.get(one.state)
    if verdict is None or one.prompt or _is_old(store, one):
        return face
    if verdict is not face.verdict:
        face = replace(face, since=one.settled_at)
    if one.state is TestimonyState.LEFT:
        return replace(face, verdict=verdict)
    ordinary = "" if ours is None else within(ours, one.sections).digest
    last = ordinary if verdict is Verdict.SAME and ordinary else one.digest
    shown = replace(face, verdict=verdict, shown=last, ordinary=ordinary)
    return replace(shown, learned=one.digest) if verdict is Verdict.LEARNED else shown


def _suspected(store: Store, face: Face, one: Testimony) -> Face:
    """Name the newest that stands apart; none when nothing does any more."""
    rows = store.testimonies(one.server, witness=one.witness, states=STANDING)
    rows = [row for row in rows if row.id != one.id]
    if one.state.stands:
        known = {row.digest for row in rows}
        return face if one.digest in known and face.suspect else replace(face, suspect=one.digest, beside=one.before)
    if any(row.digest == face.suspect for row in rows):
        return face
    last = rows[-1] if rows else None
    return replace(face, suspect=last.digest if last else "", beside=last.before if last else "")


def _is_old(store: Store, one: Testimony) -> bool:
    """Say whether the session showed something later already."""
    rows = store.testimonies(one.server, witness=one.witness)
    return bool(one.session) and any(row.session == one.session and row.number > one.number for row in rows)
