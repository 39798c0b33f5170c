"""doctor: look into everything that driftwatch rests on, and say what to do about it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.ending import run_to_end
from driftwatch.cli.exits import ExitCode
from driftwatch.cli.ground import KNOWN, now
from driftwatch.cli.options import Format, Output
from driftwatch.cli.terminal import Terminal, progress
from driftwatch.errors import UsageError
from driftwatch.model import Json
from driftwatch.model.amounts import many
from driftwatch.run import logs
from driftwatch.run.doctor import Around, Examination, Wanted, worst
from driftwatch.run.doctor_files import read_within
from driftwatch.run.doctor_lines import Area, Line, State, Sure

app = commands()

_MARKS = {State.OK: "ok", State.WARNING: "warning", State.PROBLEM: "PROBLEM", State.UNKNOWN: "not known"}
_READING = 3
"""How often the time of a check the configuration may take: programs may give its secrets."""
_FEW = 3
"""Good lines of one area that are printed; more of them are counted, unless all are asked for."""


_Seconds: TypeAlias = Annotated[
    float, typer.Option("--timeout", min=1, max=600, metavar="SECONDS", help="The longest that one check may take.")
]
_Offline: TypeAlias = Annotated[bool, typer.Option("--offline", help="Start no server, and connect to nobody.")]
_Send: TypeAlias = Annotated[
    bool, typer.Option("--send", help="Send each channel the test alert and its end (else none is sent).")
]
_All: TypeAlias = Annotated[bool, typer.Option("--all", help="Show every line, also of what is good.")]


@app.command()
def doctor(
    context: typer.Context,
    *,
    seconds: _Seconds = 20.0,
    offline: _Offline = False,
    send: _Send = False,
    everything: _All = False,
    output: Output = Format.TEXT,
) -> None:
    """Look into configuration, database, daemon, clock, servers, channels and more, and say what to do about each.

    Each server is looked at once, in its sandbox, and nothing of it is recorded. Ends with 3 when the configuration
    cannot be used, 4 when the database cannot, 1 for another problem, 5 when nothing is wrong but that servers could
    not be looked at, else 0.
    """
    if offline and send:
        raise UsageError("With --offline nothing can be sent.", hint="Leave out one of --offline and --send.")
    lines = _examined(context, Wanted(seconds, offline=offline, send=send))
    if output is Format.JSON:
        call_of(context).terminal.json(_json(lines))
    else:
        _print(call_of(context).terminal, lines, everything=everything)
    raise typer.Exit(code_of(lines))


def _examined(context: typer.Context, wanted: Wanted) -> list[Line]:
    """Examine, with a bar on a terminal."""
    patience = _READING * wanted.seconds
    found = run_to_end(read_within(patience, call_of(context).config, os.environ, KNOWN, now=now(context)))
    logs.configure(level="critical", secrets=[found.settings] if found.settings is not None else [])
    around = Around(os.environ, Path.home(), os.geteuid(), call_of(context).clock)
    examination = Examination(found, around, wanted)
    with progress("Looking", examination.names) as done:
        return run_to_end(examination.run(done))


def code_of(lines: Sequence[Line]) -> ExitCode:
    """Say what to end with: what cannot be used at all comes first, and what is only suspected last."""
    bad = [line for line in lines if line.state is State.PROBLEM]
    areas = {line.area for line in bad}
    if Area.CONFIGURATION in areas:
        return ExitCode.CONFIG
    if Area.DATABASE in areas:
        return ExitCode.DATABASE
    if areas - {Area.SERVERS}:
        return ExitCode.FOUND
    unseen = any(line.area is Area.SERVERS and line.state is not State.OK for line in lines)
    return ExitCode.UNSEEN if unseen else ExitCode.OK


def _json(lines: Sequence[Line]) -> Json:
    counts = Counter(line.state for line in lines)
    return {
        "version": 1,
        "worst": worst(lines).value,
        "counts": {state.value: counts[state] for state in State},
        "lines": [asdict(line) for line in lines],
    }


def _print(terminal: Terminal, lines: Sequence[Line], *, everything: bool) -> None:
    """Print the lines by what they are about; what is good is short."""
    for area, some in groupby(lines, key=lambda line: line.area):
        mine = list(some)
        good = [line for line in mine if line.state is State.OK]
        shown = mine if everything or len(good) <= _FEW else [line for line in mine if line.state is not State.OK]
        terminal.say(f"{area.value}:")
        if len(shown) < len(mine):
            terminal.say(f"  ok: {len(good):,} of {len(mine):,} (all of them: --all)")
        for line in shown:
            _one(terminal, line)
    counts = Counter(line.state for line in lines)
    terminal.say()
    terminal.say(
        f"{many(counts[State.PROBLEM], 'problem')}, {many(counts[State.WARNING], 'warning')}, "
        f"{counts[State.UNKNOWN]:,} not known, {counts[State.OK]:,} good."
    )


def _one(terminal: Terminal, line: Line) -> None:
    about = f"{line.subject}: " if line.subject else ""
    sure = f" ({line.sure.value})" if line.sure is Sure.LIKELY and line.state is not State.OK else ""
    terminal.say(f"  {_MARKS[line.state]}: {about}{line.what}{sure}")
    if line.do and line.state is not State.OK:
        terminal.say(f"    {line.do}")
