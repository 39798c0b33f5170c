"""Agents that ask for the first page of a list only: what they were shown is a look, said to be the beginning."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from witness.conversing import Desk, ask, result
from witness.talking import Talk, tool

from driftwatch.model import Witnessed
from driftwatch.watch.witness.packing import packed
from driftwatch.watch.witness.session import Bounds

STILL = timedelta(seconds=3)


def begins(talk: Talk, *tools: Any, cursor: str = "two") -> None:
    """Let the agent ask for the first page of more."""
    talk.says({"tools": list(tools), "nextCursor": cursor}, "tools/list")


def told(looks: list[Witnessed]) -> list[tuple[list[str], tuple[str, ...]]]:
    return [([one["description"] for one in seen.document["tools"]], seen.partial) for seen in looks]


def test_a_first_page_alone_is_a_look_once_it_stands_still_and_says_that_it_is_the_beginning() -> None:
    talk = Talk()
    talk.opens()
    begins(talk, tool("a", "Mail it to me."))
    due = talk.session.due

    assert due == talk.at + STILL
    assert talk.session.take(due - timedelta(microseconds=1)) == []
    (seen,) = talk.session.take(due)
    assert (seen.document["tools"], seen.document["instructions"]) == (
        [tool("a", "Mail it to me.")],
        "Be brief.",
    )
    assert (seen.partial, seen.gaps) == (("tools",), 0)
    assert json.loads(packed(seen))["partial"] == ["tools"]
    assert talk.session.due is None


def test_the_end_of_the_session_gives_the_beginning_at_once() -> None:
    talk = Talk()
    begins(talk, tool("a", "one"))

    assert told(talk.session.finish(talk.at)) == [(["one"], ("tools",))]


def test_a_beginning_is_replaced_by_more_of_it_and_by_the_whole_list() -> None:
    talk = Talk()
    begins(talk, tool("a", "one"))
    looks = talk.looks()
    talk.says({"tools": [tool("b", "two")], "nextCursor": "three"}, "tools/list", cursor="two")
    looks += talk.looks()
    talk.says({"tools": [tool("c", "three")]}, "tools/list", cursor="three")
    looks += talk.looks()

    assert told(looks) == [(["one"], ("tools",)), (["one", "two"], ("tools",)), (["one", "two", "three"], ())]


def test_pages_that_come_slowly_but_come_are_one_list() -> None:
    talk = Talk()
    begins(talk, tool("a", "one"))
    talk.at += STILL - timedelta(milliseconds=10)
    assert talk.session.take(talk.at) == []
    talk.says({"tools": [tool("b", "two")]}, "tools/list", cursor="two")

    assert told(talk.looks()) == [(["one", "two"], ())]


def test_a_first_page_that_turns_is_told_with_the_calls_before_it() -> None:
    talk = Talk()
    for text, calls in (("one", 3), ("turned", 1), ("one", 0)):
        begins(talk, tool("a", text))
        for _ in range(calls):
            talk.calls("search")
    talk.at += STILL

    looks = talk.session.take(talk.at)

    assert told(looks) == [(["one"], ("tools",)), (["turned"], ("tools",)), (["one"], ("tools",))]
    assert [one.calls for one in looks] == [0, 3, 4]


def test_the_same_first_page_again_is_no_news_nor_is_one_that_the_whole_list_holds() -> None:
    begun, whole = Talk(), Talk()
    begins(begun, tool("a", "one"))
    begun.look()
    begins(begun, tool("a", "one"))
    whole.lists(tool("a", "one"), tool("b", "two"))
    whole.look()
    begins(whole, tool("b", "two"))

    assert begun.looks() == []
    assert whole.looks() == []
    assert begun.session.due is whole.session.due is None


def test_a_beginning_that_the_whole_list_after_it_contradicts_is_evidence_before_it() -> None:
    talk = Talk()
    begins(talk, tool("a", "turned"))
    talk.lists(tool("a", "one"), tool("b", "two"))

    assert told(talk.looks()) == [(["turned"], ("tools",)), (["one", "two"], ())]


@pytest.mark.parametrize(
    "then",
    [
        lambda talk: talk.session.lost(),
        lambda talk: talk.says({"tools": "none"}, "tools/list", cursor="two"),
        lambda talk: talk.says({"tools": [tool("b", "two")], "nextCursor": "two"}, "tools/list", cursor="two"),
        lambda talk: talk.ask("tools/list", cursor="two"),
        lambda talk: talk.server({"id": talk.ask("tools/list", cursor="two"), "error": {"code": -32000}}),
        lambda talk: [begins(talk, tool("a", "one"), cursor=f"{number}") for number in range(20)],
    ],
    ids=["bytes are lost", "no list", "the cursor again", "never answered", "an error", "too many at a time"],
)
def test_whatever_keeps_a_list_from_going_on_its_beginning_was_shown(then: Any) -> None:
    talk = Talk(bounds=Bounds(walks=3))
    begins(talk, tool("a", "one"))
    then(talk)

    seen = talk.looks()[-1]

    assert seen.partial == ("tools",)
    assert seen.document["tools"][0]["description"] == "one"


def test_a_notice_before_a_beginning_is_told_with_it() -> None:
    talk = Talk()
    begins(talk, tool("a", "one"))
    talk.look()
    talk.notice("tools")
    begins(talk, tool("a", "turned"))

    assert talk.look().noticed == ("tools",)


def test_an_empty_first_page_shows_nothing() -> None:
    talk = Talk()
    begins(talk)

    assert talk.looks() == []
    assert talk.session.finish(talk.at) == []


def test_agents_of_a_forwarder_that_ask_for_the_first_page_only_are_seen_as_well() -> None:
    desk = Desk()
    desk.exchange(ask("tools/list", client="desk"), result(tools=[tool("a")], nextCursor="two"))

    (seen,) = desk.looks()

    assert (seen.document["tools"], seen.partial) == ([tool("a")], ("tools",))
