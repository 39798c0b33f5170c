"""Whatever a server sends, the look that a witness makes of it is taken: else there were a way past the witness."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from web_site import program
from witness.talking import Talk, tool

from driftwatch.judge.rules.item_malformed import _SAID
from driftwatch.model import Witnessed
from driftwatch.watch.witness.packing import packed
from driftwatch.web.api.looks import OddityBody
from tests.web import town_lists as lists
from tests.web.reviewing import Stage, stage

ODD = {
    "bytes that are not UTF-8": b'{"name":"a","description":"x\xff"}',
    "half a pair": b'{"name":"a","description":"x\\ud800"}',
    "a key twice": b'{"name":"a","description":"x","description":"y"}',
    "no number": b'{"name":"a","inputSchema":{"default":NaN}}',
    "a number without end": b'{"name":"a","inputSchema":{"default":' + b"9" * 5000 + b"}}",
    "nesting without end": b'{"name":"a","inputSchema":' + b'{"a":' * 200 + b"1" + b"}" * 200 + b"}",
    "a name that is a list": b'{"name":["a"]}',
    "no object": b"7",
    "a name longer than a page": b'{"name":"' + b"a" * 9000 + b'"}',
    "a key longer than a page": b'{"name":"a","' + b"k" * 9000 + b'":"\xff"}',
    "controls": b'{"name":"a\\u0000\\u001b[2J\\u202e"}',
}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("hostile")) as made:
        made.town.look("notes", lists.NOTES)
        yield made


@pytest.fixture(scope="module")
def witness(here: Stage) -> Iterator[httpx.Client]:
    _, secret = here.site.token(scopes=["looks"])
    with program(here.site, secret) as client:
        yield client


def hand_in(witness: httpx.Client, seen: Witnessed) -> httpx.Response:
    return witness.post("/api/v1/looks", content=packed(seen), headers={"content-type": "application/json"})


def answered(talk: Talk, result: bytes) -> list[Witnessed]:
    """Let the server answer a request for its tools with these very bytes."""
    number = talk.ask("tools/list")
    talk.session.server_said(b'{"jsonrpc":"2.0","id":%d,"result":%s}' % (number, result), talk.at)
    return talk.looks()


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_a_list_with_something_odd_in_it_is_taken(here: Stage, witness: httpx.Client, odd: bytes) -> None:
    talk = Talk()
    talk.opens()

    looks = answered(talk, b'{"tools":[' + odd + b"," + json.dumps(tool("search")).encode() + b"]}")

    assert looks
    assert {hand_in(witness, one).status_code for one in looks} <= {200, 201, 202}
    assert here.site.store.testimonies("notes")


@pytest.mark.parametrize("code", [*_SAID, "empty-cursor", "unreadable-metadata", "huge-number"])
def test_every_word_for_what_is_odd_is_one_that_a_look_may_have(code: str) -> None:
    assert OddityBody(code=code).code == code


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KEYS = ("serverInfo", "capabilities", "instructions", "protocolVersion", "_meta", "tools", "nextCursor", "ttlMs")


@given(
    opening=st.dictionaries(st.sampled_from(KEYS), JSON, max_size=6),
    listed=st.dictionaries(st.sampled_from(KEYS), JSON, max_size=4),
    tools=st.lists(JSON, max_size=4),
    modern=st.booleans(),
)
def test_nothing_that_a_server_answers_has_its_look_refused(
    here: Stage, witness: httpx.Client, opening: Any, listed: Any, tools: list[Any], *, modern: bool
) -> None:
    talk = Talk(modern=modern)
    talk.says(opening, "server/discover" if modern else "initialize", clientInfo={"name": "desk", "version": "2.1"})
    talk.says({**listed, "tools": tools}, "tools/list")
    looks = [*talk.looks(), *talk.session.finish(talk.at)]

    answers = [hand_in(witness, one) for one in looks]

    assert [one.text for one in answers if one.status_code not in {200, 201, 202, 429}] == []


def test_a_session_of_which_nothing_could_be_read_is_taken(here: Stage, witness: httpx.Client) -> None:
    talk = Talk()
    talk.opens()
    looks = [*answered(talk, b'{"tools":[' + b"[" * 9), *talk.session.finish(talk.at)]

    assert looks
    assert looks[-1].gaps
    assert {hand_in(witness, one).status_code for one in looks} <= {200, 201, 202}
