"""What passes between driftwatch and one server over one connection: recorded as received, counted, and bounded.

Every transport gives what it received to `Wire.heard` and hands the SDK only what comes back. Whatever must end the
connection at once goes through `Wire.stop`, which is safe to call from any task.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import anyio
import anyio.to_thread
from mcp_types import PARSE_ERROR, RequestId

from driftwatch.config.schema import Limits
from driftwatch.config.words import safe
from driftwatch.model import Failure, Json, Malformed, Oddity
from driftwatch.watch.fetch import stubs
from driftwatch.watch.fetch.answers import Answer
from driftwatch.watch.fetch.guise import OURSELVES, Guise
from driftwatch.watch.fetch.ids import Id, coerced
from driftwatch.watch.fetch.reached import Reached
from driftwatch.watch.fetch.reading import UnreadableError, read

ENVELOPE = 3
"""Levels of nesting around an item: the message, its result, the list."""

_MOST_DECLINED = 100
"""Requests of the server that get an answer; each costs the SDK a task."""

_QUICK = 65536
"""Bytes of a message that is decoded on the spot."""

_SAID = 1000
"""Bytes that are kept of a line that is no message."""

_FRAMING = 2**20
"""Bytes that may come beside twice what a look may read: heads, and what stands around the pieces of a body."""

_SHORTEST_SECRET, _MOST_SECRETS = 6, 1000

_MOST_NAMES = 20
_WINDOW = 60.0
"""Seconds after which a held connection's counters start anew."""


class Wire:
    """One connection's record and its limits."""

    def __init__(
        self,
        limits: Limits,
        *,
        secrets: Sequence[str] = (),
        on_notice: Callable[[], None] | None = None,
        guise: Guise = OURSELVES,
        counted: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Take the limits, what must never show in a detail, whom to tell of change notices, and as whom we speak.

        `counted` is told of the bytes of answers, decompressed.

        With `on_notice` the connection is a held one: its limits hold per minute and per listing instead of in all.
        """
        self.limits = limits
        self.guise = guise
        self.phase = "connecting"
        self.reached = Reached()
        self.opened = False
        self.trouble: Failure | None = None
        self.received = 0
        self.noise_lines = 0
        self.epilogue = ""
        """What a local server left behind (exit code, last line of its log), for the detail of a failure."""
        self.said = ""
        """The last line of a local server that was no message at all; empty where there was none."""
        self.ended = anyio.Event()
        """Set when nothing more can come on this connection."""
        self.stream = anyio.Event()
        """Set when it is clear whether there is a standing event stream; `streams` says which."""
        self.streams = False
        self.has_session = False
        """Whether the HTTP server opened a session of the handshake era, without which there is no standing stream."""
        self._secrets = tuple(secret for secret in secrets if len(secret) >= _SHORTEST_SECRET)
        self._on_notice = on_notice
        self._counted = counted
        self._asked: set[str] = set()
        self._declined = 0
        self._noise = 0
        self._window_bytes = self._window_raw = 0
        self._since = time.monotonic()
        self._broken = ""
        self._pending: dict[Id, tuple[RequestId, str]] = {}
        """The requests that wait for an answer: the id as it was sent, and the method."""
        self._answers: dict[str, Answer] = {}
        self._scopes: set[anyio.CancelScope] = set()

    @property
    def asked(self) -> tuple[str, ...]:
        """What the server asked of us and was declined, sorted."""
        return tuple(sorted(self._asked))

    def quote(self, text: str, *, limit: int = 160) -> str:
        """Give a server's words for a detail: short, printable, in quotes, and without our own secrets."""
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return f'"{safe(text, limit=limit)}"'

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must not be shown, tokens that were had meanwhile included."""
        return self._secrets

    def hide(self, secret: str) -> None:
        """Keep one more secret of ours out of details: a token that was had meanwhile."""
        if len(secret) >= _SHORTEST_SECRET and secret not in self._secrets:
            self._secrets = (secret, *self._secrets)[:_MOST_SECRETS]

    # ------------------------------------------------------------------ ending

    def stop(self, failure: Failure) -> None:
        """End everything on this connection; the first reason stands."""
        if self.trouble is None:
            self.trouble = failure
        for scope in self._scopes:
            scope.cancel()

    @contextlib.contextmanager
    def bounded(self, seconds: float | None) -> Iterator[anyio.CancelScope]:
        """Run something that `stop` or the end of `seconds` (None: no end) cancels."""
        with anyio.move_on_after(seconds) as scope:
            self._scopes.add(scope)
            try:
                if self.trouble is not None:
                    scope.cancel()
                yield scope
            finally:
                self._scopes.discard(scope)

    def hurry(self, seconds: float) -> None:
        """Leave at most so many seconds for what is still running on this connection."""
        for scope in self._scopes:
            scope.deadline = min(scope.deadline, anyio.current_time() + seconds)

    def stream_opened(self, *, open_: bool) -> None:
        """Note that the standing event stream stands, or that there is none."""
        self.streams = self.streams or open_
        self.stream.set()

    def stream_ended(self) -> None:
        """Note that the standing event stream is over."""
        self.ended.set()

    # ---------------------------------------------------------------- counting

    def renew(self) -> None:
        """Start the counters of a held connection anew."""
        self._noise = self._window_bytes = self._window_raw = self._declined = 0
        self._since = time.monotonic()

    def came(self, size: int) -> bool:
        """Count bytes as they came, heads and framing included; says whether there may be more."""
        self._look_at_the_clock()
        self._window_raw += size
        if self._window_raw > 2 * self.limits.look_bytes + _FRAMING:
            self.stop(Malformed("too-large", f"more than {self._window_raw} bytes on the wire, at {self.phase}"))
        return self.trouble is None

    def _look_at_the_clock(self) -> None:
        if self._on_notice is not None and time.monotonic() - self._since >= _WINDOW:
            self.renew()

    def count(self, size: int) -> None:
        """Count bytes received (decompressed ones); stops the connection past the limit."""
        self._look_at_the_clock()
        self._counted(size)
        self.received += size
        self._window_bytes += size
        if self._window_bytes > self.limits.look_bytes:
            self.stop(Malformed("too-large", f"more than {self.limits.look_bytes} bytes in one look, at {self.phase}"))

    def too_large(self) -> None:
        """Stop because a single message is larger than the limit."""
        self.stop(Malformed("too-large", f"a message of more than {self.limits.message_bytes} bytes, at {self.phase}"))

    def noise(self, number: int = 1) -> None:
        """Count something that is not an answer to us; stops the connection past the limit."""
        self._noise += number
        if self._noise > self.limits.noise_lines:
            what = f"more than {self.limits.noise_lines} log lines, notices and requests"
            self.stop(Malformed("flood", f"{what} that are no answers, at {self.phase}"))

    # ------------------------------------------------------------ conversation

    def sent(self, message: Json) -> tuple[RequestId, str] | None:
        """Note a message of ours; give id and method of a request, None for anything else."""
        if not isinstance(message, dict) or "method" not in message or "id" not in message:
            return None
        number, method = message["id"], message["method"]
        if not self.phase.startswith(method):
            self.phase = method
        key = coerced(number)
        if key is not None:
            self._pending[key] = (number, method)
        self._answers.pop(method, None)
        return number, method

    @property
    def answered(self) -> bool:
        """Say whether an answer to anything of ours is at hand."""
        return bool(self._answers)

    def answer(self, method: str) -> Answer | None:
        """Give the answer to the latest request with this method, None while there is none."""
        return self._answers.get(method)

    def take_answer(self, method: str) -> Answer | None:
        """Give the answer and forget it: a held connection must not keep whole lists in memory between two looks."""
        return self._answers.pop(method, None)

    def unreadable(self) -> Failure | None:
        """Say what is known about an answer that never came because it could not be read."""
        return Malformed("invalid-json", self._broken) if self._broken else None

    async def heard(self, data: bytes, *, to: RequestId | None = None) -> bytes | None:
        """Take one message as received; give what the SDK is to see of it, None for nothing.

        `to` is the id of the request that an HTTP answer belongs to, whatever id it carries itself.
        """
        depth = self.limits.depth + ENVELOPE
        try:
            if len(data) <= _QUICK:
                reading = read(data, depth=depth)
            else:
                # Decoding what one server sent must not make all the others wait.
                reading = await anyio.to_thread.run_sync(partial(read, data, depth=depth), abandon_on_cancel=True)
        except UnreadableError as error:
            return self._not_a_message(data, str(error), to)
        message = reading.value
        if not isinstance(message, dict):
            return self._not_a_message(data, "it is not an object", to)
        if isinstance(message.get("method"), str):
            return self._from_server(message["method"], message)
        if "result" not in message and "error" not in message:
            return self._not_a_message(data, "it is neither a request nor an answer", to)
        return self._from_answer(message, reading.oddities, to)

    def _from_answer(
        self, message: dict[str, Json], oddities: tuple[Oddity, ...], to: RequestId | None
    ) -> bytes | None:
        said = to if to is not None else message.get("id")
        key = coerced(said)
        if said is None and len(self._pending) == 1:
            # An error without an id answers what could not be read; with one request open there is no doubt which.
            key = next(iter(self._pending))
        asked = self._pending.pop(key, None) if key is not None else None
        if asked is None:
            self.noise()
            return None
        number, method = asked
        self._answers[method] = Answer(method, message, oddities)
        return stubs.answer(method, number, message)

    def _from_server(self, method: str, message: dict[str, Json]) -> bytes | None:
        self.noise()
        number = message.get("id")
        if number is not None:
            return self._decline(method, number)
        if self._on_notice is None or self.trouble is not None:
            return None
        if method in stubs.CHANGES:
            self._on_notice()
        return stubs.notification(method, message.get("params"))

    def _decline(self, method: str, number: Json) -> bytes | None:
        if method != "ping" and len(self._asked) < _MOST_NAMES:
            self._asked.add(safe(method, limit=60))
        self._declined += 1
        if self._declined > _MOST_DECLINED or not stubs.is_id(number) or not method.isascii() or len(method) > 200:
            return None
        return stubs.request(method, number)

    def _not_a_message(self, data: bytes, why: str, to: RequestId | None) -> bytes | None:
        if to is None:
            self.noise_lines += 1
            self.said = data[:_SAID].decode("utf-8", "replace").strip() or self.said
            self.noise()
            if data.lstrip()[:1] == b"{" and (b'"result"' in data or b'"error"' in data):
                self._broken = f"an answer at {self.phase} cannot be read: {safe(why)}"
            return None
        key = coerced(to)
        _, method = self._pending.pop(key, (to, "")) if key is not None else (to, "")
        if method != "server/discover":
            self.stop(Malformed("invalid-json", f"the answer to {method} cannot be read: {safe(why)}"))
        return stubs.failure(to, PARSE_ERROR, "the answer cannot be read")
