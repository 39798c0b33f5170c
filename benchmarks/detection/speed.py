"""How fast tool descriptions are judged on one core, beside reading and hashing the same bytes, and how it grows.

Run: python benchmarks/detection/speed.py [--tools N] [--repeat N]

The tools are real ones of the shared corpus, in the listings of their servers; each description occurs once. They are
judged in both modes: scanned, and compared with the same listings without their descriptions, so that all of the text
is gained. The yardstick is `json.loads` and SHA-256 of the same bytes in the same run; machines differ, so the ratio
says more than the time. Then texts that double in length are judged, up to 256 Ki characters.

Ends with 1 when the cost grows as a higher power of the length than `POWER`. Linear is 1 and quadratic 2; a long text
costs a little more for each character than a short one, because it holds more that has to be undone and read again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.detection.measured.sources import SHARED, rows  # noqa: E402
from driftwatch.judge.judge import compare, scan  # noqa: E402

POWER = 1.25
"""The power of the length that the cost may grow with."""

SHORTEST, DOUBLINGS = 1024, 8


def listings(tools: int) -> list[dict[str, Any]]:
    """Give listings with so many tools in all, of as many servers as it takes; no description occurs twice."""
    servers: dict[str, dict[str, Any]] = defaultdict(dict)
    said: set[str] = set()
    for server, tool in _every_tool():
        text = tool.get("description")
        if len(said) < tools and text and text not in said and tool["name"] not in servers[server]:
            said.add(text)
            servers[server][tool["name"]] = tool
    return [{"tools": list(found.values())} for found in servers.values() if found]


def _every_tool() -> Iterator[tuple[str, Any]]:
    for row in rows("benign"):
        yield row["server"], row["tool"]
    for row in rows("histories"):
        for version in reversed(row["versions"]):
            if version["tool"]:
                yield row["server"], version["tool"]


def bare(listing: dict[str, Any]) -> dict[str, Any]:
    """Give a listing without the descriptions of its tools."""
    kept = [{name: value for name, value in tool.items() if name != "description"} for tool in listing["tools"]]
    return {"tools": kept}


def text_of(length: int) -> str:
    """Make a text of a length from descriptions of the corpus, one after the other, each with its own number."""
    parts: list[str] = []
    size = 0
    while size < length:
        for number, row in enumerate(rows("benign")):
            parts.append(f"{number + len(parts)}. {row['tool'].get('description') or ''}")
            size += len(parts[-1]) + 1
            if size >= length:
                break
    return "\n".join(parts)[:length]


def cost(work: Callable[[], object], repeat: int) -> float:
    """Give the processor time of the fastest run, in seconds."""
    took = []
    for _ in range(repeat):
        started = time.process_time()
        work()
        took.append(time.process_time() - started)
    return min(took)


def by_tools(tools: int, repeat: int) -> None:
    """Print what judging so many tools costs in both modes."""
    found = listings(tools)
    count = sum(len(one["tools"]) for one in found)
    raw = [json.dumps(one).encode() for one in found]
    size = sum(map(len, raw)) / 1024
    plain = cost(lambda: [(json.loads(one), hashlib.sha256(one).digest()) for one in raw], max(repeat, 3))
    print(f"{count} tools of {len(found)} servers, {size:.0f} KiB; json.loads + SHA-256: {plain * 1000:.1f} ms")
    ways: dict[str, Callable[[], object]] = {
        "first sight": lambda: [scan(one) for one in found],
        "gained": lambda: [compare(bare(one), one) for one in found],
    }
    for name, work in ways.items():
        took = cost(work, repeat)
        print(
            f"{name:>12}: {took:6.2f} s, {count / took:7.0f} tools per second, {took / plain:5.0f} times the yardstick"
        )


def by_length(repeat: int) -> list[tuple[int, float]]:
    """Print what one text costs as it doubles; give each length with its cost."""
    costs = []
    print(f"\n{'characters':>12} {'scan':>12} {'for a KiB':>12}")
    whole = text_of(SHORTEST << DOUBLINGS)
    for step in range(DOUBLINGS + 1):
        length = SHORTEST << step
        took = scanned(whole[:length], repeat)
        costs.append((length, took))
        print(f"{length:>12} {took * 1000:>9.1f} ms {took * 1000 / (length / 1024):>9.2f} ms")
    return costs


def scanned(text: str, repeat: int) -> float:
    """Give what it costs to scan a tool with a text, in seconds."""
    tool = {"name": "read_page", "description": text, "inputSchema": {"type": "object"}}
    return cost(lambda: scan({"tools": [tool]}), repeat)


def power(costs: Sequence[tuple[int, float]]) -> float:
    """Give the power of the length with which the cost grows, by the line that fits best: 1 is linear, 2 quadratic."""
    points = [(math.log(length), math.log(took)) for length, took in costs]
    x, y = (fmean(values) for values in zip(*points, strict=True))
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


def main(arguments: Sequence[str]) -> int:
    """Print both tables and say whether the growth is linear."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=int, default=3000)
    parser.add_argument("--repeat", type=int, default=2)
    given = parser.parse_args(arguments)
    if not SHARED.exists():
        print(f"Nothing is measured: {SHARED.parent.name} is not beside the repository.")
        return 0
    scan(listings(1)[0])  # tables that are built once are no part of the cost
    by_tools(given.tools, given.repeat)
    grown = power(by_length(given.repeat))
    print(f"\nThe cost grows as the length to the power of {grown:.2f} (allowed: {POWER}; 1 is linear).")
    return int(grown > POWER)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
