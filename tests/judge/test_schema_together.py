"""Keywords of a schema that took each other's place, or that mean nothing alone: one change, told once and truly."""

from __future__ import annotations

from typing import Any

import pytest
from judge_values import tool

from driftwatch.judge.coverage import uncovered
from driftwatch.judge.judge import compare_snapshots
from driftwatch.judge.snapshot import take
from driftwatch.model import Report

NULLABLE = {"anyOf": [{"type": "integer"}, {"type": "null"}]}
CONDITION = {"if": {"minimum": 5}, "then": {"multipleOf": 5}}


def compared(root: str, before: Any, after: Any, names: tuple[str, ...] = ("p",)) -> Report:
    sides = ({"type": "object", "properties": dict.fromkeys(names, side)} for side in (before, after))
    was, now = (
        take({"tools": [tool("get_note", **{"inputSchema": {"type": "object"}, root: side})]}) for side in sides
    )
    return compare_snapshots(was, now)


@pytest.mark.parametrize("root", ["inputSchema", "outputSchema"])
@pytest.mark.parametrize(
    ("before", "after", "direction"),
    [
        ({"const": "x"}, {"type": "string"}, "widened"),
        ({"enum": ["x", "y"]}, {"type": "string"}, "widened"),
        ({"type": "integer"}, NULLABLE, "widened"),
        ({"type": "string"}, {"enum": ["x"]}, "narrowed"),
        (NULLABLE, {"type": "integer"}, "narrowed"),
        ({"type": "string"}, NULLABLE, "changed"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": ["null", "string"]}, "cosmetic"),
        ({"const": "x"}, {"enum": ["x"]}, "cosmetic"),
        ({"type": "integer"}, {"type": "integer", **CONDITION}, "narrowed"),
        ({"type": "integer", **CONDITION}, {"type": "integer"}, "widened"),
    ],
)
def test_one_edit_is_one_finding_that_says_both_sides(root: str, before: Any, after: Any, direction: str) -> None:
    report = compared(root, before, after)

    (finding,) = report.findings
    kinds = {"changed": ("schema-changed", "output-schema-changed"), "cosmetic": ("schema-cosmetic",) * 2}
    names = kinds.get(direction, (f"schema-{direction}", f"output-{direction}"))
    assert finding.rule == names[root == "outputSchema"]
    assert finding.pointer == f"/{root}/properties/p"
    assert (finding.before, finding.after) == tuple(
        {key: value for key, value in one.items() if other.get(key) != value}
        for one, other in ((before, after), (after, before))
    )
    assert not list(uncovered(report.changes, report.findings))


def test_the_same_edit_of_many_parameters_is_one_wave_whatever_they_are_called() -> None:
    report = compared("inputSchema", {"type": "integer"}, NULLABLE, names=("a", "b", "c", "d"))

    (wave,) = report.findings
    assert len(wave.places) == 4


def test_edits_of_single_keywords_stay_apart() -> None:
    before = {"type": "string", "maxLength": 5, "enum": ["x"]}
    after = {"type": "string", "maxLength": 9, "enum": ["x", "y"]}

    assert len(compared("inputSchema", before, after).findings) == 2
