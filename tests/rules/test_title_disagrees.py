"""The rule title-disagrees."""

from __future__ import annotations

import pytest
from rule_kit import example, found, places, scanned, tool

RULE = "title-disagrees"


def test_a_deleting_tool_under_the_title_of_a_reader_is_medium() -> None:
    assert places(found(RULE, *example(RULE))) == [("medium", "delete_draft", "/title")]


@pytest.mark.parametrize(
    ("name", "title", "severity"),
    [
        ("delete_file", "Read file", "medium"),
        ("loescheDatei", "Datei lesen", "medium"),
        ("send_report", "Show report", "low"),
        ("list_files", "Delete files", "low"),
    ],
)
def test_it_is_read_in_several_languages_and_both_ways(name: str, title: str, severity: str) -> None:
    assert [one.severity for one in scanned(RULE, [tool(name, title=title)])] == [severity]
    assert [one.pointer for one in scanned(RULE, [tool(name, annotations={"title": title})])] == ["/annotations/title"]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("create_or_update_file", "Create or update file"),
        ("list_files", "List files"),
        ("get_delete_log", "Delete log"),
        ("delete_file", "File removal"),
        ("delete_file", ""),
    ],
)
def test_titles_that_fit_are_quiet(name: str, title: str) -> None:
    assert scanned(RULE, [tool(name, title=title)]) == []


def test_a_disagreement_that_was_approved_is_not_told_again() -> None:
    odd = tool("delete_file", title="Read file")

    assert found(RULE, [odd], [{**odd, "description": "Other words."}]) == []
    assert len(found(RULE, [tool("delete_file")], [odd])) == 1
