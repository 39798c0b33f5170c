"""How the first admin comes in: by a link that the daemon prints at its start, good once, while there is no user.

It is not kept anywhere: it ends with the daemon, with its time, and with the first user.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from driftwatch.web.keys import hashed, new_key

LASTS: Final = timedelta(hours=1)
"""How long after a start the link is good."""


class Welcome:
    """One link for the first admin, or none."""

    def __init__(self) -> None:
        """Begin without a link."""
        self._sha256, self._until = "", datetime.max.replace(tzinfo=UTC)
        self._lock = threading.Lock()

    @classmethod
    def with_key(cls, random: Callable[[int], bytes], now: datetime) -> tuple[Welcome, str]:
        """Make one with a link, and give the key of the link."""
        made, key = cls(), new_key(random)
        made._sha256, made._until = hashed(key), now + LASTS
        return made, key

    def fits(self, key: str, now: datetime) -> bool:
        """Say whether this key would let somebody in; it stays good."""
        return bool(self._sha256) and hashed(key) == self._sha256 and now < self._until

    def take(self, key: str, now: datetime) -> bool:
        """Use the key up. Of two who do so at the same time one is let in."""
        with self._lock:
            good = self.fits(key, now)
            if good:
                self._sha256 = ""
            return good

    def give_back(self, key: str) -> None:
        """Make a key good again that let nobody in after all."""
        with self._lock:
            self._sha256 = hashed(key)
