"""The rule changed-inside-ttl."""

from __future__ import annotations

from dataclasses import replace

from rule_facts import ARRIVED, FACTS
from rule_kit import example, found, tool

from driftwatch.judge.facts import Facts
from driftwatch.model import Kind

RULE = "changed-inside-ttl"


def test_a_change_inside_its_own_freshness_is_low_and_says_both_times() -> None:
    (finding,) = found(RULE, *example(RULE))

    assert (finding.severity, finding.confidence) == ("low", "medium")
    assert "after 10 min" in finding.message
    assert "tools/list for 2 h" in finding.message


def test_it_is_the_same_finding_however_early_the_change_came() -> None:
    later = Facts(arrival=replace(ARRIVED, quiet=1000.0, fresh=((Kind.TOOL, 9_000_000),)))

    first, second = (found(RULE, *example(RULE), facts)[0] for facts in (FACTS[RULE], later))

    assert first.fingerprint == second.fingerprint


def test_a_list_that_is_as_it_was_approved_is_nothing_to_speak_of() -> None:
    prompts = ({"prompts": [], "tools": [tool()]}, {"prompts": [{"name": "greet"}], "tools": [tool()]})

    assert found(RULE, *prompts, FACTS[RULE]) == []
