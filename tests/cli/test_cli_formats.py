"""Reports as documents on the command line: what CI systems and pull requests read."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from cli_world import LOOSENED, SERVER, Run, at, look, shown, tool
from jsonschema import Draft202012Validator

from driftwatch.report.formats import Form
from driftwatch.store import Store

Write = Callable[[str, Any], str]

SCHEMA = Draft202012Validator(
    json.loads((files("driftwatch.report") / "report.schema.json").read_text(encoding="utf-8"))
)
DOCUMENTS = [Form.MARKDOWN, Form.SARIF, Form.HTML, Form.JUNIT]
BEGINS = {
    Form.MARKDOWN: "**HIGH: ",
    Form.SARIF: '{\n  "$schema"',
    Form.HTML: "<!doctype html>",
    Form.JUNIT: "<?xml ",
}


@pytest.fixture
def two(write: Write) -> tuple[str, str]:
    """Give two listings of which the second has a hint loosened."""
    return write("old.json", [tool()]), write("new.json", [tool(annotations={"readOnlyHint": False})])


@pytest.fixture
def turned(write: Write) -> tuple[str, str]:
    """Give two listings of which the second claims less danger."""
    old, new = ({"readOnlyHint": False, "destructiveHint": True}, {"readOnlyHint": True})
    return write("old.json", [tool(annotations=old)]), write("new.json", [tool(annotations=new)])


@pytest.mark.parametrize("form", DOCUMENTS)
def test_compare_prints_one_document_and_nothing_else(run: Run, turned: tuple[str, str], form: Form) -> None:
    ended = run("compare", *turned, "--format", form)

    assert ended.code == 1
    assert ended.out.startswith(BEGINS[form])
    assert "list_files" in ended.out
    assert ended.err == ""


def test_a_document_follows_the_threshold(run: Run, turned: tuple[str, str]) -> None:
    strict, never = (run("compare", *turned, "--format", "junit", "--fail-on", bar) for bar in ("low", "never"))

    assert ET.fromstring(strict.out).get("failures") == "1"
    assert ET.fromstring(never.out).get("failures") == "0"
    assert (strict.code, never.code) == (1, 0)


def test_sarif_of_files_marks_the_live_one(run: Run, turned: tuple[str, str], tmp_path: Path) -> None:
    near = run("compare", *turned, "--format", "sarif").json["runs"][0]["results"][0]
    far = run("compare", *turned[:1], str(tmp_path / turned[1]), "--format", "sarif").json["runs"][0]["results"][0]

    assert near["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "new.json"}
    assert "physicalLocation" not in far["locations"][0]


@pytest.mark.parametrize("form", DOCUMENTS)
def test_scan_prints_a_document_of_one_list(run: Run, write: Write, form: Form) -> None:
    ended = run("scan", write("live.json", [tool()]), "--format", form)

    assert ended.code == 0
    assert "list_files" in ended.out


@pytest.fixture
def drifted(run: Run, store: Store) -> Store:
    """Approve a list of a server that shows another one by now."""
    look(store, "files", shown(tool()), when=at(-30))
    run("approve", "files", "--by", "ann", "--yes")
    look(store, "files", shown(tool(annotations={"readOnlyHint": False})), when=at(-5), findings=(LOOSENED,))
    return store


@pytest.mark.parametrize("form", DOCUMENTS)
def test_diff_prints_a_document_about_the_server(run: Run, drifted: Store, form: Form) -> None:
    ended = run("diff", "files", "--format", form)

    assert ended.code == 0
    assert "could not be looked at" not in ended.out
    assert "files" in ended.out
    assert "not-for-eyes" not in ended.out


def test_diff_says_who_approved_what_it_is_held_against(run: Run, drifted: Store) -> None:
    said = run("diff", "files", "--format", "markdown").out

    assert "files `1.0` differs from what was approved" in said
    assert "by ann" in said
    assert "driftwatch approve files --digest " in said


def test_diff_marks_the_line_of_the_configuration(run: Run, drifted: Store) -> None:
    (result, *_) = run("diff", "files", "--format", "sarif").json["runs"][0]["results"]

    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "driftwatch.toml"},
        "region": {"startLine": 2},
    }


def test_check_writes_one_document_of_all_servers_and_errors_are_no_failures(run: Run, tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(SERVER, encoding="utf-8")
    (tmp_path / "tools.json").write_text(json.dumps([tool(), tool("two")]), encoding="utf-8")
    command, args = json.dumps(sys.executable), json.dumps([str(tmp_path / "server.py"), str(tmp_path / "tools.json")])
    (tmp_path / "driftwatch.toml").write_text(
        f'[servers.near]\ncommand = {command}\nargs = {args}\n[servers.gone]\nurl = "http://127.0.0.1:1/mcp"\n',
        encoding="utf-8",
    )

    ended = run("check", "--format", "junit")

    root = ET.fromstring(ended.out)
    assert {suite.get("name") for suite in root} == {"near", "gone"}
    assert (root.get("failures"), root.get("errors")) == ("0", "1")
    assert {"tool list_files", "tool two"} <= {case.get("name") for case in root.iter("testcase")}
    assert ended.code == 5


def test_json_of_compare_scan_and_diff_fits_the_schema(run: Run, two: tuple[str, str], drifted: Store) -> None:
    said = [
        run("compare", *two, "--format", "json", "--explain").json,
        run("scan", two[1], "--format", "json").json,
        run("diff", "files", "--format", "json").json,
    ]

    assert [[error.message for error in SCHEMA.iter_errors(one)] for one in said] == [[], [], []]


def test_the_rows_of_a_table_are_never_broken_to_fit_a_terminal(
    run: Run, turned: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")

    ended = run("compare", *turned, "--format", "markdown")

    rows = [line for line in ended.out.splitlines() if line.startswith("| **")]
    assert rows
    assert all(row.endswith(" |") for row in rows)
