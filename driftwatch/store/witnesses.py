"""Who hands in looks at a server: how many names there may be, who is forgotten, and what they could not read."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import takewhile
from typing import Final

from sqlalchemy import Connection, delete, exists, func, select, update

from driftwatch.errors import TooManyLooksError, UnknownWitnessError, WitnessNeededError
from driftwatch.model import (
    STANDING,
    Act,
    Action,
    Actor,
    Face,
    Lossy,
    Testimony,
    TestimonyState,
    identity_of,
    is_witness,
    witness_of,
)
from driftwatch.model.commands import command
from driftwatch.store import audit
from driftwatch.store.engine import reading
from driftwatch.store.servers import judged_anew
from driftwatch.store.shelf import Shelf
from driftwatch.store.tables import faces
from driftwatch.store.witness_tables import witnessed

MOST_WITNESSES: Final = 50
"""Witnesses of one server."""
UNHEARD: Final = timedelta(days=30)
"""A witness for which nothing stands makes room for a new one once it was not heard of for so long."""

_NEEDED: Final = (*STANDING, TestimonyState.PENDING)


class NamesShelf(Shelf):
    """The part of the Store that is about the witnesses themselves."""

    def forget_witness(self, server: str, witness: str, *, by: Actor) -> None:
        """Delete what a witness handed in of a server, where nothing of it stands or waits.

        The lists that were learned of it are not known any more, and another witness may have its place.

        Raises:
            UnknownWitnessError: nothing is known of it.
            WitnessNeededError: something of it stands or waits. Either way nothing was written.

        """
        with self._write() as connection:
            mine = (witnessed.c.server == server) & (witnessed.c.witness == witness)
            kept = select(faces.c.identity).where(faces.c.server == server, faces.c.identity == identity_of(witness))
            if not any(connection.scalar(select(exists(one))) for one in (select(witnessed.c.id).where(mine), kept)):
                hint = f"See which there are: {command('status', server)}"
                raise UnknownWitnessError(f"{server!r} has no witness called {witness!r}.", hint=hint)
            if connection.scalar(select(exists().where(mine, witnessed.c.state == TestimonyState.PENDING))):
                hint = f"Let driftwatch look first: {command('check', server)}"
                raise WitnessNeededError(f"Some of what {witness!r} handed in waits to be compared.", hint=hint)
            if _is_needed(connection, server, witness):
                hint = f"Read it and decide on it first: {command('diff', server)}"
                raise WitnessNeededError(f"Something that {witness!r} handed in is not decided on yet.", hint=hint)
            _forget(connection, server, witness)
            act = Act(Action.WITNESS_FORGOTTEN, by, self._clock(), server=server, details={"witness": witness})
            audit.write(connection, act)

    def gaps(self, server: str | None = None) -> dict[tuple[str, str], int]:
        """Count by server and witness what the sessions that are kept showed and the witness could not read."""
        one = [witnessed.c.server == server] if server is not None else []
        by_session = (witnessed.c.server, witnessed.c.witness, witnessed.c.session)
        most = func.max(witnessed.c.gaps).label("most")
        lists = (witnessed.c.gaps > 0, witnessed.c.prompt == "")
        query = select(witnessed.c.server, witnessed.c.witness, most).where(*lists, *one)
        found: dict[tuple[str, str], int] = {}
        with reading(self._engine) as connection:
            for row in connection.execute(query.group_by(*by_session)):
                found[row.server, row.witness] = found.get((row.server, row.witness), 0) + row.most
        return found

    def uncompared(self, server: str | None = None) -> frozenset[tuple[str, str]]:
        """Name the servers, each with a witness, of which something waits for a look of driftwatch's own."""
        one = [witnessed.c.server == server] if server is not None else []
        query = select(witnessed.c.server, witnessed.c.witness).where(witnessed.c.state == TestimonyState.PENDING, *one)
        with reading(self._engine) as connection:
            return frozenset((row.server, row.witness) for row in connection.execute(query.distinct()))

    def lossy(self, server: str, *, at: datetime | None = None) -> list[Lossy]:
        """Give the sessions of which something was lost and on which nobody decided, the newest first.

        With `at` only what was handed in by then.
        """
        with reading(self._engine) as connection:
            if connection.scalar(select(func.max(faces.c.unread)).where(faces.c.server == server)) in (None, 0):
                return []
            return _lossy(connection, server, at)


def _lossy(connection: Connection, server: str, at: datetime | None) -> list[Lossy]:
    """Order sessions by when they were first heard of: what is decided on, or whole, ends those in a row."""
    lists = [witnessed.c.server == server, witnessed.c.prompt == ""]
    if at is not None:
        lists.append(witnessed.c.received_at <= at)
    by_session = (witnessed.c.witness, witnessed.c.session)
    lost = (func.max(witnessed.c.gaps) - func.max(witnessed.c.heeded)).label("lost")
    last = func.max(witnessed.c.received_at).label("last")
    query = select(*by_session, lost, last).where(*lists).group_by(*by_session)
    rows = list(connection.execute(query.order_by(func.min(witnessed.c.id).desc())))
    recent = len(list(takewhile(lambda row: row.lost > 0, rows)))
    return [
        Lossy(row.witness, row.session, row.lost, row.last, recent=number < recent)
        for number, row in enumerate(rows)
        if row.lost > 0
    ]


def hold_names(connection: Connection, new: Testimony) -> None:
    """See that a server has room for the name of a witness; who was not heard of for long makes some.

    Raises:
        TooManyLooksError: there is none.

    """
    mine = witnessed.c.server == new.server
    if connection.scalar(select(exists().where(mine, witnessed.c.witness == new.witness))):
        return
    known = connection.execute(select(faces.c.identity, faces.c.looked_at).where(faces.c.server == new.server))
    heard = {witness_of(row.identity): row.looked_at for row in known if is_witness(row.identity)}
    named = select(witnessed.c.witness, func.max(witnessed.c.received_at).label("last")).where(mine)
    for row in connection.execute(named.group_by(witnessed.c.witness)):
        heard[row.witness] = heard.get(row.witness) or row.last
    if len(heard) < MOST_WITNESSES or new.witness in heard:
        return
    since = new.received_at - UNHEARD
    for witness in sorted(heard, key=lambda name: heard[name]):
        if heard[witness] >= since:
            break
        if not _is_needed(connection, new.server, witness):
            _forget(connection, new.server, witness)
            return
    hint = (
        "Use one name for each host or gateway, not for each session. To forget one for which nothing stands: "
        f"{command('witness', 'forget', new.server)} WITNESS"
    )
    raise TooManyLooksError(f"{new.server!r} has {MOST_WITNESSES} witnesses already.", hint=hint)


def _is_needed(connection: Connection, server: str, witness: str) -> bool:
    """Say whether something of a witness stands, waits, or could not be read and is not decided on."""
    mine = (witnessed.c.server == server) & (witnessed.c.witness == witness)
    undecided = witnessed.c.state.in_(_NEEDED) | (witnessed.c.gaps > witnessed.c.heeded) & (witnessed.c.prompt == "")
    return bool(connection.scalar(select(exists().where(mine, undecided))))


def _forget(connection: Connection, server: str, witness: str) -> None:
    connection.execute(delete(witnessed).where(witnessed.c.server == server, witnessed.c.witness == witness))
    connection.execute(delete(faces).where(faces.c.server == server, faces.c.identity == identity_of(witness)))


def count_unread(connection: Connection, server: str, witness: str) -> None:
    """Write down how much of what a witness could not read nobody decided on; the server is judged again for more."""
    lists = (witnessed.c.server == server, witnessed.c.witness == witness, witnessed.c.prompt == "")
    lost = (func.max(witnessed.c.gaps) - func.max(witnessed.c.heeded)).label("lost")
    sessions = select(lost).where(*lists).group_by(witnessed.c.session).subquery()
    found = connection.scalar(select(func.sum(sessions.c.lost)).where(sessions.c.lost > 0)) or 0
    whose = (faces.c.server == server) & (faces.c.identity == identity_of(witness))
    before = connection.scalar(select(faces.c.unread).where(whose)) or 0
    if found != before:
        connection.execute(update(faces).where(whose).values(unread=found))
    if found > before:
        judged_anew(connection, server)


def heed(connection: Connection, face: Face) -> int:
    """Let stand what a witness could not read, unless there is more of it by now; give how much that was."""
    whose = (faces.c.server == face.server) & (faces.c.identity == face.identity) & (faces.c.unread == face.unread)
    if not face.unread or connection.execute(update(faces).where(whose).values(unread=0)).rowcount == 0:
        return 0
    mine = (witnessed.c.server == face.server) & (witnessed.c.witness == witness_of(face.identity))
    read = witnessed.c.gaps > witnessed.c.heeded
    connection.execute(update(witnessed).where(mine, read).values(heeded=witnessed.c.gaps))
    return face.unread


def name_suspect(connection: Connection, server: str, witness: str) -> None:
    """Name what joined last of what stands of a witness; nothing where nothing does.

    What a person approves is refused when another one is named by then: so it is the list that came to stand last, and
    not the one of which that was seen once more.
    """
    mine = (witnessed.c.server == server) & (witnessed.c.witness == witness) & witnessed.c.state.in_(STANDING)
    rows = connection.execute(
        select(witnessed.c.digest, witnessed.c.before).where(mine).order_by(witnessed.c.settled_at, witnessed.c.id)
    )
    first: dict[str, str] = {}
    for row in rows:
        first.setdefault(row.digest, row.before)
    suspect, beside = next(reversed(first.items()), ("", ""))
    whose = (faces.c.server == server) & (faces.c.identity == identity_of(witness))
    connection.execute(update(faces).where(whose).values(suspect=suspect, beside=beside))
