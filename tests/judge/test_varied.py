"""Values that differ between lists of one release."""

from __future__ import annotations

from typing import Any

import pytest

from driftwatch.judge.facts import Place, Steps, Varied
from driftwatch.judge.snapshot import take
from driftwatch.judge.varied import FEW, ORDER, SHAPES, VALUE, Variation, proposes, shape_of, varied
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

    assert (found.changes, found.values, found.shape) == (3, 2, ORDER)


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
        (["up since 12:30", "up since 9:05", "up since 23:59"], "time"),
        (["started at 01:48:19.396", "started at 01:48:19.401", "started at 11:02:00.000"], "time"),
        (["at 3:04 PM", "at 11:59 AM", "at 1:00 am"], "time"),
        (["v1.2.3 of it", "v1.10.0 of it", "v2.0.0 of it"], "version"),
        (["port 4711", "port 52001", "port 80"], "port"),
        (["at localhost:4711/mcp", "at localhost:52001/mcp", "at localhost:8080/mcp"], "port"),
        (["at 2026-01-02T03:04:05Z", "at 2026-02-03T04:05:06.789Z", "at 2027-12-31 23:59:59.1+02:00"], "moment"),
        (["of 2026-01-02", "of 2026-11-30", "of 2027-02-01"], "date"),
        (["of 30.11.2026", "of 1.12.2026", "of 24.12.2026"], "date in numbers"),
        (["of 11/30/2026", "of 12/1/2026", "of 1/1/2027"], "date in numbers"),
        (["of November 30, 2026", "of May 3, 2026", "of Dec 24, 2026"], "date in words"),
        (["Mon Nov 30 02:02:53 2026", "Tue Dec  1 12:00:01 2026", "Sat Jan  2 00:00:00 2027"], "date in words"),
        (
            ["Mon, 30 Nov 2026 02:02:53 GMT", "Tue, 1 Dec 2026 12:00:01 GMT", "Fri, 1 Jan 2027 1:00:00 GMT"],
            "date in words",
        ),
        (["up 2h 3m 5s.", "up 59s.", "up 101h 0m 0.5s."], "length of time"),
        (["up 59.5 seconds", "up 1 second", "up 3 days"], "length of time"),
        (["up 3 days, 4:05:09", "up 1 day, 23:59:00", "up 12 days, 0:00:01"], "length of time"),
        (["in /tmp/abc-1", "in /tmp/x_y/2", "in /home/ann/x"], "path"),
        ([r"in C:\Users\ann\x", r"in D:\tmp", r"in C:\a\b\c"], "path"),
        (["call 9", "call 1,234", "call 12"], "number"),
        (["at 1764468173.123", "at 1764468174.9", "at 1764468200"], "number"),
        (
            [
                "id 0b5e5a0c-8e0c-4f6e-9d58-0d9a3c1f2b77",
                "id 77777777-8888-4999-aaaa-bbbbbbbbbbbb",
                "id 00000000-0000-4000-8000-00000000000A",
            ],
            "uuid",
        ),
        (["at commit 0badcafe12", "at commit ffee00", "at commit DEAD0EE5"], "hex"),
        (["csv, json", "json, csv"], ORDER),
        ([1, 2], VALUE),
        (["reads files", "writes files"], ""),
        (["a decade", "a facade"], ""),
        (["a", 1], ""),
    ],
)
def test_what_alone_differs_inside_texts_is_named_and_the_next_value_is_the_same_shape(
    values: list[Any], shape: str
) -> None:
    first = shape_of(values[:2])

    assert first == shape_of(values) == shape
    assert shape in {"", ORDER, VALUE, *SHAPES}


def place(pointer: str) -> Place:
    return (Kind.TOOL, "make_report", 0, pointer)


@pytest.mark.parametrize(
    ("pointer", "changes", "shape", "proposed"),
    [
        ("/description", 1, "date", True),
        ("/description", 1, "number", False),
        ("/description", 2, "number", True),
        ("/description", 9, "", False),
        ("/description", 9, ORDER, False),
        ("/inputSchema/properties/a/description", 9, ORDER, False),
        ("/inputSchema/properties/a/default", 1, ORDER, True),
        ("/inputSchema/properties/a/default", 1, VALUE, False),
        ("/inputSchema/properties/a/default", 2, VALUE, True),
        ("/inputSchema/properties/a/default", 9, "", False),
    ],
)
def test_only_what_is_recognised_is_proposed_and_what_models_read_only_with_a_pattern(
    pointer: str, changes: int, shape: str, proposed: bool
) -> None:
    assert proposes(Varied(place(pointer), changes, 2, shape)) is proposed
