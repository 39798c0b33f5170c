"""hosts: who acts on the hints of a tool, and how."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import combinations, product
from textwrap import fill
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.options import Format, Output
from driftwatch.errors import UsageError
from driftwatch.judge.hints import HINTS
from driftwatch.judge.hosts import HOSTS, Act, Host, find
from driftwatch.judge.hosts.page import acts_of, explained, heeds_destructive_reader, side
from driftwatch.model import Json

app = commands()

NOT_KNOWN = "not known"
"""What a host does in a state that it does not document."""


@app.command()
def hosts(
    context: typer.Context,
    host: Annotated[str | None, typer.Argument(metavar="HOST", help="Explain this row, or all rows of a host.")] = None,
    output: Output = Format.TEXT,
) -> None:
    """List the hosts that act on a tool's hints, or explain what one of them does and where that is written."""
    terminal = call_of(context).terminal
    rows = HOSTS if host is None else _named(host)
    if output is Format.JSON:
        terminal.json({"version": 1, "hosts": [_json(row) for row in rows]})
    elif host is None:
        terminal.table(("id", "host", "without hints", "with its hint"), [hosts_row(row) for row in rows], whole=1)
    else:
        terminal.write("\n".join(_page(row, terminal.width) for row in rows))


def _named(words: str) -> tuple[Host, ...]:
    """Find rows.

    Raises:
        UsageError: there are none of that name.

    """
    found = find(words)
    if found:
        return found
    names = [name for row in HOSTS for name in (row.id, row.name.lower())]
    near = get_close_matches(words.lower(), names, n=1)
    raise UsageError(
        f"There is no host {words!r} in the table. A host that documents nothing about hints is not in it.",
        hint=f"Did you mean {near[0]}?" if near else "See them all: driftwatch hosts",
    )


def hosts_row(row: Host) -> tuple[str, ...]:
    """Give the cells of one row: id, host, what it does without hints, and with the first hint that changes it."""
    unsaid = _words(row.act({}))
    # A hint by itself first: some rows heed one only beside others.
    states = (
        dict(zip(names, values, strict=True))
        for size in range(1, len(HINTS) + 1)
        for names in combinations(HINTS, size)
        for values in product((True, False), repeat=size)
    )
    told = next((state for state in states if _words(row.act(state)) not in (unsaid, NOT_KNOWN)), None)
    if told is None:
        return (row.id, row.label, unsaid, "no other way")
    said = ", ".join(f"{hint} {str(value).lower()}" for hint, value in told.items())
    return (row.id, row.label, unsaid, f"{said}: {_words(row.act(told))}")


def _words(act: Act | None) -> str:
    return act.words if act is not None else NOT_KNOWN


def _page(row: Host, width: int) -> str:
    """Explain one row."""
    lines = [f"{row.id}: {row.label}"]
    lines += [_filled(line, width) for line in explained(row)]
    return "\n".join(lines) + "\n"


def _filled(line: str, width: int) -> str:
    return fill(
        line, width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False, break_long_words=False
    )


def _json(row: Host) -> dict[str, Json]:
    """Give one row for programs."""
    return {
        "id": row.id,
        "host": row.name,
        "mode": row.mode,
        "acts": [{"does": act, "for": states.split("; ")} for act, states in acts_of(row)],
        "absent": {hint: side(row, hint) or None for hint in HINTS},
        "heeds_destructive_reader": heeds_destructive_reader(row),
        "neither_true_nor_false": row.odd.value,
        "seen": row.seen,
        "sure": row.sure.value,
        "sources": [row.source, *row.also],
        "note": row.note,
    }
