"""The rule differs-from-reviewed."""

from __future__ import annotations

from typing import Any

import pytest
from rule_facts import awaited
from rule_kit import example, found, tool

from driftwatch.model import Severity

RULE = "differs-from-reviewed"
OLD = {"tools": [tool()]}


def served(version: str, *tools: dict[str, object], **launch: Any) -> dict[str, Any]:
    package = {"ecosystem": "npm", "name": "tickets", "asked": f"tickets@{version}", "pinned": True, "version": version}
    started = {"transport": "stdio", "command": "npx", "args": ["-y", package["asked"]], "env": [], "package": package}
    return {"tools": list(tools), "launch": {**started, **launch}}


def test_it_says_who_reviewed_what_when_and_what_differs_from_that() -> None:
    (finding,) = found(RULE, *example(RULE))

    assert "approved ahead by “ann” on 2026-02-28" in finding.message
    assert "the tool “list_tickets”" in finding.message
    assert finding.severity is Severity.MEDIUM


def test_another_list_under_the_very_version_that_was_reviewed_weighs_more() -> None:
    new = served("1.2.4", tool(description="List all tickets."))
    facts = awaited(tool(description="List the tickets that are open."), version="1.2.4", launch=new["launch"])

    (finding,) = found(RULE, served("1.2.3", tool()), new, facts)

    assert finding.severity is Severity.HIGH
    assert "for version “1.2.4”" in finding.message
    assert "started" not in finding.message


@pytest.mark.parametrize("version", ["1.2.3", "1.2.5"])
def test_what_another_version_shows_is_no_matter_of_an_approval_for_one(version: str) -> None:
    new = served(version, tool(description="List all tickets."))
    facts = awaited(tool(description="List the tickets that are open."), version="1.2.4")

    assert found(RULE, served("1.2.3", tool()), new, facts) == []


def test_a_server_that_calls_itself_the_version_is_held_against_it() -> None:
    new = {"tools": [tool(description="All.")], "serverInfo": {"name": "tickets", "version": "1.2.4"}}
    old = {"tools": [tool()], "serverInfo": {"name": "tickets", "version": "1.2.3"}}
    facts = awaited(tool(description="Some."), version="v1.2.4", serverInfo=new["serverInfo"])

    assert len(found(RULE, old, new, facts)) == 1


def test_what_is_approved_and_what_was_reviewed_are_not_told() -> None:
    reviewed = tool(description="List the tickets that are open.")

    assert found(RULE, OLD, OLD, awaited(reviewed)) == []
    assert found(RULE, OLD, {"tools": [reviewed]}, awaited(reviewed)) == []


def test_the_same_difference_is_the_same_finding_whatever_it_says_there() -> None:
    facts = awaited(tool(description="List the tickets that are open."))

    one, other = (found(RULE, OLD, {"tools": [tool(description=text)]}, facts)[0] for text in ("One.", "Two."))
    more = found(RULE, OLD, {"tools": [tool(description="One."), tool("get_ticket")]}, facts)[0]

    assert one.fingerprint == other.fingerprint != more.fingerprint


def test_names_are_shown_such_that_they_cannot_write_the_message() -> None:
    facts = awaited(tool(), by="ann\u202e\n# Approved")

    (finding,) = found(RULE, OLD, {"tools": [tool("x\u202e\nall is well" * 50)]}, facts)

    assert "\u202e" not in finding.message
    assert "\n" not in finding.message
    assert len(finding.message) < 500
