"""The hints of a tool before and after: dangers under both readings, and who acts otherwise."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from driftwatch.judge.hints import Danger, Reading
from driftwatch.judge.hosts import HOSTS
from driftwatch.judge.pointer import ABSENT
from driftwatch.model import Item, Kind
from driftwatch.report.hinttable import HintTable, hint_table, hint_words

VALUES = st.sampled_from([True, False, None, "yes", "", 0, 1, [], {}, "\u202e"])
ANNOTATIONS = st.one_of(
    st.none(),
    st.sampled_from([[], "x", 3]),
    st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint", "other"), VALUES),
    ),
)


def tool(annotations: Any = ABSENT) -> Item:
    raw = {"name": "wipe"} if annotations is ABSENT else {"name": "wipe", "annotations": annotations}
    return Item(Kind.TOOL, "wipe", raw, "")


def moved(table: HintTable) -> list[tuple[str, str, str]]:
    return [
        (row.danger.value, row.reading.value, "loosened" if row.loosened else "widened")
        for row in table.dangers
        if row.loosened or row.widened
    ]


@given(ANNOTATIONS, ANNOTATIONS)
def test_the_way_back_loosens_what_the_way_there_widened(before: Any, after: Any) -> None:
    there, back = hint_table(tool(before), tool(after)), hint_table(tool(after), tool(before))

    assert [row.loosened for row in there.dangers] == [row.widened for row in back.dangers]
    assert {(row.host, row.was, row.now) for row in there.hosts} == {(row.host, row.now, row.was) for row in back.hosts}


@given(ANNOTATIONS)
def test_the_same_hints_move_nothing(annotations: Any) -> None:
    table = hint_table(tool(annotations), tool(annotations))

    assert not table.changed
    assert table.hosts == ()


@given(ANNOTATIONS, ANNOTATIONS)
def test_every_danger_is_told_under_both_readings_and_every_hint_on_both_sides(before: Any, after: Any) -> None:
    table = hint_table(tool(before), tool(after))

    assert {(row.danger, row.reading) for row in table.dangers} == {(d, r) for d in Danger for r in Reading}
    assert all(row.was and row.now for row in table.hints)


def test_a_claim_to_only_read_loosens_under_both_readings_and_names_hosts_that_ask_less_first() -> None:
    table = hint_table(tool({"readOnlyHint": False, "destructiveHint": True}), tool({"readOnlyHint": True}))

    assert ("writes", "spec", "loosened") in moved(table)
    assert ("destroys", "stated", "loosened") in moved(table)
    assert table.hosts
    assert [row.eases for row in table.hosts] == sorted((row.eases for row in table.hosts), reverse=True)
    assert all(row.source for row in table.hosts)


def test_what_is_not_said_differs_between_the_readings() -> None:
    table = hint_table(tool(), tool({"destructiveHint": True}))

    assert moved(table) == [("destroys", "stated", "widened")]
    assert table.hints[1].was == "not said, which counts as true"
    assert table.hints[1].now == "said true"


def test_a_new_tool_tells_what_hosts_do_with_it_and_nothing_of_before() -> None:
    table = hint_table(None, tool({"readOnlyHint": True}))

    assert all(row.before is None and not row.loosened for row in table.dangers)
    assert {row.was for row in table.hints} == {""}
    assert 0 < len(table.hosts) <= len(HOSTS)
    assert all(row.now and not row.was for row in table.hosts)


def test_a_tool_that_went_tells_what_hosts_did_with_it() -> None:
    table = hint_table(tool({"readOnlyHint": True}), None)

    assert all(row.was and not row.now for row in table.hosts)


def test_a_value_that_is_neither_true_nor_false_is_shown_safely() -> None:
    assert hint_words({"readOnlyHint": "\u202eyes"}, "readOnlyHint") == (
        'said "\\u{202E}yes", neither true nor false: counts as not said'
    )
