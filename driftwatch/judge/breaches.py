"""Where a list breaks what must hold of it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from driftwatch.judge.expectations import NOTHING_EXPECTED, Expectations
from driftwatch.judge.globs import fits
from driftwatch.judge.hints import DESTRUCTIVE, OPEN_WORLD, READ_ONLY, annotations_of, declared
from driftwatch.model import Item, Json

EXPLICIT = (READ_ONLY, DESTRUCTIVE, OPEN_WORLD)
"""The hints that an annotated tool spells out. Whether a call may be repeated is left to the server."""


@dataclass(frozen=True)
class Breach:
    """One way in which a list is not what it must be. `item` is None where it is about the list as a whole.

    `expectation` is the key of the configuration; `found` is what stands at `pointer`.
    """

    expectation: str
    item: Item | None
    pointer: str
    found: Json = None
    lacking: tuple[str, ...] = ()


def breaches(expected: Expectations, tools: Sequence[Item]) -> Iterator[Breach]:
    """Give every breach. A tool that cannot be read claims nothing, so it breaks whatever must be claimed."""
    if expected == NOTHING_EXPECTED:
        return
    if expected.max_tools is not None and len(tools) > expected.max_tools:
        yield Breach("max_tools", None, "", expected.max_tools)
    for tool in tools:
        if expected.tools is not None and not any(fits(glob, tool.key) for glob in expected.tools):
            yield Breach("tools", tool, "")
        yield from _unclaimed(expected, tool)


def _unclaimed(expected: Expectations, tool: Item) -> Iterator[Breach]:
    """Give what a tool must claim and does not. Only what is spelled out counts: defaults are read in two ways."""
    annotations = annotations_of(tool)
    said = declared(annotations)
    reads = said.get(READ_ONLY) is True
    raw = annotations if isinstance(annotations, dict) else {}
    if expected.read_only and not reads:
        yield Breach("read_only", tool, f"/annotations/{READ_ONLY}", raw.get(READ_ONLY))
    if expected.no_destructive and not reads and said.get(DESTRUCTIVE) is not False:
        yield Breach("no_destructive", tool, f"/annotations/{DESTRUCTIVE}", raw.get(DESTRUCTIVE))
    if expected.closed_world and said.get(OPEN_WORLD) is not False:
        yield Breach("closed_world", tool, f"/annotations/{OPEN_WORLD}", raw.get(OPEN_WORLD))
    lacking = tuple(hint for hint in EXPLICIT if hint not in said)
    if expected.annotated and lacking:
        yield Breach("annotated", tool, "/annotations", lacking=lacking)
