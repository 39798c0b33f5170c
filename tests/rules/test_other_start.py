"""The rule other-start."""

from __future__ import annotations

from typing import Any

from face_kit import ORDER, other_start

from driftwatch.judge.facts import Facts
from driftwatch.judge.intake import read_document
from driftwatch.judge.judge import compare_snapshots
from driftwatch.judge.snapshot import take
from driftwatch.model import Axis, Finding, Severity

TOOL: dict[str, Any] = {
    "name": "list_tickets",
    "description": "List the open tickets.",
    "inputSchema": {"type": "object"},
}


def _found(facts: Facts) -> list[Finding]:
    shown = take(read_document([TOOL]))
    return [one for one in compare_snapshots(shown, shown, facts).findings if one.rule == "other-start"]


def test_what_a_second_start_showed_stands_beside_the_clean_list_with_its_place_and_digest() -> None:
    facts = other_start([TOOL], [{**TOOL, "description": ORDER}])

    (finding,) = _found(facts)

    assert (finding.severity, finding.axis) == (Severity.HIGH, Axis.SECURITY)
    assert (finding.item, finding.pointer) == ("list_tickets", "/description")
    assert facts.starts[0].after.digest[7:19] in finding.message
    assert facts.starts[0].seen[7:19] in finding.message
    assert "Beside the first one, it reads so: The text gained" in finding.message


def test_it_says_so_where_it_is_held_against_what_is_approved() -> None:
    (finding,) = _found(other_start([TOOL], [{**TOOL, "description": ORDER}], approved=True))

    assert "Beside what is approved, it reads so" in finding.message


def test_a_list_that_only_reads_otherwise_is_told_by_other_rules() -> None:
    assert _found(other_start([TOOL], [{**TOOL, "description": "List the tickets. There are 7."}])) == []


def test_nothing_is_told_where_nothing_came_to_light() -> None:
    assert _found(Facts(server="tickets")) == []
