"""Run by a test, in a mount namespace of its own: a disk that fills up, and one that becomes read-only.

Takes an empty folder, mounts a small file system there, and prints one JSON object of what happened.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from store_world import ACTOR, START, Clock, dump, look, snapshot, tool

from driftwatch.errors import DriftwatchError
from driftwatch.store import Store
from driftwatch.store.copies import back_up, inspect, restore, vacuum


def mount(*options: str) -> None:
    subprocess.run(["mount", *options], check=True, capture_output=True)


def attempt(act: Any) -> str:
    try:
        act()
    except DriftwatchError as error:
        return str(error)
    return "done"


def main(folder: Path) -> None:
    mount("-t", "tmpfs", "-o", "size=3m", "driftwatch-test", str(folder))
    file = folder / "watch.db"
    url = f"sqlite:///{file}"
    found: dict[str, Any] = {}
    with Store.open(url, clock=Clock()) as store:
        store.record_look(look("git", snapshot(tool("read"))))
        filler = folder / "filler"
        filler.write_bytes(b"x" * 1_000_000)
        count, said = 0, "done"
        while said == "done":
            # What does not pack well, so that the disk is soon full.
            noise = "".join(chr(0x4E00 + (number * 7919 + count) % 20_000) for number in range(15_000))
            record = look(f"s{count}", snapshot(tool("big", description=noise)))
            said = attempt(lambda record=record: store.record_look(record))
            count += said == "done"
        found["full"] = said
        found["all that was confirmed is there"] = len(store.states()) == count + 1
        found["backup"] = attempt(lambda: back_up(url, folder / "kept.db"))
        found["vacuum"] = attempt(lambda: vacuum(url))
        found["left beside"] = sorted(one.name for one in folder.iterdir() if not one.name.startswith("watch.db"))
        filler.unlink()
        found["with room"] = attempt(lambda: store.record_look(record))
        found["damage"] = inspect(file).damage
    rows = dump(file)
    mount("-o", "remount,ro", str(folder))
    found["start"] = attempt(lambda: Store.open(url, clock=Clock()))
    found["read-only backup"] = attempt(lambda: back_up(url, folder / "kept.db"))
    found["backup elsewhere"] = attempt(lambda: back_up(url, Path(f"{folder}-kept.db")))
    found["read-only restore"] = attempt(lambda: restore(url, file, now=START, by=ACTOR))
    mount("-o", "remount,rw", str(folder))
    with Store.open(url, clock=Clock()) as store:
        found["writable again"] = attempt(lambda: store.plan("git", START))
    found["nothing was lost"] = dump(file).keys() == rows.keys() and inspect(file).damage == ()
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
