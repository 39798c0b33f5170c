"""News for pages that are open: which servers and lists are no longer as they were shown. Never what they show now.

One writer watches the database for all who listen, once a second, and only while somebody does. Who listens is known
anew each time: with the session the stream ends.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Hashable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Final

import structlog
from fastapi import APIRouter, Request
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.applications import Starlette
from starlette.exceptions import HTTPException

from driftwatch.errors import DriftwatchError, StoreError
from driftwatch.store.store import Store
from driftwatch.web.access import Viewer, viewer

log = structlog.get_logger()
router = APIRouter(include_in_schema=False)

EVERY: Final = 1.0
"""Seconds between two looks at the database."""

QUIET: Final = 15.0
"""Seconds after which somebody who hears nothing is known anew."""

MOST: Final = 200
"""Pages that may listen at the same time; the server has more connections than that, for those who ask."""

AGAIN: Final = 3_000
"""Milliseconds after which a browser comes back when a stream ended."""

Marks = Mapping[str, Hashable]


class Ear:
    """One page that listens: the topics that it has not heard of yet. `over`: there is nothing more to hear."""

    def __init__(self) -> None:
        """Begin with nothing to hear."""
        self._topics: set[str] = set()
        self.over = False
        self.woken = asyncio.Event()

    def tell(self, topics: frozenset[str]) -> None:
        """Add what is new."""
        self._topics |= topics
        self.woken.set()

    def end(self) -> None:
        """Say that nothing more comes."""
        self.over = True
        self.woken.set()

    def heard(self) -> list[str]:
        """Give what is new since this was asked last, in order."""
        topics, self._topics = sorted(self._topics), set()
        self.woken.clear()
        return topics


class Live:
    """Watches the database for all who listen. Lives in one event loop."""

    def __init__(self, store: Store, *, every: float = EVERY, quiet: float = QUIET, most: int = MOST) -> None:
        """Take the store, the two times in seconds, and how many may listen."""
        self._store, self._every, self.quiet, self._most = store, every, quiet, most
        self._ears: set[Ear] = set()
        self._writer: asyncio.Task[None] | None = None
        self._ready = asyncio.Event()
        self._ending: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def listeners(self) -> int:
        """How many listen."""
        return len(self._ears)

    @property
    def is_full(self) -> bool:
        """Whether as many listen as may."""
        return len(self._ears) >= self._most

    @property
    def watches(self) -> bool:
        """Whether the database is watched."""
        return self._writer is not None and not self._writer.done()

    async def ended(self) -> None:
        """Wait until the database is not watched any more: once nobody listens it soon is not."""
        if self._ending is not None:
            await asyncio.wait([self._ending])

    def close(self) -> None:
        """Let all streams end: the server is about to."""
        self._closed = True
        self._end_all()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[Ear]:
        """Listen: whatever is written from now on is heard.

        Who listens is counted from here until they are gone, whichever way. Of those who were let in at the same time,
        and are too many, the last ones hear nothing: it is over for them at once.
        """
        ear = Ear()
        if self.is_full:
            ear.end()
            yield ear
            return
        self._ears.add(ear)
        try:
            if not self.watches:
                self._ready = asyncio.Event()
                self._writer = asyncio.get_running_loop().create_task(self._watch(self._ready), name="news for pages")
            await self._ready.wait()
            if self._closed or not self.watches:
                ear.end()
            yield ear
        finally:
            self._ears.discard(ear)
            if not self._ears and self._writer is not None:
                self._writer.cancel()
                self._ending, self._writer = self._writer, None

    def _end_all(self) -> None:
        for ear in self._ears:
            ear.end()

    async def _watch(self, ready: asyncio.Event) -> None:
        try:
            changes = await asyncio.to_thread(self._store.changes)
            with changes:
                before = await self._marks({})
                ready.set()
                while True:
                    await asyncio.sleep(self._every)
                    with suppress(StoreError):
                        if await asyncio.to_thread(changes.any):
                            before = self._tell(before, await self._marks(before))
        except StoreError as error:
            log.warning("the database cannot be watched for news", action="news-failed", error=error.message)
            self._end_all()
        finally:
            ready.set()

    def _tell(self, before: Marks, after: Marks) -> Marks:
        """Tell everybody what is new, also when that is nothing they asked for: a session may have ended."""
        topics = news(before, after)
        for ear in self._ears:
            ear.tell(topics)
        return after

    async def _marks(self, otherwise: Marks) -> Marks:
        """Read the marks; where that cannot be done, nothing is new."""
        try:
            return await asyncio.to_thread(self._store.marks)
        except StoreError as error:
            log.warning("what is new could not be read", action="news-failed", error=error.message)
            return otherwise


def news(before: Marks, after: Marks) -> frozenset[str]:
    """Give the topics whose mark is another one now."""
    return frozenset(topic for topic in {*before, *after} if before.get(topic) != after.get(topic))


@router.get("/events")
async def events(request: Request, _: Viewer) -> EventSourceResponse:
    """Say what is new, for as long as the page is open."""
    return stream(request)


def stream(request: Request) -> EventSourceResponse:
    """Answer with news: an event `news` with the `topics` that moved, in JSON, until whoever asks may not know more.

    Raises:
        HTTPException: too many listen already.

    """
    live = live_in(request.app)
    if live.is_full:
        raise HTTPException(503)
    return EventSourceResponse(_events(request, live), ping=int(live.quiet), sep="\n")


def live_in(app: Starlette) -> Live:
    """Give the one who watches for an application."""
    live: Live = app.state.live
    return live


async def _events(request: Request, live: Live) -> AsyncIterator[ServerSentEvent]:
    async with live.listening() as ear:
        if ear.over:
            return
        yield ServerSentEvent(event="hello", data="{}", retry=AGAIN)
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(live.quiet):
                    await ear.woken.wait()
            if ear.over or not await asyncio.to_thread(_is_still_in, request):
                return
            topics = ear.heard()
            if topics:
                yield ServerSentEvent(event="news", data=json.dumps({"topics": topics}))


def _is_still_in(request: Request) -> bool:
    try:
        viewer(request)
    except DriftwatchError:
        return False
    return True
