"""What servers show to the identities as whom driftwatch looks now and then."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict, replace
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from driftwatch.model import Face, FaceSighting, Json, Snapshot, Verdict, is_witness
from driftwatch.store import snapshots
from driftwatch.store.engine import insert_new, reading
from driftwatch.store.servers import judged_anew
from driftwatch.store.shelf import Shelf
from driftwatch.store.tables import face_sightings, faces


class FaceShelf(Shelf):
    """The part of the Store that is about faces."""

    def faces(self, server: str | None = None) -> tuple[Face, ...]:
        """Give the faces of a server, or of all servers, by server and identity."""
        with reading(self._engine) as connection:
            return listed(connection, server)

    def record_face(
        self, face: Face, *, seen: Iterable[Snapshot] = (), kept: Iterable[Snapshot] = (), judge_again: bool = False
    ) -> None:
        """Write a face with the lists `seen` in its turn, one a look, and those `kept` to compare them with.

        `judge_again` has the server's next look judged.
        """
        with self._write() as connection:
            write(connection, face)
            for snapshot in kept:
                snapshots.keep(connection, snapshot, self._clock())
            for snapshot in seen:
                snapshots.keep(connection, snapshot, self._clock())
                saw(connection, face, snapshot.digest, self._clock())
            if judge_again:
                judged_anew(connection, face.server)

    def face_sightings(self, server: str) -> list[FaceSighting]:
        """Give which lists were seen in the turns of which identities, oldest first."""
        with reading(self._engine) as connection:
            return sighted(connection, server)

    def forget_faces(self, server: str, *, keep: Collection[str]) -> None:
        """Forget how the identities that are not named stand; what was seen in their turns stays on record.

        Witnesses are no identities of the configuration, and stay.
        """
        with self._write() as connection:
            if forget(connection, server, keep):
                judged_anew(connection, server)


def listed(connection: Connection, server: str | None = None) -> tuple[Face, ...]:
    """Give the faces of a server, or of all, by server and identity."""
    query = select(faces).order_by(faces.c.server, faces.c.identity)
    if server is not None:
        query = query.where(faces.c.server == server)
    return tuple(Face(**row) for row in connection.execute(query).mappings())


def write(connection: Connection, face: Face, *, but: Collection[str] = ()) -> None:
    """Write one face in the place of what was known, but leave some of its fields as they are."""
    mine = (faces.c.server == face.server) & (faces.c.identity == face.identity)
    values = asdict(face)
    moved = {name: value for name, value in values.items() if name not in but}
    if connection.execute(update(faces).where(mine).values(**moved)).rowcount == 0:
        connection.execute(insert(faces).values(**values))


def saw(connection: Connection, face: Face, digest: str, at: datetime) -> None:
    """Count one look that showed a list in a turn of an identity; the snapshot is there already."""
    row = {"server": face.server, "identity": face.identity, "digest": digest}
    if not insert_new(connection, face_sightings, {**row, "first_seen": at, "last_seen": at, "looks": 1}):
        mine = [face_sightings.c[key] == value for key, value in row.items()]
        again = {"last_seen": at, "looks": face_sightings.c.looks + 1}
        connection.execute(update(face_sightings).where(*mine).values(**again))


def sighted(connection: Connection, server: str) -> list[FaceSighting]:
    """Give which lists were seen in whose turns, oldest first; also those of identities that are gone."""
    query = (
        select(face_sightings)
        .where(face_sightings.c.server == server)
        .order_by(face_sightings.c.first_seen, face_sightings.c.identity, face_sightings.c.digest)
    )
    return [FaceSighting(**row) for row in connection.execute(query).mappings()]


def forget(connection: Connection, server: str, keep: Collection[str]) -> bool:
    """Forget the faces of all other identities; say whether a judgement may have rested on one of them."""
    known = listed(connection, server)
    gone = [face for face in known if face.identity not in keep and not is_witness(face.identity)]
    for face in gone:
        connection.execute(delete(faces).where(faces.c.server == server, faces.c.identity == face.identity))
    return any(face.judged_by for face in gone)


def accept(connection: Connection, seen: Iterable[Face]) -> dict[str, Json]:
    """Let what identities were shown stand as their own lists, as far as they are still shown it.

    What was seen in their turns besides is settled, unless something else was seen meanwhile. Give by identity what
    was written: `learned` is what stands as its own list now, `settled` what was seen besides.
    """
    settled: dict[str, Json] = {}
    for face in seen:
        mine = (faces.c.server == face.server) & (faces.c.identity == face.identity)
        taken, said = accepted(face), dict[str, Json]()
        if face.verdict in (Verdict.LEARNED, Verdict.DRIFTED) and not is_witness(face.identity):
            own = {"verdict": taken.verdict, "learned": taken.learned, "accepted": taken.accepted}
            if connection.execute(update(faces).where(mine, faces.c.shown == face.shown).values(**own)).rowcount:
                said["learned"] = taken.learned
        if face.suspect:
            besides = {"suspect": taken.suspect, "beside": taken.beside, "settled": taken.settled}
            besides |= {"verdict": taken.verdict} if is_witness(face.identity) else {}
            if connection.execute(
                update(faces).where(mine, faces.c.suspect == face.suspect).values(**besides)
            ).rowcount:
                said["settled"] = taken.settled
        if said:
            settled[face.identity] = said
    return settled


def accepted(face: Face) -> Face:
    """Give a face as it stands once a person approved its server.

    What is learned of a witness is never told, so there is nothing to approve in it: only what stands apart is settled.
    """
    face = replace(face, unread=0)
    if face.suspect:
        face = replace(face, suspect="", beside="", settled=face.suspect)
    if is_witness(face.identity):
        return replace(face, verdict=Verdict.LEARNED) if face.verdict is Verdict.APART else face
    if face.verdict not in (Verdict.LEARNED, Verdict.DRIFTED):
        return face
    return replace(face, verdict=Verdict.LEARNED, learned=face.shown, accepted=True)
