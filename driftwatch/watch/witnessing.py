"""The witnessing verb: take in what an agent was shown, and say how it stands to what driftwatch is shown.

What is shown to driftwatch too, or known of that witness, is the end of it. All else waits for a look of driftwatch's
own, which the daemon makes at once, and is then held against what that saw:

1. The same list: a roll-out has reached the agent first. It is judged as an ordinary difference, not as two faces.
2. The list that is approved, or one that driftwatch was shown since the session began: the agent holds an older list.
3. Another list in the middle of a session: it flipped. That stands until a person approves.
4. Another list from the start: the host may have another credential, environment or era. What is bad in it stands;
   else it is learned as the witness's own list, and another one than that stands from then on.

Where driftwatch cannot look, only what has something bad in it is told at once; the rest waits for a few looks. A
prompt's body is held against those that are known of that prompt: they are made anew each time, so only what no text
may have is told.

Nothing here rests on the order in which looks arrive, nor on the witness's clock alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

import structlog

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.judge.faces import face_of
from driftwatch.judge.snapshot import document_of, oddities_of, take
from driftwatch.judge.witnessed import is_among, shown_to, within
from driftwatch.model import (
    Document,
    Failure,
    Oddity,
    Severity,
    Snapshot,
    Testimony,
    TestimonyState,
    Witnessed,
)
from driftwatch.store.store import Store
from driftwatch.store.witnessed import STANDING
from driftwatch.watch.beside import Beside, Shown
from driftwatch.watch.seen import Seen
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

_KNOWN: Final = (TestimonyState.LEARNED, TestimonyState.SETTLED)
_AGAIN: Final = (TestimonyState.LEARNED, TestimonyState.FLIPPED, TestimonyState.APART)


@dataclass(frozen=True, slots=True)
class Taken:
    """What was made of one look that was handed in: its lists, if it had any, and each prompt's body, as they stand.

    `news` says for each whether it was not known before.
    """

    testimonies: tuple[Testimony, ...]
    news: tuple[bool, ...]

    @property
    def is_news(self) -> bool:
        """Whether any of it was not known."""
        return any(self.news)

    @property
    def waits(self) -> bool:
        """Whether any of it waits for a look of driftwatch's own."""
        return any(one.state is TestimonyState.PENDING for one in self.testimonies)


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
        one = self._testimony(seen, lists)
        taken = [self._lists(one, lists)] if lists.sections else []
        for body in bodies[:MOST_BODIES]:
            about = replace(one, prompt=body.items[0].key, digest=body.digest, sections=body.sections)
            taken.append(self._store.take_testimony(about, document=_document(body)))
        found = Taken(tuple(testimony for testimony, _ in taken), tuple(is_news for _, is_news in taken))
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
        )

    def _lists(self, one: Testimony, lists: Snapshot) -> tuple[Testimony, bool]:
        """Keep lists; those that are as driftwatch is shown them, or as they are known, do not wait."""
        live = self._live(one.server)
        ours = [] if live is None else [face_of(live)]
        known = [shown for _, shown in self._known(one)]
        state = TestimonyState.PENDING
        if is_among(lists, ours):
            state = TestimonyState.SAME
        elif is_among(lists, [*ours, *known]):
            state = TestimonyState.LEARNED
        if state is TestimonyState.PENDING:
            return self._store.take_testimony(one, document=_document(lists), face=faced(self._store, one, ours=None))
        settled = replace(one, state=state, settled_at=one.received_at)
        face = faced(self._store, settled, ours=ours[0] if ours else None)
        return self._store.take_testimony(settled, shown=lists, face=face)

    def settle(self, server: ServerConfig, seen: Seen | Failure, began: datetime) -> bool:
        """Hold what waits against a look that began at a moment; say whether the server is to be judged again.

        What came in later waits for the next look: this one may be older.

        Raises:
            StoreError: the database could not be read or written.

        """
        open_ones = self._store.testimonies(server.name, states=(TestimonyState.PENDING, *STANDING))
        if not open_ones:
            return False
        state = self._store.state(server.name)
        live = seen.snapshot if isinstance(seen, Seen) else self._live(server.name)
        moment = Beside(
            self._store, self._settings, server, state, live, unseen=not isinstance(seen, Seen), now=self._clock()
        )
        again = [self._explained(moment, one) for one in open_ones if one.state.stands and not one.prompt]
        waiting = [one for one in open_ones if one.state is TestimonyState.PENDING and one.received_at <= began]
        for one in sorted(waiting, key=lambda one: (one.session, one.number, one.id)):
            again += [self._settled(moment, one)]
            again += [self._settled(moment, later) for later in self._later(one)]
        return any(again)

    def _explained(self, moment: Beside, one: Testimony) -> bool:
        """Let go of a list that driftwatch itself is shown by now: it is judged as an ordinary difference."""
        lists = self._shown(one, moment.ours)
        if lists is None or not moment.explains(lists):
            return False
        same = replace(one, state=TestimonyState.SAME, settled_at=moment.now, before="", against="", severity=None)
        return self._write(moment, one, same, lists)

    def _later(self, one: Testimony) -> list[Testimony]:
        """Give what was compared of a session before an earlier look of it came in."""
        if not one.session or one.prompt:
            return []
        rows = self._store.testimonies(one.server, witness=one.witness, states=_AGAIN)
        return [row for row in rows if row.session == one.session and not row.prompt and row.number > one.number]

    def _settled(self, moment: Beside, one: Testimony) -> bool:
        """Compare one look and write how it stands; say whether the server is to be judged again."""
        shown = self._shown(one, moment.ours)
        if shown is None:
            return False
        if one.prompt:
            settled = moment.body(one, shown, self._bodies(one))
        else:
            settled = moment.stands(one, shown, self._known(one), self._before(one, moment.ours))
        if moment.unseen and not one.prompt and not self._is_ripe(moment, settled):
            return False
        return self._write(moment, one, self._bounded(settled), shown)

    def _is_ripe(self, moment: Beside, settled: Testimony) -> bool:
        """Say whether a look that was compared without one of driftwatch's own is not to wait any longer."""
        bad = settled.severity is Severity.CRITICAL or (
            settled.state is TestimonyState.APART and settled.against != "learned"
        )
        known = settled.state in (TestimonyState.SAME, TestimonyState.OLDER)
        return bad or known or moment.state.failures >= _PATIENCE

    def _bounded(self, settled: Testimony) -> Testimony:
        """Only count what stands apart beside enough others: of a session the first and each that is worse."""
        if not settled.state.stands:
            return settled
        rows = self._store.testimonies(settled.server, witness=settled.witness, states=STANDING)
        rows = [row for row in rows if bool(row.prompt) == bool(settled.prompt) and row.id != settled.id]
        own = [row for row in rows if row.session == settled.session] if settled.session else []
        full = own or (rows if len(rows) >= _MOST_APART else [])
        if settled.prompt:
            full = rows if len(rows) >= _MOST_APART else []
        worst = max((row.severity for row in full if row.severity is not None), default=None)
        if worst is None or (settled.severity is not None and settled.severity > worst):
            return settled
        return replace(settled, state=TestimonyState.LEFT)

    def _write(self, moment: Beside, before: Testimony, settled: Testimony, shown: Snapshot) -> bool:
        """Write how a look stands; say whether a judgement rests on it."""
        unchanged = replace(settled, settled_at=before.settled_at, unseen=before.unseen) == before
        if unchanged:
            return False
        # What had stood and waits again has its severity still.
        again = before.state.stands or settled.state.stands or before.severity is not None
        kept = [] if settled.state in (TestimonyState.LEFT, TestimonyState.SAME) else [shown]
        # Of a server that is never the same twice each look would be another list, and says no more than ours does.
        ours = None if settled.prompt or moment.ours is None else within(moment.ours, settled.sections)
        kept += [ours] if ours is not None else []
        face = faced(self._store, settled, ours=moment.ours)
        written = self._store.settle_testimony(before, settled, face=face, kept=kept, judge_again=again)
        if settled.state.stands:
            log.warning(
                "an agent was shown another list",
                action="witnessed-apart",
                server=settled.server,
                witness=settled.witness,
                state=settled.state.value,
                severity=settled.severity.value if settled.severity else None,
                calls=settled.calls,
            )
        return written and again

    def _live(self, server: str) -> Snapshot | None:
        last = self._store.state(server).last_digest
        return self._store.snapshot(last) if last else None

    def _known(self, one: Testimony) -> list[Shown]:
        """Give the lists that are a witness's own, the oldest first."""
        rows = self._store.testimonies(one.server, witness=one.witness, states=_KNOWN)
        return list(self._with_lists(row for row in rows if not row.prompt and row.id != one.id))

    def _bodies(self, one: Testimony) -> list[Shown]:
        """Give the bodies of a prompt that are known, whoever saw them, the oldest first."""
        rows = self._store.testimonies(one.server, states=_KNOWN)
        return list(self._with_lists(row for row in rows if row.prompt == one.prompt and row.id != one.id))

    def _before(self, one: Testimony, ours: Snapshot | None) -> list[Shown]:
        """Give what a session showed before, the oldest first."""
        if not one.session:
            return []
        rows = self._store.testimonies(one.server, witness=one.witness)
        rows = [row for row in rows if row.session == one.session and not row.prompt and row.number < one.number]
        return list(self._with_lists(sorted(rows, key=lambda row: (row.number, row.id)), ours))

    def _with_lists(self, rows: Iterable[Testimony], ours: Snapshot | None = None) -> Iterator[Shown]:
        for row in rows:
            shown = self._shown(row, ours)
            if shown is not None:
                yield row, shown

    def _shown(self, one: Testimony, ours: Snapshot | None = None) -> Snapshot | None:
        """Give what a look showed; of one that was only as good as ours, ours."""
        kept = self._store.snapshot(one.digest)
        if kept is None:
            held = self._store.held_testimony(one)
            kept = take(*held) if held is not None else None
        if kept is None and one.state is TestimonyState.SAME:
            kept = ours
        return None if kept is None else within(replace(kept, sections=one.sections), one.sections)


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
