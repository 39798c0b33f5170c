"""Marks: that of a session something was not seen, left where nobody could be started who would have handed it in.

The standard library only, and as little of it as will do: who leaves one carries the bytes of a session. A mark is a
small file in a folder of this user's, always in the same place, whatever the witness's settings say.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = "unread"
"""Within the folder in which looks wait where no settings say otherwise (`config.witnessing.state_path`)."""

MOST = 100
LARGEST = 4096
"""Bytes of one mark."""


def place_of(environ: Mapping[str, str]) -> str:
    """Give that usual folder, by the rule of `state_path`."""
    named = environ.get("XDG_STATE_HOME", "")
    state = named if named.startswith("/") else os.path.join(os.path.expanduser("~"), ".local", "state")  # noqa: PTH111, PTH118 - pathlib is slow to load
    return os.path.join(state, "driftwatch", "witness")  # noqa: PTH118


def leave(environ: Mapping[str, str], whose: tuple[str, str], session: str, began: float, gaps: int) -> None:
    """Leave a mark; where that cannot be done either, nothing is left.

    `whose` is server and host, `began` when the session did (seconds since 1970), `gaps` how often something was lost.
    """
    import json  # noqa: PLC0415 - most sessions leave none

    place = place_of(environ)
    folder = os.path.join(place, FOLDER)  # noqa: PTH118
    server, witness = whose
    told = {"server": server[:200], "witness": witness[:200], "session": session, "began": began, "gaps": gaps}
    try:
        for one in (place, folder):
            os.makedirs(one, 0o700, exist_ok=True)  # noqa: PTH103
        if len(os.listdir(folder)) >= MOST:  # noqa: PTH208
            return
        fresh, path = (os.path.join(folder, f"{session}{end}") for end in (".part", ".json"))  # noqa: PTH118
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            os.write(descriptor, json.dumps(told).encode("ascii"))
        finally:
            os.close(descriptor)
        os.replace(fresh, path)  # noqa: PTH105
    except OSError:
        pass
