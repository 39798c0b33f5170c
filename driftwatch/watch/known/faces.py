"""What other identities are shown, judged by the ordinary rules, for the rules about cloaking."""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.config.schema import Settings
from driftwatch.judge.faces import OtherFace
from driftwatch.judge.judge import compare_snapshots
from driftwatch.model import Face, Verdict
from driftwatch.store.store import Store


def faces_of(store: Store, settings: Settings, server: str) -> tuple[OtherFace, ...]:
    """Give the faces of a server that there is something to say about, of the identities that it has."""
    config = next((one for one in settings.servers if one.name == server), None)
    if config is None or not config.identities:
        return ()
    clients = {one.name: one.client_name or "" for one in settings.identities_of(config)}
    known = [face for face in store.faces(server) if face.identity in clients]
    return tuple(found for face in known for found in _judged(store, face, clients[face.identity]))


def _judged(store: Store, face: Face, client: str) -> Iterator[OtherFace]:
    """Judge the way from the face that it is held against to the face that it is."""
    against = {
        Verdict.DIFFERS: face.ordinary,
        Verdict.DRIFTED: face.learned,
        Verdict.LEARNED: "" if face.accepted else face.ordinary,
    }.get(face.verdict, "")
    before, after = store.snapshot(against), store.snapshot(face.shown)
    if before is not None and after is not None:
        findings = compare_snapshots(before, after).findings
        yield OtherFace(face.identity, client, face.verdict, face.cause, before, after, findings)
