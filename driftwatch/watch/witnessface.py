"""How a witness stands as one of the identities that a server is seen as. Reads the store, writes nothing."""

from __future__ import annotations

from dataclasses import replace

from driftwatch.judge.witnessed import within
from driftwatch.model import Face, Snapshot, Testimony, TestimonyState, Verdict
from driftwatch.store.store import Store

_VERDICTS = {
    TestimonyState.SAME: Verdict.SAME,
    TestimonyState.OLDER: Verdict.OLDER,
    TestimonyState.LEARNED: Verdict.LEARNED,
    TestimonyState.SETTLED: Verdict.LEARNED,
    TestimonyState.FLIPPED: Verdict.APART,
    TestimonyState.HELD: Verdict.APART,
    TestimonyState.APART: Verdict.APART,
    TestimonyState.LEFT: Verdict.APART,
}


def faced(store: Store, one: Testimony, *, ours: Snapshot | None, is_old: bool) -> Face:
    """Give the face of a witness once a look of it stands as it does; `is_old`: its session showed more since then.

    What stands apart, and what could not be read, the store adds up by itself.
    """
    known = {face.identity: face for face in store.faces(one.server)}
    face = known.get(one.identity, Face(one.server, one.identity))
    at = max(one.received_at, face.looked_at or one.received_at)
    face = replace(face, looked_at=at, ok_at=at, outcome="listed", failures=0)
    verdict = _VERDICTS.get(one.state)
    if verdict is None or one.prompt or is_old or not one.sections:
        return face
    if verdict is not face.verdict:
        face = replace(face, since=one.settled_at)
    if one.state is TestimonyState.LEFT:
        return replace(face, verdict=verdict)
    ordinary = "" if ours is None else within(ours, one.sections).digest
    last = ordinary if verdict is Verdict.SAME and ordinary else one.digest
    shown = replace(face, verdict=verdict, shown=last, ordinary=ordinary)
    return replace(shown, learned=one.digest) if verdict is Verdict.LEARNED else shown
