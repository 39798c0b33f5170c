"""The page of all metrics, made from the catalogue: docs/metrics.md between its two marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

from driftwatch.run.metrics_catalogue import CHANNEL, METRICS, SERVER, Metric

BEGIN: Final = "<!-- what follows is made by `make docs` -->"

_SAID: Final = {
    SERVER: "a name of the configuration",
    CHANNEL: "a name of the configuration",
    "version": "of driftwatch",
    "python": "of Python",
    "rules": "the set of rules",
}
"""What the values of a label are that are not listed."""


def render() -> str:
    """Give what follows the mark: a table for each group, and which metrics there are once for each server."""
    lines = [BEGIN, ""]
    for group, metrics in groupby(METRICS, key=lambda metric: metric.group):
        lines += [f"## {group.value}", "", "| metric | type | labels | meaning |", "|---|---|---|---|"]
        lines += [*map(_row, metrics), ""]
    return "\n".join([*lines, *_sizes(METRICS)])


def _row(metric: Metric) -> str:
    labels = "<br>".join(_label(name, values) for name, values in metric.labels) or "none"
    whence = "" if metric.stored else " *(not from the database)*"
    return f"| `{metric.name}` | {metric.type.value} | {labels} | {metric.help}{whence} |"


def _label(name: str, values: Iterable[str]) -> str:
    return f"`{name}`: {', '.join(f'`{value}`' for value in values) or _SAID[name]}"


def _sizes(metrics: Iterable[Metric]) -> Iterator[str]:
    """Say how many series there are, so that nobody has to count."""
    per_server = [metric for metric in metrics if metric.per_server]
    yield "## How many series"
    yield ""
    names = ", ".join(f"`{one.name}`" for one in per_server)
    yield f"{len(per_server)} metrics have a series for each server: {names}. So 1,000 servers make"
    yield f"{1000 * len(per_server):,} series. Some others have a few for each channel; all that is left is of a fixed"
    yield "number, whatever is watched and whatever servers do."
    yield ""


def main(path: Path) -> None:
    """Write the page anew below its mark."""
    before, _, _ = path.read_text(encoding="utf-8").partition(BEGIN)
    path.write_text(before + render(), encoding="utf-8")


if __name__ == "__main__":
    import sys

    main(Path(sys.argv[1]))
