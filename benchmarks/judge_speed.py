"""What judging costs beside reading and hashing the same bytes, and whether it grows with what changed.

Run: python benchmarks/judge_speed.py [--tools N …] [--changed N …] [--repeat N]

The yardstick is `json.loads` and SHA-256 of the very bytes that are judged, in the same process and minute; machines
differ, so the ratio says more than the time. The descriptions are made up, about 1 KB each, no two of them alike.

Three tables: listings whose tools are all new to the baseline's texts, by the number of tools; a server of 1,000 tools
of which some changed, each in its own way; and the same where they changed alike, as after an upgrade of a library.
Ends with 1 when ten times as many changed tools cost more than ten times `SLACK` as much: growth is then not linear.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from driftwatch.judge.judge import compare, scan

SERVER = 1000
"""Tools of the server of which some change."""

SLACK = 1.5
"""How much faster than the number of changed tools the cost may grow, for what a busy machine adds."""

Turn: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]

VERBS = ("Lists", "Finds", "Reads", "Creates", "Updates", "Counts", "Exports", "Checks", "Compares", "Sorts")
THINGS = ("tickets", "invoices", "pages", "branches", "files", "contacts", "messages", "tables", "sensors", "orders")
SENTENCES = (
    "{verb} the {things} of a project and returns them as a list, newest first.",
    "Use this when the user asks about {things}; the `project` parameter is the key of the project, e.g. DW-{number}.",
    "At most {number} {things} are given in one call, and `cursor` leads to the next page.",
    "Dates are ISO 8601 in UTC, such as 2024-05-{day:02}T09:30:00Z.",
    "When a name is not found, the result is empty and not an error.",
    "See https://docs.example.com/{things}/{number} for every field.",
    "Note that archived {things} are left out unless `include_archived` is true.",
    "Returns the identifier, the title, the owner and the state of each of the {things}.",
    "This call changes nothing; it may be repeated without harm.",
)


def listing(tools: int, *, seed: int) -> dict[str, Any]:
    """Make a listing of so many tools with a description of about 1 KB each."""
    source = random.Random(seed)
    return {"tools": [_tool(number, source) for number in range(tools)]}


def _tool(number: int, source: random.Random) -> dict[str, Any]:
    said = ""
    while len(said) < 1024:
        said += source.choice(SENTENCES).format(
            verb=source.choice(VERBS), things=source.choice(THINGS), number=number * 7, day=1 + source.randrange(28)
        )
        said += " "
    project = {"type": "string", "description": f"The key of the project, e.g. P{number}."}
    schema = {"type": "object", "properties": {"project": project}, "required": ["project"]}
    return {"name": f"{source.choice(THINGS)}_list_{number}", "description": said.strip(), "inputSchema": schema}


def cost(work: Callable[[], object], repeat: int) -> float:
    """Give the processor time of the fastest run, in milliseconds."""
    took = []
    for _ in range(repeat):
        started = time.process_time()
        work()
        took.append((time.process_time() - started) * 1000)
    return min(took)


def measured(before: Any, live: Any, repeat: int) -> tuple[float, float]:
    """Give what a comparison costs, and what reading and hashing the live bytes does, in milliseconds."""
    raw = json.dumps(live).encode()
    plain = cost(lambda: (json.loads(raw), hashlib.sha256(raw).digest()), repeat)
    return cost(lambda: compare(before, live), repeat), plain


def by_size(sizes: list[int], repeat: int) -> Iterator[tuple[int, float]]:
    """Print what scanning and comparing listings of several sizes costs; give the size and cost of each comparison."""
    print(f"{'tools, all changed':>20} {'KB':>6} {'json+sha256':>14} {'scan':>22} {'compare':>22} {'for a tool':>14}")
    for tools in sizes:
        before, live = listing(tools, seed=2), listing(tools, seed=1)
        size = len(json.dumps(live)) / 1024
        scanned = cost(lambda live=live: scan(live), repeat)
        compared, plain = measured(before, live, repeat)
        shown = [f"{one:>9.0f} ms {one / plain:>8.0f}x" for one in (scanned, compared)]
        print(f"{tools:>20} {size:>6.0f} {plain:>11.2f} ms {shown[0]:>22} {shown[1]:>22} {compared / tools:>11.2f} ms")
        yield tools, compared


def by_change(how: str, turn: Turn, counts: list[int], repeat: int) -> Iterator[tuple[int, float]]:
    """Print what comparing a server of `SERVER` tools costs when some changed; give how many and the cost of each."""
    before = listing(SERVER, seed=3)
    step = len(json.dumps(before)) / SERVER / 1024
    print(
        f"\n{how:>20} {'KB changed':>11} {'json+sha256':>14} {'compare':>22} {'for a changed tool':>20} {'findings':>9}"
    )
    for changed in counts:
        tools = [turn(tool) if number < changed else tool for number, tool in enumerate(before["tools"])]
        live = {"tools": tools}
        took, plain = measured(before, live, repeat)
        found = len(compare(before, live).findings)
        ratio = took / changed / (plain / SERVER)
        shown = f"{took / changed:>9.2f} ms {ratio:>5.0f}x"
        print(f"{changed:>20} {changed * step:>11.0f} {plain:>11.2f} ms {took:>19.0f} ms {shown:>20} {found:>9}")
        yield changed, took


def own(tool: dict[str, Any]) -> dict[str, Any]:
    """Change a tool in its own way: one sentence more, with a number that no other has, and a parameter of its own."""
    number = tool["name"].rsplit("_", 1)[-1]
    schema = tool["inputSchema"]
    properties = {**schema["properties"], f"limit_{number}": {"type": "integer", "maximum": int(number) + 1}}
    said = f"{tool['description']} At most {number} are given."
    return {**tool, "description": said, "inputSchema": {**schema, "properties": properties}}


def alike(tool: dict[str, Any]) -> dict[str, Any]:
    """Change a tool as an upgraded library changes all of them."""
    schema = {
        **tool["inputSchema"],
        "$schema": "http://json-schema.org/draft-07/schema#",
        "additionalProperties": False,
    }
    title = tool["name"].replace("_", " ").title()
    return {**tool, "title": title, "inputSchema": schema, "annotations": {"readOnlyHint": True}}


def grows(costs: list[tuple[int, float]]) -> float:
    """Give how much faster than the number of changed tools the cost grew, at the worst step; 1 is linear."""
    steps = pairwise(costs)
    return max(((after / before) / (more / fewer) for (fewer, before), (more, after) in steps), default=0.0)


def main() -> int:
    """Print the tables and say whether the growth is linear."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--changed", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--repeat", type=int, default=2)
    given = parser.parse_args()
    scan(listing(1, seed=0))  # tables that are built once are no part of the cost
    growth = [grows(list(by_size(given.tools, given.repeat)))]
    for how, turn in (("each in its own way", own), ("all alike", alike)):
        growth.append(grows(list(by_change(how, turn, given.changed, given.repeat))))
    worst = max(growth)
    print(f"\nAt the worst step the cost grew {worst:.2f} times as fast as the tools that changed (allowed: {SLACK}).")
    return int(worst > SLACK)


if __name__ == "__main__":
    sys.exit(main())
