"""What witnesses handed in: kept once each, within bounds that a hostile server cannot push anything through.

Of a session the first look and the newest are kept, and each that stands apart within the bounds of whoever compared
it. What stands is never dropped, nor the list that it is held against: alerts rest on it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, case, delete, func, insert, literal, or_, select, update

from driftwatch.errors import TooManyLooksError, UnknownDigestError
from driftwatch.model import (
    STANDING,
    Document,
    Face,
    Json,
    Kind,
    Oddity,
    Snapshot,
    Testimony,
    TestimonyState,
    is_witness,
    witness_of,
)
from driftwatch.model.commands import command
from driftwatch.store import faces, servers, snapshots, witnesses
from driftwatch.store.codec import pack, unpack
from driftwatch.store.engine import reading
from driftwatch.store.servers import judged_anew
from driftwatch.store.shelf import Shelf
from driftwatch.store.tables import faces as faces_table
from driftwatch.store.tables import snapshots as lists_table
from driftwatch.store.witness_tables import witnessed

MOST_WAITING: Final = 32 * 1024 * 1024
"""Bytes, packed, of the looks at one server that wait to be compared."""
MOST_PENDING: Final = 500
"""Looks at one server that wait to be compared: each of them costs the server's next look some time."""
MOST_SESSIONS: Final = 50
"""Sessions of one witness without anything apart, and as many of which something was lost: the newest are kept."""
MOST_SETTLED: Final = 50
"""Lists of one witness that a person approved or that were learned, and as many of its prompts' bodies."""

_QUIET: Final = (TestimonyState.SAME, TestimonyState.OLDER, TestimonyState.LEFT)
_NOT_KEPT: Final = (TestimonyState.PENDING, TestimonyState.LEFT)
_KNOWN: Final = (TestimonyState.LEARNED, TestimonyState.SETTLED)
_COLUMNS: Final = tuple(column.name for column in witnessed.columns)
_STANDS: Final = ("state", "before", "against", "severity", "unseen", "settled_at", "shown_at")
_WORDS: Final = ("sections", "partial", "noticed")
_OWN: Final = ("suspect", "beside", "unread")
"""What of the face of a witness is made here, of all that is kept of it."""
_AT_ONCE: Final = 500


class WitnessShelf(Shelf):
    """The part of the Store that is about what witnesses handed in."""

    def take_testimony(
        self,
        testimony: Testimony,
        *,
        document: tuple[Document, tuple[Oddity, ...]] | None = None,
        shown: Snapshot | None = None,
        face: Face | None = None,
    ) -> tuple[Testimony, bool]:
        """Keep one look, and say whether it is news; of one that is known give what is kept, and count it once more.

        `document` is what a pending one showed, with its oddities; `shown` is the list of one that was compared, and
        `face` how its witness stands now.

        Raises:
            TooManyLooksError: more than can be kept; nothing was written.

        """
        with self._write() as connection:
            known = _known(connection, testimony)
            if known is not None and (known.state.stands or not known.partial > testimony.partial):
                return _again(connection, known, testimony), False
            if known is not None:
                # What was the beginning of a list is all of it: that is another list, with the same items.
                connection.execute(delete(witnessed).where(witnessed.c.id == known.id))
            held = None if document is None else _packed(*document)
            _hold_bounds(connection, testimony, len(held or b""))
            servers.ensure(connection, testimony.server)
            values = {**_values(testimony), "held": held}
            kept = connection.execute(insert(witnessed).values(**values)).inserted_primary_key
            if shown is not None:
                snapshots.keep(connection, shown, testimony.received_at)
            if face is not None:
                faces.write(connection, face, but=_OWN)
                if shown is not None:
                    faces.saw(connection, face, shown.digest, testimony.received_at)
            _prune(connection, testimony)
            if testimony.gaps:
                witnesses.count_unread(connection, testimony.server, testimony.witness)
            return replace(testimony, id=kept[0] if kept else 0), True

    def testimonies(
        self, server: str, *, witness: str | None = None, states: Collection[TestimonyState] | None = None
    ) -> list[Testimony]:
        """Give the looks at a server that are kept, in the order in which they came."""
        with reading(self._engine) as connection:
            return _listed(connection, server, witness, states)

    def testimonies_about(self, testimony: Testimony) -> list[Testimony]:
        """Give what bears on how a new look stands: of its witness what stands or is known, and of its session all.

        So many are kept at the most as the bounds allow, however many wait to be compared.
        """
        mine = (witnessed.c.server == testimony.server) & (witnessed.c.witness == testimony.witness)
        states = mine & witnessed.c.state.in_((*STANDING, *_KNOWN))
        session = mine & (witnessed.c.session == testimony.session)
        with reading(self._engine) as connection:
            rows = connection.execute(select(witnessed).where(or_(states, session)).order_by(witnessed.c.id))
            return [_testimony(row) for row in rows]

    def witnessed_as(
        self, server: str, states: Collection[TestimonyState], *, kept: bool = False
    ) -> set[tuple[str, frozenset[Kind], frozenset[Kind]]]:
        """Give the digests of what agents were shown and what stands so, each with its kinds and the partial ones.

        With `kept` only those that are among the snapshots.
        """
        query = select(witnessed.c.digest, witnessed.c.sections, witnessed.c.partial).distinct()
        if kept:
            query = query.join(lists_table, lists_table.c.digest == witnessed.c.digest)
        with reading(self._engine) as connection:
            rows = connection.execute(query.where(witnessed.c.server == server, witnessed.c.state.in_(states)))
            return {(row.digest, _kinds(row.sections), _kinds(row.partial)) for row in rows}

    def aged(self, testimonies: Iterable[Testimony], at: datetime) -> None:
        """Write down that lists which driftwatch was shown too are older ones by now, and no more than that."""
        ids = [one.id for one in testimonies]
        values = {"state": TestimonyState.OLDER, "settled_at": at}
        with self._write() as connection:
            for start in range(0, len(ids), _AT_ONCE):
                mine = witnessed.c.id.in_(ids[start : start + _AT_ONCE]) & (witnessed.c.state == TestimonyState.SAME)
                connection.execute(update(witnessed).where(mine).values(**values))

    def held_testimony(self, testimony: Testimony) -> tuple[Document, tuple[Oddity, ...]] | None:
        """Give what a look showed that waits to be compared; None once it was."""
        with reading(self._engine) as connection:
            packed = connection.scalar(select(witnessed.c.held).where(witnessed.c.id == testimony.id))
        return None if packed is None else _unpacked(packed)

    def settle_testimony(
        self,
        before: Testimony,
        settled: Testimony,
        *,
        face: Face | None,
        kept: Iterable[Snapshot] = (),
        judge_again: bool = False,
    ) -> bool:
        """Write how a look stands, if it stands as `before` still; say whether it did.

        `kept` are the lists that it rests on, `face` is how its witness stands then (None: as it did). `judge_again`
        has the server's next look judged.
        """
        with self._write() as connection:
            mine = (witnessed.c.id == before.id) & (witnessed.c.state == before.state)
            values = {name: getattr(settled, name) for name in _STANDS}
            if connection.execute(update(witnessed).where(mine).values(**values, held=None)).rowcount == 0:
                return False
            lists = {one.digest: one for one in kept}
            for snapshot in lists.values():
                snapshots.keep(connection, snapshot, self._clock())
            if face is not None:
                faces.write(connection, face, but=_OWN)
                if settled.digest in lists and before.state is TestimonyState.PENDING:
                    faces.saw(connection, face, settled.digest, settled.received_at)
            if before.state.stands or settled.state.stands:
                witnesses.name_suspect(connection, settled.server, settled.witness)
            if judge_again:
                judged_anew(connection, settled.server)
            _prune(connection, settled)
            return True

    def resolve_seen(self, server: str, digest: str) -> str:
        """Give a digest in full, of what witnesses saw on a server or of what that was held against.

        Raises:
            UnknownDigestError: it is none of them.

        """
        with reading(self._engine) as connection:
            mine = (witnessed.c.server == server) & witnessed.c.state.not_in(_NOT_KEPT)
            query = select(witnessed.c.id).where(mine, or_(witnessed.c.digest == digest, witnessed.c.before == digest))
            if connection.execute(query.limit(1)).one_or_none() is None:
                hint = f"See what was seen with: {command('history', server)}"
                raise UnknownDigestError(f"No such list was seen on {server!r}.", hint=hint)
        return digest


def was_shown(connection: Connection, server: str, digest: str) -> bool:
    """Say whether agents were shown that, and it stands."""
    mine = (witnessed.c.server == server) & (witnessed.c.digest == digest) & witnessed.c.state.in_(STANDING)
    return connection.execute(select(witnessed.c.id).where(mine).limit(1)).first() is not None


def accept(connection: Connection, seen: Iterable[Face], at: datetime) -> dict[str, Json]:
    """Let stand what identities were shown, as `faces.accept` does, and with it all that stands of their witnesses.

    Of a witness what was written names besides, under `lists`, every list that was settled, and under `unread` how much
    of what it could not read.
    """
    shown = list(seen)
    settled = faces.accept(connection, shown)
    for face in shown:
        if not is_witness(face.identity):
            continue
        if "settled" in settled.get(face.identity, {}):
            settled[face.identity]["lists"] = _settle_all(connection, face, at)
        if heeded := witnesses.heed(connection, face):
            settled[face.identity] = {**settled.get(face.identity, {}), "unread": heeded}
    return settled


def _settle_all(connection: Connection, face: Face, at: datetime) -> list[str]:
    mine = (witnessed.c.server == face.server) & (witnessed.c.witness == witness_of(face.identity))
    stands = witnessed.c.state.in_(STANDING)
    found = list(dict.fromkeys(connection.scalars(select(witnessed.c.digest).where(mine, stands))))
    values = {"state": TestimonyState.SETTLED, "settled_at": at}
    connection.execute(update(witnessed).where(mine, stands).values(**values))
    return found


def _listed(
    connection: Connection, server: str, witness: str | None, states: Collection[TestimonyState] | None
) -> list[Testimony]:
    query = select(witnessed).where(witnessed.c.server == server).order_by(witnessed.c.id)
    if witness is not None:
        query = query.where(witnessed.c.witness == witness)
    if states is not None:
        query = query.where(witnessed.c.state.in_(states))
    return [_testimony(row) for row in connection.execute(query)]


def _known(connection: Connection, new: Testimony) -> Testimony | None:
    """Find what is kept of just this; of a prompt's body in whichever session, and whoever handed in what is quiet.

    One that stands is kept of each witness, as evidence of who was shown it.
    """
    mine = (witnessed.c.server == new.server) & (witnessed.c.prompt == new.prompt) & (witnessed.c.digest == new.digest)
    if new.prompt:
        mine &= (witnessed.c.witness == new.witness) | witnessed.c.state.not_in(STANDING)
    else:
        mine &= (witnessed.c.witness == new.witness) & (witnessed.c.session == new.session)
    row = connection.execute(select(witnessed).where(mine).order_by(witnessed.c.id).limit(1)).one_or_none()
    return None if row is None else _testimony(row)


def _again(connection: Connection, known: Testimony, new: Testimony) -> Testimony:
    """Count a look that is known once more. How it stands stays, whatever number it has now: anybody may say one."""
    gaps = known.gaps if new.prompt else max(known.gaps, new.gaps)
    seen = replace(known, times=known.times + 1, gaps=gaps)
    mine = witnessed.c.id == known.id
    connection.execute(update(witnessed).where(mine).values(times=seen.times, gaps=seen.gaps))
    whose = (faces_table.c.server == new.server) & (faces_table.c.identity == new.identity)
    connection.execute(update(faces_table).where(whose).values(looked_at=new.received_at, ok_at=new.received_at))
    if gaps > known.gaps:
        witnesses.count_unread(connection, new.server, new.witness)
    return seen


def _hold_bounds(connection: Connection, new: Testimony, size: int) -> None:
    witnesses.hold_names(connection, new)
    if not size:
        return
    waits = (witnessed.c.server == new.server, witnessed.c.state == TestimonyState.PENDING)
    row = connection.execute(select(func.count(), func.sum(func.length(witnessed.c.held))).where(*waits)).one()
    if row[0] >= MOST_PENDING or (row[1] or 0) + size > MOST_WAITING:
        raise TooManyLooksError


def _prune(connection: Connection, new: Testimony) -> None:
    """Drop what bounds leave no room for: never what stands, nor what waits to be compared first or last."""
    mine = (witnessed.c.server == new.server) & (witnessed.c.witness == new.witness)
    if new.prompt:
        bodies = mine & (witnessed.c.prompt != "") & witnessed.c.state.in_((*_QUIET, *_KNOWN))
        _keep_newest(connection, bodies, MOST_SETTLED)
        return
    lists = mine & (witnessed.c.prompt == "")
    if new.session:
        _keep_ends(connection, lists & (witnessed.c.session == new.session))
    _keep_newest(connection, lists & witnessed.c.state.in_(_KNOWN), MOST_SETTLED)
    lossy = witnessed.c.gaps > witnessed.c.heeded
    apart = select(witnessed.c.session).where(lists, witnessed.c.state.in_(STANDING), witnessed.c.session != "")
    quiet = lists & witnessed.c.state.in_(_QUIET) & witnessed.c.session.not_in(apart)
    _keep_newest(connection, quiet & ~lossy, MOST_SESSIONS * 2)
    # Whole sessions push nothing out of which something was lost: else a server could make it forgotten.
    _keep_newest(connection, quiet & lossy, MOST_SESSIONS)


def _keep_ends(connection: Connection, session: ColumnElement[bool]) -> None:
    """Of what is quiet or waits in a session keep the first look, the newest, and what waits the longest.

    And the first list of each kind: what the session shows later of that is held against it.
    """
    loose = session & witnessed.c.state.in_((*_QUIET, TestimonyState.PENDING))
    kinds = literal(" ") + witnessed.c.sections + " "
    firsts = [func.min(case((kinds.contains(f" {kind} ", autoescape=True), witnessed.c.number))) for kind in Kind]
    ends = (func.min(witnessed.c.number), func.max(witnessed.c.number))
    numbers = connection.execute(select(*ends, *firsts).where(session)).one()
    pending = (session, witnessed.c.state == TestimonyState.PENDING)
    waits = [
        select(func.min(witnessed.c.id)).where(*pending).scalar_subquery(),
        select(witnessed.c.id).where(*pending).order_by(witnessed.c.number, witnessed.c.id).limit(1).scalar_subquery(),
    ]
    # An id of NULL would keep everything.
    kept = [found for one in waits if (found := connection.scalar(select(one))) is not None]
    between = witnessed.c.number.not_in([number for number in numbers if number is not None])
    connection.execute(delete(witnessed).where(loose, between, witnessed.c.id.not_in(kept)))


def _keep_newest(connection: Connection, which: ColumnElement[bool], most: int) -> None:
    last = connection.scalar(select(witnessed.c.id).where(which).order_by(witnessed.c.id.desc()).offset(most).limit(1))
    if last is not None:
        connection.execute(delete(witnessed).where(which, witnessed.c.id <= last))


def _values(testimony: Testimony) -> dict[str, Any]:
    names = [name for name in _COLUMNS if name not in {"id", "held", *_WORDS}]
    return {
        **{name: getattr(testimony, name) for name in names},
        "sections": " ".join(sorted(testimony.sections)),
        "partial": " ".join(sorted(testimony.partial)),
        "noticed": " ".join(testimony.noticed),
    }


def _testimony(row: Row[Any]) -> Testimony:
    names = [name for name in _COLUMNS if name not in {"held", *_WORDS}]
    return Testimony(
        **{name: getattr(row, name) for name in names},
        sections=_kinds(row.sections),
        partial=_kinds(row.partial),
        noticed=tuple(row.noticed.split()),
    )


def _kinds(words: str) -> frozenset[Kind]:
    return frozenset(Kind(word) for word in words.split())


def _packed(document: Document, oddities: Sequence[Oddity]) -> bytes:
    return pack(
        {"document": document, "oddities": [[one.code, one.pointer, one.detail, one.earlier] for one in oddities]}
    )


def _unpacked(packed: bytes) -> tuple[Document, tuple[Oddity, ...]]:
    value = unpack(packed)
    return value["document"], tuple(Oddity(*each) for each in value["oddities"])
