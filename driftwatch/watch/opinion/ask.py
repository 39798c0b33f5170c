"""Asking a configured model for its opinion of texts: bounded in time and number, and never in the way of an alert.

What leaves the machine: the texts, as `question.py` puts them, and the configured key, to the one configured address;
nothing else. Whatever the endpoint does or does not do is a value, is logged, and is kept as a note for the finding.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

import structlog

from driftwatch.config.opinion import OpinionConfig
from driftwatch.model import KeptOpinion, Opinion, Passage
from driftwatch.watch.opinion.answer import read
from driftwatch.watch.opinion.base import Kept
from driftwatch.watch.opinion.known import Wanted
from driftwatch.watch.opinion.question import address_of, key_of, question
from driftwatch.watch.supply.asking import Asker, Trouble

log = structlog.get_logger()

PATIENCE: Final = 6
"""How many times as long as for an alert is waited for an answer that nobody waits for."""

_LARGEST: Final = 256 * 1024
"""Bytes of one reply: an answer is a few hundred."""

_AT_ONCE: Final = 4
"""Requests at the same time."""

_TRIES: Final = 8
"""Questions without an answer before one is given up: with the waits between them about two days."""

_WAIT: Final = timedelta(minutes=10)
"""Until a question is asked again for the first time; then twice as long each time."""

_OWED: Final = 20
"""Questions that are asked again in one turn."""

_NO_SUCH_FORM: Final = frozenset({400, 415, 422, 501})
"""What endpoints answer that cannot hold an answer to a schema. They are asked once more without that."""

_NO_ENTRY: Final = frozenset({401, 403})

_LATE: Final = "no answer in time"
_LIMIT: Final = "the limit of requests was reached"


class SecondOpinion:
    """Asks the configured model. One for each part of the program that asks."""

    def __init__(self, kept: Kept, config: OpinionConfig, *, clock: Callable[[], datetime]) -> None:
        """Take where answers are kept, whom to ask, and the clock."""
        self._kept = kept
        self._config = config
        self._clock = clock
        self._gate = asyncio.Semaphore(_AT_ONCE)
        self._structured = True

    def wanted(self) -> Wanted:
        """Give what collects the questions of one look; it stays empty while nobody is asked."""
        return Wanted(self._kept, self._config, self._clock)

    async def answer(self, wanted: Wanted, *, server: str = "") -> None:
        """Ask what a look wants to know, for at most `timeout` seconds in all, and keep what comes of it.

        Never raises, neither for what the endpoint does nor for an error of our own: a look goes on without answers.
        """
        wanted.asked = True
        try:
            known = await asyncio.to_thread(self._known, list(wanted.passages))
            asked = {passage: known.get(key_of(passage, self._config.model)) for passage in wanted.passages}
            found = await self._all(asked, (server,) if server else (), self._config.timeout)
            await asyncio.to_thread(self._keep, found, server)
        except Exception:
            log.exception("asking for a second opinion failed", action="opinion-failed", server=server)

    async def catch_up(self) -> int:
        """Ask again what was not answered and is due, in peace; give how many answers came.

        Raises:
            StoreError: the database could not be read or written.

        """
        owed = await asyncio.to_thread(self._kept.owed_opinions, self._clock(), limit=_OWED)
        mine = {one.passage: one for one in owed if one.passage is not None and self._is_mine(one)}
        # What was to be asked of another model, or in other words, is nobody's question any more.
        gone = [_given_up(one) for one in owed if not self._is_mine(one)]
        found = await self._all(mine, (), self._config.timeout * PATIENCE) if mine else []
        await asyncio.to_thread(self._kept.record_opinions, gone)
        if found:
            await asyncio.to_thread(self._keep, found, "")
        return sum(one.opinion.injection is not None for one in found)

    def _is_mine(self, kept: KeptOpinion) -> bool:
        return kept.passage is not None and kept.key == key_of(kept.passage, self._config.model)

    def _known(self, passages: Sequence[Passage]) -> dict[str, KeptOpinion]:
        return self._kept.opinions([key_of(passage, self._config.model) for passage in passages])

    async def _all(
        self, asked: Mapping[Passage, KeptOpinion | None], servers: tuple[str, ...], time: float
    ) -> list[KeptOpinion]:
        """Ask side by side; what is not there when the time is over is late."""
        key = self._config.api_key
        headers = {"authorization": f"Bearer {key.reveal()}"} if key is not None else {}
        address = address_of(self._config.url)
        async with Asker(address, timeout=time, largest=_LARGEST, headers=headers) as asker:
            tasks = {passage: asyncio.create_task(self._one(asker, passage)) for passage in asked}
            try:
                await asyncio.wait(tasks.values(), timeout=time)
            finally:
                for task in tasks.values():
                    task.cancel()
                await asyncio.gather(*tasks.values(), return_exceptions=True)
        opinions = {passage: self._outcome(task) for passage, task in tasks.items()}
        return [self._kept_of(passage, opinions[passage], asked[passage], servers) for passage in asked]

    def _outcome(self, task: asyncio.Task[Opinion]) -> Opinion:
        if task.cancelled():
            return self._none(_LATE)
        error = task.exception()
        if error is None:
            return task.result()
        log.error("asking for a second opinion failed", action="opinion-failed", exc_info=error)
        return self._none(f"driftwatch failed ({type(error).__name__})")

    async def _one(self, asker: Asker, passage: Passage) -> Opinion:
        async with self._gate:
            structured = self._structured
            found = await self._put(asker, passage, structured=structured)
            if structured and isinstance(found, Trouble) and found.status in _NO_SUCH_FORM:
                found = await self._put(asker, passage, structured=False)
                self._structured = isinstance(found, Trouble)
        return self._none(found.why) if isinstance(found, Trouble) else found

    async def _put(self, asker: Asker, passage: Passage, *, structured: bool) -> Opinion | Trouble:
        """Make one request, if the limits let it be made."""
        limits = {"per_hour": self._config.per_hour, "per_day": self._config.per_day}
        if not await asyncio.to_thread(self._kept.take_opinion_request, self._clock(), **limits):
            return Trouble(_LIMIT)
        reply = await asker.post("", question(passage, self._config.model, structured=structured))
        if isinstance(reply, Trouble):
            return Trouble(self._said(reply), status=reply.status)
        return read(reply.value, passage, self._config.model)

    def _said(self, trouble: Trouble) -> str:
        """Say of a trouble whose it is: the endpoint's, that is, and where it is about the key, that."""
        if trouble.status in _NO_ENTRY:
            key = "the configured api_key" if self._config.api_key is not None else "a request without an api_key"
            return f"the endpoint refuses {key} (HTTP {trouble.status})"
        if trouble.absent:
            return f"the endpoint knows no such address or model (HTTP {trouble.status})"
        return f"the endpoint {trouble.why.removeprefix('it ')}" if trouble.why.startswith("it ") else trouble.why

    def _none(self, why: str) -> Opinion:
        return Opinion(self._config.model, trouble=why)

    def _kept_of(
        self, passage: Passage, opinion: Opinion, before: KeptOpinion | None, servers: tuple[str, ...]
    ) -> KeptOpinion:
        """Give what is to be kept of a question: the answer, or when to ask again."""
        now = self._clock()
        tries = (before.tries if before is not None else 0) + (opinion.trouble != _LIMIT)
        owed = opinion.injection is None and tries < _TRIES
        return KeptOpinion(
            key=key_of(passage, self._config.model),
            opinion=opinion,
            asked_at=now,
            again_at=now + _WAIT * 2 ** max(tries - 1, 0) if owed else None,
            passage=passage,
            servers=servers or (before.servers if before is not None else ()),
            tries=tries,
        )

    def _keep(self, found: Collection[KeptOpinion], judging: str) -> None:
        self._kept.record_opinions(found, judging=judging)
        trouble = sorted({one.opinion.trouble for one in found if one.opinion.trouble})
        log.log(
            logging.WARNING if trouble else logging.INFO,
            "asked for a second opinion",
            action="second-opinion",
            server=judging,
            model=self._config.model,
            texts=len(found),
            answers=sum(one.opinion.injection is not None for one in found),
            injections=sum(one.opinion.injection is True for one in found),
            trouble=trouble,
        )


def _given_up(kept: KeptOpinion) -> KeptOpinion:
    return KeptOpinion(kept.key, kept.opinion, kept.asked_at, tries=kept.tries)
