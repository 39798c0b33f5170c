"""What a witness costs a session: latency, processor time, and the time until the server starts.

Run: python benchmarks/witness.py [--rounds N] [--bulk MIB] [--starts N]

Three ways to reach the same server, `cat`, which says back what it hears: straight; with a `cat` for each direction in
the place where the witness would be; and through `driftwatch witness`. Machines differ, so the ratios say more than the
times. Nothing is sent: the looks wait in a folder of their own.

`witness_http.py` does the same for the HTTP forwarder.

Latency is that of one message there and back, with nothing else under way. Processor time is taken from /proc, user and
system together, for the pump (which the session waits for) and the copyist (which it does not) apart. A start is
measured until the server's first word; the processor time on the way to it leaves out pump and copyist.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MARK = "DRIFTWATCH_BENCHMARK"
SIZES = (200, 4096, 65536, 1 << 20)

SERVER = ("cat",)
BETWEEN = ("/bin/sh", "-c", "cat | cat | cat")
ENTRY = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from driftwatch.__main__ import main; sys.exit(main())"
WITNESS = (sys.executable, "-I", "-c", ENTRY, "witness", "notes", "--host", "bench", "--", *SERVER)
PYTHON = (sys.executable, "-I", "-c", "import os; os.execvp('cat', ['cat'])")
WAYS = {"straight": SERVER, "cat between": BETWEEN, "witness": WITNESS}

_TICK = 1 / os.sysconf("SC_CLK_TCK")


@dataclass
class Session:
    """One running session; `mark` is in the environment of every process that takes part."""

    host: subprocess.Popen[bytes]
    mark: str

    def exchange(self, message: bytes) -> None:
        """Say something, and read until it is back whole."""
        assert self.host.stdin is not None
        assert self.host.stdout is not None
        to, back = self.host.stdin.fileno(), self.host.stdout.fileno()
        left, missing = memoryview(message), len(message)
        while missing:
            # Never more under way than the pipes hold: nobody reads while we write.
            if left:
                left = left[os.write(to, left[:32768]) :]
            missing -= len(os.read(back, 1 << 20))

    def processes(self) -> Iterator[tuple[str, float]]:
        """Give the command line of every process that takes part, and the seconds of processor time it took."""
        for place in Path("/proc").glob("[0-9]*"):
            try:
                if f"{MARK}={self.mark}".encode() not in (place / "environ").read_bytes().split(b"\0"):
                    continue
                spent = (place / "stat").read_text().rpartition(")")[2].split()
                line = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            yield line, (int(spent[11]) + int(spent[12])) * _TICK


@contextmanager
def running(line: Sequence[str]) -> Iterator[Session]:
    """Start a session with a folder of its own."""
    mark = uuid.uuid4().hex
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        environ = {"PATH": os.environ["PATH"], "HOME": folder, MARK: mark}
        with subprocess.Popen(line, stdin=-1, stdout=-1, bufsize=0, env=environ) as host:
            yield Session(host, mark)


def request(size: int) -> bytes:
    """Make the call of a tool that has so many bytes, with its line end."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {"text": ""}}}
    missing = size - len(json.dumps(body)) - 1
    body["params"] = {"name": "search", "arguments": {"text": "x" * max(0, missing)}}
    return json.dumps(body).encode() + b"\n"


def latencies(line: Sequence[str], size: int, rounds: int) -> list[float]:
    """Measure so many messages there and back, in microseconds."""
    message = request(size)
    with running(line) as session:
        for _ in range(max(20, rounds // 10)):
            session.exchange(message)
        time.sleep(0.8)  # Until the copyist is loaded, and does not take the processor.
        took = []
        for _ in range(rounds):
            started = time.perf_counter()
            session.exchange(message)
            took.append((time.perf_counter() - started) * 1e6)
    return sorted(took)


def show_latency(rounds: int) -> None:
    """Print the table of latencies."""
    print(f"{'message':>10} {'way':>12} {'p50':>10} {'p99':>10} {'p50, to straight':>17} {'p50, to cat':>12}")
    for size in SIZES:
        middle: dict[str, float] = {}
        for name, line in WAYS.items():
            took = latencies(line, size, max(30, rounds * 200 // max(200, size // 20)))
            middle[name] = statistics.median(took)
            late = took[min(len(took) - 1, len(took) * 99 // 100)]
            ratios = f"{middle[name] / middle['straight']:>16.2f}x"
            other = f"{middle[name] / middle['cat between']:>11.2f}x" if "cat between" in middle else " " * 12
            print(f"{size:>10} {name:>12} {middle[name]:>7.0f} µs {late:>7.0f} µs {ratios} {other}")


def spent(line: Sequence[str], size: int, bulk: int) -> dict[str, float]:
    """Give what each part of a session spent on so many bytes there and back, in milliseconds for each mebibyte."""
    message = request(size)
    with running(line) as session:
        for _ in range(20):
            session.exchange(message)
        time.sleep(0.8)
        before = parts(session)
        for _ in range(max(1, bulk // size)):
            session.exchange(message)
        after = parts(session)
        while (later := parts(session)) != after or not time.sleep(0.3):
            if later == after == parts(session):
                break
            after = later
    carried = 2 * max(1, bulk // size) * size / 2**20
    return {name: (after[name] - before.get(name, 0.0)) * 1000 / carried for name in after}


def parts(session: Session) -> dict[str, float]:
    """Give the seconds that each part of a session has spent so far."""
    found = {"server": 0.0, "cat": 0.0, "pump": 0.0, "copyist": 0.0}
    servers = 0
    for line, seconds in session.processes():
        if "copyist" in line.split("-c", 1)[-1][:400]:
            found["copyist"] += seconds
        elif "witness" in line:
            found["pump"] += seconds
        elif line.strip() == "cat":
            servers += 1
            found["server" if servers == 1 else "cat"] += seconds
    return found


def show_spent(bulk: int) -> None:
    """Print the table of processor time."""
    print(f"\n{'message':>10} {'cat, each way':>15} {'pump':>15} {'copyist':>15} {'pump, to cat':>14}")
    for size in SIZES:
        some = min(bulk, size * 40_000)
        cats = spent(BETWEEN, size, some)
        ours = spent(WITNESS, size, some)
        plain = (cats["server"] + cats["cat"]) * 2 / 3  # Three alike, of which two stand where the pump does.
        shown = " ".join(f"{one:>9.2f} ms/MiB" for one in (plain, ours["pump"], ours["copyist"]))
        print(f"{size:>10} {shown} {ours['pump'] / plain if plain else 0:>13.2f}x")


def starts(line: Sequence[str], count: int) -> tuple[list[float], float]:
    """Measure so many starts until the server says its first word, and the processor time on the way, in ms."""
    took = []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(count):
        started = time.perf_counter()
        with running(line) as session:
            session.exchange(b"\n")
            took.append((time.perf_counter() - started) * 1000)
        time.sleep(0.5)  # What the one before left behind must not slow this one down.
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent_on_it = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return sorted(took), spent_on_it * 1000 / count


def show_starts(count: int) -> None:
    """Print how long it takes until the server answers."""
    print(f"\n{'until the first answer':>36} {'fastest':>12} {'p50':>12} {'processor':>12}")
    named = {"straight": SERVER, "a Python that does nothing else": PYTHON, "witness": WITNESS}
    for name, line in named.items():
        took, processor = starts(line, count)
        print(f"{name:>36} {took[0]:>9.1f} ms {statistics.median(took):>9.1f} ms {processor:>9.1f} ms")


def main() -> None:
    """Measure, and print three tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=3000, help="messages of the smallest size")
    parser.add_argument("--bulk", type=int, default=128, help="mebibytes to carry for the processor time")
    parser.add_argument("--starts", type=int, default=15)
    given = parser.parse_args()
    show_latency(given.rounds)
    show_spent(given.bulk * 2**20)
    show_starts(given.starts)


if __name__ == "__main__":
    main()
