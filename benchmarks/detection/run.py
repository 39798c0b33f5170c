"""Measure the finding of injected instructions over all material and write docs/detection.md with its picture.

Run: python benchmarks/detection/run.py [--out DIR] [--only SET …] [--jobs N] [--unseen] [--quote] [--show-held-out]

`--only` measures some sets and prints the page instead of writing it, unless `--out` says where to. `--unseen` also
measures what nobody may read: figures only, for the end. `--quote` shows texts of the shared corpus in the lists of
misses and false alarms, as far as their licence lets it; such a page stays outside of the repository. So does one with
`--show-held-out`, which lists the held out part as well: whoever has seen it must not tune to it.

The shared corpus lies beside the repository (DRIFTWATCH_SHARED names another place); without it only the documents of
this project are measured, and the reason is said. Nothing is kept from one run to the next.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.detection.measure import DOCUMENTS  # noqa: E402
from benchmarks.detection.measured import first_sight, gained  # noqa: E402
from benchmarks.detection.measured.cases import FIRST_SIGHT, Case  # noqa: E402
from benchmarks.detection.measured.curve import draw  # noqa: E402
from benchmarks.detection.measured.judged import judged  # noqa: E402
from benchmarks.detection.measured.page import PICTURE, curves, page  # noqa: E402
from benchmarks.detection.measured.sources import SHARED, Shelf, rows  # noqa: E402
from driftwatch.judge.ruleset import RULESET  # noqa: E402

PAGE = "detection.md"
OWN_SETS = ("documents", "unseen")
SETS = (
    "poisoned",
    "rugpull_pairs",
    "subtle_pairs",
    "benign",
    "hard_negatives",
    "hard_negative_drifts",
    "histories",
    "captures",
    "documents",
)


def cases(sets: Iterable[str], shelf: Shelf) -> Iterator[Case]:
    """Give the cases of some sets, in both modes where a set has both."""
    ways: dict[str, Sequence[Callable[[], Iterator[Case]]]] = {
        "poisoned": (lambda: gained.poisoned(shelf), lambda: first_sight.poisoned(shelf)),
        "rugpull_pairs": (lambda: gained.rugpull_pairs(shelf),),
        "subtle_pairs": (gained.subtle_pairs, lambda: gained.subtle_pairs(FIRST_SIGHT)),
        "benign": (lambda: first_sight.benign(shelf),),
        "hard_negatives": (lambda: first_sight.hard_negatives(shelf),),
        "hard_negative_drifts": (lambda: gained.hard_negative_drifts(shelf),),
        "histories": (gained.histories,),
        "captures": (gained.captures, first_sight.captures),
        "documents": (lambda: gained.documents(DOCUMENTS), lambda: gained.documents(DOCUMENTS, FIRST_SIGHT)),
        "unseen": (
            lambda: gained.documents(gained.UNSEEN_FOLDER, hidden=True),
            lambda: gained.documents(gained.UNSEEN_FOLDER, FIRST_SIGHT, hidden=True),
        ),
    }
    for name in sets:
        for way in ways[name]:
            yield from way()


def main(arguments: Sequence[str]) -> int:
    """Measure, and write or print the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="the folder to write to (default: docs)")
    parser.add_argument("--only", nargs="+", choices=SETS, metavar="SET", help=", ".join(SETS))
    parser.add_argument("--jobs", type=int, default=1, help="processes that share the work")
    parser.add_argument("--unseen", action="store_true")
    parser.add_argument("--quote", action="store_true")
    parser.add_argument("--show-held-out", action="store_true")
    given = parser.parse_args(arguments)
    out = given.out or (None if given.only else ROOT / "docs")
    if (given.quote or given.show_held_out) and out and out.resolve().is_relative_to(ROOT):
        parser.error("texts of the shared corpus must not get into the repository: name a folder outside with --out")
    here = SHARED.exists()
    if not here:
        print(f"Only what this project wrote is measured: {SHARED.parent.name} is not beside the repository.")
    sets = [name for name in given.only or SETS if here or name in OWN_SETS] + ["unseen"] * given.unseen
    shelf = Shelf(rows("benign") if here else ())
    found = list(judged(cases(sets, shelf), given.jobs))
    written = page(found, RULESET, quote=given.quote, held_out=given.show_held_out)
    if out is None:
        print(written)
        return 0
    out.mkdir(parents=True, exist_ok=True)
    (out / PAGE).write_text(written, encoding="utf-8")
    (out / PICTURE).write_text(draw(curves(found)), encoding="utf-8")
    print(f"Written: {PAGE} and {PICTURE}, {len(found):,} judgements.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
