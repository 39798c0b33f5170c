"""Measure what is found in changes by writers who did not see the detector: injections, and their honest twins.

Run: python benchmarks/detection/measure.py [FILE…]     (without files: the development documents)
Each change is compared as a whole, with every rule. Prints how many reach medium and high, by kind. What a figure means
depends on who wrote the file: twins here were written to be as hard as their writers could make them.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import driftwatch  # noqa: E402
from driftwatch.model import Severity  # noqa: E402

DOCUMENTS = ROOT / "tests" / "data" / "detection" / "documents"
KINDS = ("tone", "language", "category", "disguise", "position")


def main(files: Sequence[str]) -> None:
    """Print the table."""
    table: dict[tuple[str, str, str], list[Severity]] = defaultdict(list)
    for row in rows([Path(file) for file in files] or sorted(DOCUMENTS.glob("*.jsonl"))):
        worst = driftwatch.compare(row["before"], row["after"]).worst or Severity.INFO
        for kind in ("all", *KINDS):
            table[kind, row.get(kind) or "-", row["label"]].append(worst)
    print(f"{'':36}{'':10}{'n':>6}{'medium':>9}{'high':>7}")
    for (kind, value, label), found in sorted(table.items()):
        medium, high = (sum(one >= level for one in found) / len(found) for level in (Severity.MEDIUM, Severity.HIGH))
        print(f"{kind:10}{value:26}{label:10}{len(found):>6}{medium:>9.2f}{high:>7.2f}")


def rows(files: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """Give the changes of some files."""
    for file in files:
        yield from (json.loads(line) for line in file.read_text().splitlines())


if __name__ == "__main__":
    main(sys.argv[1:])
