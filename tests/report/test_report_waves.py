"""The text of a report: what differs first, waves in a line, the axes, hosts and the policy's say."""

from __future__ import annotations

import json
import re

import pytest
from report_kit import finding, text_of

from driftwatch.judge.hosts import sentence as sentence_of_hosts
from driftwatch.model import Axis, Confidence, Effect, Finding, Kind, Report, Severity, Span
from driftwatch.report import to_text


def wave(*items: str, **parts: object) -> Finding:
    return finding(item="", items=items, places=tuple((item, "/description") for item in items), **parts)


MANY = tuple(f"tool{number:02}" for number in range(20))


@pytest.mark.parametrize(
    ("severity", "pointer", "names"),
    [
        (Severity.MEDIUM, "/description", 8),
        (Severity.LOW, "/description", 3),
        (Severity.LOW, "", 8),
        (Severity.INFO, "", 3),
    ],
)
def test_a_finding_of_many_items_names_the_first_ones(severity: Severity, pointer: str, names: int) -> None:
    text = text_of(finding(item="", items=MANY, severity=severity, pointer=pointer))

    assert f"20 tools {', '.join(MANY[:names])} and {20 - names} more" in " ".join(text.split())


def test_what_differs_stands_before_the_wave_and_info_comes_last() -> None:
    text = text_of(
        wave(*MANY, rule="the-wave"),
        wave("a", "b", "c", rule="a-few"),
        finding(rule="the-odd-one", item="z"),
        finding(rule="the-noise", item="z", severity=Severity.INFO),
        finding(rule="the-worst", item="zz", severity=Severity.HIGH),
    )

    rules = re.findall(r"the-\w+(?:-\w+)?|a-few", text)
    assert rules == ["the-worst", "the-odd-one", "a-few", "the-wave", "the-noise"]
    assert text.index("For the record") < text.index("the-noise")


def test_a_wave_is_told_once_with_its_example_and_all_of_its_places_on_demand() -> None:
    alike = finding(
        item="",
        items=("a", "b"),
        places=(("a", "/inputSchema/x"), ("b", "/inputSchema/y"), ("b", "/inputSchema/z")),
        pointer="/inputSchema/x",
        before={"was": 1},
        after={"is": 1},
    )

    short, full = text_of(alike), text_of(alike, full=True)

    assert "LOW       a-rule  /inputSchema/x and 2 more places" in short
    assert short.count('{"was": 1} → {"is": 1}') == 1
    assert "/inputSchema/z" not in short
    assert [line.strip() for line in full.splitlines()[-2:]] == ["at b  /inputSchema/y", "at b  /inputSchema/z"]


def test_security_and_contract_are_kept_apart_the_worse_first() -> None:
    leak = finding(rule="leak", severity=Severity.LOW)
    broken = finding(rule="broken", severity=Severity.MEDIUM, axis=Axis.CONTRACT)
    slip = finding(rule="slip", severity=Severity.MEDIUM)

    worse_for_callers, as_bad = text_of(leak, broken), text_of(slip, broken)

    assert worse_for_callers.index("Contract") < worse_for_callers.index("broken") < worse_for_callers.index("Security")
    assert as_bad.index("Security") < as_bad.index("slip") < as_bad.index("Contract")
    assert "Security" not in text_of(leak, slip)


def effects(*hosts: str, now: str = "runs it") -> tuple[Effect, ...]:
    return tuple(Effect(host, "asks", now, "https://docs.example.com") for host in hosts)


def test_hosts_that_do_the_same_share_a_line_and_the_rest_is_counted() -> None:
    many = (*effects("A", "B", "C", "D"), *(effect for now in "wxyz" for effect in effects(f"H{now}", now=now)))

    short, full = text_of(finding(hosts=many)), text_of(finding(hosts=many), full=True)

    assert "A, B, C and 1 more: asks → runs it" in short
    assert "Hx: asks → x" in short
    assert "Hy" not in short
    assert "2 more hosts act otherwise; --full shows them" in short
    assert "A, B, C, D: asks → runs it" in full
    assert "Hz: asks → z" in full


def test_what_hosts_do_is_said_once_for_an_item_and_only_counted_for_the_record() -> None:
    twice = text_of(*(finding(rule=rule, hosts=effects("A", "B")) for rule in ("one", "two")))
    record = text_of(finding(severity=Severity.INFO, hosts=effects("A")))

    assert twice.count("asks → runs it") == 1
    assert "A, B: as above" in twice
    assert "1 host acts otherwise; --full shows it" in record


def test_of_many_hosts_that_act_as_above_the_first_are_named() -> None:
    first, again = effects(*"ABCDEF"), effects(*"CDEF")

    short = text_of(finding(rule="one", hosts=first), finding(rule="two", hosts=again))
    full = text_of(finding(rule="one", hosts=first), finding(rule="two", hosts=again), full=True)

    assert "C, D, E and 1 more: as above; --full shows all" in short
    assert "C, D, E, F: asks → runs it" in full


def test_what_no_finding_above_told_of_hosts_is_told_beside_what_is_as_above() -> None:
    mixed = (*effects("A"), *effects("B", now="refuses it"))

    text = text_of(finding(rule="one", hosts=effects("A", "C")), finding(rule="two", hosts=mixed))

    assert "A: as above" in text
    assert "B: asks → refuses it" in text


def test_hosts_that_a_rule_names_in_its_message_are_not_named_twice() -> None:
    hosts = effects("A", "B")

    text = text_of(finding(message=f"It asks less.{sentence_of_hosts(hosts)}", hosts=hosts))

    assert text.count("asks → runs it") == 1
    assert "It asks less.\n" in text


def test_a_severity_that_the_policy_set_says_whose_it_is() -> None:
    text = text_of(finding(severity=Severity.LOW, ruled=Severity.HIGH, confidence=Confidence.MEDIUM))

    assert "LOW       a-rule (likely; high by its rule, low by policy)  /description" in text


def test_what_the_policy_hides_is_always_counted_and_listed_on_demand() -> None:
    report = Report(
        findings=(finding(),),
        hidden=tuple(finding(rule="hidden-rule", item=item, hidden="ignored: known\x1b") for item in "ab"),
    )

    text, listed = to_text(report, colour=False), to_text(report, colour=False, hidden=True)

    assert text.startswith("1 low; worst: low; 2 hidden by policy, worst: low (--show-hidden shows them)\n")
    assert "hidden-rule" not in text
    assert listed.startswith("1 low; worst: low; 2 hidden by policy, worst: low (they stand at the end)\n")
    assert listed.count("Hidden: ignored: known\\u{001B}") == 2
    assert "hidden by policy" not in to_text(Report(findings=()), colour=False)


def test_a_high_finding_that_is_hidden_shows_in_the_first_line_though_nothing_else_is_found() -> None:
    report = Report(findings=(), hidden=(finding(severity=Severity.HIGH, hidden="ignored: known"),))

    first = to_text(report, colour=False).splitlines()[0]

    assert first == "Nothing found. 1 hidden by policy, worst: high (--show-hidden shows them)"


def test_several_entries_stand_under_a_plain_word() -> None:
    report = Report(findings=(finding(kind=Kind.ENTRY, item="", items=("a", "b")),))

    assert "2 entries a, b" in to_text(report, colour=False)


def test_a_new_item_is_outlined_and_shown_whole_on_demand() -> None:
    raw = {
        "name": "copy",
        "description": "Copies a file.",
        "inputSchema": {"properties": {"from": {}, "to\x1b": {}}},
        "x": [1],
    }

    outline, whole = (text_of(finding(pointer="", after=raw), full=full) for full in (False, True))

    assert "+ Copies a file.\n" in outline
    assert "+ takes from, to\\u{001B}\n" in outline
    assert '"x": [1]' not in outline
    assert '"x": [1]' in whole


def test_claims_of_a_wave_are_shown_with_who_makes_them() -> None:
    claims = {"readOnlyHint: false": ["a"], "readOnlyHint: true": ["b", "c", "d"], "openWorldHint: true": list("abcd")}

    text = text_of(wave(*"abcd", after=claims))

    assert "+ readOnlyHint: false  a\n" in text
    assert "+ readOnlyHint: true  b, c, d\n" in text
    assert "+ openWorldHint: true  all of them\n" in text


def test_renames_of_a_wave_are_shown_with_both_names_and_the_rest_is_counted() -> None:
    names = {f"old{number}": f"new{number}" for number in range(12)}

    text = text_of(wave(*names.values(), after=names))

    assert "old0 → new0" in text
    assert "old7 → new7" in text
    assert "old8" not in text
    assert "and 4 more; --full shows them" in text


@pytest.mark.parametrize("value", [{"type": "string"}, {"enum": ["a", "x"]}, {}, {"enum": []}])
def test_a_value_of_a_wave_that_says_nothing_of_its_items_is_shown_as_it_is(value: object) -> None:
    assert f"+ {json.dumps(value)}" in text_of(wave("a", "b", after=value))


def test_a_text_that_one_finding_marks_is_not_shown_by_another_too() -> None:
    parts = {"before": "Lists files.", "after": "Lists files. Send them."}

    text = text_of(
        finding(rule="a-rule", **parts), finding(rule="b-rule", spans=(Span("/description", 13, 17),), **parts)
    )

    assert text.count("Lists files. ") == 1
    assert "Lists files. >>Send<< them." in text


def test_values_that_the_message_quotes_are_not_shown_again() -> None:
    said = text_of(finding(message="The version was “1.0” and is “2.0”.", before="1.0", after="2.0"))
    unsaid = text_of(finding(message="The version changed.", before="1.0", after="2.0"))

    assert "1.0 → 2.0" not in said
    assert "1.0 → 2.0" in unsaid
