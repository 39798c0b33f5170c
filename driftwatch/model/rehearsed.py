"""What came of it when a list was looked at again before anybody decided on it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class AsClient(StrEnum):
    """What the look under another client name showed. The value is public (`--format json`, the API)."""

    SAME = "same"
    OTHER = "other"
    FAILED = "failed"
    NOT_TRIED = "not-tried"


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """How a list stood when its server was looked at again, each time in a new process or session.

    `looks` counts the complete looks that showed the list `digest`, the one that found it among them, until another
    list came. `other` is the
    digest of another list that a later look showed, empty where all were the same. `client` is the client name as whom
    the server was looked at too, and `as_client` what that showed. `failures` counts the looks of the last time that
    failed, and `detail` says why the last of them did.
    """

    server: str
    digest: str
    at: datetime
    looks: int = 1
    other: str = ""
    client: str = ""
    as_client: AsClient = AsClient.NOT_TRIED
    failures: int = 0
    detail: str = ""

    @property
    def next_look(self) -> str:
        """Which look was the next one after those that showed it: `second`."""
        return {1: "second", 2: "third"}.get(self.looks, "last")

    @property
    def is_same(self) -> bool:
        """Whether it was shown at least twice, and no look under driftwatch's own name showed another list."""
        return self.looks > 1 and not self.other
