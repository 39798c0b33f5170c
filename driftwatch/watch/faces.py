"""Looking at a server as somebody else, and telling whether the name alone made the difference.

After an ordinary look at most one identity has its turn. Where its face is the ordinary one, or the one that was
learned for it, that is all. Else:

1. The same look again under driftwatch's own name: same era, same declared capabilities, same credential. If that shows
   what the identity was shown, the name is not the reason. The face is learned, or is no longer the learned one. Where
   nothing else was different either, that look was an ordinary one, and is judged as such.
2. If not, both are looked at once more. What differs both times, and what the server does not show to driftwatch at
   other times as well, differs by the name.

3. If neither is so but driftwatch is always shown one and the same list, only the identity's looks vary. They are
   looked at a few times more. Two looks that showed what no ordinary one did, in one turn or in several, differ by the
   name too, and it takes some turns without one until that is over.

What was shown in a turn and has something bad in it that ordinary looks have not is never dropped: where it stands
under no verdict it is kept as a suspect, and told until a person approves the server.

A look as somebody else that fails says nothing about the list; it is kept for the status line and logged. But where
one showed another list and the looks to compare it fail, the second such turn running counts: a server must not get
away with two faces by letting nobody compare them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

import structlog

from driftwatch.config.identities import SECOND_NAME, IdentityConfig
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.judge.faces import differing, face_of, is_stray
from driftwatch.model import BaselineState, Face, Failure, Outcome, Snapshot, Verdict
from driftwatch.store.store import Store
from driftwatch.watch.fetch.base import Fetcher
from driftwatch.watch.known.faces import bad
from driftwatch.watch.schedule import Turn, whose_turn
from driftwatch.watch.seen import Seen
from driftwatch.watch.turn import Asked

log = structlog.get_logger()

_JUDGED = (Verdict.LEARNED, Verdict.DRIFTED, Verdict.DIFFERS)
"""Under these a list that an identity is shown is judged."""

_MORE = 3
"""So many more times both are looked at where only the identity's looks vary."""

_CALM = 8
"""After so many turns without a list of its own, an identity whose looks varied is shown what others are."""

_EARLIER = 8
"""So many of the lists that a server showed lately are looked through for what it shows to anybody."""


@dataclass(frozen=True)
class FaceLook:
    """What a look as somebody else came to: how the looks went, and whether the server is to be judged again.

    `news` is a look that was as ordinary as any and showed something else than the one before: the list to judge then.
    """

    outcomes: tuple[Outcome, ...] = ()
    judge_again: bool = False
    news: Seen | None = None


class Faces:
    """Looks at servers as the identities that are configured for them."""

    def __init__(
        self,
        *,
        store: Store,
        fetcher: Fetcher,
        settings: Settings,
        clock: Callable[[], datetime],
        jitter: Callable[[], float],
    ) -> None:
        """Take the store, the fetcher, the whole configuration, the clock, and a source of numbers in [0, 1)."""
        self._store = store
        self._fetcher = fetcher
        self._settings = settings
        self._clock = clock
        self._jitter = jitter
        self._tidied: set[str] = set()

    async def look(
        self, server: ServerConfig, seen: Seen, next_at: datetime | None, also_as: IdentityConfig | None = None
    ) -> FaceLook:
        """Look as the identity whose turn it is, if it is any one's, and write down how its face stands.

        `seen` is what an ordinary look just showed; `next_at` is when the next one is planned. `also_as` has its turn
        whenever that was to be.

        Raises:
            StoreError: the database could not be read or written.

        """
        await self._tidy(server)
        known = {face.identity: face for face in await asyncio.to_thread(self._store.faces, server.name)}
        if also_as is not None:
            return await self._turn(server, also_as, seen, known.get(also_as.name, Face(server.name, also_as.name)))
        second = known.get(SECOND_NAME.name)
        loud = [SECOND_NAME] if second is not None and not _is_quiet(second) else []
        identities = (*self._settings.identities_of(server), *loud)
        if not identities:
            return FaceLook()
        turns = [Turn(one.name, known[one.name].looked_at if one.name in known else None) for one in identities]
        period = server.cloaking_period
        name = whose_turn(turns, now=self._clock(), next_at=next_at, period=period, jitter=self._jitter())
        if name is None:
            return FaceLook()
        identity = next(one for one in identities if one.name == name)
        return await self._turn(server, identity, seen, known.get(name, Face(server.name, name)))

    async def _tidy(self, server: ServerConfig) -> None:
        """Forget once what was known of identities that are no longer looked as."""
        if server.name not in self._tidied:
            await asyncio.to_thread(self._store.forget_faces, server.name, keep={*server.identities, SECOND_NAME.name})
            self._tidied.add(server.name)

    async def _turn(self, server: ServerConfig, identity: IdentityConfig, seen: Seen, before: Face) -> FaceLook:
        asked = Asked(self._fetcher, server, identity, seen.listed.era, before.failures)
        face, kept = await self._face(asked, seen, replace(before, looked_at=self._clock()))
        face, beside = await asyncio.to_thread(self._suspected, face, asked, face_of(seen.snapshot))
        again = face.judged_by != before.judged_by
        if face.verdict is not before.verdict:
            face = replace(face, since=self._clock())
        ordinary = face_of(seen.snapshot).digest
        shown = [one for one in asked.seen if one.digest != ordinary]
        record = partial(self._store.record_face, face, seen=shown, kept=(*kept, *beside), judge_again=again)
        await asyncio.to_thread(record)
        _log(face, before)
        return FaceLook(tuple(asked.outcomes), again or asked.news is not None, asked.news)

    def _suspected(self, face: Face, asked: Asked, ours: Snapshot) -> tuple[Face, tuple[Snapshot, ...]]:
        """Keep what was shown in a turn, is bad and is judged under no verdict, with the list that it is beside."""
        if face.suspect == ours.digest:
            face = replace(face, suspect="", beside="")
        told = {ours.digest, face.settled, face.suspect}
        told |= {face.shown} if face.verdict in _JUDGED else set()
        told |= {face.learned} if face.accepted or face.verdict is Verdict.LEARNED else set()
        told |= {face_of(asked.news.snapshot).digest} if asked.news is not None else set()
        unjudged = {one.digest: one for one in asked.seen if one.digest not in told}
        if not unjudged:
            return face, ()
        ordinary = (ours, *self._earlier(face.server))
        beside, suspect = (self._store.snapshot(digest) for digest in (face.beside, face.suspect))
        known = frozenset() if beside is None or suspect is None else bad(suspect, beside)
        for one in unjudged.values():
            if not bad(one, ours, ordinary) <= known:
                known = bad(one, ours, ordinary)
                face = replace(face, suspect=one.digest, beside=ours.digest)
        return face, (ours,) if face.beside == ours.digest else ()

    async def _face(self, asked: Asked, seen: Seen, face: Face) -> tuple[Face, tuple[Snapshot, ...]]:
        """Say how the face of an identity stands, and give the snapshots that it takes to judge it."""
        other = await asked.as_identity()
        if not isinstance(other, Seen):
            return _failed(face, other), ()
        face = replace(face, ok_at=face.looked_at, failures=0, outcome="listed", detail="")
        ours, theirs = face_of(seen.snapshot), face_of(other.snapshot)
        if theirs.digest == ours.digest:
            kept = () if theirs.digest == face.learned else (theirs,)
            return _calmer(face, _same(face, theirs)), kept
        if theirs.digest == face.learned:
            return _calmer(face, replace(face, verdict=Verdict.LEARNED, shown=theirs.digest)), ()
        return await self._compared(asked, other, face, (ours, theirs))

    async def _compared(
        self, asked: Asked, other: Seen, face: Face, pair: tuple[Snapshot, Snapshot]
    ) -> tuple[Face, tuple[Snapshot, ...]]:
        """Look under our own name with all else alike, to see whether the name is the reason."""
        ours, theirs = pair
        plain = await asked.as_ourselves(other)
        if not isinstance(plain, Seen):
            return await self._unconfirmed(asked, other, plain, face, pair)
        again = face_of(plain.snapshot)
        if again.digest == theirs.digest:
            cause = asked.cause(other)
            asked.news = None if cause else plain
            return _explained(face, ours, theirs, cause), (ours, theirs)
        if face.verdict is Verdict.DIFFERS and (again.digest, theirs.digest) == (face.ordinary, face.shown):
            return replace(face, calm=0), ()
        return await self._confirmed(asked, other, face, (ours, again, theirs))

    async def _confirmed(
        self, asked: Asked, like: Seen, face: Face, first: tuple[Snapshot, Snapshot, Snapshot]
    ) -> tuple[Face, tuple[Snapshot, ...]]:
        """Look both ways once more; a difference counts only when it is there both times."""
        theirs, ours = await asked.as_identity(like), await asked.as_ourselves(like)
        if not isinstance(theirs, Seen):
            return await self._unconfirmed(asked, like, theirs, face, first[1:])
        if not isinstance(ours, Seen):
            return await self._unconfirmed(asked, like, ours, face, first[1:])
        hidden, plain = face_of(theirs.snapshot), face_of(ours.snapshot)
        ordinary, other = (first[1], plain), (first[2], hidden)
        if not await asyncio.to_thread(self._differ, face.server, first[0], ordinary, other):
            face = replace(face, verdict=Verdict.RESTLESS, cause="", shown=hidden.digest)
            return await self._wavering(asked, like, face, (first[0], *ordinary), other)
        face = replace(face, verdict=Verdict.DIFFERS, cause="", shown=hidden.digest, ordinary=plain.digest)
        return replace(face, strays=0, calm=0), (hidden, plain)

    async def _wavering(
        self, asked: Asked, like: Seen, face: Face, ordinary: Sequence[Snapshot], others: Sequence[Snapshot]
    ) -> tuple[Face, tuple[Snapshot, ...]]:
        """Look some times more where only the identity's looks vary: a roll-out would show it to driftwatch too."""
        plain = ordinary[-1]
        known = (*ordinary, *await asyncio.to_thread(tuple, self._earlier(face.server)))
        strays = [one for one in others if is_stray(one, known)]
        if not strays or any(one.digest != plain.digest for one in ordinary[1:]):
            return face, ()
        for _ in range(_MORE):
            if len(strays) > 1:
                break
            theirs, ours = await asked.as_identity(like), await asked.as_ourselves(like)
            if not isinstance(theirs, Seen) or not isinstance(ours, Seen):
                break
            if face_of(ours.snapshot).digest != plain.digest:
                return face, ()
            strays += [one for one in [face_of(theirs.snapshot)] if is_stray(one, known)]
        face = replace(face, strays=face.strays + len(strays), calm=0)
        if face.strays > 1:
            face = replace(face, verdict=Verdict.DIFFERS, shown=strays[-1].digest, ordinary=plain.digest)
        return face, (strays[-1], plain)

    async def _unconfirmed(
        self, asked: Asked, other: Seen, failure: Failure, face: Face, pair: tuple[Snapshot, Snapshot]
    ) -> tuple[Face, tuple[Snapshot, ...]]:
        """Do without the looks that were refused, once it happens in two turns running: both faces were seen twice."""
        ours, theirs = pair
        before, face = face, _failed(replace(face, failures=asked.failures), failure)
        cause = asked.cause(other)
        if face.verdict is Verdict.DIFFERS or (cause and face.failures < 2):
            return face, ()
        if cause:
            return _explained(face, ours, theirs, cause), pair
        ordinary, shown = [
            await asyncio.to_thread(self._store.snapshot, digest) for digest in (before.ordinary, before.shown)
        ]
        verdict = Verdict.UNKNOWN
        if before.verdict is Verdict.UNKNOWN and ordinary is not None and shown is not None:
            twice = (ordinary, ours), (shown, theirs)
            if await asyncio.to_thread(self._differ, face.server, ours, *twice):
                verdict = Verdict.DIFFERS
        return replace(face, verdict=verdict, cause="", shown=theirs.digest, ordinary=ours.digest), pair

    def _differ(
        self,
        server: str,
        seen: Snapshot,
        ordinary: tuple[Snapshot, Snapshot],
        other: tuple[Snapshot, Snapshot],
    ) -> bool:
        """Say whether two faces differ for no other reason than who asks.

        Where a server is never the same twice, only what the rules find bad in the other face counts.
        """
        found = differing(ordinary, other, (seen, *self._earlier(server)))
        if found.certain or not found.restless:
            return bool(found.certain)
        restless = {(change.kind, change.key) for change in found.restless}
        worse = bad(other[1], ordinary[1]) - bad(ordinary[1], ordinary[0])
        return any((kind, item) in restless for _, kind, item in worse)

    def _earlier(self, server: str) -> Iterator[Snapshot]:
        """Give the faces that ordinary looks saw within the last period, newest first, and the approved one."""
        config = self._settings.server(server)
        since = self._clock() - timedelta(seconds=config.cloaking_period)
        for sighting in reversed(self._store.sightings(server, limit=_EARLIER)):
            kept = self._store.snapshot(sighting.digest) if sighting.last_seen >= since else None
            if kept is not None:
                yield face_of(kept)
        baseline = self._store.baseline(server)
        kept = self._store.snapshot(baseline.digest) if baseline is not None else None
        if kept is not None and baseline is not None and baseline.state is BaselineState.APPROVED:
            yield face_of(kept)


def _is_quiet(face: Face) -> bool:
    """Say whether nothing is open of how an identity stands that nobody configured: then it has no turns."""
    if face.suspect or face.strays:
        return False
    unseen = face.verdict is Verdict.UNKNOWN and not face.shown
    settled = face.verdict is Verdict.LEARNED and face.accepted
    return unseen or settled or face.verdict in (Verdict.SAME, Verdict.RESTLESS)


def _same(face: Face, theirs: Snapshot) -> Face:
    """Follow the ordinary list, which is judged for itself."""
    digest = theirs.digest
    return replace(face, verdict=Verdict.SAME, cause="", shown=digest, ordinary=digest, learned=digest, accepted=False)


def _calmer(face: Face, settled: Face) -> Face:
    """Count a turn without a list of its own; where looks varied it takes some of them to be over."""
    if not face.strays:
        return settled
    if face.calm + 1 >= _CALM:
        return replace(settled, strays=0, calm=0)
    return replace(face if face.verdict is Verdict.DIFFERS else settled, calm=face.calm + 1)


def _explained(face: Face, ours: Snapshot, theirs: Snapshot, cause: str) -> Face:
    """Take a list that does not go by the name: it is the identity's own, or no longer what that was.

    Without a cause the server has changed for everybody between two looks, and the second is judged as an ordinary one.
    """
    face = replace(face, strays=0, calm=0)
    if not cause:
        return replace(face, verdict=Verdict.UNKNOWN, cause="", shown=theirs.digest)
    if face.learned:
        return replace(face, verdict=Verdict.DRIFTED, cause=cause, shown=theirs.digest, ordinary=ours.digest)
    learned = replace(face, verdict=Verdict.LEARNED, cause=cause, shown=theirs.digest, ordinary=ours.digest)
    return replace(learned, learned=theirs.digest, accepted=False)


def _failed(face: Face, failure: Failure) -> Face:
    """Keep what is known; that somebody is not let in is no drift."""
    outcome = f"{type(failure).__name__.lower()}:{failure.code}"
    return replace(face, failures=face.failures + 1, outcome=outcome, detail=failure.detail)


def _log(face: Face, before: Face) -> None:
    """Say how it went: loudly where the name makes a difference or where a look fails that did not before."""
    news = face.verdict is not before.verdict
    loud = (news and face.verdict is Verdict.DIFFERS) or (face.failures == 1)
    log.log(
        logging.WARNING if loud else logging.INFO if news else logging.DEBUG,
        "looked as somebody else",
        action="look-as",
        server=face.server,
        identity=face.identity,
        outcome=face.outcome,
        detail=face.detail,
        verdict=face.verdict.value,
    )
