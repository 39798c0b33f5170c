"""JUnit XML: what fails a build is a failure, what could not be seen an error, and any text is valid XML."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from contracts.hostile import HOSTILE, HUGE, formed_in
from formats_kit import bump, hostile, turned, unseen
from report_kit import finding

from driftwatch.judge.snapshot import take
from driftwatch.model import Report, Severity
from driftwatch.report.formats import Form, at_least, render
from driftwatch.report.subject import Judged, Subject


def suites(*judged: Judged, severity: Severity = Severity.HIGH) -> ET.Element:
    text = render(Form.JUNIT, judged, fails=at_least(severity))
    assert text.isascii()
    return ET.fromstring(text)


def test_a_case_fails_by_its_worst_finding_and_tells_the_others() -> None:
    root = suites(turned())

    case = root.find(".//testcase[@name='tool wipe']")
    assert case is not None
    failure = case.find("failure")
    assert failure is not None
    assert failure.get("type") == "hint-loosened"
    assert failure.get("message", "").startswith("critical: The tool now claims to only read")
    assert "What to do: Find out" in (failure.text or "")


def test_a_case_below_the_threshold_passes_and_tells_what_was_found() -> None:
    root = suites(Judged(Subject("x"), Report((finding(message="It reads otherwise."),))))

    (case,) = root.iter("testcase")
    assert case.find("failure") is None
    assert "LOW a-rule /description\n  It reads otherwise." in (case.findtext("system-out") or "")


def test_the_threshold_is_the_callers() -> None:
    judged = Judged(Subject("x"), Report((finding(),)))

    assert suites(judged, severity=Severity.LOW).get("failures") == "1"


def test_items_without_findings_are_cases_that_pass() -> None:
    live = take({"tools": [{"name": "one"}, {"name": "two"}, {"name": "two"}]})

    root = suites(Judged(Subject("x"), Report((finding(severity=Severity.HIGH),)), None, live))

    assert [case.get("name") for case in root.iter("testcase")] == ["tool one", "tool two", "tool two (2)"]
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("3", "1", "0")


def test_what_could_not_be_looked_at_is_an_error() -> None:
    root = suites(unseen(), turned())

    error = root.find("./testsuite[@name='mail']/testcase/error")
    assert error is not None
    assert error.get("message") == "mail could not be looked at: timeout: no answer within 30 s."
    assert root.get("errors") == "1"


def test_nothing_found_is_one_case_that_passes() -> None:
    root = suites(Judged(Subject("x"), Report(())))

    assert (root.get("tests"), root.get("failures")) == ("1", "0")


def test_no_two_cases_of_a_suite_have_one_name() -> None:
    names = [case.get("name") for case in suites(bump()).iter("testcase")]

    assert len(set(names)) == len(names)


def test_the_parts_of_a_case_come_in_the_order_that_readers_ask_for() -> None:
    order = ["properties", "failure", "error", "system-out"]

    for case in suites(turned(), unseen()).iter("testcase"):
        places = [order.index(part.tag) for part in case]
        assert places == sorted(places)


@pytest.mark.parametrize("text", [*HOSTILE, *HUGE], ids=lambda text: text[:8].encode("unicode_escape").decode())
def test_hostile_text_is_valid_xml_and_forms_nothing(text: str) -> None:
    root = suites(hostile(text))

    known = {"testsuites", "testsuite", "properties", "property", "testcase", "failure", "system-out"}
    for element in root.iter():
        assert element.tag in known
        for said in element.attrib.values():
            assert formed_in(said) == []
        ours = (line for line in (element.text or "").splitlines() if not line.startswith("What to do: "))
        for line in ours:
            assert formed_in(line) == []
