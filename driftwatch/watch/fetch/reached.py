"""Where a connection really led: noted on the way, for the document of the launch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Reached:
    """What is known of the other side beside what it says.

    `leader` is the process that was started, `is_hidden` says that what runs is out of its sight; `redirect` where a
    request was led to within the origin, empty where it was not.
    """

    leader: int | None = None
    is_hidden: bool = False
    redirect: str = ""
