"""SARIF for code scanning: valid, with rules that explain themselves and places that stay apart."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from contracts.hostile import HOSTILE, HUGE, formed_in
from formats_kit import SARIF_SCHEMA, bump, hostile, turned, unseen
from jsonschema import Draft7Validator
from report_kit import finding

from driftwatch.judge.rules import RULES
from driftwatch.model import Kind, Report, Severity
from driftwatch.report.formats import Form, render
from driftwatch.report.sarif import RESULTS
from driftwatch.report.subject import Judged, Subject

VALID = Draft7Validator({**SARIF_SCHEMA, "$schema": "http://json-schema.org/draft-07/schema#"})


def run_of(*judged: Judged) -> dict[str, Any]:
    log = json.loads(render(Form.SARIF, judged))
    assert [f"{error.json_path}: {error.message[:200]}" for error in VALID.iter_errors(log)] == []
    (run,) = log["runs"]
    return run


@pytest.mark.parametrize("judged", [(turned(),), (bump(),), (unseen(),), (turned(), bump(), unseen()), ()])
def test_a_report_is_valid(judged: tuple[Judged, ...]) -> None:
    run_of(*judged)


def test_every_rule_can_be_told_with_its_help() -> None:
    told = [finding(rule=rule.id, severity=rule.severity, item=rule.id) for rule in RULES]

    rules = run_of(Judged(Subject("all"), Report(tuple(told))))["tool"]["driver"]["rules"]

    assert [rule["id"] for rule in rules] == sorted(rule.id for rule in RULES)
    assert all("What to do" in rule["help"]["text"] and "```" in rule["help"]["markdown"] for rule in rules)


def test_a_rule_weighs_as_much_as_its_worst_finding() -> None:
    found = (finding(rule="meta-changed"), finding(rule="meta-changed", severity=Severity.CRITICAL, item="two"))

    run = run_of(Judged(Subject("x"), Report(found)))

    assert run["tool"]["driver"]["rules"][0]["properties"]["security-severity"] == "9.5"
    assert [result["level"] for result in run["results"]] == ["error", "note"]


def test_a_result_says_what_and_where() -> None:
    run = run_of(turned())

    result = next(one for one in run["results"] if one["ruleId"] == "hint-loosened")
    assert result["message"]["text"].startswith("notes, tool wipe: The tool now claims to only read")
    (location,) = result["locations"]
    assert location["logicalLocations"][0]["fullyQualifiedName"] == "notes/tool/wipe/annotations/readOnlyHint"
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "conf/driftwatch%20lock.json"},
        "region": {"startLine": 12},
    }
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "hint-loosened"


def test_the_same_finding_of_two_servers_stays_apart_and_keeps_its_fingerprint() -> None:
    one = turned()
    other = replace(one, subject=replace(one.subject, server="others"))

    results = run_of(one, other)["results"]

    known = [result["partialFingerprints"] for result in results]
    assert {each["driftwatch/v1"] for each in known} == {told.fingerprint for told in one.report.findings}
    assert len({each["primaryLocationLineHash"] for each in known}) == len(known)


def test_what_the_policy_hides_is_suppressed_with_the_reason() -> None:
    hidden = finding(hidden="Known, and agreed with the maker.")

    (result,) = run_of(Judged(Subject("x"), Report((), hidden=(hidden,))))["results"]

    assert result["suppressions"] == [
        {"kind": "external", "status": "accepted", "justification": "Known, and agreed with the maker."}
    ]


def test_what_could_not_be_looked_at_is_no_clean_run() -> None:
    run = run_of(unseen())

    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == (
        "mail could not be looked at: timeout: no answer within 30 s."
    )


def test_what_would_be_a_placeholder_is_none() -> None:
    run = run_of(Judged(Subject("x"), Report((finding(message="It ends \x07 in {0}."),))))

    assert run["results"][0]["message"]["text"] == "x, tool one: It ends \\u｛0007｝ in ｛0｝."


def test_too_many_results_are_cut_and_counted() -> None:
    many = tuple(finding(item=f"tool {number}") for number in range(RESULTS + 7))

    (run,) = json.loads(render(Form.SARIF, [Judged(Subject("x"), Report(many))]))["runs"]

    assert len(run["results"]) == RESULTS
    assert "7 results are left out" in run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]


def test_a_rule_that_is_no_more_is_named_by_its_id() -> None:
    run = run_of(Judged(Subject("x"), Report((finding(rule="of-long-ago", kind=Kind.ENTRY),))))

    assert run["tool"]["driver"]["rules"] == [{"id": "of-long-ago", "name": "of-long-ago"}]


def texts(value: Any, key: str = "") -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [pair for name, one in value.items() for pair in texts(one, name)]
    if isinstance(value, list):
        return [pair for one in value for pair in texts(one, key)]
    return [(key, value)] if isinstance(value, str) else []


@pytest.mark.parametrize("text", [*HOSTILE, *HUGE], ids=lambda text: text[:8].encode("unicode_escape").decode())
def test_hostile_text_forms_nothing_in_any_field(text: str) -> None:
    run = run_of(hostile(text))

    for part in (run["results"], run["invocations"]):
        for key, said in texts(part):
            assert key in {"uri", "category"} or formed_in(said) == [], key
