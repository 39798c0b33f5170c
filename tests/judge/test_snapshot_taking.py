"""Snapshots: content-addressed, blind to order, nothing lost."""

from __future__ import annotations

import json
import random
from dataclasses import astuple

import pytest
from hypothesis import given
from judge_values import DOCUMENT, tool

from driftwatch.judge.snapshot import LISTS, document_of, oddities_of, take
from driftwatch.model import Kind, Oddity, Snapshot


def spelt(snapshot: Snapshot) -> list[str]:
    """Spell a snapshot whole: unlike the values themselves, a spelling of NaN equals itself."""
    items = [json.dumps(astuple(item), sort_keys=True) for item in snapshot.items]
    return [snapshot.digest, *sorted(snapshot.sections), *items]


@given(DOCUMENT)
def test_a_snapshot_gives_back_a_document_that_makes_the_same_snapshot(document: dict[str, object]) -> None:
    snapshot = take(document)

    assert spelt(take(document_of(snapshot))) == spelt(snapshot)
    assert spelt(take(document_of(snapshot), oddities_of(snapshot))) == spelt(snapshot)


@given(DOCUMENT)
def test_the_order_of_items_and_of_keys_does_not_count(document: dict[str, object]) -> None:
    shuffled = dict(reversed(document.items()))
    for key in LISTS:
        if isinstance(shuffled.get(key), list):
            shuffled[key] = random.Random(7).sample(shuffled[key], len(shuffled[key]))

    assert spelt(take(shuffled)) == spelt(take(document))


def test_a_list_in_which_a_key_stands_twice_gives_back_a_document_that_makes_the_same_snapshot() -> None:
    lost = (Oddity("duplicate-key", "/tools", "an earlier value is of 3 tools", {"tools": [1, 2, 3]}),)

    snapshot = take({"tools": []}, lost)

    assert take(document_of(snapshot), oddities_of(snapshot)) == snapshot
    assert snapshot.sections == {Kind.TOOL}


def test_unknown_fields_survive_and_count() -> None:
    plain, extended = take({"tools": [tool()]}), take({"tools": [tool(**{"x-vendor": 1})]})

    assert extended.items[0].raw["x-vendor"] == 1
    assert extended.digest != plain.digest


def test_an_empty_list_was_looked_at_and_a_missing_one_was_not() -> None:
    assert take({"tools": []}).sections == {Kind.TOOL}
    assert take({"instructions": "Hello."}).sections == {Kind.SERVER}


def test_a_list_that_is_no_list_is_kept_as_an_oddity_and_does_not_read_as_empty() -> None:
    snapshot = take({"tools": "none today", "prompts": []})

    assert Kind.TOOL not in snapshot.sections
    assert [oddity.code for oddity in snapshot.of(Kind.SERVER)[0].oddities] == ["not-a-list"]
    assert document_of(snapshot)["tools"] == "none today"


@pytest.mark.parametrize(
    ("raw", "codes"),
    [
        ("text", ["not-an-object"]),
        (None, ["not-an-object"]),
        ({"name": 5}, ["no-key"]),
        ({"name": ""}, ["no-key"]),
        ({"name": "a", "x": float("nan")}, ["not-finite"]),
        ({"name": "a", "x": "\ud800"}, ["lone-surrogate"]),
        ({"name": "a", "x": json.loads("[" * 300 + "]" * 300)}, ["too-deep"]),
    ],
)
def test_odd_forms_are_called_odd_and_kept(raw: object, codes: list[str]) -> None:
    item = take({"tools": [raw]}).items[0]

    assert [oddity.code for oddity in item.oddities] == codes
    assert item.raw is raw


def test_items_of_one_name_are_told_apart_whatever_their_order() -> None:
    one, two = tool(description="One."), tool(description="Two.")

    snapshot = take({"tools": [one, two]})

    assert [item.occurrence for item in snapshot.items] == [0, 1]
    assert {oddity.code for item in snapshot.items for oddity in item.oddities} == {"duplicate-name"}
    assert take({"tools": [two, one]}) == snapshot


def test_what_the_reader_of_the_wire_saw_moves_to_the_item_it_is_about() -> None:
    document = {"tools": [tool("a"), tool("b")], "instructions": "Hello."}

    snapshot = take(document, [Oddity("duplicate-key", "/tools/1/name"), Oddity("invalid-utf8", "", "2 bytes")])

    assert snapshot.of(Kind.TOOL)[1].oddities == (Oddity("duplicate-key", "/name"),)
    assert snapshot.of(Kind.SERVER)[0].oddities == (Oddity("invalid-utf8", "", "2 bytes"),)
    assert take(document_of(snapshot), oddities_of(snapshot)) == snapshot
