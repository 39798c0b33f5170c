"""What other identities are shown, judged by the ordinary rules, for the rules about cloaking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from driftwatch.config.identities import SECOND_NAME, IdentityConfig
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.judge.faces import OtherFace, is_bad
from driftwatch.judge.judge import compare_snapshots
from driftwatch.model import Face, Kind, Snapshot, Verdict
from driftwatch.store.store import Store


def looked_as(settings: Settings, server: ServerConfig, known: Iterable[Face]) -> tuple[IdentityConfig, ...]:
    """Give as whom a server is, or was, looked at: its identities, and the second name once it was tried."""
    second = [SECOND_NAME] if any(face.identity == SECOND_NAME.name for face in known) else []
    return (*settings.identities_of(server), *second)


def faces_of(store: Store, settings: Settings, server: str, *, at: datetime | None = None) -> tuple[OtherFace, ...]:
    """Give the faces of a server that there is something to say about, of the identities that it has.

    With `at` only what was known by then of how they stand now.
    """
    config = settings.find(server)
    if config is None:
        return ()
    faces = store.faces(server)
    clients = {one.name: one.client_name or "" for one in looked_as(settings, config, faces)}
    known = [face for face in faces if face.identity in clients]
    if at is not None:
        known = [_by_then(store, face, at) for face in known]
    return tuple(found for face in known for found in _judged(store, face, clients[face.identity]))


def _by_then(store: Store, face: Face, at: datetime) -> Face:
    """Leave of a face what had been seen by a time."""
    if face.since is None or face.since > at:
        face = replace(face, verdict=Verdict.UNKNOWN)
    first = {one.digest: one.first_seen for one in store.face_sightings(face.server) if one.identity == face.identity}
    seen = first.get(face.suspect)
    return face if seen is None or seen <= at else replace(face, suspect="", beside="")


def _judged(store: Store, face: Face, client: str) -> Iterator[OtherFace]:
    """Judge the way from the face that it is held against to the face that it is, and the one to its suspect."""
    against = {
        Verdict.DIFFERS: face.ordinary,
        Verdict.DRIFTED: face.learned,
        Verdict.LEARNED: "" if face.accepted else face.ordinary,
    }.get(face.verdict, "")
    ways = {face.suspect: (Verdict.RESTLESS, face.beside)} if face.suspect else {}
    ways |= {face.shown: (face.verdict, against)} if against else {}
    for shown, (verdict, other) in ways.items():
        before, after = store.snapshot(other), store.snapshot(shown)
        if before is not None and after is not None:
            findings = compare_snapshots(before, after).findings
            cause = face.cause if verdict is face.verdict else ""
            at_times = bool(face.strays) and verdict is Verdict.DIFFERS
            yield OtherFace(face.identity, client, verdict, cause, before, after, findings, at_times)


def bad(face: Snapshot, beside: Snapshot, ordinary: Sequence[Snapshot] = ()) -> frozenset[tuple[str, Kind, str]]:
    """Give rule and item of all that is bad in a face beside another, in items that no `ordinary` look showed."""
    known = {item.digest for one in ordinary for item in one.items}
    new = {(item.kind, item.key) for item in face.items if item.digest not in known}
    return frozenset(
        (one.rule, one.kind, item)
        for one in compare_snapshots(beside, face).findings
        if is_bad(one)
        for item in (one.items or (one.item,))
        if (one.kind, item) in new
    )
