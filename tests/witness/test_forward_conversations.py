"""From what a forwarder copies to looks: which session a message belongs to, and what counts as its answer."""

from __future__ import annotations

import json

import pytest
from witness.conversing import (
    BAD,
    CALL,
    GOOD,
    OPEN,
    OPENED,
    STREAM,
    Desk,
    ask,
    event,
    lists,
    opened,
    result,
    shown,
)
from witness.talking import tool

from driftwatch.watch.witness.frames import FROM_SERVER, LOST
from driftwatch.watch.witness.remote.copied import BROKEN, DATA, END, record


def test_sessions_are_told_apart_by_the_servers_id_which_is_in_no_look() -> None:
    desk = Desk()
    opened(desk, "first-secret")
    opened(desk, "second-secret")
    lists(desk, "first-secret", "good")
    for _ in range(3):
        desk.exchange(CALL, result(5), session="second-secret")
    lists(desk, "second-secret", "bad")
    looks = desk.looks()

    assert [(seen.session, shown(seen), seen.calls, seen.client) for seen in looks] == [
        ("s1", ["good"], 0, "desk 2"),
        ("s2", [], 0, "desk 2"),
        ("s2", ["bad"], 3, "desk 2"),
    ]
    assert "secret" not in repr(looks)


def test_a_session_that_the_agent_ends_gives_its_last_look_at_once() -> None:
    desk = Desk()
    opened(desk, "one")
    lists(desk, "one", "good")
    number = desk.asks(b"", verb="DELETE", session="one")
    desk.answers(number)

    assert [shown(seen) for seen in desk.known.take(desk.at)] == [["good"]]


def test_a_session_that_began_before_the_forwarder_is_read_from_where_it_is() -> None:
    desk = Desk()
    lists(desk, "older", "good")

    assert [shown(seen) for seen in desk.looks()] == [["good"]]


def test_agents_of_the_newer_era_are_told_apart_by_their_names_also_when_they_use_the_same_ids() -> None:
    desk = Desk()
    page = desk.asks(ask("tools/list", 7, "alpha"))
    other = desk.asks(ask("tools/list", 7, "beta"))
    desk.answers(other, json.dumps(result(7, tools=[tool("for beta")])).encode())
    desk.ends(other)
    desk.answers(page, json.dumps(result(7, tools=[tool("for alpha")])).encode())
    desk.ends(page)

    assert {(seen.client, *shown(seen)) for seen in desk.looks()} == {("alpha 1", "for alpha"), ("beta 1", "for beta")}


def test_two_agents_of_one_name_that_use_the_same_ids_at_once_are_not_mixed_up() -> None:
    desk = Desk()
    first = desk.asks(ask("tools/list", 7, "alpha"))
    other = desk.asks(ask("prompts/list", 7, "alpha"))
    desk.answers(other, json.dumps(result(7, prompts=[{"name": "p"}])).encode())
    desk.ends(other)
    desk.answers(first, json.dumps(result(7, tools=[tool("t")])).encode())
    desk.ends(first)
    (seen,) = desk.looks()

    assert (shown(seen), seen.document["prompts"]) == (["t"], [{"name": "p"}])


def test_a_server_that_gives_out_new_session_ids_in_between_is_counted_on() -> None:
    desk = Desk()
    opened(desk, "id 0")
    for turn in range(3):
        number = desk.asks(CALL, session=f"id {turn}")
        desk.answers(number, session=f"id {turn + 1}")
        desk.ends(number)
    lists(desk, "id 3", "bad")

    assert [(seen.session, seen.calls) for seen in desk.looks()] == [("s1", 0), ("s1", 3)]


def test_a_server_of_the_older_era_without_sessions_is_one_session_from_each_opening_on() -> None:
    desk = Desk()
    for name in ("first", "second"):
        desk.exchange(OPEN, OPENED)
        desk.exchange(CALL, result(5))
        desk.exchange(ask("tools/list"), result(tools=[tool(name)]))

    looks = desk.looks()

    assert [(seen.session, shown(seen), seen.calls) for seen in looks if shown(seen)] == [
        ("s1", ["first"], 1),
        ("s2", ["second"], 1),
    ]


def test_in_the_transport_of_two_addresses_the_stream_names_where_its_agent_sends() -> None:
    desk = Desk()
    streams = [desk.asks(b"", verb="GET", place="/sse") for _ in range(2)]
    for number, stream in enumerate(streams):
        data = b"https://mcp.example.com/messages?s=%d" % number if number else b"/messages?s=0"
        desk.answers(stream, b"event: endpoint\ndata: " + data + b"\n\n", kind=STREAM)
    for number, stream in enumerate(streams):
        post = desk.asks(ask("tools/list", 3), place=f"/messages?s={number}")
        desk.answers(post, b"Accepted", status=202, kind="")
        desk.ends(post)
        desk.answers(stream, event(result(3, tools=[tool(f"t{number}")]), "message"), kind=STREAM)

    assert [(seen.session, shown(seen)) for seen in desk.looks()] == [("s1", ["t0"]), ("s2", ["t1"])]


def test_events_are_read_however_they_are_cut_and_notices_are_noted() -> None:
    desk = Desk()
    opened(desk, "one")
    lists(desk, "one", "good")
    desk.looks()
    stream = desk.asks(b"", verb="GET", session="one")
    desk.answers(stream, event({"method": "notifications/tools/list_changed"}), kind=STREAM)
    number = desk.asks(ask("tools/list"), session="one")
    text = b"\xef\xbb\xbf: hello\r\n\r\nid: 1\r\ndata:\r\n\r\n" + event(result(tools=[tool("new")])).replace(
        b"\n", b"\r\n"
    )
    desk.answers(number, *(text[at : at + 1] for at in range(len(text))), kind=f"{STREAM}; charset=utf-8")

    (seen,) = desk.looks()
    assert (shown(seen), seen.noticed) == (["new"], ("tools",))


@pytest.mark.parametrize(
    ("parts", "lists"),
    [
        ([event(GOOD, "decoy"), event(BAD, "message")], [["bad"]]),
        ([event(GOOD | {"id": 99}), event(BAD)], [["good"], ["bad"]]),
        ([event(GOOD), event(BAD)], [["good"]]),
        ([event([GOOD | {"id": 99}, BAD])], [["good"], ["bad"]]),
    ],
    ids=["another event", "another id", "twice", "a batch"],
)
@pytest.mark.parametrize("session", ["", "one"])
def test_whatever_an_agent_may_take_for_the_answer_is_read(
    parts: list[bytes], lists: list[list[str]], session: str
) -> None:
    desk = Desk()
    number = desk.asks(ask("tools/list"), session=session)
    desk.answers(number, *parts, kind=STREAM)

    assert [shown(seen) for seen in desk.looks()] == lists


def test_an_answer_that_comes_on_a_stream_that_takes_up_a_broken_one_is_read() -> None:
    desk = Desk()
    opened(desk, "one")
    number = desk.asks(ask("tools/list", 4), session="one")
    desk.answers(number, b"id: 1\ndata:\n\n", kind=STREAM)
    desk.hear(FROM_SERVER, record(number, BROKEN))
    again = desk.asks(b"", verb="GET", session="one")
    desk.answers(again, event(result(4, tools=[tool("late")])), kind=STREAM)

    assert [shown(seen) for seen in desk.looks()] == [["late"]]


def test_where_the_copy_has_a_gap_no_list_is_made_of_what_is_left() -> None:
    desk = Desk()
    lists(desk, "one", "before")
    number = desk.asks(ask("tools/list"), session="one")
    desk.answers(number, b'{"jsonrpc": "2.0", "id": 1, ')
    desk.hear(LOST, FROM_SERVER)
    desk.answers(number, b'"result": {"tools": []}}')
    desk.ends(number)
    lists(desk, "one", "after")

    (before, after) = desk.looks()
    assert (shown(before), shown(after)) == (["before"], ["after"])
    assert after.gaps > 0


def test_after_a_gap_a_standing_stream_is_read_on_from_its_next_event() -> None:
    desk = Desk()
    stream = desk.asks(b"", verb="GET", place="/sse")
    desk.answers(stream, event("/messages", "endpoint").replace(b'"', b""), b'data: {"half": ', kind=STREAM)
    desk.hear(LOST, FROM_SERVER)
    post = desk.asks(ask("tools/list", 3), place="/messages")
    desk.hear(FROM_SERVER, record(stream, DATA, b'of another"}\n\n' + event(result(3, tools=[tool("good")]))))
    desk.ends(post)

    (seen,) = desk.looks()
    assert (shown(seen), seen.gaps) == (["good"], 1)


def test_what_is_no_message_of_the_protocol_leaves_nothing() -> None:
    desk = Desk()
    for body, answer in (
        (b"grant_type=code&code=secret", b'{"access_token": "secret"}'),
        (b"[[[", b"]]]"),
        (b"7", b"8"),
    ):
        desk.exchange(body, answer)
    desk.hear(FROM_SERVER, record(99, DATA, b"nobody asked"))
    desk.hear(FROM_SERVER, record(99, END))

    assert desk.looks() == desk.known.finish(desk.at) == []


def test_sessions_and_exchanges_are_bounded_and_what_goes_is_told_first() -> None:
    desk = Desk()
    for number in range(200):
        lists(desk, f"session {number}", "good")
    for _ in range(3000):
        desk.asks(ask("tools/list"), session="session 199")

    looks = desk.known.finish(desk.at)
    assert len({seen.session for seen in looks}) == 200
    assert len(desk.known._sessions.kept) <= 64
    assert len(desk.known._exchanges) <= 1000


def test_an_agent_that_is_led_past_the_witness_is_told_of_and_counts_as_a_gap_of_its_session() -> None:
    desk = Desk()
    opened(desk, "one")
    lists(desk, "one", "a")
    before = desk.looks()
    number = desk.asks(ask("tools/list", 9), session="one")
    desk.answers(number, status=307, away="https://other.example")
    desk.ends(number)

    (seen,) = desk.looks()

    assert [one.gaps for one in before] == [0]
    assert (seen.gaps, shown(seen)) == (1, ["a"])
    assert [(one.server, one.witness, one.to) for one in desk.known.led_away()] == [
        ("notes", "desk", "https://other.example")
    ]
    assert desk.known.led_away() == []


def test_an_agent_that_is_led_away_before_any_session_is_told_of_as_well() -> None:
    desk = Desk()
    number = desk.asks(OPEN)
    desk.answers(number, status=308, away="https://other.example")
    desk.ends(number)

    assert [one.to for one in desk.known.led_away()] == ["https://other.example"]


def test_a_stream_of_the_old_transport_that_names_a_whole_address_leads_past_the_witness() -> None:
    desk = Desk()
    stream = desk.asks(b"", verb="GET")
    desk.answers(stream, b"event: endpoint\ndata: https://me:secret@other.example/messages?id=1\n\n", kind=STREAM)

    assert [one.to for one in desk.known.led_away()] == ["https://other.example"]
