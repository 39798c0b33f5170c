"""What servers show to the identities as whom driftwatch looks now and then."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict, replace

from sqlalchemy import Connection, delete, insert, select, update

from driftwatch.model import Face, Verdict
from driftwatch.store.tables import faces


def listed(connection: Connection, server: str | None = None) -> tuple[Face, ...]:
    """Give the faces of a server, or of all, by server and identity."""
    query = select(faces).order_by(faces.c.server, faces.c.identity)
    if server is not None:
        query = query.where(faces.c.server == server)
    return tuple(Face(**row) for row in connection.execute(query).mappings())


def write(connection: Connection, face: Face) -> None:
    """Write one face in the place of what was known."""
    mine = (faces.c.server == face.server) & (faces.c.identity == face.identity)
    values = asdict(face)
    if connection.execute(update(faces).where(mine).values(**values)).rowcount == 0:
        connection.execute(insert(faces).values(**values))


def forget(connection: Connection, server: str, keep: Collection[str]) -> bool:
    """Forget the faces of all other identities; say whether a judgement may have rested on one of them."""
    gone = [face for face in listed(connection, server) if face.identity not in keep]
    for face in gone:
        connection.execute(delete(faces).where(faces.c.server == server, faces.c.identity == face.identity))
    return any(face.judged_by for face in gone)


def accept(connection: Connection, seen: Iterable[Face]) -> None:
    """Let what identities were shown stand as their own lists, as far as they are still shown it."""
    for face in seen:
        if face.verdict in (Verdict.LEARNED, Verdict.DRIFTED):
            taken = accepted(face)
            connection.execute(
                update(faces)
                .where(faces.c.server == face.server, faces.c.identity == face.identity, faces.c.shown == face.shown)
                .values(verdict=taken.verdict, learned=taken.learned, accepted=taken.accepted)
            )


def accepted(face: Face) -> Face:
    """Give a face as it stands once a person approved its server."""
    if face.verdict not in (Verdict.LEARNED, Verdict.DRIFTED):
        return face
    return replace(face, verdict=Verdict.LEARNED, learned=face.shown, accepted=True)
