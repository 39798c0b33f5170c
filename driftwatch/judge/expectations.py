"""What must hold of a server whatever was approved, as data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Expectations:
    """What must hold of the tools of one server; by default nothing.

    `tools` is a closed list of names as globs (None: any name; an empty one: no tool at all); `max_tools` is the most
    tools there may be (None: any number).
    """

    read_only: bool = False
    no_destructive: bool = False
    closed_world: bool = False
    annotated: bool = False
    tools: tuple[str, ...] | None = None
    max_tools: int | None = None


NOTHING_EXPECTED = Expectations()
