"""The diff: every change, at its place, in both directions alike."""

from __future__ import annotations

import re

from hypothesis import given
from judge_values import DOCUMENT, schema, tool

from driftwatch.judge.diff import diff
from driftwatch.judge.snapshot import take
from driftwatch.model import Change, ChangeKind

ADDED, REMOVED, CHANGED = ChangeKind.VALUE_ADDED, ChangeKind.VALUE_REMOVED, ChangeKind.VALUE_CHANGED


def changes(before: dict[str, object], after: dict[str, object]) -> list[tuple[ChangeKind, str, object, object]]:
    found = diff(take({"tools": [before]}), take({"tools": [after]}))
    return [(change.change, change.pointer, change.before, change.after) for change in found]


def place(change: Change) -> tuple[object, ...]:
    """Where a change is, list positions aside: an entry that moved has another one on each side."""
    return (change.kind, frozenset({change.key, change.before_key}), re.sub(r"/\d+(?=/|$)", "/*", change.pointer))


@given(DOCUMENT, DOCUMENT)
def test_there_are_changes_exactly_when_the_digests_differ(one: dict[str, object], two: dict[str, object]) -> None:
    before, after = take(one), take(two)

    assert bool(diff(before, after)) == (before.digest != after.digest)


@given(DOCUMENT, DOCUMENT)
def test_both_directions_name_the_same_places(one: dict[str, object], two: dict[str, object]) -> None:
    before, after = take(one), take(two)

    assert {place(change) for change in diff(before, after)} == {place(change) for change in diff(after, before)}


def test_values_added_removed_and_changed_are_named_by_pointer() -> None:
    before = tool(title="List", annotations={"readOnlyHint": True})
    after = tool(description="Other.", annotations={"readOnlyHint": True, "a/b~c": 1})

    assert changes(before, after) == [
        (ADDED, "/annotations/a~1b~0c", None, 1),
        (CHANGED, "/description", "List the open tickets.", "Other."),
        (REMOVED, "/title", "List", None),
    ]


def test_property_names_with_two_underscores_are_seen() -> None:
    after = tool(inputSchema=schema({"project": {"type": "string"}, "__ctx": {"type": "string"}}))

    assert changes(tool(), after) == [(ADDED, "/inputSchema/properties/__ctx", None, {"type": "string"})]


def test_objects_with_little_in_common_are_still_compared_inside() -> None:
    before = tool(inputSchema={"a": 1, "b": 2, "c": 3, "same": {"x": 1, "y": 1}})
    after = tool(inputSchema={"d": 1, "e": 2, "f": 3, "same": {"x": 2, "y": 1}})

    assert (CHANGED, "/inputSchema/same/x", 1, 2) in changes(before, after)


def test_entries_of_lists_are_named_where_they_stand() -> None:
    before, after = tool(tags=["a", "c", "c"]), tool(tags=["a", "b", "c", "d"])

    assert changes(before, after) == [
        (ADDED, "/tags/1", None, "b"),
        (REMOVED, "/tags/2", "c", None),
        (ADDED, "/tags/3", None, "d"),
    ]


def test_another_order_of_a_list_is_one_change_of_the_list() -> None:
    assert changes(tool(tags=["a", "b"]), tool(tags=["b", "a"])) == [(CHANGED, "/tags", ["a", "b"], ["b", "a"])]


def test_a_repeated_entry_is_a_change() -> None:
    assert changes(tool(tags=["a"]), tool(tags=["a", "a"])) == [(ADDED, "/tags/1", None, "a")]


def test_named_entries_are_paired_by_name_and_named_in_the_live_list() -> None:
    one, two = {"name": "one", "description": "x"}, {"name": "two", "description": "y"}

    found = changes(tool(arguments=[one, two]), tool(arguments=[two, {**one, "description": "z"}]))

    assert (CHANGED, "/arguments/1/description", "x", "z") in found


def test_types_that_python_takes_for_equal_are_told_apart() -> None:
    assert changes(tool(x=1), tool(x=True)) == [(CHANGED, "/x", 1, True)]
    assert changes(tool(x=[1]), tool(x=[True])) == [(CHANGED, "/x/0", 1, True)]
    assert changes(tool(x=1), tool(x=1.0)) == []


def test_a_list_with_hundreds_of_differences_is_one_change() -> None:
    found = changes(tool(tags=[str(n) for n in range(500)]), tool(tags=[str(-n) for n in range(1, 500)]))

    assert [pointer for _, pointer, _, _ in found] == ["/tags"]


def test_a_renamed_item_is_one_change_and_its_other_changes_stay() -> None:
    before = {"tools": [tool("add_remark", description="Append a remark to one ticket.")]}
    after = {"tools": [tool("append_remark", description="Append a remark to one ticket.", title="New")]}

    found = diff(take(before), take(after))

    assert [(change.change, change.key, change.before_key, change.pointer) for change in found] == [
        (ChangeKind.ITEM_RENAMED, "append_remark", "add_remark", ""),
        (ADDED, "append_remark", "add_remark", "/title"),
    ]


def test_items_with_little_in_common_are_not_taken_for_renamed() -> None:
    found = diff(take({"tools": [tool("a")]}), take({"tools": [tool("b", description="Sing.", inputSchema={})]}))

    assert {change.change for change in found} == {ChangeKind.ITEM_ADDED, ChangeKind.ITEM_REMOVED}


def test_a_twin_of_a_name_does_not_hide_the_approved_item() -> None:
    approved, twin = tool(description="Zebra."), tool(description="Aardvark.")

    found = diff(take({"tools": [approved]}), take({"tools": [twin, approved]}))

    assert [(change.change, change.after["description"]) for change in found] == [(ChangeKind.ITEM_ADDED, "Aardvark.")]
