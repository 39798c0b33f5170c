"""What a form of hand-off is, and which names may stand in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from driftwatch.model import Json

LONGEST = 128
"""Characters of a tool's name that a form carries at most: so many the specification allows."""

NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
"""The names that the specification asks tools to have (2025-11-25, tools): none can break out of a rule or widen it."""

PLAIN = re.compile(r"[A-Za-z0-9_-]{1,128}")
"""The same without dots, for forms in which a dot parts names or is replaced."""

UNSPLIT = re.compile(r"(?!.*__)[A-Za-z0-9-](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9-])?")
"""Server names that stay whole in forms that part server and tool by two underscores."""


@dataclass(frozen=True, slots=True)
class Approved:
    """One approved tool. `ask` says why a host should ask before it runs; empty: it may run unasked."""

    name: str
    ask: str = ""


@dataclass(frozen=True, slots=True)
class Handoff:
    """One form. `write` gives the text for the host's name of the server and the tools, none of which is refused.

    `place` says where the text belongs, `does` what it makes the host do, `source` where the form is documented, and
    `notes` what a person has to know. `server` and `tool` are the names that can stand in the form safely.
    """

    id: str
    name: str
    place: str
    does: str
    source: str
    write: Callable[[str, Sequence[Approved]], str]
    server: re.Pattern[str] = NAME
    tool: re.Pattern[str] = NAME
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fragment:
    """The text for a host, and what to say beside it: what is asked about and why, and what was refused and why."""

    form: Handoff
    text: str
    tools: tuple[Approved, ...]
    refused: tuple[tuple[str, str], ...]


def allowed(tools: Iterable[Approved]) -> list[str]:
    """Give the names of the tools that may run unasked."""
    return [tool.name for tool in tools if not tool.ask]


def asked(tools: Iterable[Approved]) -> list[str]:
    """Give the names of the tools that are to be asked about."""
    return [tool.name for tool in tools if tool.ask]


def named(tools: Iterable[Approved]) -> list[str]:
    """Give the names of all tools."""
    return [tool.name for tool in tools]


def as_json(value: Json) -> str:
    """Write a JSON document for a person to merge."""
    return json.dumps(value, indent=2) + "\n"


def quoted(text: str) -> str:
    """Write a string for TOML or YAML, both of which read what JSON writes for names like ours."""
    return json.dumps(text)
