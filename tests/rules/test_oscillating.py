"""The rule oscillating."""

from __future__ import annotations

from dataclasses import replace

from rule_facts import FACTS, FLAPS
from rule_kit import example, found, scanned

from driftwatch.judge.facts import Facts
from driftwatch.model import Severity

RULE = "oscillating"


def test_a_server_that_goes_to_and_fro_is_medium_and_says_how_often() -> None:
    (finding,) = found(RULE, *example(RULE))

    assert finding.severity == "medium"
    assert "came back to one 3 times since 2026-03-01" in finding.message


def test_it_is_found_while_the_baseline_is_shown_too() -> None:
    before, _ = example(RULE)

    assert found(RULE, before, before, FACTS[RULE])


def test_it_is_as_bad_as_the_worst_that_was_told_meanwhile() -> None:
    (finding,) = found(RULE, *example(RULE), Facts(flapping=replace(FLAPS, worst=Severity.CRITICAL)))

    assert finding.severity == "critical"


def test_it_stays_the_same_finding_while_the_count_goes_up() -> None:
    more = Facts(flapping=replace(FLAPS, returns=40, lists=9))

    first, second = (found(RULE, *example(RULE), facts)[0] for facts in (FACTS[RULE], more))

    assert first.fingerprint == second.fingerprint


def test_a_list_by_itself_goes_nowhere() -> None:
    assert scanned(RULE, example(RULE)[1]) == []
