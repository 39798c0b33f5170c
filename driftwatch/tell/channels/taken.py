"""What of a message was taken already, while the rest of it is tried again: known in this process only."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from driftwatch.model import SendResult, SendVerdict

_MOST: Final = 1_000
"""Messages that are remembered: of one that is given up nobody says so here."""


class Taken:
    """For each message that was not taken wholly, the names of the parts that were, and when.

    After a restart they are sent once more, under ids by which a destination knows them.
    """

    def __init__(self) -> None:
        """Know of none."""
        self._parts: dict[str, dict[str, datetime]] = {}

    def of(self, delivery_id: str) -> dict[str, datetime]:
        """Give the parts of a message that were taken, to be added to, and forget them until `keep` says otherwise."""
        return self._parts.pop(delivery_id, {})

    def keep(self, delivery_id: str, parts: dict[str, datetime], result: SendResult) -> None:
        """Remember the parts where the message is to be tried again."""
        if parts and result.verdict is SendVerdict.RETRY:
            self._parts[delivery_id] = parts
            if len(self._parts) > _MOST:
                del self._parts[next(iter(self._parts))]
