"""The table of hosts as a page, worked out from the rows themselves, so that it cannot say otherwise than they do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from driftwatch.judge.gates import GATES
from driftwatch.judge.hints import DEFAULTS, DESTRUCTIVE, HINTS, OPEN_WORLD, READ_ONLY
from driftwatch.judge.hosts.base import Hints, Host, Odd
from driftwatch.judge.hosts.table import HOSTS

STATES: tuple[tuple[str, dict[str, bool]], ...] = (
    ("no hints", {}),
    ("readOnlyHint: true", {READ_ONLY: True}),
    ("readOnlyHint: false", {READ_ONLY: False}),
    ("readOnlyHint: true + destructiveHint: true", {READ_ONLY: True, DESTRUCTIVE: True}),
    ("readOnlyHint: false + destructiveHint: false", {READ_ONLY: False, DESTRUCTIVE: False}),
    (
        "readOnlyHint: false + destructiveHint: false + openWorldHint: false",
        {READ_ONLY: False, DESTRUCTIVE: False, OPEN_WORLD: False},
    ),
    ("readOnlyHint: false + destructiveHint: true", {READ_ONLY: False, DESTRUCTIVE: True}),
    ("openWorldHint: true", {OPEN_WORLD: True}),
    ("idempotentHint: true", {"idempotentHint": True}),
)
"""The states of the hints that a host is shown for."""

_HEAD = """# Hosts

Written from the program's own table by `make docs`; `driftwatch hosts HOST` explains one row.

Which hosts act on the hints of a tool, and how. Only hosts that document something, or whose code was read, are here; a
host that is not says nothing about itself that we found. Facts about versions go stale: look at the source before you
rely on one.

A finding about a hint names the hosts whose behaviour the change alters, from what to what.
"""
_SIDES = """
## Which reading they follow

driftwatch judges every change under both readings that the specification allows: *spec* gives an absent hint its
default, *stated* takes it for nothing said. Hosts rarely follow one of them for all hints. Per hint that a row reads:

- **spec**: an absent hint acts as its default does.
- **stated**: an absent hint acts as the other value does, so that only a spelled-out one makes a difference.
- **own**: an absent hint is a case of its own.

The last column says whether the row heeds `destructiveHint: true` on a tool that says it only reads. The schema calls
that meaningless.
"""
_ODD = """
## Values that are neither true nor false

"""
_GATES = """
## Gates outside the hints

What else in a list makes a host ask, hide or open something. Values go from strict to loose; `gate-loosened` and
`gate-tightened` watch them.

"""


def render() -> str:
    """Give the page as Markdown."""
    tables = (_HEAD, _lines(_table()), _SIDES, _lines(_sides()), _ODD, _lines(_odd()), _GATES, _lines(_gates()))
    blocks = (*tables, "## Each row", *(_lines(_row(host)) for host in HOSTS))
    return "\n\n".join(block.strip("\n") for block in blocks) + "\n"


def _lines(lines: Iterator[str]) -> str:
    return "\n".join(lines)


def side(host: Host, hint: str) -> str:
    """Say how a host takes the absence of a hint: `spec`, `stated`, `own`, or nothing where it does not read it."""
    place = HINTS.index(hint)
    default, other = DEFAULTS[hint], not DEFAULTS[hint]
    alike = {default: True, other: True}
    read = False
    for rest in product((None, True, False), repeat=len(HINTS) - 1):
        acts = {value: host.reads(Hints._make((*rest[:place], value, *rest[place:]))) for value in (None, True, False)}
        read = read or len({acts[value] for value in (None, True, False)}) > 1
        for value in (True, False):
            alike[value] = alike[value] and acts[value] == acts[None]
    if not read:
        return ""
    return "spec" if alike[default] else "stated" if alike[other] else "own"


def heeds_destructive_reader(host: Host) -> bool:
    """Say whether `destructiveHint: true` makes a difference to a host on a tool that says it only reads."""
    for world in (None, True, False):
        reader = Hints(read_only=True, open_world=world)
        if host.reads(reader) != host.reads(reader._replace(destructive=True)):
            return True
    return False


def acts_of(host: Host) -> Iterator[tuple[str, str]]:
    """Give what a host does for each of the states, states alike together."""
    told: dict[str, list[str]] = {}
    for words, state in STATES:
        act = host.act(state)
        told.setdefault(act.words if act is not None else "not known", []).append(words)
    yield from ((act, "; ".join(states)) for act, states in told.items())


def _table() -> Iterator[str]:
    yield "| host | without hints | readOnlyHint: true | readOnlyHint: false + destructiveHint: true | how sure |"
    yield "|---|---|---|---|---|"
    for host in HOSTS:
        shown = (host.act(state) for state in ({}, {READ_ONLY: True}, {READ_ONLY: False, DESTRUCTIVE: True}))
        cells = [act.words if act is not None else "not known" for act in shown]
        yield f"| [{host.label}](#{host.id}) | {' | '.join(cells)} | {host.sure} |"


def _sides() -> Iterator[str]:
    yield f"| host | {' | '.join(HINTS)} | heeds destructive on a reader |"
    yield "|---|---|---|---|---|---|"
    for host in HOSTS:
        cells = [side(host, hint) for hint in HINTS] + ["yes" if heeds_destructive_reader(host) else ""]
        yield f"| [{host.label}](#{host.id}) | {' | '.join(cells)} |"


def _odd() -> Iterator[str]:
    for odd in Odd:
        names = ", ".join(f"`{host.id}`" for host in HOSTS if host.odd is odd)
        yield f"- Not known: {names}." if odd is Odd.UNKNOWN else f"- Taken {odd}: {names}."


def _gates() -> Iterator[str]:
    yield "| where | honoured by | what for | strict; …; loose | severity when loosened | source |"
    yield "|---|---|---|---|---|---|"
    for gate in GATES:
        where = f"`{gate.pointer}` of a {gate.kind.value}"
        yield (
            f"| {where} | {gate.honoured_by} | {gate.meaning} | {gate.values} | {gate.loosened} | {gate.source} "
            f"({gate.sure}) |"
        )


def _row(host: Host) -> Iterator[str]:
    yield f'### <a id="{host.id}"></a>{host.label}'
    yield ""
    yield from (f"- {line}" for line in explained(host))


def explained(host: Host) -> Iterator[str]:
    """Say what a host does for which hints, how it takes other values, and where that is written."""
    for act, states in acts_of(host):
        yield f"{act}: {states}."
    if host.odd is Odd.UNKNOWN:
        yield "How it takes a value that is neither true nor false is not known."
    else:
        yield f"A value that is neither true nor false is taken {host.odd}."
    if host.note:
        yield host.note
    yield f"{host.sure.value.capitalize()}, {host.seen}: {'; '.join((host.source, *host.also))}"
