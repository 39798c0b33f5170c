"""Looks wait in a bounded folder, and are handed to a real HTTP receiver in their order."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from witness.receiver import Receiver
from witness.talking import START

from driftwatch.config.secret import Secret
from driftwatch.config.witnessing import WitnessConfig, state_path
from driftwatch.model import Witnessed
from driftwatch.watch.witness.courier import Courier
from driftwatch.watch.witness.delivering import deliver, spool_of, take_marks
from driftwatch.watch.witness.handing import Hand, Taken
from driftwatch.watch.witness.marks import FOLDER, MOST, leave, place_of
from driftwatch.watch.witness.packing import packed
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
    one = Courier(None, around, folder, clock=lambda: datetime.now(UTC))
    yield one
    one.close(20)


def state(folder: Path) -> Spool:
    return Spool(folder / "state" / "driftwatch" / "witness", looks=100, size=10**6)


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


def test_one_who_accepts_and_never_answers_is_left_after_the_time_limit(receiver: Receiver) -> None:
    receiver.answer = lambda _: None

    with Hand(receiver.url, None, timeout=0.2) as hand:
        handed = hand.over(packed(seen()))

    assert (handed.taken, handed.why) == (Taken.HELD, "the daemon did not answer within 0.2 s")


@contextmanager
def answering(*answers: bytes, reads: int = 1 << 20) -> Iterator[str]:
    """Answer one request on each connection, of which no more is read than so many bytes, and close it."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            for answer in answers:
                connection, _ = server.accept()
                with connection:
                    connection.recv(reads)
                    connection.sendall(answer)
                    connection.shutdown(socket.SHUT_WR)
                    while connection.recv(1 << 20):
                        pass

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        thread.join(30)


TOOK = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"


def test_a_daemon_that_closes_a_connection_between_two_looks_gets_the_second_one_over_another() -> None:
    with answering(TOOK, TOOK) as url, Hand(url, None, timeout=5) as hand:
        handed = [hand.over(packed(seen())) for _ in range(2)]

    assert [one.taken for one in handed] == [Taken.TAKEN, Taken.TAKEN]


def test_a_daemon_that_refuses_a_large_look_before_it_is_whole_is_heard() -> None:
    said = b'HTTP/1.1 413 Too Large\r\nContent-Length: 24\r\n\r\n{"title": "far too long"}'
    with answering(said, reads=1000) as url, Hand(url, None, timeout=5) as hand:
        handed = hand.over(b"x" * 4_000_000)

    assert handed.taken is Taken.NEVER
    assert handed.why.startswith("the daemon answered with HTTP 413")


@pytest.mark.parametrize("answer", [b"", b"SSH-2.0-server\r\n", b"HTTP/1.1 201\r\nX: " + b"y" * 70_000])
def test_what_is_no_answer_leaves_the_look_waiting(answer: bytes) -> None:
    with answering(answer) as url, Hand(url, None, timeout=5) as hand:
        assert hand.over(packed(seen())).taken is Taken.HELD


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9", "http://127.0.0.1:port", "nowhere", "http://[::1", "http://", "ftp://127.0.0.1"]
)
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


def test_of_agents_that_are_led_away_it_is_told_where_to_how_often_and_when(tmp_path: Path) -> None:
    with courier("", tmp_path) as one:
        for minute, to in ((1, "https://a.example"), (2, "https://b.example"), (3, "https://a.example")):
            one.led_away(Away("notes", "desk", to, f"2026-11-29T10:0{minute}:00+00:00"))

    away = state(tmp_path).status().away
    assert [(each.to, each.times, each.at[14:16]) for each in away] == [
        ("https://b.example", 1, "02"),
        ("https://a.example", 2, "03"),
    ]


# ---------------------------------------------------------------------------------- marks


def test_what_nobody_could_hand_in_is_left_as_a_mark_and_told_by_the_next_witness(
    tmp_path: Path, receiver: Receiver
) -> None:
    environ = {"XDG_STATE_HOME": str(tmp_path / "state")}
    leave(environ, ("mail", "desk"), "ab" * 16, START.timestamp(), 4)

    with courier(receiver.url, tmp_path) as one:
        one.keep(seen())
        looks = receiver.wait_for(2)

    (told,) = [look for look in looks if look["server"] == "mail"]
    assert (told["witness"], told["session"], told["gaps"], told["shown"]) == ("desk", "ab" * 16, 4, {})
    assert told["number"] > 3000
    assert told["started_at"] == START.isoformat()
    assert [*(state(tmp_path).folder / FOLDER).iterdir()] == []


@pytest.mark.parametrize(
    "damage",
    [b"", b"[]", b"[" * 4000, b"{}", b'{"server": 1, "witness": "x", "gaps": 1, "began": 1}', b" " * 5000],
)
def test_a_mark_that_is_damaged_is_taken_away(damage: bytes, tmp_path: Path) -> None:
    environ = {"XDG_STATE_HOME": str(tmp_path / "state")}
    leave(environ, ("mail", "desk"), "ab" * 16, 0.0, 1)
    folder = state(tmp_path).folder
    (folder / FOLDER / f"{'ab' * 16}.json").write_bytes(damage)

    take_marks(state(tmp_path).keep, folder)

    assert state(tmp_path).waiting() == []
    assert [*(folder / FOLDER).iterdir()] == []


def test_marks_are_for_their_user_alone_where_looks_wait_by_default_and_no_more_than_so_many(tmp_path: Path) -> None:
    for environ in ({"XDG_STATE_HOME": str(tmp_path / "state")}, {}, {"XDG_STATE_HOME": "not/whole"}):
        assert place_of(environ) == str(state_path(environ, Path.home()))
    environ = {"XDG_STATE_HOME": str(tmp_path / "state")}

    for number in range(MOST + 5):
        leave(environ, ("mail", "desk"), f"{number:032x}", 0.0, 1)

    folder = state(tmp_path).folder / FOLDER
    assert len([*folder.iterdir()]) == MOST
    assert {path.stat().st_mode & 0o077 for path in [folder, folder.parent, *folder.iterdir()]} == {0}


def test_a_place_where_nothing_can_be_left_is_no_fault() -> None:
    leave({"XDG_STATE_HOME": "/proc/x"}, ("mail", "desk"), "ab" * 16, 0.0, 1)

    assert not Path("/proc/x").exists()


def test_what_could_be_neither_kept_nor_delivered_is_told_by_the_next_witness(
    tmp_path: Path, receiver: Receiver
) -> None:
    (tmp_path / "config" / "driftwatch").mkdir(parents=True)
    settings = tmp_path / "config" / "driftwatch" / "witness.toml"
    settings.write_text('spool = "/proc/x"\n')
    receiver.answer = lambda _: 401
    with courier(receiver.url, tmp_path) as one:
        for number in (1, 2, 3):
            one.keep(seen("aa", number))
        one.keep(seen("bb", server="mail"))
        receiver.wait_for(1, tries=True)

    receiver.answer = lambda _: 201
    with courier(receiver.url, tmp_path) as one:
        one.keep(seen("cc"))
        looks = receiver.wait_for(3)

    assert {(look["server"], look["session"]): look["gaps"] for look in looks} == {
        ("notes", "aa"): 3,
        ("mail", "bb"): 1,
        ("notes", "cc"): 0,
    }
    assert [*(state(tmp_path).folder / FOLDER).iterdir()] == []
