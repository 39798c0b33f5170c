"""What judging costs, in milliseconds for each KB of JSON, beside reading and hashing the same bytes.

Run: python benchmarks/judge_speed.py [--tools N …] [--repeat N]

The baseline is `json.loads` and SHA-256 of the very bytes that are judged, in the same process and minute; machines
differ, so the ratio says more than the time. The descriptions are made up, about 1 KB each, no two of them alike.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from driftwatch.judge.judge import compare, scan

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


def main() -> None:
    """Print one line for each number of tools."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--repeat", type=int, default=2)
    given = parser.parse_args()
    scan(listing(1, seed=0))  # tables that are built once are no part of the cost
    print(
        f"{'tools':>6} {'KB':>6} {'json+sha256':>13} {'scan':>25} {'compare':>25}   (ms per KB; total; times the first)"
    )
    for tools in given.tools:
        raw = json.dumps(listing(tools, seed=1)).encode()
        before, live = listing(tools, seed=2), json.loads(raw)
        size = len(raw) / 1024
        plain = cost(lambda raw=raw: (json.loads(raw), hashlib.sha256(raw).digest()), given.repeat)
        scanned = cost(lambda live=live: scan(live), given.repeat)
        compared = cost(lambda live=live, before=before: compare(before, live), given.repeat)
        shown = [f"{one / size:>8.2f} {one:>7.0f} ms {one / plain:>6.0f}x" for one in (scanned, compared)]
        print(f"{tools:>6} {size:>6.0f} {plain / size:>13.4f} {shown[0]:>25} {shown[1]:>25}")


if __name__ == "__main__":
    main()
