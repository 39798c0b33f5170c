"""Recall and false alarms of the text signals over the shared corpus, per set, at medium and at high.

Run: python benchmarks/text_signals.py [--misses N] [SET …]   (the corpus lies in ../shared or in DRIFTWATCH_SHARED)
The figures say how the signals do on this corpus; published poison shares templates, so they flatter.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from driftwatch.judge.text import Signal, TextContext, examine  # noqa: E402
from driftwatch.model import Severity  # noqa: E402

SHARED = Path(os.environ.get("DRIFTWATCH_SHARED", ROOT.parent / "shared"))
STRUCTURE = {"type", "$schema", "format", "$ref", "$id", "mimeType"}


def rows(name: str) -> list[dict[str, Any]]:
    with (SHARED / "corpus" / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def strings(value: Any, pointer: str = "", key: str = "") -> Iterator[tuple[str, str, str]]:
    """Give (pointer, target, text) of everything that a model may read."""
    if isinstance(value, str):
        if key not in STRUCTURE:
            yield pointer, "value", value
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from strings(item, f"{pointer}/{at}", key)
    elif isinstance(value, dict):
        for name, item in value.items():
            here = f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
            if key == "properties":
                yield here, "key", name
            yield from strings(item, here, name)


def names_of(tool: Any) -> set[str]:
    found = {text for _, target, text in strings(tool) if target == "key"}
    if isinstance(tool, dict) and isinstance(tool.get("name"), str):
        found.add(tool["name"])
    return found


def judge(before: Any, after: Any, own: set[str], purpose: str) -> list[tuple[str, Signal]]:
    old = {(pointer, target): text for pointer, target, text in strings(before)} if before is not None else {}
    known = "\n".join(old.values())
    found = []
    for pointer, target, text in strings(after):
        if old.get((pointer, target)) == text:
            continue
        context = TextContext(frozenset(own), "", pointer=pointer, purpose=purpose, target=target, known=known)
        found += [(text, signal) for signal in examine(text, old.get((pointer, target)), context)]
    return found


def text_of(tool: Any) -> str:
    return f"{tool.get('name', '')}: {tool.get('description') or ''}"


def first_sight(tool: Any, own: set[str]) -> list[tuple[str, Signal]]:
    return judge(None, tool, own | names_of(tool), str(tool.get("name", "")))


def drift(before: Any, after: Any, own: set[str]) -> list[tuple[str, Signal]]:
    return judge(before, after, own | names_of(before) | names_of(after), text_of(before))


@cache
def own_names() -> dict[str, set[str]]:
    """Give the names of every honest server, as far as the corpus has its tools."""
    own: dict[str, set[str]] = defaultdict(set)
    for row in rows("benign") + rows("hard_negatives"):
        own[row["server"]] |= names_of(row["tool"])
    for row in rows("histories"):
        for version in row["versions"]:
            own[row["server"]] |= names_of(version["tool"]) if version["tool"] else set()
    return own


def cases(name: str) -> Iterator[tuple[dict[str, Any], list[tuple[str, Signal]]]]:
    data = rows(name)
    own = own_names() if name != "poisoned" else defaultdict(set)
    for row in data:
        if name == "subtle_pairs":
            yield row, whole(row)
        elif "versions" in row:
            tools = [version["tool"] for version in row["versions"] if version["tool"]]
            for before, after in pairwise(tools):
                yield row, drift(before, after, own.get(row["server"], set()))
        elif "before" in row:
            yield row, drift(row["before"], row["after"], own.get(row["server"], set()))
        else:
            yield row, first_sight(row["tool"], own.get(row["server"], set()))


def whole(row: dict[str, Any]) -> list[tuple[str, Signal]]:
    """Judge a document against its baseline, item by item."""
    own = set().union(*(names_of(tool) for tool in row["live"].get("tools", [])), set())
    found = []
    for section, live in row["live"].items():
        base = row["baseline"].get(section)
        if isinstance(live, list):
            old = {item.get("name") or item.get("uri"): item for item in base or []}
            for item in live:
                before = old.get(item.get("name") or item.get("uri"))
                found += judge(before, item, own, text_of(before) if before else str(item.get("name", "")))
        else:
            found += judge(base, live, own, "")
    return found


def groups_of(row: dict[str, Any], *, detail: bool) -> set[str]:
    label = f"{row.get('label') or 'honest'}{'/' + row['strength'] if row.get('strength') else ''}"
    finer = ("tone", "lang", "disguise", "category", "attack") if detail else ()
    return {label, *(f"{label} {row[key]}" for key in finer if row.get(key))}


def measure(name: str, show: int, *, detail: bool) -> None:
    started = time.perf_counter()
    groups: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    wrong = []
    for row, found in cases(name):
        worst = max((signal.severity for _, signal in found), default=Severity.INFO)
        for group in groups_of(row, detail=detail):
            groups[group][0] += 1
            groups[group][1] += worst >= Severity.MEDIUM
            groups[group][2] += worst >= Severity.HIGH
        if (row.get("label") == "poisoned") != (worst >= Severity.MEDIUM):
            wrong.append((row, found, worst))
    print(f"\n{name}: {time.perf_counter() - started:.1f} s")
    for group, (total, medium, high) in sorted(groups.items()):
        print(f"  {group:48} n={total:5}  >=medium {medium / total:6.1%}  >=high {high / total:6.1%}")
    for row, found, worst in wrong[:show]:
        explain(row, found, worst)


def explain(row: dict[str, Any], found: list[tuple[str, Signal]], worst: Severity) -> None:
    tool = row.get("tool")
    title = row.get("id") or (tool.get("name", "") if isinstance(tool, dict) else tool)
    kind = row.get("category") or row.get("attack") or row.get("kind") or row.get("why")
    print(f"--- {title} {worst.value} {kind}")
    for text, signal in found:
        if signal.severity >= Severity.MEDIUM:
            span = signal.spans[0]
            print(f"    {signal.severity.value} {signal.id}: {text[span.start : span.end][:300]!r}")


SETS = ("benign", "hard_negatives", "hard_negative_drifts", "histories", "poisoned", "rugpull_pairs", "subtle_pairs")

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--misses", type=int, default=0, help="print so many wrong answers with their text")
    parser.add_argument("--detail", action="store_true", help="per tone, language, disguise and category")
    options = parser.parse_args()
    for chosen in options.sets:
        measure(chosen, options.misses, detail=options.detail)
