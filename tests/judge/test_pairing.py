"""Which item of a baseline is which item of a live list."""

from __future__ import annotations

import pytest
from judge_values import schema, tool

from driftwatch.judge.diff import diff
from driftwatch.judge.snapshot import take
from driftwatch.model import ChangeKind

TICKETS = schema({"project": {"type": "string"}, "state": {"type": "string"}})
WORDS = "List the tickets of a project that are still open, the newest of them first."


def _renamed(before: object, after: object) -> list[tuple[str, str]]:
    found = diff(take({"tools": before}), take({"tools": after}))
    return [(one.before_key, one.key) for one in found if one.change is ChangeKind.ITEM_RENAMED]


@pytest.mark.parametrize("name", ["list_ticket", "list_open_tickets", "tickets_list", "listTicketz"])
def test_a_name_that_is_nearly_the_same_over_the_same_schema_is_a_rename(name: str) -> None:
    before = tool("list_tickets", description=WORDS, inputSchema=TICKETS)
    after = tool(name, description="Something else altogether, for a start.", inputSchema=TICKETS)

    assert _renamed([before], [after]) == [("list_tickets", name)]


def test_a_description_that_is_nearly_the_same_over_the_same_schema_is_a_rename() -> None:
    before = tool("list_tickets", description=WORDS, inputSchema=TICKETS)
    after = tool("browse", description=WORDS.replace("newest", "oldest"), inputSchema=TICKETS)

    assert _renamed([before], [after]) == [("list_tickets", "browse")]


@pytest.mark.parametrize("name", ["List_Tickets", "list-tickets", "list_tіckets", "list_tickets\u200b"])
def test_a_name_that_passes_for_the_old_one_is_compared_with_it_whatever_else_is_new(name: str) -> None:
    before = tool("list_tickets", description=WORDS)
    after = tool(name, description="Quite other words stand here now.", inputSchema=TICKETS)

    assert _renamed([before], [after]) == [("list_tickets", name)]


def test_another_tool_over_the_same_schema_is_no_rename() -> None:
    before = tool("search_users", description="Find people by name.", inputSchema=schema({"q": {"type": "string"}}))
    after = tool("search_orders", description="Look through what was bought.", inputSchema=before["inputSchema"])

    assert _renamed([before], [after]) == []


@pytest.mark.parametrize("twin", ["Aardvarks live in burrows and eat ants.", "Zebras run in herds over plains."])
def test_an_approved_tool_that_gets_a_twin_is_compared_with_the_one_that_it_was(twin: str) -> None:
    was = tool("list_tickets", description=WORDS, inputSchema=TICKETS)
    now = {**was, "annotations": {"readOnlyHint": True}}
    other = tool("list_tickets", description=twin, inputSchema=schema({"else": {"type": "number"}}))

    found = diff(take({"tools": [was]}), take({"tools": [other, now]}))

    assert [one.pointer for one in found if one.change is not ChangeKind.ITEM_ADDED] == ["/annotations"]
    assert [one.after["description"] for one in found if one.change is ChangeKind.ITEM_ADDED] == [twin]
