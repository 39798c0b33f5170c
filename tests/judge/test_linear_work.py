"""The work of judging grows with what changed, counted in calls and not in time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from cProfile import Profile
from typing import Any

import pytest

from benchmarks.judge_speed import alike, listing, own
from driftwatch.judge.diff import diff
from driftwatch.judge.judge import compare
from driftwatch.judge.snapshot import take

SERVER = 80
SLACK = 1.25
"""How much more a changed tool may cost where many changed: texts differ in length. Twice as much would be growth."""


def calls(work: Callable[[], object]) -> int:
    """Count the calls, of our own functions and of built-in ones, that some work makes."""
    profile = Profile()
    before = sys.getprofile()
    sys.setprofile(None)
    profile.enable()
    try:
        work()
    finally:
        profile.disable()
        sys.setprofile(before)
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.parametrize("turn", [own, alike])
def test_four_times_as_many_changed_tools_are_four_times_the_work(
    turn: Callable[[dict[str, Any]], dict[str, Any]],
) -> None:
    first = listing(SERVER, seed=3)
    compare(first, {"tools": [turn(tool) for tool in first["tools"]]})  # what is built once is no part of the work

    def work(changed: int) -> int:
        before = listing(SERVER, seed=changed)  # texts of its own: what is kept of the last ones must not help
        tools = [turn(tool) if number < changed else tool for number, tool in enumerate(before["tools"])]
        return calls(lambda: compare(before, {"tools": tools}))

    few, some, many = work(SERVER // 8), work(SERVER // 4), work(SERVER)

    assert (many - some) / 6 <= SLACK * (some - few)


def nested(levels: int, turn: str) -> dict[str, Any]:
    schema: dict[str, Any] = {"const": turn}
    for level in range(levels):
        schema = {"not": {"anyOf": [schema, {"const": level}]}}
    return schema


def unused_definitions(count: int, turn: str) -> dict[str, Any]:
    return {"$defs": {f"d{number}": {"type": "string"} for number in range(count) if turn == "after"}}


def one_definition_for_all(count: int, turn: str) -> dict[str, Any]:
    choices = {"x-choices": [f"{turn} {number}" for number in range(count)]}
    parameters = {f"p{number}": {"$ref": "#/$defs/d", "title": str(number)} for number in range(count)}
    return {"properties": parameters, "$defs": {"d": choices}}


def objects_that_require_more(count: int, turn: str) -> dict[str, Any]:
    inner = {"type": "object", "properties": {"x": {}}, "required": ["x"] if turn == "after" else []}
    return {"properties": {f"p{number}": inner for number in range(count)}}


def keywords_in_the_place_of_others(count: int, turn: str) -> dict[str, Any]:
    now = {"type": ["string", "number"], "enum": ["a"]} if turn == "after" else {"type": "string"}
    return {"properties": {f"p{number}": {**now, "pattern": f"(?={turn})"} for number in range(count)}}


def refusals_in_refusals(count: int, turn: str) -> dict[str, Any]:
    return {"properties": {f"p{number}": nested(18, turn) for number in range(count // 10)}}


def wide_definitions_for_all(count: int, turn: str) -> dict[str, Any]:
    wide = {"type": "object", "properties": {f"n{number}": {"const": turn} for number in range(count)}}
    return {"properties": {f"p{number}": {"$ref": "#/$defs/d"} for number in range(count)}, "$defs": {"d": wide}}


@pytest.mark.parametrize(
    ("schema", "few"),
    [
        (unused_definitions, 100),
        (one_definition_for_all, 100),
        (objects_that_require_more, 100),
        (keywords_in_the_place_of_others, 100),
        (wide_definitions_for_all, 150),
        (refusals_in_refusals, 100),
    ],
)
def test_a_hostile_schema_of_twice_the_size_is_twice_the_work(
    schema: Callable[[int, str], dict[str, Any]], few: int
) -> None:
    def work(count: int) -> int:
        sides = [
            {"tools": [{"name": "t", "inputSchema": {"type": "object", **schema(count, turn)}}]}
            for turn in ("before", "after")
        ]
        return calls(lambda: compare(*sides))

    one, two, four = work(few), work(2 * few), work(4 * few)

    assert four - two <= 2 * SLACK * (two - one)


def test_a_description_that_many_parameters_refer_to_is_read_once() -> None:
    def work(*descriptions: str) -> int:
        parameters = {f"p{number}": {"$ref": f"#/$defs/d{number % len(descriptions)}"} for number in range(300)}
        texts = {f"d{number}": {"description": text} for number, text in enumerate(descriptions)}
        after = {"type": "object", "properties": parameters, "$defs": texts}
        sides = [{"tools": [{"name": "t", "inputSchema": schema}]} for schema in ({"type": "object"}, after)]
        return calls(lambda: compare(*sides))

    assert work("Some text.") < work(*(f"Text {number}." for number in range(300))) / 2


def test_what_lies_deep_costs_the_differ_no_more_than_what_lies_flat() -> None:
    def work(levels: int) -> int:
        sides = [
            take(
                {"tools": [{"name": "t", "inputSchema": {str(n): nested(levels, turn) for n in range(720 // levels)}}]}
            )
            for turn in ("before", "after")
        ]
        return calls(lambda: diff(*sides))

    assert work(18) <= SLACK * work(6)
