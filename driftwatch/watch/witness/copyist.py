"""The process that reads what a pump copies: frames into messages, messages into looks, looks to the daemon.

The session does not wait for it, and goes on unchanged when it is slow, hangs, or dies. Standard output and error lead
nowhere: what goes wrong stands in the status of the spool.
"""

from __future__ import annotations

import os
import secrets
import select
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from driftwatch.model import Witnessed
from driftwatch.watch.witness.courier import Courier
from driftwatch.watch.witness.frames import FROM_AGENT, FROM_SERVER, LOST, Frames
from driftwatch.watch.witness.lines import Lines
from driftwatch.watch.witness.session import Session

_READ = 1 << 18
_LULL = 0.02
"""Seconds to wait for more where little came: to wake us for every message would cost the pump more than the copy."""
_GOODBYE = 20.0
"""Seconds that delivery has after the end of the session."""


def main(arguments: Sequence[str]) -> None:
    """Read the copy on standard input to its end.

    The arguments are server, host, and the path of the settings (empty: the usual place).
    """
    server, host, config = arguments
    courier = Courier(Path(config) if config else None, os.environ, Path.home(), clock=_now)
    session = Session(server, host, secrets.token_hex(16), _now())
    copy(0, session, courier.keep, clock=_now)
    courier.close(_GOODBYE)
    # Whatever still hangs must not hold the process.
    os._exit(0)


def copy(source: int, session: Session, keep: Callable[[Witnessed], None], *, clock: Callable[[], datetime]) -> None:
    """Read frames until they end, and hand every look that is due to `keep`."""
    frames = Frames()
    lines = {direction: Lines(session.bounds.message) for direction in (FROM_AGENT, FROM_SERVER)}
    poll = select.poll()
    poll.register(source, select.POLLIN)
    while True:
        due = session.due
        wait = None if due is None else max(0, (due - clock()).total_seconds() * 1000)
        if poll.poll(wait):
            chunk = os.read(source, _READ)
            if not chunk:
                break
            for kind, content in frames.feed(chunk):
                _take(session, lines, kind, content, clock)
            if len(chunk) < _READ // 8:
                time.sleep(_LULL)
        for seen in session.take(clock()):
            keep(seen)
    for seen in session.finish(clock()):
        keep(seen)


def _take(
    session: Session, lines: dict[bytes, Lines], kind: bytes, content: bytes, clock: Callable[[], datetime]
) -> None:
    if kind == LOST:
        lines[content].lost()
        session.lost()
        return
    for line in lines[kind].feed(content):
        if line is None:
            session.lost()
        elif kind == FROM_AGENT:
            session.client_said(line)
        else:
            session.server_said(line, clock())


def _now() -> datetime:
    return datetime.now(UTC)
