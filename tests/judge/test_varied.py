"""Values that differ between lists of one release."""

from __future__ import annotations

from typing import Any

import pytest

from driftwatch.judge.facts import Steps
from driftwatch.judge.snapshot import take
from driftwatch.judge.varied import FEW, SHAPES, Variation, shape_of, varied
from driftwatch.model import Kind, Snapshot

PLACE = (Kind.TOOL, "make_report", 0, "/description")


def listing(*descriptions: str, version: str = "1.0.0", **document: Any) -> Snapshot:
    names = ["make_report", *(f"tool_{number}" for number in range(1, len(descriptions)))]
    tools = [
        {"name": name, "description": text, "inputSchema": {"type": "object"}}
        for name, text in zip(names, descriptions, strict=True)
    ]
    return take({"serverInfo": {"name": "reports", "version": version}, "tools": tools, **document})


def test_one_list_teaches_nothing() -> None:
    assert varied([listing("a")]) == Variation()
    assert varied([listing("a"), listing("a")]) == Variation()


def test_two_lists_of_one_release_teach_that_a_value_varies() -> None:
    (found,) = varied([listing("of 2026-01-02"), listing("of 2026-03-04")]).places

    assert (found.place, found.changes, found.values, found.shape) == (PLACE, 1, 2, "date")


def test_changes_and_values_are_counted_apart() -> None:
    (found,) = varied([listing(text) for text in ("a, b", "b, a", "a, b", "b, a")]).places

    assert (found.changes, found.values, found.shape) == (3, 2, "")


@pytest.mark.parametrize(
    "other",
    [
        listing("b", version="1.0.1"),
        listing("b", protocolVersion="2025-06-18"),
        listing("b", launch={"command": "another"}),
        listing("b", "new"),
        take({"serverInfo": {"name": "else", "version": "1.0.0"}, "tools": list[Any]()}),
    ],
    ids=["version", "protocol", "launch", "another-tool", "another-server"],
)
def test_another_release_teaches_nothing(other: Snapshot) -> None:
    assert varied([listing("a"), other]) == Variation()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"annotations": {"readOnlyHint": True}}, {"annotations": {"readOnlyHint": False}}),
        ({"annotations": {"readOnlyHint": "a"}}, {"annotations": {"readOnlyHint": "b"}}),
        ({"inputSchema": {"type": "object"}}, {"inputSchema": {"type": "string"}}),
        ({"inputSchema": {"pattern": "a"}}, {"inputSchema": {"pattern": "b"}}),
        ({"inputSchema": {"maximum": 1}}, {"inputSchema": {"maximum": 2}}),
        ({"title": "a"}, {}),
        ({"title": "a"}, {"title": 1}),
    ],
)
def test_what_decides_something_is_no_value_that_varies(before: dict[str, Any], after: dict[str, Any]) -> None:
    lists = [take({"tools": [{"name": "make_report", **parts}]}) for parts in (before, after, before)]

    assert varied(lists) == Variation()


def test_many_places_at_once_are_a_release_until_they_differ_again() -> None:
    lists = [listing(*(f"{number} in {turn}" for number in range(FEW + 1))) for turn in "abc"]

    assert varied(lists[:2]).places == ()
    assert len(varied(lists).places) == FEW + 1


def test_what_is_declared_already_is_left_out() -> None:
    lists = [listing("a"), listing("b"), listing("a")]

    assert varied(lists, lambda change: change.pointer == "/description") == Variation((), Steps.NOISE)


def test_one_step_that_is_more_than_values_makes_the_steps_unknown() -> None:
    lists = [listing("a"), listing("b"), listing("a", "new"), listing("b", "new")]

    assert varied(lists[:2]).steps is Steps.VALUES
    assert varied(lists).steps is Steps.UNKNOWN
    assert [found.changes for found in varied(lists).places] == [2]


@pytest.mark.parametrize(
    ("values", "shape"),
    [
        (["up since 12:30", "up since 9:05"], "time"),
        (["v1.2.3 of it", "v1.10.0 of it"], "version"),
        (["port 4711", "port 52001"], "number"),
        (["at 2026-01-02T03:04:05Z", "at 2026-02-03T04:05:06.789Z"], "moment"),
        (["in /tmp/abc-1", "in /tmp/x_y/2"], "path"),
        (["id 0b5e5a0c-8e0c-4f6e-9d58-0d9a3c1f2b77", "id 77777777-8888-4999-aaaa-bbbbbbbbbbbb"], "uuid"),
        (["at commit 0badcafe12", "at commit ffee00"], "hex"),
        (["csv, json", "json, csv"], ""),
        ([1, 2], ""),
    ],
)
def test_what_alone_differs_inside_texts_is_named(values: list[Any], shape: str) -> None:
    assert shape_of(values) == shape
    assert shape in {"", *SHAPES}
