"""The page of the Python interface says what the code has."""

import re
from dataclasses import fields
from enum import StrEnum
from pathlib import Path

import pytest

import driftwatch
from driftwatch.model import Change, ChangeKind
from driftwatch.report import finding_json, to_json

PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")


def section(heading: str) -> str:
    return PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def attributes(heading: str) -> set[str]:
    cells = re.findall(r"^\| (`.+?) \|", section(heading), re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


def test_the_attributes_of_a_finding_are_documented() -> None:
    assert attributes("Finding") == {field.name for field in fields(driftwatch.Finding)} | {"fingerprint"}


def test_the_attributes_of_a_span_are_documented() -> None:
    assert attributes("Span") == {field.name for field in fields(driftwatch.Span)}


def test_the_attributes_of_a_report_are_documented() -> None:
    assert attributes("Report") == {field.name for field in fields(driftwatch.Report)} | {"worst"}


def test_the_attributes_of_a_change_are_documented() -> None:
    told = re.search(r"^A `Change` has (.+)", section("Report"), re.MULTILINE | re.DOTALL)

    assert told is not None
    words = set(re.findall(r"`([\w-]+)`", told[1]))
    assert words == {field.name for field in fields(Change)} | {kind.value for kind in ChangeKind}


@pytest.mark.parametrize(
    ("before", "after", "found", "noted"),
    [
        ({"tools": [], "prompts": [{"name": "p"}]}, [], [], True),
        ([], {"tools": [], "prompts": [{"name": "p"}]}, ["item-added"], False),
        ({"tools": [], "instructions": "Be kind."}, [], [], True),
        ([], {"tools": [], "instructions": "Be kind."}, ["instructions-changed"], False),
        (
            {"serverInfo": {"name": "x"}, "instructions": "Be kind."},
            {"serverInfo": {"name": "x"}},
            ["instructions-changed"],
            False,
        ),
    ],
)
def test_what_one_side_lacks_is_compared_as_the_page_says(
    before: object, after: object, found: list[str], noted: bool
) -> None:
    report = driftwatch.compare(before, after)

    assert [finding.rule for finding in report.findings] == found
    assert any(note.startswith("Not compared: ") for note in report.notes) is noted


def test_what_lies_deep_is_cut_in_findings_as_the_page_says() -> None:
    deep: object = "end"
    for _ in range(70):
        deep = [deep]

    report = driftwatch.compare({"instructions": ""}, {"instructions": "", "capabilities": {"x": deep}})

    assert report.findings
    assert all("end" not in str(finding.after) for finding in report.findings)
    assert any("{'…': 'sha256:" in str(change.after) for change in report.changes)


@pytest.mark.parametrize("enum", [driftwatch.Severity, driftwatch.Confidence, driftwatch.Kind])
def test_the_values_of_an_enum_are_documented(enum: type[StrEnum]) -> None:
    row = re.search(rf"^\| `{enum.__name__}` \| (.+) \|$", section("Enums"), re.MULTILINE)

    assert row is not None
    assert re.findall(r"`(\w+)`", row[1])[: len(enum)] == [member.value for member in enum]


def test_the_keys_of_the_json_shape_are_documented() -> None:
    kind = driftwatch.Kind.TOOL
    finding = driftwatch.Finding("r", driftwatch.Severity.LOW, kind, "i", "/p", "m")
    shape = to_json(driftwatch.Report(findings=(finding,)))
    keys = set(re.findall(r'"(\w+)":', section("The same as JSON")))

    assert keys == set(shape) | set(finding_json(finding)) | set(shape["counts"])
