"""Where a connection really led: noted on the way, for the document of the launch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Reached:
    """What is known of the other side beside what it says.

    `leader` is the process that was started; `redirect` where a request was led to within the origin, empty where it
    was not.
    """

    leader: int | None = None
    redirect: str = ""
