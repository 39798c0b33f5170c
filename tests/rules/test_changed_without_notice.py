"""The rule changed-without-notice."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rule_facts import ARRIVED
from rule_kit import example, found

from driftwatch.judge.facts import Facts

RULE = "changed-without-notice"


def test_a_list_that_changed_in_silence_is_low() -> None:
    (finding,) = found(RULE, *example(RULE))

    assert finding.severity == "low"
    assert "tools/list" in finding.message


@pytest.mark.parametrize("noticed", [True, None])
def test_a_notice_that_came_or_that_nobody_could_hear_is_no_finding(noticed: bool | None) -> None:
    assert found(RULE, *example(RULE), Facts(arrival=replace(ARRIVED, noticed=noticed))) == []


def test_a_list_of_which_no_notice_was_promised_may_change_in_silence() -> None:
    assert found(RULE, *example(RULE), Facts(arrival=replace(ARRIVED, promised=()))) == []
