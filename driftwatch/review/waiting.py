"""How witnesses stand while something that they handed in waits to be compared. Reads the store."""

from __future__ import annotations

from dataclasses import replace

from driftwatch.model import Face, Verdict, is_witness, witness_of
from driftwatch.store.store import Store


def faces_now(store: Store, server: str | None = None) -> tuple[Face, ...]:
    """Give the faces of a server, or of all: of a witness that was shown something new, that this waits for a look.

    What was compared last of it says nothing of that.

    Raises:
        StoreError: the database could not be read.

    """
    waits = store.uncompared(server)
    return tuple(
        replace(face, verdict=Verdict.WAITING)
        if is_witness(face.identity) and (face.server, witness_of(face.identity)) in waits
        else face
        for face in store.faces(server)
    )
