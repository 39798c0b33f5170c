"""From the copied exchanges of all agents to sessions, and from these to looks. Pure: time and names are handed in.

Which session a message belongs to: where the server gave a session id, the one of that id; in the old transport of two
addresses, the one of the stream that named the address; of a server without sessions, everything that one agent (by the
name it gives itself) says during this run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from driftwatch.model import Json, Witnessed
from driftwatch.watch.fetch.events import Event
from driftwatch.watch.fetch.ids import coerced
from driftwatch.watch.witness.frames import ANEW, FROM_AGENT, LOST
from driftwatch.watch.witness.messages import decoded, speaker_of
from driftwatch.watch.witness.remote.copied import BROKEN, DATA, END, HEAD, AnswerHead, RequestHead, digest, parsed
from driftwatch.watch.witness.remote.unpacking import Events, Whole
from driftwatch.watch.witness.session import Bounds, Session
from driftwatch.watch.witness.standing import Away

_MOST_SESSIONS: Final = 64
_MOST_EXCHANGES: Final = 1000
_MOST_HELD: Final = 64 * 2**20
"""Bytes of bodies that are not whole yet, of all exchanges."""
_SMALL: Final = 1 << 16
"""An exchange that holds less than this is left alone."""

_MOST_AWAY: Final = 32
_LONGEST_PLACE: Final = 200

_DEPTH: Final = 67
_STREAM: Final = "text/event-stream"


@dataclass(eq=False)
class _Exchange:
    """One request, as far as it is known.

    `to` is the id under which its answer is awaited, None for its own. It is not the agent's own one, since several
    agents use the same, and since some take the first answer to a request for theirs whatever id it has.
    """

    head: RequestHead
    request: Whole
    session: Session | None = None
    messages: list[Json] = field(default_factory=list)
    to: str | None = None
    opens: bool = False
    answer: AnswerHead | None = None
    events: Events | None = None
    whole: Whole | None = None

    def bodies(self) -> list[Whole | Events]:
        """Give the request's body, and what reads the answer's."""
        return [self.request, *(body for body in (self.events, self.whole) if body is not None)]

    @property
    def held(self) -> int:
        """Give the bytes in memory."""
        return sum(body.held for body in self.bodies())


@dataclass
class _Sessions:
    """The sessions by how they are found again, the one that was used longest ago first."""

    kept: dict[tuple[str, str], Session] = field(default_factory=dict)

    def get(self, key: tuple[str, str]) -> Session | None:
        session = self.kept.pop(key, None)
        if session is not None:
            self.kept[key] = session
        return session


class Conversations:
    """What a forwarder's copyist knows. Feed it every frame in its order; see `Session` for the rest."""

    def __init__(self, server: str, witness: str, *, name: Callable[[], str], bounds: Bounds | None = None) -> None:
        """Take the configured name, the host's name, and what makes random names for sessions."""
        self.bounds = bounds or Bounds()
        self._server, self._witness, self._name = server, witness, name
        self._sessions = _Sessions()
        self._exchanges: dict[int, _Exchange] = {}
        self._ready: list[Witnessed] = []
        self._away: list[Away] = []

    # -------------------------------------------------------------------------- looks

    @property
    def due(self) -> datetime | None:
        """When there will be looks to take, None while nothing is new."""
        if self._ready:
            return self._ready[0].at
        return min((due for one in self._known() if (due := one.due) is not None), default=None)

    def take(self, at: datetime) -> list[Witnessed]:
        """Give the looks that are due by now."""
        ready, self._ready = self._ready, []
        return [*ready, *(seen for one in self._known() for seen in one.take(at))]

    def finish(self, at: datetime) -> list[Witnessed]:
        """Give all that was not given yet."""
        ready, self._ready = self._ready, []
        return [*ready, *(seen for one in self._known() for seen in one.finish(at))]

    def led_away(self) -> list[Away]:
        """Give to where agents were led past us since this was asked last."""
        away, self._away = self._away, []
        return away

    def _leads(self, session: Session | None, to: str, at: datetime) -> None:
        """Note that an agent is led past us: what it is shown there is not seen."""
        if len(self._away) < _MOST_AWAY:
            self._away.append(Away(self._server, self._witness, to, at.isoformat()))
        if session is not None:
            session.missed()

    def _known(self) -> list[Session]:
        """Give every session once, also those whose server has not given them a name yet."""
        opening = [one.session for one in self._exchanges.values() if one.opens and one.session is not None]
        return list(dict.fromkeys([*self._sessions.kept.values(), *opening]))

    # ------------------------------------------------------------------------- frames

    def hear(self, direction: bytes, content: bytes, at: datetime) -> None:
        """Take a frame of the copy."""
        if direction == LOST:
            self._lost(content)
            return
        if direction == ANEW:
            # Of which sessions is not known.
            self._new(("anew", ""), at).anew(at)
            return
        for number, what, told in parsed(content):
            if direction == FROM_AGENT:
                self._agent(number, what, told, at)
            elif (exchange := self._exchanges.get(number)) is not None:
                self._server_said(number, exchange, what, told, at)

    def _server_said(self, number: int, exchange: _Exchange, what: bytes, told: bytes, at: datetime) -> None:
        if what == HEAD:
            self._answers(exchange, AnswerHead(*json.loads(told)), at)
        elif what == DATA:
            self._part(exchange, told, at)
        elif what == END:
            self._answered(exchange, at)
            self._over(number, exchange)
        elif what == BROKEN:
            self._over(number, exchange)

    def _bound(self, exchange: _Exchange) -> None:
        """Let go of what an exchange holds when all of them hold too much."""
        if exchange.held < _SMALL or sum(one.held for one in self._exchanges.values()) <= _MOST_HELD:
            return
        for body in exchange.bodies():
            body.lose()
        if exchange.session is not None and exchange.events is not None:
            exchange.session.lost()

    def _lost(self, direction: bytes) -> None:
        """Note that something is missing in a direction: of which exchange is not known."""
        for session in self._known():
            session.lost()
        for exchange in self._exchanges.values():
            if direction == FROM_AGENT:
                exchange.request.lose()
            else:
                for body in exchange.bodies()[1:]:
                    body.lose()

    # ------------------------------------------------------------------- the agent's side

    def _agent(self, number: int, what: bytes, told: bytes, at: datetime) -> None:
        if what == HEAD:
            head = RequestHead(*json.loads(told))
            while len(self._exchanges) >= _MOST_EXCHANGES:
                self._exchanges.pop(next(iter(self._exchanges)))
            self._exchanges[number] = _Exchange(head, Whole(head.encoding, self.bounds.message))
        elif (exchange := self._exchanges.get(number)) is not None:
            if what == DATA:
                exchange.request.feed(told)
                self._bound(exchange)
            elif what == END:
                self._asked(number, exchange, at)

    def _asked(self, number: int, exchange: _Exchange, at: datetime) -> None:
        """Read a whole request."""
        head, whole = exchange.head, exchange.request
        exchange.request = Whole("", 0)
        messages = [] if whole.lost else decoded(whole.body(), _DEPTH)
        exchange.session = self._session_of(exchange, messages, at)
        if exchange.session is None:
            return
        if whole.lost:
            exchange.session.lost()
        if len(messages) == 1 and ("place", head.place) not in self._sessions.kept:
            exchange.to = f"exchange {number}"
        exchange.session.client_sent(messages, to=exchange.to)
        if exchange.session.awaits(exchange.to):
            exchange.messages = messages

    def _session_of(self, exchange: _Exchange, messages: list[Json], at: datetime) -> Session | None:
        head = exchange.head
        if head.session:
            return self._sessions.get(("id", head.session)) or self._new(("id", head.session), at)
        legacy = self._sessions.get(("place", head.place))
        if legacy is not None or head.verb != "POST" or not messages:
            return legacy
        if any(isinstance(one, dict) and one.get("method") == "initialize" for one in messages):
            exchange.opens = True
            return self._made(at)
        key = ("agent", speaker_of(messages))
        return self._sessions.get(key) or self._new(key, at)

    def _made(self, at: datetime) -> Session:
        return Session(self._server, self._witness, self._name(), at, self.bounds)

    def _new(self, key: tuple[str, str], at: datetime, session: Session | None = None) -> Session:
        """Keep a session, and let go of those for which there is no room."""
        kept = self._sessions.kept
        gone = [kept.pop(key)] if key in kept else []
        while len(kept) >= _MOST_SESSIONS:
            gone.append(kept.pop(next(iter(kept))))
        kept[key] = made = session or self._made(at)
        for one in gone:
            if one not in kept.values():
                self._ready += one.finish(at)
        return made

    # ------------------------------------------------------------------ the server's side

    def _answers(self, exchange: _Exchange, answer: AnswerHead, at: datetime) -> None:
        exchange.answer = answer
        session = exchange.session
        if answer.away:
            self._leads(session, answer.away, at)
        if _STREAM in answer.kind:
            exchange.events = Events(answer.encoding, self.bounds.message)
        # Agents do not agree on what it is when both are named.
        if session is not None and session.awaits(exchange.to) and ("json" in answer.kind or exchange.events is None):
            exchange.whole = Whole(answer.encoding, self.bounds.message)
        if exchange.opens and session is not None and answer.status < 400:
            # Without an id it is the session of whoever does not say who asks: only the newer era does so.
            self._new(("id", answer.session) if answer.session else ("agent", ""), at, session)
            exchange.opens = False
        elif session is not None and answer.session not in {"", exchange.head.session} and exchange.to is not None:
            # Some agents take up an id that comes in between: it is the same session to them.
            self._new(("id", answer.session), at, session)
        if exchange.head.verb == "DELETE" and exchange.head.session and 200 <= answer.status < 300:
            ended = self._sessions.kept.pop(("id", exchange.head.session), None)
            self._ready += ended.finish(at) if ended is not None else []

    def _part(self, exchange: _Exchange, data: bytes, at: datetime) -> None:
        if exchange.whole is not None:
            exchange.whole.feed(data)
        if exchange.events is not None:
            for event in exchange.events.feed(data):
                self._event(exchange, event, at)
        self._bound(exchange)

    def _event(self, exchange: _Exchange, event: Event | None, at: datetime) -> None:
        if event is not None and event.name == b"endpoint" and exchange.head.verb == "GET":
            self._place(exchange, event.data, at)
            return
        session = exchange.session or self._sessions.get(("agent", ""))
        if session is None:
            return
        if event is None:
            if session.awaits(exchange.to):
                session.lost()
        elif event.name in {b"", b"message"}:
            # Agents take no other events for messages.
            _said(exchange, session, event.data, at)

    def _place(self, exchange: _Exchange, data: bytes, at: datetime) -> None:
        """Note to which address the agent of this stream sends its messages (the transport of 2024-11-05)."""
        try:
            parts = urlsplit(data.decode("utf-8", "replace").strip())
        except ValueError:
            return
        path = parts.path if parts.path.startswith("/") else f"/{parts.path}"
        place = digest((path + (f"?{parts.query}" if parts.query else "")).encode())
        exchange.session = self._new(("place", place), at, exchange.session)
        if parts.netloc:
            # Also where this is the server's own address: it is not ours.
            self._leads(exchange.session, f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"[:_LONGEST_PLACE], at)

    def _answered(self, exchange: _Exchange, at: datetime) -> None:
        whole, session = exchange.whole, exchange.session
        exchange.whole = None
        if whole is None or session is None:
            return
        if whole.lost:
            session.lost()
        else:
            _said(exchange, session, whole.body(), at)

    def _over(self, number: int, exchange: _Exchange) -> None:
        del self._exchanges[number]
        session, to = exchange.session, exchange.to
        if session is not None and to is not None and session.awaits(to):
            session.gave_up(to)
            if exchange.head.session:
                # The answer may come on a stream that takes this one up again, under the request's own id.
                session.client_sent(exchange.messages)


def _said(exchange: _Exchange, session: Session, data: bytes, at: datetime) -> None:
    """Read what the server says in answer to a request."""
    to = exchange.to
    if to is None or not session.awaits(to):
        session.server_said(data, at)
        return
    asked = exchange.messages[0]
    own = coerced(asked.get("id")) if isinstance(asked, dict) else None
    for part, message in _parts(data):
        session.server_said(part, at, to=to)
        if not session.awaits(to) and isinstance(message, dict) and coerced(message.get("id")) != own:
            # Some agents take this for the answer, some wait for one with the right id: that is read as well.
            session.client_sent(exchange.messages, to=to)


def _parts(data: bytes) -> Iterator[tuple[bytes, Json]]:
    """Give each message of a body that may be a batch, as it stands and decoded."""
    messages = decoded(data, _DEPTH)
    if not data.lstrip().startswith(b"["):
        yield from ((data, one) for one in messages)
        return
    yield from ((json.dumps(one).encode("ascii"), one) for one in messages)
