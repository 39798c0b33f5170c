"""What a witness does not see of a session, and what only some agents take for an answer."""

from __future__ import annotations

from typing import Any

import pytest
from witness.talking import Talk, tool


@pytest.mark.parametrize("spelled", ["7", 7.0, "7.0", " 7", "0x7", "+7", "7e0"])
def test_an_id_counts_in_every_spelling_that_an_agent_takes_for_it(spelled: Any) -> None:
    talk = Talk()
    talk.agent({"id": 7, "method": "tools/list"})
    talk.answer(spelled, {"tools": [tool("a")]})

    assert talk.look().document["tools"] == [tool("a")]


@pytest.mark.parametrize("decoy", [{"id": "7"}, {"id": 7, "method": "notifications/message"}])
def test_an_answer_that_only_some_agents_take_does_not_hide_the_one_that_others_take(decoy: Any) -> None:
    talk = Talk()
    talk.agent({"id": 7, "method": "tools/list"})
    talk.server({**decoy, "result": {"tools": [tool("harmless")]}})
    talk.answer(7, {"tools": [tool("other")]})

    assert [one.document["tools"] for one in talk.looks()] == [[tool("harmless")], [tool("other")]]


def test_a_list_that_is_asked_for_twice_at_a_time_is_two_walks_with_the_same_cursors() -> None:
    talk = Talk()
    for number in (1, 2):
        talk.agent({"id": number, "method": "tools/list"})
    for number in (1, 2):
        talk.answer(number, {"tools": [tool("a")], "nextCursor": "two"})
    for number in (3, 4):
        talk.agent({"id": number, "method": "tools/list", "params": {"cursor": "two"}})
    for number in (3, 4):
        talk.answer(number, {"tools": [tool("b")]})

    assert talk.look().document["tools"] == [tool("a"), tool("b")]


def test_where_bytes_were_lost_nothing_half_is_put_together() -> None:
    talk = Talk()
    talk.says({"tools": [tool("a")], "nextCursor": "two"}, "tools/list")
    talk.session.lost()
    talk.says({"tools": [tool("b")]}, "tools/list", cursor="two")
    talk.lists(tool("whole"))

    begun, seen = talk.looks()

    assert (begun.document, begun.partial) == ({"tools": [tool("a")]}, ("tools",))
    assert (seen.gaps, seen.document, seen.partial) == (1, {"tools": [tool("whole")]}, ())


def test_a_request_is_remembered_though_bytes_were_lost_before_its_answer() -> None:
    talk = Talk()
    number = talk.ask("tools/list")
    talk.session.lost()
    talk.answer(number, {"tools": [tool("a")]})

    assert talk.look().document == {"tools": [tool("a")]}


COMMAS = "," * 500_001


@pytest.mark.parametrize(
    "answer",
    [
        b'{"id": 7, "result": {"tools": [], "_meta": {"x": "' + COMMAS.encode() + b'"}}}',
        b'{"id": 7,',
        b'{"id": 7, "result": {"tools": [], "nextCursor": 5}}',
        None,
    ],
    ids=["too many values", "half of it", "a cursor of no use", "too long"],
)
def test_a_list_that_was_shown_and_cannot_be_read_is_told_as_a_gap(answer: bytes | None) -> None:
    talk = Talk()
    talk.lists(tool("a"))
    before = talk.look()
    talk.agent({"id": 7, "method": "tools/list"})
    if answer is None:
        talk.session.skipped()
    else:
        talk.session.server_said(answer, talk.at)

    (seen,) = talk.session.finish(talk.at)

    assert (before.gaps, seen.gaps, seen.document) == (0, 1, before.document)


def test_a_message_that_cannot_be_read_while_no_list_is_awaited_is_no_gap() -> None:
    talk = Talk()
    talk.lists(tool("a"))
    talk.look()
    talk.agent({"id": 7, "method": "tools/call", "params": {"name": "a"}})
    talk.session.skipped()
    talk.session.server_said(b'{"id": 7,', talk.at)

    assert talk.session.finish(talk.at) == []


def test_gaps_that_come_all_the_time_are_told_each_time_that_they_are_twice_as_many() -> None:
    talk = Talk()
    talk.lists(tool("a"))
    looks = talk.looks()
    for _ in range(1000):
        talk.session.lost()
        looks += talk.looks()

    assert [one.gaps for one in looks] == [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
