"""What a witness hands in reads as what the server wrote: a look of driftwatch's own would see the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from witness.talking import Talk

from driftwatch.model import Json, Oddity
from driftwatch.watch.fetch.reading import read
from driftwatch.watch.witness.packing import packed

ODD = {
    "a key twice": '{"name": "a", "description": "hidden", "description": "shown"}',
    "a key three times": '{"name": "a", "title": "1", "title": "2", "description": "x", "title": "3"}',
    "within": '{"name": "a", "inputSchema": {"p": {"x": 1, "x": 2}, "a/b~c": {"y": [{"z": 0, "z": 1}]}}}',
    "both": '{"name": "a", "inputSchema": {"d": 1, "d": {"e": 1, "e": 2}}, "description": 1, "description": 2}',
    "half a character": '{"name": "a", "description": "\\ud800"}',
    "no number": '{"name": "a", "x": NaN, "y": -Infinity}',
    "a huge number": '{"name": "a", "x": 1' + "0" * 5000 + "}",
    "deep": '{"name": "a", "x": ' + "[" * 80 + "]" * 80 + "}",
}


def own_look(item: str) -> tuple[Json, list[Oddity]]:
    """Give what a look of our own makes of an item."""
    reading = read(b'{"id": 1, "result": {"tools": [%s]}}' % item.encode(), depth=67)
    return reading.value["result"]["tools"], [_at(one, "/result") for one in reading.oddities]


def handed_in(item: str) -> tuple[Json, list[Oddity]]:
    """Give what is read of what a witness hands in of the same."""
    talk = Talk()
    number = talk.ask("tools/list")
    talk.session.server_said(b'{"id": %d, "result": {"tools": [%s]}}' % (number, item.encode()), talk.at)
    # One level more: what was cut out left a mark.
    reading = read(packed(talk.look()), depth=68)
    assert reading.value["oddities"] == []
    return reading.value["shown"]["tools"], [_at(one, "/shown") for one in reading.oddities]


def _at(one: Oddity, way: str) -> Any:
    return (one.code, one.pointer.removeprefix(way), one.detail, json.dumps(one.earlier))


@pytest.mark.parametrize("item", ODD.values(), ids=ODD)
def test_what_is_odd_about_an_item_is_seen_again_where_it_is_read(item: str) -> None:
    assert handed_in(item) == own_look(item)


def test_a_list_that_stood_twice_is_handed_in_twice() -> None:
    talk = Talk()
    number = talk.ask("tools/list")
    talk.session.server_said(b'{"id": %d, "result": {"tools": [{"name": "lost"}], "tools": []}}' % number, talk.at)

    (oddity,) = read(packed(talk.look()), depth=67).oddities

    assert (oddity.pointer, oddity.earlier) == ("/shown/tools", {"tools": [{"name": "lost"}]})


def test_bytes_that_were_no_text_are_told_beside() -> None:
    talk = Talk()
    number = talk.ask("tools/list")
    talk.session.server_said(b'{"id": %d, "result": {"tools": [{"name": "a\xff"}]}}' % number, talk.at)

    body = json.loads(packed(talk.look()))

    assert [(one["code"], one["pointer"]) for one in body["oddities"]] == [("invalid-utf8", "/tools/0/name")]


def test_names_of_the_agents_side_are_text_that_everybody_can_read() -> None:
    talk = Talk()
    talk.calls("half a \ud800 character" + "x" * 9000)
    talk.lists()

    body = json.loads(packed(talk.look()))

    assert body["tool"].startswith("half a ? character")
    assert len(body["tool"]) <= 200
