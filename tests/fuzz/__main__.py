"""Search for inputs that break a promise: `python -m tests.fuzz [TARGET…] [--seconds 600]`, one target after the other.

Where atheris is installed it goes by coverage, else inputs are changed by chance. What is found lies in `build/fuzz`
and is printed; minimized and copied into `tests/fuzz/corpus/TARGET` it is replayed by the tests from then on.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from tests.fuzz.targets import LARGEST, NAMES, corpus, kept, mutated, target

_FOUND = Path("build") / "fuzz"
_SLOWEST = 20
"""Seconds that one input may take."""


def main() -> int:
    """Run the targets, each in a process of its own; gives how many of them found something."""
    asked = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    asked.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(NAMES))
    asked.add_argument("--seconds", type=int, default=600, help="how long each runs")
    asked.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    given = asked.parse_args()
    if unknown := set(given.targets) - set(NAMES):
        asked.error(f"no such target: {', '.join(sorted(unknown))}")
    if given.inside:
        (name,) = given.targets
        return _by_coverage(name, given.seconds) if find_spec("atheris") else _by_chance(name, given.seconds)
    failed = 0
    for name in given.targets or NAMES:
        print(f"== {name}", flush=True)
        command = [sys.executable, "-m", "tests.fuzz", name, "--seconds", str(given.seconds), "--inside"]
        failed += subprocess.run(command, check=False).returncode != 0
    return failed


def _by_coverage(name: str, seconds: int) -> int:
    import atheris

    with atheris.instrument_imports(include=["driftwatch"]):
        one = target(name)
    found = _FOUND / name
    found.mkdir(parents=True, exist_ok=True)
    options = [
        f"-max_total_time={seconds}", f"-max_len={LARGEST}", f"-timeout={_SLOWEST}", "-rss_limit_mb=3072",
        "-print_final_stats=1", f"-artifact_prefix={_FOUND}/{name}-",
    ]  # fmt: skip
    atheris.Setup([sys.argv[0], *options, str(found), str(corpus(name))], one)
    atheris.Fuzz()
    return 0


def _by_chance(name: str, seconds: int) -> int:
    one, chance = target(name), random.Random()
    pool, number, end = kept(name) or [b""], 0, time.monotonic() + seconds
    while time.monotonic() < end:
        data = mutated(chance.choice(pool), chance.choice(pool), chance)[:LARGEST]
        number += 1
        try:
            one(data)
        except BaseException:
            _FOUND.mkdir(parents=True, exist_ok=True)
            place = _FOUND / f"{name}-crash-{os.getpid()}"
            place.write_bytes(data)
            print(f"{place} breaks it", file=sys.stderr)
            raise
    print(f"{name}: {number} inputs, nothing found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
