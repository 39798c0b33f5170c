"""Which line of a local server's log says the most about how it ended."""

from __future__ import annotations

import re
from typing import Final

_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
_ERROR: Final = re.compile(r"Error\b|\berror\b|\bERROR\b|ERR!|^fatal\b|^panic:|^[×╰]")
_PROGRAM: Final = re.compile(r"^npm (?:error|ERR!)(?: [A-Z0-9]+| notarget)?\s*", re.ASCII)
_HINT: Final = re.compile(r"^hint:", re.IGNORECASE)
_POINTER: Final = re.compile(
    r"complete log of this run|^usage:|^(?:see|run|try|use|type)\b.*(?:-h\b|\bhelp\b)"
    r"|for (?:more|further) (?:information|help|details)"
    r"|^Note that you can also install|^tarball, folder, http url"
    r"|^In most cases you or one of your dep|^a package version that doesn't exist",
    re.IGNORECASE,
)
"""What npm, docker, uv and programs that read options write after what went wrong."""


def last_line(log: str) -> tuple[str, bool]:
    """Give the line of a log to be shown, and whether it is the very last; empty where nothing was written.

    That is the last one with an error, else the last that is no hint and points to no help, else the last.
    """
    lines = [line for line in log.splitlines() if line.strip()]
    if not lines:
        return "", True
    told = _told(log)
    found = next((line for line in reversed(told) if _ERROR.search(_bare(line))), told[-1] if told else lines[-1])
    return found.strip(), found == lines[-1]


def _told(log: str) -> list[str]:
    """Leave out hints, with the indented lines that go on with them, and pointers to help."""
    told, in_hint = list[str](), False
    for line in log.splitlines():
        bare = _bare(line)
        if _HINT.match(bare):
            in_hint = True
        elif not bare or not line[0].isspace() or _ERROR.search(bare):
            in_hint = False
        words = _PROGRAM.sub("", bare)
        if words and not in_hint and not _POINTER.search(words):
            told.append(line)
    return told


def _bare(line: str) -> str:
    return _COLOUR.sub("", line).strip()
