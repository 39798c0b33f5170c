"""What the HTTP forwarder costs a session: latency and processor time.

Run: python benchmarks/witness_http.py [--rounds N] [--bulk MIB]

Three ways to reach the same server, which answers every request with about as many bytes as it was asked for: straight;
with a relay of bare bytes on asyncio in the place where the forwarder would be; and through `driftwatch witness
forward`. The answers are lists of tools as JSON, asked for, so that the copyist reads them too.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SIZES = (200, 4096, 65536, 1 << 20)
_TICK = 1 / os.sysconf("SC_CLK_TCK")
_ENTRY = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from driftwatch.__main__ import main; sys.exit(main())"


# ------------------------------------------------------------------- what runs in other processes


async def serve(port: int) -> None:
    """Answer every request on a port with a list of as many bytes as its path says."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError:
                break
            body = await reader.readexactly(int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]))
            said = listing(int(head.split(b" ")[1][1:]), body[-2:-1].decode())
            kind = b"Content-Type: application/json\r\n"
            writer.write(b"HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n" % (kind, len(said)))
            writer.write(said)
            await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", port) as server:
        await server.serve_forever()


async def relay(port: int, onward: int) -> None:
    """Carry bytes between a port and another one."""

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while chunk := await reader.read(1 << 16):
            writer.write(chunk)
            await writer.drain()
        writer.close()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection("127.0.0.1", onward)
        await asyncio.gather(carry(reader, there[1]), carry(there[0], writer))

    async with await asyncio.start_server(connected, "127.0.0.1", port) as server:
        await server.serve_forever()


@cache
def listing(size: int, number: str) -> bytes:
    """Make a list of tools of about so many bytes."""
    tool = {"name": "search", "description": "x" * min(1000, size), "inputSchema": {"type": "object"}}
    tools = [tool | {"name": f"search{at}"} for at in range(max(1, size // 1100))]
    return json.dumps({"jsonrpc": "2.0", "id": int(number), "result": {"tools": tools}}).encode()


# ----------------------------------------------------------------------------------- measuring


@dataclass
class Way:
    """A way to the server: where an agent connects, and the process in between, if any."""

    name: str
    port: int
    process: subprocess.Popen[bytes] | None = None

    def spent(self) -> tuple[float, float]:
        """Give the seconds of processor time of what stands between, and of its copyist."""
        if self.process is None:
            return 0.0, 0.0
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return _seconds(self.process.pid), sum(_seconds(int(one)) for one in children)


def _seconds(process: int) -> float:
    stat = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) * _TICK


@contextlib.contextmanager
def ways() -> Iterator[list[Way]]:
    """Start the server, and what stands between."""
    server, between, forwarder = (_free_port() for _ in range(3))
    this = [sys.executable, str(Path(__file__).resolve())]
    line = ["witness", "forward", "notes", "--upstream", f"http://127.0.0.1:{server}", "--host", "bench"]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, contextlib.ExitStack() as stack:
        environ = {"PATH": os.environ["PATH"], "HOME": folder}

        def start(*words: str) -> subprocess.Popen[bytes]:
            process = subprocess.Popen(words, env=environ, stdout=subprocess.DEVNULL)
            stack.callback(process.wait)
            stack.callback(process.terminate)
            return process

        start(*this, "--serve", str(server))
        relays = start(*this, "--relay", str(between), str(server))
        forwards = start(sys.executable, "-c", _ENTRY, *line, "--listen", f"127.0.0.1:{forwarder}")
        for port in (server, between, forwarder):
            _connected(port).close()
        time.sleep(4)  # Until the copyist is loaded, and does not take the processor.
        yield [Way("straight", server), Way("relay", between, relays), Way("forwarder", forwarder, forwards)]


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _connected(port: int) -> socket.socket:
    for _ in range(300):
        with contextlib.suppress(OSError):
            return socket.create_connection(("127.0.0.1", port))
        time.sleep(0.1)
    message = f"nobody listens on port {port}"
    raise SystemExit(message)


def exchanges(way: Way, size: int, count: int) -> list[float]:
    """Measure so many requests with their answers on one connection, in microseconds, without the first few."""
    body = json.dumps({"jsonrpc": "2.0", "method": "tools/list", "id": 1}).encode()
    head = f"POST /{size} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    asked = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
    took = []
    with _connected(way.port) as agent:
        for _ in range(count + 20):
            started = time.perf_counter()
            agent.sendall(asked)
            heard = b""
            while b"\r\n\r\n" not in heard:
                heard += agent.recv(1 << 20)
            told, _, rest = heard.partition(b"\r\n\r\n")
            missing = int(told.lower().split(b"content-length: ")[1].split(b"\r\n")[0]) - len(rest)
            while missing:
                missing -= len(agent.recv(1 << 20))
            took.append((time.perf_counter() - started) * 1e6)
    return sorted(took[20:])


def show_latency(there: list[Way], rounds: int) -> None:
    """Print the table of latencies."""
    print(f"\n{'answer':>10} {'way':>12} {'p50':>10} {'p99':>10} {'p50, to straight':>17} {'p50, to relay':>14}")
    for size in SIZES:
        middle: dict[str, float] = {}
        for way in there:
            took = exchanges(way, size, max(30, rounds * 200 // max(200, size // 20)))
            middle[way.name] = statistics.median(took)
            late = took[min(len(took) - 1, len(took) * 99 // 100)]
            ratios = f"{middle[way.name] / middle['straight']:>16.2f}x"
            other = f"{middle[way.name] / middle['relay']:>13.2f}x" if "relay" in middle else " " * 14
            print(f"{size:>10} {way.name:>12} {middle[way.name]:>7.0f} µs {late:>7.0f} µs {ratios} {other}")


def show_spent(there: list[Way], bulk: int) -> None:
    """Print the table of processor time."""
    print(f"\n{'answer':>10} {'relay':>16} {'forwarder':>16} {'its copyist':>16} {'forwarder, to relay':>20}")
    for size in SIZES:
        count = max(1, min(bulk, size * 5000) // size)
        spent = {}
        for way in there[1:]:
            before = way.spent()
            exchanges(way, size, count)
            time.sleep(1)
            both = zip(way.spent(), before, strict=True)
            spent[way.name] = [(one - other) * 1000 / (count * size / 2**20) for one, other in both]
        shown = [spent["relay"][0], *spent["forwarder"]]
        ratio = f"{shown[1] / shown[0] if shown[0] else 0:>19.2f}x"
        print(f"{size:>10} " + " ".join(f"{one:>9.2f} ms/MiB" for one in shown) + f" {ratio}")


def show(rounds: int, bulk: int) -> None:
    """Measure, and print both tables."""
    with ways() as there:
        show_latency(there, rounds)
        show_spent(there, bulk)


def main() -> None:
    """Measure, or be one of the processes that are measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=3000, help="answers of the smallest size")
    parser.add_argument("--bulk", type=int, default=64, help="mebibytes to carry for the processor time")
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--relay", type=int, nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        asyncio.run(serve(given.serve))
    elif given.relay:
        asyncio.run(relay(*given.relay))
    else:
        show(given.rounds, given.bulk * 2**20)


if __name__ == "__main__":
    main()
