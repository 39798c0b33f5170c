"""One daemon a database: the second is told who holds it, and what died holds nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from store_world import START, Clock, look, snapshot, tool

import driftwatch
from driftwatch import __version__
from driftwatch.errors import HeldError, StoreError
from driftwatch.store import Store
from driftwatch.store.copies import back_up
from driftwatch.store.holding import Holder, held, holder_of, lock_path
from driftwatch.store.presence import Presence
from tests.blank import blank

ROOT = Path(driftwatch.__file__).resolve().parents[1]

HOLD = """
import sys
from datetime import UTC, datetime
from driftwatch.store.holding import held
with held(sys.argv[1], doing="run", now=datetime(2026, 3, 1, 12, tzinfo=UTC)):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def url(file: Path) -> str:
    return blank(file)


def test_who_holds_it_is_named_and_what_to_do_is_said(url: str) -> None:
    with held(url, doing="run", now=START):
        with pytest.raises(HeldError) as raised, held(url, doing="run", now=START):
            pytest.fail("both held it")
        found = holder_of(url)

    assert found == Holder(os.getpid(), "run", "2026-03-01T12:00:00+00:00", version=__version__)
    assert f"driftwatch run (process {os.getpid()}, since 2026-03-01T12:00:00+00:00)" in raised.value.message
    assert f"kill {os.getpid()}" in raised.value.hint
    assert raised.value.exit_code == 4
    assert holder_of(url) is None


def test_the_lock_of_a_process_that_was_killed_holds_nobody_up(url: str) -> None:
    command = [sys.executable, "-c", HOLD, url]
    with subprocess.Popen(command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        with pytest.raises(HeldError, match=str(process.pid)), held(url, doing="run", now=START):
            pytest.fail("both held it")
        os.kill(process.pid, signal.SIGKILL)
        process.wait()

        assert holder_of(url) is None
        with held(url, doing="run", now=START):
            assert holder_of(url) is not None


def test_two_names_of_one_database_are_held_as_one(url: str, file: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    link = tmp_path / "other" / "link.db"
    link.symlink_to(file)

    with held(url, doing="run", now=START), pytest.raises(HeldError), held(f"sqlite:///{link}", doing="run", now=START):
        pytest.fail("both held it")

    assert [one.name for one in link.parent.iterdir()] == ["link.db"]


def test_whoever_reads_or_decides_is_not_kept_out(url: str) -> None:
    with held(url, doing="run", now=START), Store.open(url, clock=Clock()) as store:
        store.record_look(look("git", snapshot(tool("read"))))

        assert store.state("git").looks == 1


@pytest.mark.parametrize("said", [b"", b"{", b"[]", b'{"pid": "x"}', b"\xff" * 9000])
def test_a_lock_that_cannot_be_read_names_nobody_and_holds_all_the_same(url: str, file: Path, said: bytes) -> None:
    with held(url, doing="run", now=START):
        lock_path(file).write_bytes(said)

        assert holder_of(url) == Holder(0, "", "")
        with pytest.raises(HeldError, match="another driftwatch"), held(url, doing="run", now=START):
            pytest.fail("both held it")


def test_a_lock_is_its_owners_alone_and_no_link_is_followed(url: str, file: Path, tmp_path: Path) -> None:
    with held(url, doing="run", now=START):
        mode = lock_path(file).stat().st_mode & 0o777
        assert set(json.loads(lock_path(file).read_text())) >= {"pid", "doing", "since"}
    lock_path(file).unlink()
    precious = tmp_path / "precious"
    precious.write_text("mine")
    lock_path(file).symlink_to(precious)

    with pytest.raises(StoreError, match="cannot be used"), held(url, doing="run", now=START):
        pytest.fail("it was held")

    assert mode == 0o600
    assert precious.read_text() == "mine"


def test_a_database_that_is_gone_is_not_begun_anew_without_a_word(url: str, file: Path) -> None:
    with held(url, doing="run", now=START):
        pass
    file.unlink()

    with pytest.raises(StoreError, match="is gone; there was one") as raised:
        Store.open(url, clock=Clock())
    nothing = file.exists()
    lock_path(file).unlink()
    Store.open(url, clock=Clock()).close()

    assert not nothing
    assert "driftwatch restore FILE" in raised.value.hint
    assert str(lock_path(file)) in raised.value.hint
    assert file.exists()


@pytest.mark.parametrize("how", ["removed", "removed with all beside it", "moved", "replaced"])
def test_what_is_recorded_after_the_file_was_taken_away_is_saved(
    url: str, file: Path, tmp_path: Path, how: str
) -> None:
    copy = tmp_path / "copy.db"
    back_up(url, copy)
    with Store.open(url, clock=Clock()) as store, Presence(file) as presence:
        store.record_look(look("git", snapshot(tool("read"))))
        there = presence.is_lost()
        if how == "moved":
            file.rename(tmp_path / "elsewhere.db")
        elif how == "replaced":
            copy.replace(file)
        else:
            for one in [file] if how == "removed" else list(tmp_path.glob("watch.db*")):
                one.unlink()
        store.record_look(look("late", snapshot(tool("write"))))

        error = presence.gone(START)

    [saved] = tmp_path.glob("watch.db.rescued-*")
    assert (there, presence.is_lost()) == (False, True)
    assert str(saved) in error.hint
    assert saved.stat().st_mode & 0o777 == 0o600
    if how != "replaced":
        with pytest.raises(StoreError, match="is gone") as raised:
            Store.open(url, clock=Clock())
        assert f"driftwatch restore {saved}" in raised.value.hint
    with Store.open(f"sqlite:///{saved}", clock=Clock()) as store:
        assert sorted(store.states()) == ["git", "late"]


def test_a_store_never_makes_anew_what_was_taken_away_while_it_is_open(url: str, file: Path) -> None:
    with Store.open(url, clock=Clock()) as store:
        file.unlink()

        with pytest.raises(StoreError, match="cannot be opened"):
            store.states()

    assert not file.exists()
