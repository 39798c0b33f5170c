"""A soak: `python -m benchmarks.soak --minutes 60 --servers 1000`. It ends with 1 when something did not hold."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

from benchmarks.soak.checks import checks
from benchmarks.soak.measured import keep_sampling, left_behind, looks, numbers, rows, sampled, seen
from benchmarks.soak.plan import JITTER, Pace, members
from benchmarks.soak.receiver import Receiver
from benchmarks.soak.record import Deed, Outage, Quiet, Record
from benchmarks.soak.report import write
from benchmarks.soak.scene import Daemon, Servers, approve_all, asked, configuration, free_port
from driftwatch.run.demo import new_secret


def say(words: str) -> None:
    """Say how it goes."""
    print(f"{time.strftime('%H:%M:%S')} {words}", flush=True)


async def soak(options: argparse.Namespace, folder: Path) -> Record:
    """Run it; everything that is written down lies in `folder`."""
    pace = Pace(options.interval)
    seconds = options.minutes * 60
    every = members(seed=options.seed, servers=options.servers, seconds=seconds, pace=pace)
    record = Record(options.seed, options.minutes, pace, every)
    run = folder / "run.json"
    plan = {"seed": options.seed, "servers": options.servers, "seconds": seconds, "interval": options.interval}
    run.write_text(json.dumps(plan), encoding="utf-8")
    secret, port = new_secret(), free_port()
    async with Receiver(secret) as receiver:
        servers = await Servers.start(run)
        config = configuration(folder, every, servers.urls, pace=pace, hook=receiver.url, secret=secret, port=port)
        daemon = Daemon(config)
        try:
            await _play(record, daemon, servers, f"http://127.0.0.1:{port}/metrics")
        finally:
            await daemon.kill() if daemon.process and daemon.process.returncode is None else None
            await servers.end()
        record.told, record.refused, record.failed = receiver.told, receiver.refused, receiver.failed
    return _read(record, folder)


async def _play(record: Record, daemon: Daemon, servers: Servers, metrics: str) -> None:
    database = daemon.config.parent / "driftwatch.db"
    began = time.monotonic()
    await daemon.start()
    sampling = asyncio.create_task(
        keep_sampling(lambda: daemon.pid, database, metrics, record.samples, every=min(2.0, record.pace.interval / 5))
    )
    try:
        await _until_seen(database, len(record.members), daemon)
        record.start = time.monotonic() - began
        say(f"all {len(record.members)} servers were seen after {record.start:.1f} s")
        began = time.monotonic()
        record.codes["approving"] = await asyncio.to_thread(approve_all, daemon.config)
        record.approving = time.monotonic() - began
        say(f"approved them in {record.approving:.1f} s")
        await asyncio.sleep(record.pace.interval)
        await _quiet(record, database, "before")
        await _storm(record, daemon, servers, metrics)
        await _quiet(record, database, "after")
        record.ended = time.time()
        record.stop, record.codes["SIGTERM"] = await daemon.stop()
        say(f"it ended in {record.stop:.1f} s")
    finally:
        sampling.cancel()
    await asyncio.sleep(1)
    record.left = left_behind(str(daemon.config.parent / "local"))
    for words in (("audit", "verify"), ("db", "check")):
        record.codes[" ".join(words)] = await asked(daemon.config, *words)


async def _until_seen(database: Path, servers: int, daemon: Daemon) -> None:
    while await asyncio.to_thread(_seen, database) < servers:
        if daemon.process is not None and daemon.process.returncode is not None:
            raise SystemExit(
                f"The daemon ended with {daemon.process.returncode}: see {daemon.config.parent}/daemon.log"
            )
        await asyncio.sleep(0.5)


def _seen(database: Path) -> int:
    try:
        return seen(database)
    except Exception:  # noqa: BLE001 - it is being made
        return 0


async def _until_up(metrics: str) -> None:
    """Wait until a daemon that was started tells its numbers, as long as anybody would."""
    async with httpx.AsyncClient(timeout=10) as client:
        for _ in range(120):
            if await numbers(client, metrics):
                return
            await asyncio.sleep(0.5)


async def _storm(record: Record, daemon: Daemon, servers: Servers, metrics: str) -> None:
    """Let the servers do what they do, kill the daemon in the middle, and wait until the last is told."""
    say("the servers begin")
    database = daemon.config.parent / "driftwatch.db"
    half = record.minutes * 30
    record.began, looked = time.time(), looks(database)
    used = -_used(daemon, database)
    servers.go()
    await asyncio.sleep(half)
    used += _used(daemon, database)
    began = time.time()
    await daemon.kill()
    await asyncio.sleep(1)
    await daemon.start()
    await _until_up(metrics)
    record.outages.append(Outage(began, time.time()))
    say(f"killed it, and it was there again after {time.time() - began:.1f} s")
    await asyncio.sleep(max(0.0, half + began - time.time()))
    say("the servers are done")
    await asyncio.sleep(record.pace.rest)
    record.processor = used + _used(daemon, database)
    record.looks = looks(database) - looked


def _used(daemon: Daemon, database: Path) -> float:
    sample = sampled(*daemon.pid, database, {})
    return sample.processor if sample is not None else 0.0


async def _quiet(record: Record, database: Path, name: str) -> None:
    """Let nothing change for as long as each server is looked at once."""
    began, before, looked = time.time(), rows(database), looks(database)
    await asyncio.sleep(record.pace.interval * JITTER)
    record.quiets.append(Quiet(name, began, time.time(), before, rows(database), looks(database) - looked))


def _read(record: Record, folder: Path) -> Record:
    """Add what other processes wrote down."""
    lines = (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()
    record.deeds = [Deed(**json.loads(line)) for line in lines]
    record.listed = json.loads((folder / "listed.json").read_text(encoding="utf-8"))
    record.troubles = [one for one in map(_line, (folder / "daemon.log").open(encoding="utf-8")) if _is_trouble(one)]
    kept = {"told": record.told, "samples": record.samples, "quiets": record.quiets, "outages": record.outages}
    plain = {name: [dataclasses.asdict(one) for one in every] for name, every in kept.items()}
    (folder / "record.json").write_text(json.dumps(plain), encoding="utf-8")
    return record


def _line(text: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(text)
    except ValueError:
        return {"event": text.strip(), "level": "plain"}
    return found


def _is_trouble(line: dict[str, Any]) -> bool:
    return line.get("level") in {"error", "critical"} or line.get("action") == "look-lost" or "Traceback" in str(line)


def main() -> int:
    """Run a soak and write its report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="how long the servers turn")
    parser.add_argument("--servers", type=int, default=1000)
    parser.add_argument("--interval", type=float, default=60.0, help="seconds between two looks at a server")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="the folder for the report, and for all that was written down")
    parser.add_argument(
        "--pages", type=Path, help="a folder for a second copy of the report, its pictures in pictures/"
    )
    options = parser.parse_args()
    folder = options.out or Path(tempfile.mkdtemp(prefix="soak-"))
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / "driftwatch.db").exists():
        parser.error(f"There is a database in {folder} already: name another folder with --out.")
    folder = folder.resolve()
    record = asyncio.run(soak(options, folder))
    found = checks(record)
    for one in found:
        say(f"{('ok  ' if one.holds else 'NOT ') if one.is_known else '?   '} {one.name}: {one.measured}")
        for failure in one.failures:
            say(f"       {failure}")
    say(f"the report: {write(record, found, folder)}")
    if options.pages:
        write(record, found, options.pages, pictures="pictures")
    return 0 if all(one.holds for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())
