"""A disk that fills up, one that becomes read-only, a limit on files: nothing that was confirmed is lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from store_past import old
from store_world import Clock, dump, look, snapshot, tool

import driftwatch
from driftwatch.errors import StoreError
from driftwatch.store import Store
from driftwatch.store.copies import back_up, inspect, upgrade
from driftwatch.store.schema import revision_of
from tests.limits import no_file_larger_than

ROOT = Path(driftwatch.__file__).resolve().parents[1]


def can_mount(folder: Path) -> bool:
    """Say whether this user may mount a file system where nobody else sees it."""
    if shutil.which("unshare") is None or shutil.which("mount") is None:
        return False
    command = ["unshare", "--mount", "mount", "-t", "tmpfs", "-o", "size=1m", "driftwatch-test", str(folder)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.processes
def test_a_full_disk_and_a_read_only_one_are_said_and_cost_nothing_that_was_confirmed(tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    if not can_mount(folder):
        pytest.skip("no file system can be mounted here (it takes root and unshare)")
    command = ["unshare", "--mount", sys.executable, str(Path(__file__).with_name("store_disk.py")), str(folder)]

    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False, timeout=120
    )

    assert done.stderr == ""
    found = json.loads(done.stdout)
    assert "cannot grow: the disk is full.\n  Make room on the disk." in found["full"]
    assert found["all that was confirmed is there"]
    assert found["backup"].startswith(f"The database {folder / 'kept.db'} cannot grow: the disk is full.")
    assert "There is no room" in found["vacuum"]
    assert found["left beside"] == ["filler"]
    assert found["with room"] == "done"
    assert found["damage"] == []
    assert "is read-only" in found["start"]
    assert "is read-only" in found["read-only restore"]
    assert found["read-only backup"].startswith("No file can be made in")
    assert found["backup elsewhere"] == "done"
    assert found["writable again"] == "done"
    assert found["nothing was lost"]


def test_a_limit_on_files_costs_nothing_that_was_confirmed(store: Store, file: Path, tmp_path: Path) -> None:
    store.record_look(look("git", snapshot(tool("read"))))
    rows = dump(file)
    large = look("large", snapshot(tool("big", description="".join(map(chr, range(0x4E00, 0x4E00 + 20_000))))))

    with no_file_larger_than(Path(f"{file}-wal").stat().st_size), pytest.raises(StoreError) as raised:
        store.record_look(large)
    with no_file_larger_than(20_000), pytest.raises(StoreError) as copied:
        back_up(f"sqlite:///{file}", tmp_path / "kept.db")
    untouched = dump(file) == rows
    store.record_look(large)

    assert "What was recorded before is safe." in raised.value.hint
    assert str(tmp_path / "kept.db") in copied.value.message
    assert untouched
    assert list(tmp_path.glob("*kept*")) == []
    assert sorted(store.states()) == ["git", "large"]
    assert inspect(file).damage == ()


def test_an_upgrade_that_finds_no_room_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    file = old(tmp_path / "watch.db", tmp_path / "made.db", "0003")
    rows = dump(file)

    with no_file_larger_than(8192), pytest.raises(StoreError):
        upgrade(f"sqlite:///{file}", now=Clock()(), backup=False)

    assert revision_of(file) == "0003"
    assert dump(file) == rows
    upgrade(f"sqlite:///{file}", now=Clock()())
    with Store.open(f"sqlite:///{file}", clock=Clock()) as store:
        assert store.baseline("git") is not None
