"""Which failed sign-ins are written down: enough to see an attack, too few to fill the audit log."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

_MOST: Final = 20
_WITHIN: Final = timedelta(minutes=10)


class Failures:
    """Counts failed sign-ins, of all names and addresses together. May be used from many threads."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        """Take the clock."""
        self._clock = clock
        self._written: deque[datetime] = deque()
        self._left_out = 0
        self._lock = threading.Lock()

    def why(self, in_a_row: int) -> str | None:
        """Give what to write down of one more failure, None when there were so many lately that it is only counted."""
        now = self._clock()
        with self._lock:
            while self._written and not timedelta() <= now - self._written[0] < _WITHIN:
                self._written.popleft()
            if len(self._written) >= _MOST:
                self._left_out += 1
                return None
            self._written.append(now)
            before, self._left_out = self._left_out, 0
        times = f" ({in_a_row} times in a row)" if in_a_row > 1 else ""
        others = f"; {before} failed before that and are not in this log" if before else ""
        return f"wrong name or password{times}{others}"
