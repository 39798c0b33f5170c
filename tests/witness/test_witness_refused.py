"""What a refusal of the daemon keeps back: the daemon's everything, a look's its own session, and never for ever."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from witness.receiver import Receiver
from witness.test_witness_delivery import answering, config, courier, names, now, seen, spool, state

from driftwatch.watch.witness.delivering import IN_A_ROW, Delivered, deliver
from driftwatch.watch.witness.handing import Hand, Taken
from driftwatch.watch.witness.packing import packed
from driftwatch.watch.witness.standing import LONGEST, Held, pause


def refusing(status: int, *servers: str) -> Callable[[dict[str, Any]], int]:
    """Answer so to the looks of these servers, and take all others."""
    return lambda look: status if look["server"] in servers else 201


def after(seconds: float) -> Callable[[], datetime]:
    return lambda: now() + timedelta(seconds=seconds)


def tried(receiver: Receiver) -> int:
    return len(receiver.seen)


@pytest.mark.parametrize("status", [403, 408, 425, 429, 500, 503])
def test_what_one_server_is_refused_with_keeps_back_no_other_one(
    status: int, tmp_path: Path, receiver: Receiver
) -> None:
    one = spool(tmp_path)
    for session in ("01", "02", "03"):
        one.keep(seen(session, server="full"))
    one.keep(seen("04", server="notes"))
    receiver.answer = refusing(status, "full")

    came = deliver(one, config(receiver, tmp_path), now)

    assert (came.taken, came.held, came.failed, came.again) == (1, 1, None, True)
    assert tried(receiver) == 2
    assert names(one) == [("01", 1), ("02", 1), ("03", 1)]
    (held,) = one.status().held
    assert (held.server, held.witness, held.times) == ("full", "desk", 1)
    assert str(status) in held.why
    assert held.hint


@pytest.mark.parametrize("status", [401, 302])
def test_what_speaks_of_the_daemon_ends_the_round_with_one_request(
    status: int, tmp_path: Path, receiver: Receiver
) -> None:
    one = spool(tmp_path)
    for session in ("01", "02"):
        one.keep(seen(session, server=f"server {session}"))
    receiver.answer = lambda _: status

    came = deliver(one, config(receiver, tmp_path), now)

    assert (came.failed is not None, tried(receiver), one.status().held) == (True, 1, ())
    assert str(status) in one.status().error
    assert one.status().hint


def test_a_daemon_that_refuses_one_server_after_the_other_is_left_alone(tmp_path: Path, receiver: Receiver) -> None:
    one = spool(tmp_path)
    for session in range(10, 30):
        one.keep(seen(str(session), server=f"server {session}"))
    receiver.answer = lambda _: 503

    came = deliver(one, config(receiver, tmp_path), now)

    assert (came.failed is not None, tried(receiver), len(one.waiting())) == (True, IN_A_ROW, 20)
    assert "503" in one.status().error


def test_looks_of_a_session_stay_in_their_order_and_other_sessions_go_on(tmp_path: Path, receiver: Receiver) -> None:
    one = spool(tmp_path)
    for session, number in (("aa", 1), ("aa", 2), ("bb", 1), ("bb", 2)):
        one.keep(seen(session, number))
    receiver.answer = lambda look: 500 if (look["session"], look["number"]) == ("aa", 1) else 201

    came = [deliver(one, config(receiver, tmp_path), now) for _ in range(3)]
    receiver.answer = lambda _: 201
    last = deliver(one, config(receiver, tmp_path), after(60))

    assert [each.taken for each in [*came, last]] == [0, 2, 0, 2]
    assert [(look["session"], look["number"]) for look in receiver.looks] == [
        ("bb", 1), ("bb", 2), ("aa", 1), ("aa", 2),
    ]  # fmt: skip
    assert (one.status().held, last.again) == ((), False)


def test_looks_that_are_refused_for_ever_starve_nobody(tmp_path: Path, receiver: Receiver) -> None:
    one = spool(tmp_path)
    bad = [f"bad {number}" for number in range(IN_A_ROW + 2)]
    for number in range(25):
        one.keep(seen(f"{number:02}", server=bad[number % len(bad)]))
    one.keep(seen("99", server="notes"))
    receiver.answer = refusing(500, *bad)

    rounds = 0
    while not receiver.looks:
        deliver(one, config(receiver, tmp_path), after(rounds))
        rounds += 1

    assert rounds == 2
    assert tried(receiver) <= IN_A_ROW + len(bad) + 1
    assert len(one.waiting()) == 25


def test_a_look_that_is_refused_for_good_lets_the_next_one_of_its_session_go(
    tmp_path: Path, receiver: Receiver
) -> None:
    one = spool(tmp_path)
    one.keep(seen("aa", 1))
    one.keep(seen("aa", 2))
    receiver.answer = lambda _: 500
    deliver(one, config(receiver, tmp_path), now)
    receiver.answer = lambda look: 422 if look["number"] == 1 else 201

    came = deliver(one, config(receiver, tmp_path), after(60))

    assert (came.aside, came.taken, came.held) == (1, 1, 0)


@pytest.mark.parametrize(
    ("asked", "waits"),
    [
        ("120", 120),
        ("999999999999", LONGEST),
        ("0", 1),
        ("soon", 1),
        ("-5", 1),
        ("", 1),
        ("Fri, 01 Jan 2100 00:00:00 GMT", LONGEST),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 1),
        ("Fri, 01 Jan 99999 00:00:00 GMT", 1),
    ],
)
def test_what_the_daemon_asks_to_wait_is_waited_within_bounds_by_the_next_witness_too(
    asked: str, waits: float, tmp_path: Path, receiver: Receiver
) -> None:
    one = spool(tmp_path)
    one.keep(seen())
    receiver.answer, receiver.headers = lambda _: 429, {"Retry-After": asked}

    came = deliver(one, config(receiver, tmp_path), now)
    early = deliver(spool(tmp_path), config(receiver, tmp_path), after(waits - 0.5))
    requests = tried(receiver)
    receiver.answer = lambda _: 201
    due = deliver(spool(tmp_path), config(receiver, tmp_path), after(waits))

    assert (came.wait, requests) == (waits, 1)
    assert (early.taken, early.held, early.wait) == (0, 1, 0.5)
    assert due == Delivered(taken=1)


def test_by_hand_nothing_is_waited_for(tmp_path: Path, receiver: Receiver) -> None:
    one = spool(tmp_path)
    one.keep(seen())
    receiver.answer, receiver.headers = lambda _: 429, {"Retry-After": "600"}
    deliver(one, config(receiver, tmp_path), now)
    receiver.answer = lambda _: 201

    assert deliver(one, config(receiver, tmp_path), now, at_once=True).taken == 1


def test_a_session_that_is_refused_again_and_again_waits_longer_each_time() -> None:
    waits = [pause(times, 0.0) for times in (1, 2, 3, 4, 8, 9, 10, 10_000)]

    assert waits == [1, 2, 4, 8, 128, 256, 300, 300]
    assert pause(1, 60.0) == 60
    assert pause(10, 60.0) == 512
    assert pause(1, 10.0**9) == LONGEST


@pytest.mark.parametrize("until", ["", "never", "2026-11-29T10:00:00", "9999-01-01T00:00:00+00:00"])
def test_a_time_that_no_clock_of_ours_can_have_written_keeps_nothing_back(until: str) -> None:
    assert Held("aa", "notes", "desk", "", "", "", until).left(now()) == 0


def test_what_there_is_no_room_for_any_more_is_not_held(tmp_path: Path, receiver: Receiver) -> None:
    one = spool(tmp_path, looks=1)
    one.keep(seen("aa"))
    receiver.answer = lambda _: 429
    deliver(one, config(receiver, tmp_path), now)

    one.keep(seen("bb"))

    assert names(one) == [("bb", 1)]
    assert one.status().held == ()


def test_one_server_is_refused_in_memory_too_and_the_others_go_on(tmp_path: Path, receiver: Receiver) -> None:
    (tmp_path / "state").write_text("a file where a folder should be")
    receiver.answer = refusing(429, "full")

    with courier(receiver.url, tmp_path) as one:
        one.keep(seen("aa", server="full"))
        one.keep(seen("bb"))
        looks = receiver.wait_for(1)

    assert [look["server"] for look in looks] == ["notes"]


def test_a_courier_comes_back_to_a_session_that_was_refused(tmp_path: Path, receiver: Receiver) -> None:
    receiver.answer = lambda look: 429 if look["session"] == "aa" and len(receiver.looks) < 1 else 201

    with courier(receiver.url, tmp_path) as one:
        one.keep(seen("aa", server="full"))
        receiver.wait_for(1, tries=True)
        one.keep(seen("bb"))
        looks = receiver.wait_for(2)

    assert [json.dumps(look["session"]) for look in looks] == ['"bb"', '"aa"']
    assert state(tmp_path).status().held == ()


def test_a_date_until_which_to_wait_is_read_by_the_clock_of_who_says_it() -> None:
    said = (
        b"HTTP/1.1 503 Busy\r\nDate: Sun, 29 Nov 2026 10:00:00 GMT\r\n"
        b"Retry-After: Sun, 29 Nov 2026 10:02:00 GMT\r\nContent-Length: 0\r\n\r\n"
    )
    with answering(said) as url, Hand(url, None, timeout=5) as hand:
        handed = hand.over(packed(seen()))

    assert (handed.taken, handed.wait) == (Taken.HELD, 120)


@pytest.mark.parametrize(
    ("status", "others", "aside"),
    [(500, True, True), (503, True, True), (500, False, False), (429, True, False)],
    ids=["fails", "says so", "fails at all of them", "refused otherwise"],
)
def test_a_look_at_which_the_daemon_failed_for_a_day_while_it_took_others_is_set_aside(
    status: int, others: bool, aside: bool, tmp_path: Path, receiver: Receiver
) -> None:
    one = spool(tmp_path)
    one.keep(seen("aa"))
    receiver.answer = lambda look: 201 if others and look["server"] == "mail" else status
    for hour in range(25):
        one.keep(seen(f"{hour + 1:x}", server="mail"))
        early = deliver(one, config(receiver, tmp_path), after(3600 * hour), at_once=True)

    last = deliver(one, config(receiver, tmp_path), after(3600 * 25), at_once=True)

    assert (early.aside + last.aside, len(one.status().aside)) == (int(aside), int(aside))
    if aside:
        why = one.status().aside[0].why
        assert why == f"the daemon answered with HTTP {status}: because of {status}, each time for more than a day"
