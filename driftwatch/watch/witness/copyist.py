"""The process that reads what a pump copies: frames into messages, messages into looks, looks to the daemon.

The session does not wait for it, and goes on unchanged when it is slow, hangs, or dies. Standard output and error lead
nowhere: what goes wrong stands in the status of the spool.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn, Protocol

from driftwatch.model import Witnessed
from driftwatch.watch.witness.courier import Courier
from driftwatch.watch.witness.frames import ANEW, FROM_AGENT, FROM_SERVER, LOST, Frames
from driftwatch.watch.witness.lines import Lines, Values
from driftwatch.watch.witness.session import Session
from driftwatch.watch.witness.standing import Away

_READ = 1 << 18
_LULL = 0.02
"""Seconds to wait for more where little came: to wake us for every message would cost the pump more than the copy."""
_GOODBYE = 20.0
"""Seconds that delivery has after the end of the session."""


def main(arguments: Sequence[str]) -> None:
    """Read the copy on standard input to its end.

    The arguments are server, host, the path of the settings (empty: the usual place), and what the pump adds: the
    session, when it began (seconds since 1970), and how many read it before.
    """
    server, host, config, session, began, before = arguments
    started = datetime.fromtimestamp(float(began), UTC)
    copied(Wire(Session(server, host, session, started, after=int(before))), config, _GOODBYE)


class Hearer(Protocol):
    """What makes looks of frames."""

    @property
    def due(self) -> datetime | None:
        """When there will be looks to take, None while nothing is new."""

    def hear(self, kind: bytes, content: bytes, at: datetime) -> None:
        """Take a frame."""

    def led_away(self) -> list[Away]:
        """Give to where agents were led past the witness since this was asked last."""

    def take(self, at: datetime) -> list[Witnessed]:
        """Give the looks that are due by now."""

    def finish(self, at: datetime) -> list[Witnessed]:
        """Give all that was not given yet."""


class Wire:
    """A local session: lines in both directions, and what a server writes over several."""

    def __init__(self, session: Session) -> None:
        """Take who reads the messages."""
        self._session = session
        self._lines = {direction: Lines(session.bounds.message) for direction in (FROM_AGENT, FROM_SERVER)}
        self._values = Values(session.bounds.message)
        self._answered = False
        """Whether a line within what goes over several was an answer by itself."""
        self.take = session.take

    @property
    def due(self) -> datetime | None:
        """When there will be looks to take, None while nothing is new."""
        return self._session.due

    def led_away(self) -> list[Away]:
        """Give none: there is no way past a pipe."""
        return []

    def finish(self, at: datetime) -> list[Witnessed]:
        """Give all that was not given yet."""
        if self._values.open:
            self._session.skipped()
        return self._session.finish(at)

    def hear(self, kind: bytes, content: bytes, at: datetime) -> None:
        """Take a frame."""
        if kind == ANEW:
            self._session.anew(at)
            return
        if kind == LOST:
            self._lines[content].lost()
            if content == FROM_SERVER:
                self._values.lost()
            self._session.lost()
            return
        for line in self._lines[kind].feed(content):
            if line is None:
                self._session.skipped()
            elif kind == FROM_AGENT:
                self._session.client_said(line)
            else:
                self._server_said(line, at)

    def _server_said(self, line: bytes, at: datetime) -> None:
        """Read a line by itself, as most agents do, and with those around it, as some do."""
        within, awaited = self._values.open, self._session.awaited
        readable = self._session.server_said(line, at, whole=False)
        if readable and not within:
            return
        self._answered = within and (self._answered or self._session.awaited < awaited)
        for text in self._values.feed(line):
            if text is None:
                self._session.skipped()
            elif self._session.server_said(text, at) and self._answered:
                self._session.missed()  # To some agents that line was none, and this was the answer.


def copied(hearer: Hearer, config: str, goodbye: float) -> NoReturn:
    """Read the copy on standard input to its end, and deliver; `goodbye` is how many seconds that has after it."""
    courier = Courier(Path(config) if config else None, os.environ, Path.home(), clock=_now)
    code = 0
    try:
        copy(0, hearer, courier, clock=_now)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told, and what was seen before is delivered
        courier.failed(error)
        code = 1
        os.close(0)  # Nobody copies for nobody.
    courier.close(goodbye)
    # Whatever still hangs must not hold the process.
    os._exit(code)


def copy(source: int, hearer: Hearer, courier: Courier, *, clock: Callable[[], datetime]) -> None:
    """Read frames until they end, and hand every look that is due to the courier."""
    frames = Frames()
    poll = select.poll()
    poll.register(source, select.POLLIN)
    while True:
        due = hearer.due
        wait = None if due is None else max(0, (due - clock()).total_seconds() * 1000)
        if poll.poll(wait):
            chunk = os.read(source, _READ)
            if not chunk:
                break
            for kind, content in frames.feed(chunk):
                hearer.hear(kind, content, clock())
            if len(chunk) < _READ // 8:
                time.sleep(_LULL)
        for one in hearer.led_away():
            courier.led_away(one)
        for seen in hearer.take(clock()):
            courier.keep(seen)
    for seen in hearer.finish(clock()):
        courier.keep(seen)


def _now() -> datetime:
    return datetime.now(UTC)
