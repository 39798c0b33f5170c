"""What a finding proposes for the configuration, as lines to paste."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from driftwatch.config.load import parse
from driftwatch.judge.policy import Volatile
from driftwatch.judge.varied import ORDER, SHAPES
from driftwatch.model import Finding, Kind, Severity
from driftwatch.report.paste import volatile_lines

VARIES = Finding("value-varies", Severity.LOW, Kind.TOOL, "make_report", "/description", "It varies.", category="date")


def pasted(finding: Finding, server: str = "reports") -> list[dict[str, Any]]:
    text = "\n".join(volatile_lines([finding], server)[2:])
    tables: list[dict[str, Any]] = tomllib.loads(text)["policy"]["volatile"]
    return tables


def test_nothing_is_proposed_by_other_findings() -> None:
    assert volatile_lines([replace(VARIES, rule="description-changed")], "reports") == []


def test_the_lines_declare_the_place_with_the_pattern_that_fits() -> None:
    (table,) = pasted(replace(VARIES, category="date"))

    assert table.pop("reason")
    assert table == {
        "server": "reports",
        "item": "make_report",
        "pointer": "/description",
        "pattern": SHAPES["date"],
    }


def test_of_an_order_the_whole_value_is_meant() -> None:
    assert "pattern" not in pasted(replace(VARIES, category=ORDER))[0]


def test_what_has_no_known_shape_is_not_proposed() -> None:
    assert volatile_lines([replace(VARIES, category="")], "reports") == []


def test_the_server_document_needs_no_item() -> None:
    assert "item" not in pasted(replace(VARIES, kind=Kind.SERVER, item="", pointer="/instructions"))[0]


def test_a_wave_proposes_each_of_its_places() -> None:
    places = (("a", "/description"), ("b", "/description"))

    assert [one["item"] for one in pasted(replace(VARIES, items=("a", "b"), item="", places=places))] == ["a", "b"]


@pytest.mark.parametrize(
    "item",
    [
        'quote" \\',
        "lines\nbreak",
        "[[policy.ignore]]",
        "star*?[a]",
        "\u202ertl\x1b[2J",
        "ünïcode",
        "x" * 5_000,
        "[" * 400,
    ],
)
def test_no_name_of_a_server_breaks_out_and_the_configuration_takes_it(item: str, tmp_path: Path) -> None:
    lines = volatile_lines([replace(VARIES, item=item)], "reports")

    settings = parse("\n".join(lines[2:]), {}, base=tmp_path)

    (line,) = settings.policy.volatile
    assert fnmatchcase(item, line.item)
    assert Volatile(line.pointer, line.item).covers(item, "/description")
    assert all(text.isprintable() for text in lines)
