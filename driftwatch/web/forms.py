"""Forms that only this page can have made, for this person, for this purpose, and that work once.

Each form of a page carries a token: when it was made, a random number, and a keyed hash over both, over who it was
made for and what for. The key is made at every start of the daemon, so an old form never outlives it.
"""

from __future__ import annotations

import base64
import binascii
import heapq
import hmac
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

FIELD: Final = "form"
"""The hidden field that carries the token."""

NOBODY: Final = "nobody"
"""The holder of forms of pages that need nobody signed in."""

LASTING: Final = timedelta(hours=8)
"""How long a form may lie open."""

AGAIN: Final = "Nothing was changed. Check what you typed and send it again."
_STRANGE: Final = (
    "This form was not made for you here, or driftwatch was started anew since (or you signed in again). " + AGAIN
)
_OLD: Final = "This form was open for too long. " + AGAIN
_TWICE: Final = (
    "This form was sent before, so it is not done a second time. See whether it did what you wanted; if not, send it "
    "again."
)
_TIME, _NONCE, _MAC = 8, 16, 32


class Forms:
    """Makes the tokens of forms and takes each of them back once. May be used from many threads."""

    def __init__(
        self, random: Callable[[int], bytes], clock: Callable[[], datetime], *, remembered: int = 100_000
    ) -> None:
        """Take randomness, the clock, and how many used tokens to remember.

        When there are more, the oldest are forgotten, and whatever is as old as they are is refused.
        """
        self._random, self._clock = random, clock
        self._key = random(32)
        self._remembered = remembered
        self._used: set[bytes] = set()
        self._by_age: list[tuple[int, bytes]] = []
        self._floor = -1
        self._lock = threading.Lock()

    def issue(self, holder: str, purpose: str) -> str:
        """Make the token of one form: `holder` is a secret of who will send it, `purpose` the path that it goes to."""
        head = self._now().to_bytes(_TIME) + self._random(_NONCE)
        return base64.urlsafe_b64encode(head + self._mac(head, holder, purpose)).decode().rstrip("=")

    def refusal(self, token: str, holder: str, purpose: str) -> str | None:
        """Take a token back. Say why it is refused, in words for the person; None when it is good, which it is once."""
        raw = _decoded(token)
        if raw is None or not hmac.compare_digest(raw[-_MAC:], self._mac(raw[:-_MAC], holder, purpose)):
            return _STRANGE
        made, nonce = int.from_bytes(raw[:_TIME]), raw[_TIME:-_MAC]
        with self._lock:
            if nonce in self._used:
                return _TWICE
            if made <= self._floor or self._now() - made > LASTING / timedelta(milliseconds=1):
                return _OLD
            self._remember(made, nonce)
        return None

    def _remember(self, made: int, nonce: bytes) -> None:
        self._used.add(nonce)
        heapq.heappush(self._by_age, (made, nonce))
        if len(self._by_age) > self._remembered:
            self._floor, gone = heapq.heappop(self._by_age)
            self._used.discard(gone)
        while self._by_age and self._now() - self._by_age[0][0] > LASTING / timedelta(milliseconds=1):
            self._used.discard(heapq.heappop(self._by_age)[1])

    def _now(self) -> int:
        return int(self._clock().timestamp() * 1000)

    def _mac(self, head: bytes, holder: str, purpose: str) -> bytes:
        said = b"".join(
            len(part).to_bytes(4) + part for part in (head, holder.encode(), purpose.encode("utf-8", "surrogatepass"))
        )
        return hmac.digest(self._key, said, "sha256")


def _decoded(token: str) -> bytes | None:
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw if len(raw) == _TIME + _NONCE + _MAC else None
