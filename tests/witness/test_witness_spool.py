"""The folder in which looks wait: bounded, fair between servers, for its user alone."""

from __future__ import annotations

import os
import stat
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from witness.receiver import Receiver
from witness.test_witness_delivery import config, names, now, seen, spool

from driftwatch.watch.witness.delivering import deliver
from driftwatch.watch.witness.remembering import Memories


def test_a_look_is_written_for_its_user_alone_and_oldest_first(tmp_path: Path) -> None:
    one = spool(tmp_path)
    for session, number in (("bb", 1), ("aa", 2), ("aa", 1), ("aa", 10)):
        one.keep(seen(session, number))

    assert names(one) == [("aa", 1), ("aa", 2), ("aa", 10), ("bb", 1)]
    assert {stat.S_IMODE(path.stat().st_mode) for path in one.waiting()} == {0o600}
    assert {stat.S_IMODE(place.stat().st_mode) for place in (one.folder, one.folder / "looks")} == {0o700}


def test_of_a_session_with_a_thousand_looks_the_first_and_the_newest_stay_and_nobody_else_loses_any(
    tmp_path: Path,
) -> None:
    one = spool(tmp_path, looks=5)
    one.keep(seen("11", 1))
    for number in range(1, 40):
        one.keep(seen("22", number))
    one.keep(seen("33", 1))

    assert names(one) == [("11", 1), ("22", 1), ("22", 38), ("22", 39), ("33", 1)]
    assert sum(one.status().dropped.values()) == 36


def test_when_there_are_only_ends_the_oldest_sessions_go(tmp_path: Path) -> None:
    one = spool(tmp_path, looks=3)
    for session in ("11", "22", "33", "44", "55"):
        one.keep(seen(session))

    assert names(one) == [("33", 1), ("44", 1), ("55", 1)]


def test_the_bytes_are_bounded_too_and_the_newest_look_is_kept_whatever_its_size(tmp_path: Path) -> None:
    one = spool(tmp_path, size=5000)
    one.keep(seen("11"))
    one.keep(replace(seen("22"), document={"tools": ["x" * 9000]}))

    assert names(one) == [("22", 1)]


@pytest.mark.parametrize("floods", ["looks of one session", "sessions", "both"])
@pytest.mark.parametrize("first", [True, False], ids=["before", "after"])
def test_a_server_that_floods_the_folder_pushes_out_nothing_of_another_one(
    floods: str, first: bool, tmp_path: Path
) -> None:
    one = spool(tmp_path, looks=12)
    others = [seen("11", 1), seen("11", 2), seen("22", 1), seen("22", 2)]
    for each in others if first else []:
        one.keep(each)
    for number in range(60):
        session = "33" if floods == "looks of one session" else f"{0x33 + number // (2 if floods == 'both' else 1):x}"
        one.keep(seen(session, number, server="hostile"))
    for each in [] if first else others:
        one.keep(each)

    kept = names(one)

    assert kept[:4] == [("11", 1), ("11", 2), ("22", 1), ("22", 2)]
    assert len(kept) == 12


def test_a_server_with_large_looks_pushes_out_nothing_of_another_one_not_even_by_a_single_one(tmp_path: Path) -> None:
    one = spool(tmp_path, size=20_000)
    large: Any = {"tools": ["x" * 9000]}
    for number in range(1, 4):
        one.keep(seen("11", number))
    for number in range(1, 4):
        one.keep(replace(seen("22", number, server="hostile"), document=large))
    one.keep(replace(seen("33", server="hostile"), document={"tools": ["x" * 19_500]}))

    assert [name for name in names(one) if name[0] == "11"] == [("11", 1), ("11", 2), ("11", 3)]


def test_a_look_of_before_names_had_a_server_in_them_is_delivered_and_may_be_spared(tmp_path: Path) -> None:
    one = spool(tmp_path, looks=2)
    one.keep(seen("11"))
    (path,) = one.waiting()
    path.rename(path.with_name("20260101T000000-aa-000001.json"))
    for session in ("22", "33"):
        one.keep(seen(session))

    assert len(one.waiting()) == 2


def test_two_processes_that_change_the_status_at_a_time_lose_nothing(tmp_path: Path) -> None:
    one, other = spool(tmp_path), spool(tmp_path)
    places = [[tmp_path / f"20260101T000000-aa-{number:06d}.json" for number in range(20)] for _ in range(2)]
    threads = [
        threading.Thread(target=lambda each=each, paths=paths: [each.delivered(path, "") for path in paths])
        for each, paths in zip((one, other), places, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert one.status().delivered == 40


def test_a_folder_that_others_could_read_is_made_private(tmp_path: Path) -> None:
    one = spool(tmp_path)
    one.keep(seen())
    for place in (one.folder, one.folder / "looks"):
        place.chmod(0o777)
    Memories(tmp_path / "installed").folder.mkdir(mode=0o755)

    one.keep(seen("bb"))
    with Memories(tmp_path / "installed").alone():
        pass

    places = (one.folder, one.folder / "looks", tmp_path / "installed")
    assert {stat.S_IMODE(place.stat().st_mode) for place in places} == {0o700}


def test_a_folder_that_holds_other_peoples_things_is_refused_and_left_as_it_is(
    tmp_path: Path, receiver: Receiver
) -> None:
    folder = tmp_path / "spool"
    folder.mkdir(mode=0o755)
    (folder / "diary.txt").write_text("mine")
    one = spool(tmp_path)

    with pytest.raises(PermissionError, match="name a folder of its own"):
        one.keep(seen())
    with pytest.raises(PermissionError, match="name a folder of its own"):
        deliver(one, config(receiver, tmp_path), now)

    assert stat.S_IMODE(folder.stat().st_mode) == 0o755


def test_a_look_that_no_daemon_takes_for_its_size_is_told_and_not_kept(tmp_path: Path) -> None:
    one = spool(tmp_path)
    one.keep(replace(seen(), document={"tools": ["x" * 9 * 2**20]}))

    assert one.waiting() == []
    (aside,) = one.status().aside
    assert (aside.server, aside.file) == ("notes", "")
    assert "8 MiB" in aside.why


def test_what_was_dropped_of_a_session_is_told_with_its_next_look(tmp_path: Path, receiver: Receiver) -> None:
    one = spool(tmp_path, looks=2)
    for number in range(1, 6):
        one.keep(seen("aa", number, gaps=1))

    deliver(one, config(receiver, tmp_path), now)

    assert [(look["number"], look["gaps"]) for look in receiver.looks] == [(1, 4), (5, 1)]
    assert one.status().dropped == {}


def test_a_status_that_is_damaged_is_as_none(tmp_path: Path) -> None:
    one = spool(tmp_path)
    one.keep(seen())
    (one.folder / "status.json").write_text('{"delivered": 7, "more": [')

    assert one.status().delivered == 0


def test_what_is_left_of_a_killed_witness_is_not_taken_for_a_look(tmp_path: Path) -> None:
    one = spool(tmp_path)
    one.keep(seen("aa"))
    part = one.folder / "looks" / ".half.part"
    part.write_text('{"server": "no')
    os.utime(part, (0, 0))

    one.keep(seen("bb"))

    assert names(one) == [("aa", 1), ("bb", 1)]
    assert not part.exists()
