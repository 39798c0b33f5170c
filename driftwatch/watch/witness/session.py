"""From the messages of one session, in both directions, to looks: what the agent was shown. Pure: time is handed in.

Of tool calls only their number and the last name are kept; arguments and results are not read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from driftwatch.judge.answered import SERVER_INFO
from driftwatch.model import Document, Era, Json, Oddity, Witnessed
from driftwatch.watch.fetch.answers import (
    LISTS,
    Answer,
    Collected,
    FailedLookError,
    ListName,
    add_page,
    next_cursor,
    opening_of,
)
from driftwatch.watch.fetch.ids import Id, coerced
from driftwatch.watch.fetch.reading import UnreadableError, read
from driftwatch.watch.witness.bodies import body_of
from driftwatch.watch.witness.gathering import EXPECTING, Gathered
from driftwatch.watch.witness.messages import CLIENT, client_of, decoded, is_just, within, word
from driftwatch.watch.witness.walks import Asked, Walk, Walks

_ENVELOPE: Final = 3
_VERSION: Final = "io.modelcontextprotocol/protocolVersion"
_METHOD_NOT_FOUND: Final = -32601

_OPENINGS: Final = {"initialize": Era.HANDSHAKE, "server/discover": Era.MODERN}
_BY_METHOD: Final = {name.method: name for name in LISTS}
_PROMPT: Final = "prompts/get"
_CALL: Final = "tools/call"
_CANCELLED: Final = "notifications/cancelled"
_NOTICES: Final = {
    "notifications/tools/list_changed": ("tools",),
    "notifications/prompts/list_changed": ("prompts",),
    "notifications/resources/list_changed": ("resources", "resourceTemplates"),
}


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much to take of one session. Sizes are in bytes."""

    message: int = 8 * 2**20
    listing: int = 8 * 2**20
    pages: int = 100
    items: int = 5000
    depth: int = 64
    asked: int = 1000
    walks: int = 8
    bodies: int = 100
    ready: int = 32


class Session:
    """One session of an agent with one server.

    Feed it every message of both directions, in their order. When `due` has come, `take` gives looks; `finish` gives
    what is left at the end.
    """

    def __init__(
        self,
        server: str,
        witness: str,
        session: str,
        started_at: datetime,
        bounds: Bounds | None = None,
        *,
        after: int = 0,
    ) -> None:
        """Take the configured name, the host's name, a random name for this session, and when it began.

        `after` is how many read this session before and did not come to its end: its looks are numbered after theirs.
        """
        self.bounds = bounds or Bounds()
        base = Witnessed(server, witness, session, 0, started_at, started_at, {})
        self._shown = Gathered(base, bodies=self.bounds.bodies, ready=self.bounds.ready, after=after)
        self._calls = 0
        self._tool = ""
        self._at = started_at
        self._asked: dict[Id, Asked] = {}
        self._walks = Walks(self.bounds.walks)

    @property
    def due(self) -> datetime | None:
        """When there will be looks to take, None while nothing is new."""
        until = self._until()
        due = self._shown.due(waits=self._waits(), until=until)
        return until if due is None else due

    def take(self, at: datetime) -> list[Witnessed]:
        """Give the looks that are due by now, in their order."""
        for walk in self._walks.still():
            if walk.at + EXPECTING <= at:
                self._shown.begun(walk)
        return self._shown.take(at, waits=self._waits(), until=self._until())

    def finish(self, at: datetime) -> list[Witnessed]:
        """Give all that was not given yet."""
        for walk in self._walks.still():
            self._shown.begun(walk)
        return self._shown.rest(at)

    def lost(self) -> None:
        """Note that bytes of either direction are missing: a list of which a page may be among them is given up."""
        busy = self._busy()
        for walk in [*self._walks]:
            if walk not in busy:
                self._give_up(walk)
        self.missed()

    def anew(self, at: datetime) -> None:
        """Note that who read this session before did not come to its end: that is told, if of nothing else."""
        self._at = at
        self._shown.anew(at)

    def missed(self) -> None:
        """Note that the agent is shown something that does not come by here, or cannot be read."""
        self._shown.missed(self._at)

    def skipped(self) -> None:
        """Note that a message is too long to be read: it may be what the agent waits for."""
        if self._asked:
            self.missed()

    def _waits(self) -> bool:
        return any(self._walks.still()) or any(asked.walk for asked in self._asked.values())

    def _until(self) -> datetime | None:
        """Say when the last list that does not go on will have stood still for long enough."""
        return max((walk.at + EXPECTING for walk in self._walks.still()), default=None)

    def _busy(self) -> set[Walk]:
        return {one.walk for one in self._asked.values() if one.walk is not None}

    def _give_up(self, walk: Walk | None) -> None:
        """Wait for no more of a list: the agent was shown the beginning of it."""
        if walk is not None:
            self._shown.begun(walk)
            self._walks.forget(walk)

    def client_said(self, data: bytes) -> None:
        """Take a message of the agent: a JSON text, which may be a batch. What is none is passed over."""
        self.client_sent(decoded(data, self.bounds.depth + _ENVELOPE))

    def client_sent(self, messages: list[Json], *, to: Json = None) -> None:
        """Take messages of the agent. `to` is the id under which the answer will come, None for their own."""
        for message in messages:
            if isinstance(message, dict) and isinstance(message.get("method"), str):
                self._request(message["method"], message, to)

    def awaits(self, to: Json = None) -> bool:
        """Say whether an answer to what was asked under this id may still come; without one, any answer."""
        return bool(self._asked) if to is None else coerced(to) in self._asked

    def gave_up(self, to: Json) -> None:
        """Note that no answer comes to what was asked under this id."""
        number = coerced(to)
        asked = self._asked.pop(number, None) if number is not None else None
        self._give_up(asked.walk if asked is not None else None)

    @property
    def awaited(self) -> int:
        """How many answers may still come."""
        return len(self._asked)

    def server_said(self, data: bytes, at: datetime, *, to: Json = None, whole: bool = True) -> bool:
        """Take a message of the server; say whether it could be read.

        `to` is the id of the request that an HTTP response belongs to. With `whole` false, what cannot be read may be a
        part of a message. One that cannot matter is not even decoded: most are results of calls.
        """
        self._at = at
        if not self._asked and b"list_changed" not in data:
            return True
        try:
            reading = read(data, depth=self.bounds.depth + _ENVELOPE)
        except UnreadableError:
            if whole and self._asked and data.lstrip()[:1] == b"{":
                self.missed()
            return False
        if isinstance(reading.value, list):
            for number, message in enumerate(reading.value):
                self._heard(message, within(reading.oddities, f"/{number}"), len(data), at, None)
        else:
            self._heard(reading.value, reading.oddities, len(data), at, to)
        return True

    # ------------------------------------------------------------- the agent's side

    def _request(self, method: str, message: dict[str, Json], to: Json) -> None:
        given = message.get("params")
        params = given if isinstance(given, dict) else {}
        said = params.get("_meta")
        meta = said if isinstance(said, dict) else {}
        info = meta.get(CLIENT, params.get("clientInfo") if method == "initialize" else None)
        if client := client_of(info):
            self._shown.base = replace(self._shown.base, client=client)
        if method == _CALL:
            self._calls += 1
            self._tool = word(params.get("name"))
        # What is cancelled gets no answer any more; an id that is used again belongs to the newer request.
        own = params.get("requestId") if method == _CANCELLED else message.get("id")
        number = coerced(own if to is None else to)
        if number is None:
            return
        self._asked.pop(number, None)
        asked = Asked(message.get("id"), method, self._calls, self._tool, version=word(meta.get(_VERSION)))
        if method in _BY_METHOD:
            walk = self._walk(_BY_METHOD[method], params.get("cursor"))
            asked = replace(asked, walk=walk)
            if walk is None:
                return
        elif method == _PROMPT:
            asked = replace(asked, prompt=word(params.get("name")), arguments=params.get("arguments"))
        elif method not in _OPENINGS:
            return
        if len(self._asked) >= self.bounds.asked:
            self._asked.pop(next(iter(self._asked)))
        self._asked[number] = asked

    def _walk(self, kind: ListName, cursor: Json) -> Walk | None:
        """Give the walk that a request belongs to; None for the continuation of none that we know."""
        if cursor is not None:
            return self._walks.at(kind, cursor, self._busy())
        opening = self._shown.opening or {}
        return self._begins(Walk(kind, Collected(opening.get("serverInfo")), self._at))

    def _begins(self, walk: Walk) -> Walk:
        for one in self._walks.add(walk):
            self._shown.begun(one)
        return walk

    # ------------------------------------------------------------ the server's side

    def _heard(self, message: Json, oddities: tuple[Oddity, ...], size: int, at: datetime, to: Json) -> None:
        if not isinstance(message, dict):
            return
        method = message.get("method")
        if isinstance(method, str):
            self._shown.notice(_NOTICES.get(method, ()))
            if not {"result", "error"} & message.keys():
                return
        number = coerced(message.get("id") if to is None else to)
        asked = self._asked.pop(number, None) if number is not None else None
        if asked is None or number is None:
            return
        if to is None and (not is_just(message.get("id"), asked.id) or isinstance(method, str)):
            # Some agents take this for the answer, some wait for another one: that is read as well.
            again = asked.walk.copy() if asked.walk is not None else None
            self._asked[number] = replace(asked, walk=again and self._begins(again))
        answer = Answer(asked.method, message, oddities)
        try:
            if asked.walk is not None:
                self._page(asked, asked.walk, answer, size, at)
            elif asked.method == _PROMPT:
                self._body(asked, answer, at)
            else:
                self._opening(asked, answer, at)
        except FailedLookError as failed:
            self._give_up(asked.walk)
            if failed.failure.code != "input-required":
                self.missed()  # An agent may read it all the same.

    def _opening(self, asked: Asked, answer: Answer, at: datetime) -> None:
        if answer.error_code is not None:
            return
        era = _OPENINGS[asked.method]
        said = answer.result.get("protocolVersion") if isinstance(answer.result, dict) else None
        version = asked.version if era is Era.MODERN else word(said)
        document, _, oddities = opening_of(answer, era, version)
        self._opened(era, document, tuple(oddities), asked, at)

    def _page(self, asked: Asked, walk: Walk, answer: Answer, size: int, at: datetime) -> None:
        kind = walk.kind
        if answer.error_code is not None:
            if not walk.pages:
                self._walks.forget(walk)
                if answer.error_code == _METHOD_NOT_FOUND:
                    self._listed(asked, walk, at)
            return  # A later page may be asked for again.
        walk.pages += 1
        walk.size += size
        walk.asked, walk.at = asked, at
        add_page(walk.listing, answer, kind, walk.pages)
        walk.cursor = next_cursor(answer, walk.listing, kind)
        bounds = self.bounds
        too_many = walk.pages >= bounds.pages or len(walk.listing.items) > bounds.items or walk.size > bounds.listing
        if asked.version:
            self._modern(asked, answer, at)
        if too_many or walk.cursor in walk.seen:
            self.missed()  # What the agent is shown from here on is not seen.
            self._give_up(walk)
        elif walk.cursor is None:
            self._walks.forget(walk)
            self._listed(asked, walk, at)
        else:
            walk.seen.add(walk.cursor)

    def _listed(self, asked: Asked, walk: Walk, at: datetime) -> None:
        """Take a whole list, after the beginnings of it that the agent was shown before, and asked for no more."""
        busy = self._busy()
        for one in self._walks.still():
            if one.kind is walk.kind and one not in busy:
                self._shown.begun(one, walk.listing.items)
        self._shown.listed(walk, asked, at)

    def _modern(self, asked: Asked, answer: Answer, at: datetime) -> None:
        """Read from a list who the server says it is, where the agent did not ask it that before."""
        if self._shown.opening is not None:
            return
        meta = answer.result.get("_meta")
        document: Document = {"protocolVersion": asked.version}
        if isinstance(meta, dict) and SERVER_INFO in meta:
            document["serverInfo"] = meta[SERVER_INFO]
        self._opened(Era.MODERN, document, (), asked, at)

    def _opened(self, era: Era, document: Document, oddities: tuple[Oddity, ...], asked: Asked, at: datetime) -> None:
        self._shown.base = replace(self._shown.base, era=era, protocol_version=document["protocolVersion"])
        self._shown.opened(document, oddities, asked, at)

    def _body(self, asked: Asked, answer: Answer, at: datetime) -> None:
        messages = answer.result.get("messages") if isinstance(answer.result, dict) else None
        if not isinstance(messages, list) or not asked.prompt:
            return
        self._shown.said(body_of(messages, asked.arguments), asked, at)
