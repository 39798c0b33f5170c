"""The doctor's look at what the system lets a daemon have."""

from __future__ import annotations

import os
import resource
from typing import Final

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.errors import StoreError
from driftwatch.model.amounts import many
from driftwatch.run.doctor_database import files_of
from driftwatch.run.doctor_lines import Area, Line, State, Sure
from driftwatch.store.holding import holder_of

_OWN: Final = 128
"""Files that a daemon has open for itself: database, pages, channels, the loop."""

_LOCAL, _REMOTE = 6, 3
"""Files that a server may take at a time that runs here, and one that is reached over the network."""


def limits(settings: Settings) -> list[Line]:
    """Hold the open files that this many servers may take against what is allowed, and the size of a file."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    running = _of_daemon(settings)
    most = running[0] if running is not None else soft
    need = needed(settings)
    whose = "the daemon" if running is not None else "a daemon that is started as this command was"
    have = f", and has {running[1]:,} open" if running is not None else ""
    what = f"{whose} may open {most:,} files{have}; {many(len(settings.watched), 'server')} may take {need:,}"
    lines = []
    if most not in {-1, resource.RLIM_INFINITY} and most < need:
        do = f"Raise it: LimitNOFILE={_rounded(need)} in the unit, or ulimit -n; or lower daemon.concurrency."
        sure = Sure.CERTAIN if running is not None else Sure.LIKELY
        lines.append(Line(Area.LIMITS, "open-files", "", State.PROBLEM, what, do, sure))
    else:
        lines.append(Line(Area.LIMITS, "open-files", "", State.OK, what))
    size, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    if size != resource.RLIM_INFINITY:
        what = f"no file may be larger than {size:,} bytes: the database cannot grow beyond that"
        do = "Raise it: LimitFSIZE=infinity in the unit, or ulimit -f unlimited."
        lines.append(Line(Area.LIMITS, "file-size", "", State.WARNING, what, do))
    return lines


def needed(settings: Settings) -> int:
    """Estimate how many files a daemon may have open at a time: held sessions, and looks beside them."""
    enabled = [server for server in settings.watched if server.enabled]
    held = sum(_files(server) for server in enabled if server.notices)
    looks = sorted((_files(server) for server in enabled), reverse=True)[: settings.daemon.concurrency]
    return _OWN + held + sum(looks)


def _files(server: ServerConfig) -> int:
    return _LOCAL if server.command else _REMOTE


def _of_daemon(settings: Settings) -> tuple[int, int] | None:
    try:
        holder = holder_of(settings.database_url)
    except StoreError:
        return None
    return files_of(holder.pid) if holder is not None and holder.pid and holder.pid != os.getpid() else None


def _rounded(need: int) -> int:
    return 1 << max(need, 1024).bit_length()
