"""The cases without a baseline: poison in a first listing, and honest listings."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from benchmarks.detection.measured.cases import FIRST_SIGHT, HONEST, Case
from benchmarks.detection.measured.gained import published
from benchmarks.detection.measured.pairs import pair
from benchmarks.detection.measured.sources import SHARED, Shelf, part_of, quotable, rows


def poisoned(shelf: Shelf) -> Iterator[Case]:
    """Give every published attack in the list that it stands in; only what names the tool counts."""
    for number, row in enumerate(rows("poisoned")):
        made = pair(row, shelf)
        case = published(f"poisoned/{number}", row, FIRST_SIGHT, made.live, text=made.text)
        yield replace(case, units=(f"tool:{row['tool']['name']}",))


def benign(shelf: Shelf) -> Iterator[Case]:
    """Give the listing of every honest server; each of its tools counts."""
    said: dict[tuple[str, str], Any] = {(row["server"], row["tool"]["name"]): row for row in rows("benign")}
    for server, tools in shelf.servers.items():
        licences = [said[server, name]["license"] for name in tools]
        yield _listing(f"benign/{server}", server, list(tools.values()), tuple(tools), all(map(quotable, licences)))


def hard_negatives(shelf: Shelf) -> Iterator[Case]:
    """Give the honest tools that read like instructions, in the listings of their servers."""
    servers: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows("hard_negatives"):
        servers[row["server"]].append(row)
    for server, found in servers.items():
        names = tuple(dict.fromkeys(row["tool"]["name"] for row in found))
        kept = {row["tool"]["name"]: row["tool"] for row in found}
        tools = [*kept.values(), *shelf.of(server, without=names)]
        licensed = all(quotable(row["license"]) for row in found)
        yield _listing(f"hard_negatives/{server}", server, tools, names, licensed)


def captures() -> Iterator[Case]:
    """Give the newest release of every server that was seen on the wire; each of its tools counts."""
    for folder in sorted((SHARED / "captures").iterdir()):
        newest = max(folder.glob("*.json"), key=lambda file: [int(part) for part in re.findall(r"\d+", file.stem)])
        document = json.loads(newest.read_text(encoding="utf-8"))
        names = [tool["name"] for tool in document["tools"]]
        units = (*(f"tool:{name}" for name in dict.fromkeys(names)), "server:")
        yield _honest(f"captures/{folder.name} {newest.stem}", folder.name, document, units, licensed=False)


def _listing(name: str, server: str, tools: list[Any], counted: tuple[str, ...], licensed: bool) -> Case:
    units = tuple(f"tool:{one}" for one in counted)
    return _honest(name, server, {"tools": tools}, units, licensed=licensed)


def _honest(name: str, server: str, live: Any, units: tuple[str, ...], *, licensed: bool) -> Case:
    return Case(
        name,
        name.partition("/")[0],
        FIRST_SIGHT,
        server,
        part_of(server),
        HONEST,
        live,
        units=units,
        server=server,
        kinds={"server": server},
        quotable=licensed,
    )
