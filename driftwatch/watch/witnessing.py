"""The witnessing verb: take in what an agent was shown, and say how it stands to what driftwatch is shown.

What is shown to driftwatch too, or known of that witness, is the end of it. All else waits for a look of driftwatch's
own, which the daemon makes at once, and is then held against what that saw:

1. The same list: a roll-out has reached the agent first. It is judged as an ordinary difference, not as two faces.
2. The list that is approved, or one that driftwatch was shown since the session began: the agent holds an older list.
   Where nobody ever approved it and it matters, that stands: else a server would show driftwatch a list for a moment,
   and agents for good. The same becomes of 1. once driftwatch is shown something else.
3. Another list in the middle of a session: it flipped. That stands until a person approves.
4. Another list from the start: the host may have another credential, environment or era. What is bad in it stands;
   else it is learned as the witness's own list, and another one than that stands from then on. A session that becomes
   that list has flipped all the same, until a person approves.

What stands is written once and never taken back, whatever the server shows then and whatever is handed in: only a
person ends it. While driftwatch is shown the same list it is left out of the judgement (see `known.witnessed`).

Where driftwatch cannot look, only what has something bad in it is told at once; the rest waits for a few looks. A
prompt's body is held against those that are known of that prompt: they are made anew each time, so only what no text
may have is told.

A list of which an agent asked for a part only is compared as if the rest were as it is on the other side.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

import structlog

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.judge.faces import face_of
from driftwatch.judge.rules.witnessed_difference import RULE, UNREAD
from driftwatch.judge.snapshot import LISTS, document_of, oddities_of
from driftwatch.judge.witnessed import is_among, shown_to
from driftwatch.model import (
    Document,
    Failure,
    Oddity,
    Severity,
    Snapshot,
    Testimony,
    TestimonyState,
    Witnessed,
    identity_of,
)
from driftwatch.store.store import Store
from driftwatch.watch.beside import Beside, known_as
from driftwatch.watch.seen import Seen
from driftwatch.watch.testimonies import Testimonies
from driftwatch.watch.witnessface import faced

log = structlog.get_logger()

MOST_BODIES: Final = 50
"""Prompts' bodies that are taken of one look."""
_LONGEST: Final = timedelta(days=30)
"""No session is taken to be older: so far back a list that driftwatch was shown counts as an older one."""
_PATIENCE: Final = 3
"""After so many failed looks what waits is compared with what driftwatch was shown last."""
_MOST_APART: Final = 20
"""So many lists of one witness stand at the same time; beyond that only what is worse than all of them."""

_OPEN: Final = (TestimonyState.PENDING, TestimonyState.SAME)
"""What a look of driftwatch's own may make something else of."""
_AGAIN: Final = (TestimonyState.LEARNED, TestimonyState.FLIPPED, TestimonyState.APART)
"""Of a list it depends on what the session showed before whether it stands so."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What was made of one look that was handed in: its lists, if it had any, and each prompt's body, as they stand.

    `news` says for each whether it was not known before, `lost` whether more of what the agent was shown could not be
    read than was known: a look of driftwatch's own tells of that.
    """

    testimonies: tuple[Testimony, ...]
    news: tuple[bool, ...]
    lost: bool = False

    @property
    def is_news(self) -> bool:
        """Whether any of it was not known."""
        return any(self.news)

    @property
    def waits(self) -> bool:
        """Whether any of it waits for a look of driftwatch's own."""
        return any(one.state is TestimonyState.PENDING for one in self.testimonies)

    @property
    def wants_look(self) -> bool:
        """Whether driftwatch is to look at once: to compare what waits, or to tell what could not be read."""
        return self.waits or self.lost


class Witnesses:
    """Takes in what agents were shown, and settles it. Its methods block."""

    def __init__(self, *, store: Store, settings: Settings, clock: Callable[[], datetime]) -> None:
        """Take the store, the whole configuration and the clock."""
        self._store, self._settings, self._clock = store, settings, clock

    def take_in(self, seen: Witnessed) -> Taken:
        """Keep one look. What driftwatch is shown too is settled at once; the rest waits for a look of its own.

        Raises:
            UnknownServerError: no server of that name is configured.
            TooManyLooksError: more waits already than is kept; what there was no room for was not taken.
            StoreError: the database could not be written.

        """
        self._settings.server(seen.server)
        lists, bodies = shown_to(seen.document, seen.oddities)
        unread = self._unread(seen) if seen.gaps else 0
        one = self._testimony(seen, lists)
        # What could not be read is written down with the lists, also where it was all that there was.
        taken = [self._lists(one, lists)] if lists.sections or seen.gaps else []
        if not taken and bodies and seen.session:
            # Else the first lists of the session would be taken to have come after others that were lost.
            self._lists(one, lists)
        for body in bodies[:MOST_BODIES]:
            about = replace(
                one, prompt=body.items[0].key, digest=body.digest, sections=body.sections, partial=frozenset(), gaps=0
            )
            taken.append(self._store.take_testimony(about, document=_document(body)))
        found = Taken(
            tuple(testimony for testimony, _ in taken),
            tuple(is_news for _, is_news in taken),
            lost=bool(seen.gaps) and self._unread(seen) > unread,
        )
        log.info(
            "took in what an agent was shown",
            action="witnessed",
            server=seen.server,
            witness=seen.witness,
            states=[testimony.state.value for testimony in found.testimonies],
            news=found.is_news,
            calls=seen.calls,
        )
        return found

    def _unread(self, seen: Witnessed) -> int:
        """Count what of a witness could not be read and nobody decided on."""
        mine = identity_of(seen.witness)
        return next((face.unread for face in self._store.faces(seen.server) if face.identity == mine), 0)

    def _testimony(self, seen: Witnessed, lists: Snapshot) -> Testimony:
        now = self._clock()
        return Testimony(
            server=seen.server,
            witness=seen.witness,
            session=seen.session,
            digest=lists.digest,
            sections=lists.sections,
            seen_at=seen.at,
            began=_began(seen, now),
            received_at=now,
            number=seen.number,
            calls=seen.calls,
            tool=seen.tool,
            client=seen.client,
            era=seen.era,
            protocol_version=seen.protocol_version,
            noticed=seen.noticed,
            gaps=seen.gaps,
            partial=frozenset(LISTS[key][0] for key in seen.partial if key in LISTS) & lists.sections,
        )

    def _lists(self, one: Testimony, lists: Snapshot) -> tuple[Testimony, bool]:
        """Keep lists; those that are as driftwatch is shown them, or as they are known, do not wait."""
        live = self._live(one.server)
        ours = None if live is None else face_of(live)
        about = Testimonies(self._store, self._store.testimonies_about(one), ours)
        state = _known_as(one, lists, about, ours)
        settled = replace(one, state=state or one.state, settled_at=one.received_at)
        # Beside a look that comes late, a later one that was quiet may be news.
        if state is None or any(row.state is TestimonyState.LEARNED for row in about.later(one)):
            face = faced(self._store, one, ours=None, is_old=False)
            return self._store.take_testimony(one, document=_document(lists), face=face)
        face = faced(self._store, settled, ours=ours, is_old=bool(about.later(settled)))
        return self._store.take_testimony(settled, shown=lists if lists.sections else None, face=face)

    def settle(self, server: ServerConfig, seen: Seen | Failure, began: datetime) -> bool:
        """Hold what waits against a look that began at a moment; say whether the server is to be judged again.

        What came in later waits for the next look: this one may be older.

        Raises:
            StoreError: the database could not be read or written.

        """
        # A look that works is judged by what was lost as well.
        lost = not isinstance(seen, Seen) and self._is_to_be_told(server.name)
        if not self._store.witnessed_as(server.name, _OPEN):
            return lost
        state = self._store.state(server.name)
        live = seen.snapshot if isinstance(seen, Seen) else self._live(server.name)
        moment = Beside(
            self._store, self._settings, server, state, live, unseen=not isinstance(seen, Seen), now=self._clock()
        )
        again = lost
        if self._store.witnessed_as(server.name, (TestimonyState.PENDING,)):
            again = self._compare(moment, began) or again
        return self._age(moment) or again

    def _is_to_be_told(self, server: str) -> bool:
        """Say whether something could not be read that no finding tells of yet."""
        told = any(one.rule == RULE.id and one.category == UNREAD for one in self._store.findings(server))
        return not told and bool(self._store.lossy(server))

    def _compare(self, moment: Beside, began: datetime) -> bool:
        """Compare what waits; say whether the server is to be judged again."""
        rows = self._store.testimonies(moment.server.name)
        kept = Testimonies(self._store, rows, moment.ours)
        waiting = [one for one in rows if one.state is TestimonyState.PENDING and one.received_at <= began]
        again = False
        for one in sorted(waiting, key=lambda one: (one.session, one.number, one.id)):
            again |= self._settled(moment, kept, one)
            for later in [row for row in kept.later(one) if row.state in _AGAIN]:
                again |= self._settled(moment, kept, later)
        return again

    def _age(self, moment: Beside) -> bool:
        """See to lists that driftwatch was shown when they were compared, and is not shown any more."""
        if moment.unseen or moment.ours is None:
            return False
        alike = self._store.witnessed_as(moment.server.name, (TestimonyState.SAME,), kept=True)
        moved = {
            (digest, sections, partial)
            for digest, sections, partial in alike
            if sections and digest not in moment.digests_of(sections)
        }
        if not moved:
            return False
        kept = Testimonies(self._store, (), moment.ours)
        quiet, again = [], False
        for one in self._store.testimonies(moment.server.name, states=(TestimonyState.SAME,)):
            if (one.digest, one.sections, one.partial) not in moved:
                continue
            shown = kept.lists(one)
            if shown is None or moment.is_ours(one, shown):
                continue
            held = moment.held(one, shown, one.settled_at or one.received_at)
            if held.state is TestimonyState.OLDER:
                quiet.append(one)
            else:
                again |= self._write(moment, kept, one, self._bounded(kept, held), shown)
        self._store.aged(quiet, moment.now)
        return again

    def _settled(self, moment: Beside, kept: Testimonies, one: Testimony) -> bool:
        """Compare one look and write how it stands; say whether the server is to be judged again."""
        shown = kept.lists(one)
        if shown is None:
            return False
        known = kept.known(one)
        settled = moment.body(one, shown, known) if one.prompt else moment.stands(one, shown, known, kept.before(one))
        if moment.unseen and not one.prompt and not self._is_ripe(moment, settled):
            return False
        if one.state.stands and not _is_worse(settled, one):
            return False
        return self._write(moment, kept, one, self._bounded(kept, settled), shown)

    def _is_ripe(self, moment: Beside, settled: Testimony) -> bool:
        """Say whether a look that was compared without one of driftwatch's own is not to wait any longer."""
        bad = settled.severity is Severity.CRITICAL or (
            settled.state is TestimonyState.APART and settled.against != "learned"
        )
        known = settled.state in (TestimonyState.SAME, TestimonyState.OLDER)
        return bad or known or moment.state.failures >= _PATIENCE

    def _bounded(self, kept: Testimonies, settled: Testimony) -> Testimony:
        """Only count what stands apart beside enough others: of a session the first and each that is worse."""
        if not settled.state.stands:
            return settled
        rows = kept.standing(settled)
        own = [row for row in rows if row.session == settled.session] if settled.session and not settled.prompt else []
        full = own or (rows if len(rows) >= _MOST_APART else [])
        worst = max((row.severity for row in full if row.severity is not None), default=None)
        if worst is None or (settled.severity is not None and settled.severity > worst):
            return settled
        return replace(settled, state=TestimonyState.LEFT)

    def _write(self, moment: Beside, kept: Testimonies, before: Testimony, settled: Testimony, shown: Snapshot) -> bool:
        """Write how a look stands; say whether a judgement rests on it."""
        unchanged = replace(settled, settled_at=before.settled_at, unseen=before.unseen) == before
        if unchanged:
            return False
        alike = settled.state in (TestimonyState.LEFT, TestimonyState.SAME) and not settled.partial
        lists = [] if alike else [shown]
        # Of a server that is never the same twice each look would be another list, and says no more than ours does.
        lists += [] if settled.prompt else moment.sides_of(settled)
        face = faced(self._store, settled, ours=moment.ours, is_old=bool(kept.later(settled)))
        stands = settled.state.stands
        written = self._store.settle_testimony(before, settled, face=face, kept=lists, judge_again=stands)
        if written:
            kept.put(settled)
        if stands:
            log.warning(
                "an agent was shown another list",
                action="witnessed-apart",
                server=settled.server,
                witness=settled.witness,
                state=settled.state.value,
                severity=settled.severity.value if settled.severity else None,
                calls=settled.calls,
            )
        return written and stands

    def _live(self, server: str) -> Snapshot | None:
        last = self._store.state(server).last_digest
        return self._store.snapshot(last) if last else None


def _is_worse(settled: Testimony, before: Testimony) -> bool:
    """Say whether something that stands was compared once more as something that is worse."""
    if not settled.state.stands or settled.severity is None:
        return False
    return before.severity is None or settled.severity > before.severity


def _known_as(one: Testimony, lists: Snapshot, about: Testimonies, ours: Snapshot | None) -> TestimonyState | None:
    """Say as what lists are known: as what driftwatch is shown, or of the witness; None where they are not."""
    shown = [] if ours is None else [ours]
    if is_among(lists, shown, one.partial):
        return TestimonyState.SAME
    return known_as(one, lists, shown, about.known(one), about.before(one))


def _document(shown: Snapshot) -> tuple[Document, tuple[Oddity, ...]]:
    """Give what a list is made of again, without anything that is not compared."""
    return document_of(shown), oddities_of(shown)


def _began(seen: Witnessed, now: datetime) -> datetime:
    """Say when a session began by our clock. How long it lasted is certain, also where the witness's clock is wrong.

    A look that lay in a spool comes late: then the witness's own time is the earlier one, and counts.
    """
    lasted = max(seen.at - seen.started_at, timedelta())
    told = [seen.started_at] if seen.started_at <= now else []
    return max(min([now - min(lasted, _LONGEST), *told]), now - _LONGEST)
