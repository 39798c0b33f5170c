"""Looks wait in a bounded folder, and are handed to a real HTTP receiver in their order."""

from __future__ import annotations

import json
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from witness.receiver import Receiver
from witness.talking import START

from driftwatch.config.secret import Secret
from driftwatch.config.witnessing import WitnessConfig
from driftwatch.model import Witnessed
from driftwatch.watch.witness.courier import Courier, deliver, spool_of
from driftwatch.watch.witness.handing import Hand, Taken
from driftwatch.watch.witness.packing import packed
from driftwatch.watch.witness.remembering import Memories
from driftwatch.watch.witness.spool import Spool
from driftwatch.watch.witness.standing import Away

TOKEN = "dw_a-token-of-ours"


def seen(session: str = "aa", number: int = 1, *, server: str = "notes", **fields: Any) -> Witnessed:
    started = START + timedelta(seconds=int(session, 16))
    return Witnessed(server, "desk", session, number, started, started, {"tools": []}, **fields)


def now() -> datetime:
    return datetime(2026, 11, 29, 10, 0, tzinfo=UTC)


def spool(folder: Path, *, looks: int = 100, size: int = 10**6) -> Spool:
    return Spool(folder / "spool", looks=looks, size=size)


def config(receiver: Receiver, folder: Path, **fields: Any) -> WitnessConfig:
    return WitnessConfig(url=receiver.url, token=Secret(TOKEN), spool=str(folder / "spool"), **fields)


def names(one: Spool) -> list[tuple[str, int]]:
    looks = [json.loads(path.read_bytes()) for path in one.waiting()]
    return [(look["session"], look["number"]) for look in looks]


@contextmanager
def courier(url: str, folder: Path, **environ: str) -> Iterator[Courier]:
    around = {"XDG_STATE_HOME": str(folder / "state"), "XDG_CONFIG_HOME": str(folder / "config"), **environ}
    if url:
        around |= {"DRIFTWATCH_WITNESS_URL": url, "DRIFTWATCH_WITNESS_TOKEN": TOKEN}
    one = Courier(None, around, folder, clock=now)
    yield one
    one.close(20)


def state(folder: Path) -> Spool:
    return Spool(folder / "state" / "driftwatch" / "witness", looks=100, size=10**6)


# ------------------------------------------------------------------------------ the folder


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


def test_of_agents_that_are_led_away_it_is_told_where_to_how_often_and_when(tmp_path: Path) -> None:
    with courier("", tmp_path) as one:
        for minute, to in ((1, "https://a.example"), (2, "https://b.example"), (3, "https://a.example")):
            one.led_away(Away("notes", "desk", to, f"2026-11-29T10:0{minute}:00+00:00"))

    away = state(tmp_path).status().away
    assert [(each.to, each.times, each.at[14:16]) for each in away] == [
        ("https://b.example", 1, "02"),
        ("https://a.example", 2, "03"),
    ]


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


# ----------------------------------------------------------------------------- handing over


def test_a_look_is_handed_in_as_the_api_wants_it(tmp_path: Path, receiver: Receiver) -> None:
    one = spool(tmp_path)
    one.keep(seen(calls=3, tool="search", client="desk 2.1", noticed=("tools",)))

    came = deliver(one, config(receiver, tmp_path), now)

    assert (came.taken, came.aside, came.again) == (1, 0, False)
    assert receiver.seen == [("/api/v1/looks", f"Bearer {TOKEN}")]
    (look,) = receiver.looks
    assert {name: look[name] for name in ("server", "witness", "session", "number", "calls", "tool", "noticed")} == {
        "server": "notes",
        "witness": "desk",
        "session": "aa",
        "number": 1,
        "calls": 3,
        "tool": "search",
        "noticed": ["tools"],
    }
    assert look["shown"] == {"tools": []}
    assert one.waiting() == []
    assert (one.status().delivered, one.status().error) == (1, "")


@pytest.mark.parametrize("status", [404, 413, 422, 400])
def test_a_look_that_is_refused_for_good_is_set_aside_and_the_next_one_goes_on(
    status: int, tmp_path: Path, receiver: Receiver
) -> None:
    one = spool(tmp_path)
    one.keep(seen("aa"))
    one.keep(seen("bb"))
    receiver.answer = lambda look: status if look["session"] == "aa" else 202

    came = deliver(one, config(receiver, tmp_path), now)

    assert (came.taken, came.aside) == (1, 1)
    assert one.waiting() == []
    (aside,) = one.status().aside
    assert (aside.server, aside.witness) == ("notes", "desk")
    assert aside.why == f"the daemon answered with HTTP {status}: because of {status}"
    assert (one.folder / "aside" / aside.file).exists()


@pytest.mark.parametrize("status", [401, 403, 408, 429, 500, 503, 302])
def test_a_refusal_that_says_nothing_of_the_look_leaves_it_waiting(
    status: int, tmp_path: Path, receiver: Receiver
) -> None:
    one = spool(tmp_path)
    one.keep(seen("aa"))
    receiver.answer = lambda _: status

    came = deliver(one, config(receiver, tmp_path), now)

    assert came.again
    assert names(one) == [("aa", 1)]
    assert str(status) in one.status().error
    assert one.status().hint


def test_one_who_accepts_and_never_answers_is_left_after_the_time_limit(receiver: Receiver) -> None:
    receiver.answer = lambda _: None

    with Hand(receiver.url, None, timeout=0.2) as hand:
        handed = hand.over(packed(seen()))

    assert (handed.taken, handed.why) == (Taken.LATER, "the daemon did not answer within 0.2 s")


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "http://[::1", "http://", "ftp://127.0.0.1"])
def test_a_daemon_that_is_not_there_is_a_value(url: str) -> None:
    with Hand(url, None, timeout=2) as hand:
        assert hand.over(packed(seen())).taken is Taken.LATER


def test_no_token_is_written_anywhere(tmp_path: Path, receiver: Receiver) -> None:
    receiver.answer = lambda _: 401
    with courier(receiver.url, tmp_path) as one:
        one.keep(seen())
        receiver.wait_for(1, tries=True)

    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert kept
    assert TOKEN.encode() not in kept


# -------------------------------------------------------------------------------- the courier


def test_what_lies_there_from_before_is_delivered_first(tmp_path: Path, receiver: Receiver) -> None:
    state(tmp_path).keep(seen("01"))

    with courier(receiver.url, tmp_path) as one:
        receiver.wait_for(1)
        one.keep(seen("02"))
        looks = receiver.wait_for(2)

    assert [look["session"] for look in looks] == ["01", "02"]
    assert state(tmp_path).waiting() == []
    assert state(tmp_path).status().delivered == 2


def test_a_daemon_that_is_busy_is_asked_again(tmp_path: Path, receiver: Receiver) -> None:
    receiver.answer = lambda _: 503 if len(receiver.seen) < 1 else 201

    with courier(receiver.url, tmp_path) as one:
        one.keep(seen())
        receiver.wait_for(1)

    assert len(receiver.seen) == 2


@pytest.mark.parametrize("url", ["", "http://127.0.0.1:9"], ids=["no settings", "no daemon"])
def test_without_a_daemon_looks_wait_and_the_status_says_why(url: str, tmp_path: Path) -> None:
    with courier(url, tmp_path) as one:
        one.keep(seen())

    assert names(state(tmp_path)) == [("aa", 1)]
    assert state(tmp_path).status().error
    assert state(tmp_path).status().hint


def test_settings_that_cannot_be_used_keep_no_look_from_being_kept(tmp_path: Path) -> None:
    place = tmp_path / "config" / "driftwatch" / "witness.toml"
    place.parent.mkdir(parents=True)
    place.write_text('url = "http://127.0.0.1:9"\ntokn = "x"\n')

    with courier("", tmp_path) as one:
        one.keep(seen())

    assert names(state(tmp_path)) == [("aa", 1)]
    assert "tokn" in state(tmp_path).status().error


def test_a_fault_of_our_own_is_told_and_what_was_seen_before_it_is_delivered(
    tmp_path: Path, receiver: Receiver
) -> None:
    with courier(receiver.url, tmp_path) as one:
        one.keep(seen())
        one.failed(KeyError("tools"))

    assert len(receiver.looks) == 1
    assert state(tmp_path).status().error == "the witness itself failed: KeyError: 'tools'"


def test_where_nothing_can_be_written_looks_are_delivered_from_memory(tmp_path: Path, receiver: Receiver) -> None:
    (tmp_path / "state").write_text("a file where a folder should be")

    with courier(receiver.url, tmp_path) as one:
        one.keep(seen("aa"))
        one.keep(seen("bb"))
        looks = receiver.wait_for(2)

    assert [look["session"] for look in looks] == ["aa", "bb"]


def test_where_nothing_can_be_written_or_delivered_memory_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where a folder should be")

    with courier("", tmp_path) as one:
        for number in range(1, 200):
            one.keep(seen("aa", number))
        held = len(one._in_hand)

    assert held <= 16


def test_two_couriers_of_one_folder_deliver_each_look_once(tmp_path: Path, receiver: Receiver) -> None:
    with courier(receiver.url, tmp_path) as one, courier(receiver.url, tmp_path) as other:
        for number in range(1, 11):
            one.keep(seen("aa", number))
            other.keep(seen("bb", number))
        looks = receiver.wait_for(20)

    assert sorted((look["session"], look["number"]) for look in looks) == [
        (session, number) for session in ("aa", "bb") for number in range(1, 11)
    ]


def test_while_another_one_delivers_nobody_waits_for_the_lock(tmp_path: Path, receiver: Receiver) -> None:
    one = spool(tmp_path)
    one.keep(seen())

    with one.alone() as mine:
        came = deliver(spool_of(config(receiver, tmp_path)), config(receiver, tmp_path), now)

    assert mine
    assert came.busy
    assert receiver.seen == []


def test_what_is_left_of_a_killed_witness_is_not_taken_for_a_look(tmp_path: Path) -> None:
    one = spool(tmp_path)
    one.keep(seen("aa"))
    part = one.folder / "looks" / ".half.part"
    part.write_text('{"server": "no')
    os.utime(part, (0, 0))

    one.keep(seen("bb"))

    assert names(one) == [("aa", 1), ("bb", 1)]
    assert not part.exists()
