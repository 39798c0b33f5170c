"""The four hints under both readings, held against the table of all states."""

from __future__ import annotations

import itertools
import json

import pytest
from judge_values import shared

from driftwatch.judge.hints import HINTS, Danger, Reading, dangers, moves


def test_every_annotation_state_admits_the_dangers_of_the_table() -> None:
    rows = [json.loads(line) for line in shared("vectors", "hint_states.jsonl").read_text().splitlines()]

    assert len(rows) == 81
    for row in rows:
        for reading in Reading:
            assert sorted(dangers(row["declared"], reading)) == sorted(row[reading.value]), row


def test_an_unannotated_tool_is_the_most_dangerous_kind_by_the_defaults_and_says_nothing_by_itself() -> None:
    assert dangers(None, Reading.SPEC) == frozenset(Danger)
    assert dangers(None, Reading.STATED) == frozenset()


@pytest.mark.parametrize("value", [None, "true", "false", 0, 1, [], {}])
def test_a_malformed_hint_counts_as_absent(value: object) -> None:
    for hint, reading in itertools.product(HINTS, Reading):
        assert dangers({hint: value}, reading) == dangers({}, reading)


def test_every_danger_that_moves_is_laid_to_a_hint_that_changed() -> None:
    states = [
        {hint: value for hint, value in zip(HINTS, values, strict=True) if value is not None}
        for values in itertools.product([True, False, None], repeat=4)
    ]

    for before, after in itertools.product(states, states):
        found = moves(before, after)
        for reading in Reading:
            moved = {danger for move in found for danger in move.loosened[reading] | move.widened[reading]}
            assert moved == dangers(before, reading) ^ dangers(after, reading)
