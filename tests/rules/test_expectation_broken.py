"""The rule expectation-broken."""

from __future__ import annotations

import pytest
from rule_kit import example, found, hinted, places, scanned, tool

from driftwatch.judge.expectations import Expectations
from driftwatch.judge.facts import Facts
from driftwatch.judge.rules import rule
from driftwatch.model import Finding

RULE = "expectation-broken"


def broken(expected: Expectations, *tools: object) -> list[Finding]:
    """Judge an approved list against what is expected of it."""
    return found(RULE, {"tools": list(tools)}, {"tools": list(tools)}, Facts(expectations=expected))


def test_a_new_tool_that_does_not_only_read_is_high() -> None:
    assert places(found(RULE, *example(RULE))) == [("high", "sync_rooms", "/annotations/readOnlyHint")]


def test_an_approved_list_breaks_an_expectation_all_the_same() -> None:
    _, after = example(RULE)

    assert places(found(RULE, after, after)) == [("high", "sync_rooms", "/annotations/readOnlyHint")]


def test_a_first_look_breaks_it_too() -> None:
    assert [finding.category for finding in scanned(RULE, example(RULE)[1])] == ["read_only"]


def test_nothing_is_expected_by_default() -> None:
    assert found(RULE, *example(RULE), Facts()) == []


@pytest.mark.parametrize(
    ("expected", "honest", "wrong", "pointer"),
    [
        (Expectations(read_only=True), {"readOnlyHint": True}, {}, "/annotations/readOnlyHint"),
        (Expectations(read_only=True), {"readOnlyHint": True}, {"readOnlyHint": "yes"}, "/annotations/readOnlyHint"),
        (Expectations(no_destructive=True), {"destructiveHint": False}, {}, "/annotations/destructiveHint"),
        (
            Expectations(no_destructive=True),
            {"readOnlyHint": True},
            {"readOnlyHint": False, "destructiveHint": True},
            "/annotations/destructiveHint",
        ),
        (Expectations(closed_world=True), {"openWorldHint": False}, {}, "/annotations/openWorldHint"),
        (
            Expectations(annotated=True),
            {"readOnlyHint": True, "destructiveHint": False, "openWorldHint": True},
            {"readOnlyHint": True, "openWorldHint": True},
            "/annotations",
        ),
    ],
)
def test_a_tool_must_spell_out_what_is_expected(
    expected: Expectations, honest: dict[str, object], wrong: dict[str, object], pointer: str
) -> None:
    result = broken(expected, hinted("list_rooms", **honest), hinted("sync_rooms", **wrong))

    assert [(finding.item, finding.pointer) for finding in result] == [("sync_rooms", pointer)]


def test_a_tool_that_cannot_be_read_claims_nothing() -> None:
    expected = Expectations(read_only=True, closed_world=True, annotated=True, tools=("list_*",))

    result = broken(expected, "not a tool", None, {"name": 7})

    assert {finding.category for finding in result} == {"read_only", "closed_world", "annotated", "tools"}


def test_a_closed_list_of_names_takes_globs() -> None:
    result = broken(Expectations(tools=("list_*", "get_room")), tool("list_rooms"), tool("get_room"), tool("drop_room"))

    assert [(finding.severity, finding.item) for finding in result] == [("high", "drop_room")]


def test_an_empty_list_of_names_admits_no_tool() -> None:
    assert len(broken(Expectations(tools=()), tool("list_rooms"))) == 1


def test_more_tools_than_expected_are_one_finding_however_many_there_are() -> None:
    few, many = (broken(Expectations(max_tools=1), *map(tool, names)) for names in ("ab", "abc"))

    assert [finding.severity for finding in few] == ["medium"]
    assert [one.fingerprint for one in few] == [one.fingerprint for one in many]
    assert "3 tools" in many[0].message


def test_the_same_breach_by_many_tools_is_told_once() -> None:
    result = broken(Expectations(read_only=True), *(tool(f"t{number}") for number in range(5)))

    assert [(len(finding.items), finding.severity) for finding in result] == [(5, "high")]
    assert "5 break that" in result[0].message


@pytest.mark.parametrize(
    ("expected", "severity"),
    [
        (Expectations(read_only=True), "high"),
        (Expectations(no_destructive=True), "high"),
        (Expectations(closed_world=True), "high"),
        (Expectations(tools=()), "high"),
        (Expectations(annotated=True), "medium"),
        (Expectations(max_tools=0), "medium"),
    ],
)
def test_each_breach_weighs_what_the_documentation_says(expected: Expectations, severity: str) -> None:
    said = " ".join(rule(RULE).doc.split())

    assert {finding.severity.value for finding in broken(expected, tool())} == {severity}
    assert "A hint left unsaid and too many tools" in said
    assert "those two are medium, all else is high" in said
