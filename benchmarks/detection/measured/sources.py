"""The shared corpus: its rows, where they come from, and which part of the measurement a source belongs to.

The corpus is split by source, never at random: rows of one source share templates. The source of a published attack is
the repository that it was first published in; the source of honest text is the server that shows it, because a
registry holds tools of many authors.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.detection.measured.cases import DEVELOPMENT, HELD_OUT

ROOT = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("DRIFTWATCH_SHARED", ROOT.parent / "shared")) / "corpus"

SEED = 7
"""The first number that puts the two large attack sets into different parts, and at least four small ones into each.

It was chosen by the names alone, before any figure was seen, and is not to be chosen again.
"""

_UPSTREAM = re.compile(r"none stated upstream \(([\w.-]+/[\w.-]+) ")
_UNQUOTABLE = ("none stated", "not given", "see license", "per vendored")
_WORDS = 5
_ALIKE = 0.5


def rows(name: str) -> list[dict[str, Any]]:
    """Give the rows of one file of the corpus."""
    with (SHARED / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [_as_recorded(json.loads(line)) for line in lines]


def _as_recorded(row: dict[str, Any]) -> dict[str, Any]:
    """Take out of a row's tool what is null: its source did not record it, and it is not what the server sent."""
    tool = row.get("tool")
    if not isinstance(tool, dict):
        return row
    kept = {name: value for name, value in tool.items() if value is not None}
    return {**row, "tool": {"inputSchema": {"type": "object"}, **kept}}


def publisher(row: Mapping[str, Any]) -> str:
    """Name the repository in which an attack was first published, whoever hands it on."""
    upstream = _UPSTREAM.search(str(row.get("license", "")))
    return upstream[1] if upstream else re.split(r"[@:]", str(row["source"]), maxsplit=1)[0]


def part_of(source: str) -> str:
    """Give the part that a source belongs to: half of all sources are held out, by a hash of the name."""
    held = hashlib.sha256(f"{SEED}:{source.casefold()}".encode()).digest()[0] % 2
    return HELD_OUT if held else DEVELOPMENT


def quotable(licence: str) -> bool:
    """Say whether a licence lets a text be shown outside of the corpus."""
    return bool(licence) and not any(words in licence.casefold() for words in _UNQUOTABLE)


def resembling(texts: Iterable[str], known: Iterable[str]) -> int:
    """Count the texts of which half of all runs of five words also stand in one text of the known ones."""
    others = [_runs(text) for text in known]
    return sum(any(_shared(runs, other) for other in others) for runs in map(_runs, texts) if runs)


def _shared(runs: set[tuple[str, ...]], other: set[tuple[str, ...]]) -> bool:
    return len(runs & other) >= _ALIKE * len(runs)


def _runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.casefold())
    return {tuple(words[at : at + _WORDS]) for at in range(max(len(words) - _WORDS + 1, 0))}


class Shelf:
    """The honest tools of the corpus by server, to put beside a tool as its approved list."""

    def __init__(self, benign: Iterable[Mapping[str, Any]]) -> None:
        """Sort tools onto the shelf; of two with one name on one server the first stays."""
        self.servers: dict[str, dict[str, Any]] = {}
        self._named: dict[str, list[str]] = {}
        for row in benign:
            name = row["tool"]["name"]
            shown = self.servers.setdefault(row["server"], {})
            if name not in shown:
                shown[name] = row["tool"]
                self._named.setdefault(name, []).append(row["server"])

    def of(self, server: str, *, without: Iterable[str] = ()) -> list[Any]:
        """Give the tools of a server, but those with some names."""
        left_out = set(without)
        return [tool for name, tool in self.servers.get(server, {}).items() if name not in left_out]

    def beside(self, text: str, *, without: Iterable[str] = (), most: int = 12) -> list[Any]:
        """Give an approved list for a tool with a text: of the server most of whose names stand in the text.

        A tool that is named stands before those that are not. Where the text names none, the list is the shortest of
        at least six tools, so that it is the same for all of them.
        """
        votes: dict[str, list[str]] = {}
        for word in dict.fromkeys(_names_in(text)):
            for server in self._named.get(word, ()):
                votes.setdefault(server, []).append(word)
        if not votes:
            return self.of(self._plain(), without=without)[:most]
        server = max(votes, key=lambda one: (len(votes[one]), -len(self.servers[one]), one))
        tools = self.of(server, without=without)
        return sorted(tools, key=lambda tool: tool["name"] not in votes[server])[:most]

    def _plain(self) -> str:
        fitting = [server for server, tools in self.servers.items() if len(tools) >= 6]
        return min(fitting, key=lambda one: (len(self.servers[one]), one), default="")


def _names_in(text: str) -> Iterator[str]:
    """Give what can only be a name: a word joined with underscores or hyphens, or one in quotes."""
    for match in re.finditer(r"[\"'`]([\w-]+)[\"'`]|\b[A-Za-z]\w*[_-][\w-]*\w", text):
        yield match[1] or match[0]
