"""The doctor's look at the witnesses of this user: what they wait with, and what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from driftwatch.config.files import is_there, load_witness
from driftwatch.config.secret import shown
from driftwatch.config.witnessing import WitnessConfig, settings_path, state_path
from driftwatch.errors import ConfigError
from driftwatch.model.amounts import many
from driftwatch.run.doctor_lines import Area, Line, State
from driftwatch.watch.witness.delivering import spool_of

_STATUS = "See all of it: driftwatch witness status"


def witness(environ: Mapping[str, str], home: Path) -> list[Line]:
    """Say how delivery stands; nothing where this user has no witness."""
    settings, line = settings_path(environ, home), partial(Line, Area.WITNESS, "witness", "")
    if not is_there(settings) and not is_there(state_path(environ, home)):
        return []
    lines = []
    try:
        config = load_witness(None, environ, home)
    except ConfigError as error:
        lines.append(line(State.PROBLEM, error.message, error.hint))
        config = WitnessConfig(spool=str(state_path(environ, home)))
    else:
        if not config.url:
            what = "it is not said where the daemon is, so what agents are shown is kept and not delivered"
            lines.append(line(State.PROBLEM, what, f"Write url and token into {settings}."))
    return [*lines, *_spool(config, line)]


def _spool(config: WitnessConfig, line: partial[Line]) -> list[Line]:
    spool = spool_of(config)
    try:
        spool.check()
        waiting, status = len(spool.waiting()), spool.status()
    except OSError as error:
        what = f"looks cannot wait in {spool.folder}: {error.strerror}"
        return [line(State.PROBLEM, what, "Check its owner and the disk, or name another one: spool in its settings.")]
    lines = []
    if status.error:
        lines.append(line(State.PROBLEM, status.error, status.hint or _STATUS))
    dropped = sum(status.dropped.values())
    wrong = ((dropped, "dropped"), (len(status.aside), "set aside"), (len(status.held), "refused for now"))
    said = [f"{many(count, 'look')} {word}" for count, word in wrong if count]
    if said:
        lines.append(line(State.PROBLEM, f"not all was delivered: {', '.join(said)}", _STATUS))
    if status.away:
        what = f"agents were led past the witness {many(len(status.away), 'time')}"
        lines.append(line(State.PROBLEM, what, _STATUS))
    if not lines:
        where = shown(config.url) or "nowhere"
        lines.append(line(State.OK, f"{many(waiting, 'look')} waiting to be delivered to {where}"))
    return lines
