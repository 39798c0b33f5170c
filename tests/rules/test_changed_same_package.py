"""The rule changed-same-package."""

from __future__ import annotations

from typing import Any

import pytest
from launch_kit import ONE, OTHER, fetched, local, remote
from rule_kit import example, found, places, schema, tool

from driftwatch.judge.facts import Facts, Varied
from driftwatch.model import Kind

RULE = "changed-same-package"


def changed(before: dict[str, Any] | None, after: dict[str, Any] | None) -> list[tuple[str, str, str]]:
    """Give what is found where a description changed between two launches."""
    sides = [{"tools": [tool()]}, {"tools": [tool(description="List tickets, closed ones too.")]}]
    for side, launch in zip(sides, (before, after), strict=True):
        if launch is not None:
            side["launch"] = launch
    return places(found(RULE, *sides))


def test_a_list_that_changed_under_the_same_files_is_medium_and_sure() -> None:
    (finding,) = found(RULE, *example(RULE))

    assert (finding.severity, finding.confidence, finding.kind) == ("medium", "high", "launch")
    assert "“tickets-mcp” “1.2.0”" in finding.message


@pytest.mark.parametrize(
    ("launch", "is_told"),
    [
        (fetched(), True),
        (fetched(digest=""), True),
        (local(package={"ecosystem": "oci", "asked": "t:1", "digest": ONE}), True),
        (local(script={"path": "/srv/s.py", "digest": ONE}), True),
        (local(), False),
        (remote(), False),
        (None, False),
    ],
)
def test_it_speaks_only_where_what_runs_is_known(launch: dict[str, Any] | None, is_told: bool) -> None:
    assert bool(changed(launch, launch)) is is_told


@pytest.mark.parametrize("after", [fetched(version="1.3.0", digest=OTHER), fetched(digest=OTHER), local(), None])
def test_a_release_explains_a_change(after: dict[str, Any] | None) -> None:
    assert changed(fetched(), after) == []


def test_cosmetic_changes_do_not_count() -> None:
    before = {"tools": [tool()], "launch": fetched()}
    after = {"tools": [tool(inputSchema=schema(additionalProperties=True))], "launch": fetched()}

    assert found(RULE, before, after) == []


def test_a_value_that_is_known_to_vary_by_itself_does_not_count() -> None:
    before, after = example(RULE)
    facts = Facts(varied=(Varied((Kind.TOOL, "list_tickets", 0, "/description"), changes=2, values=3),))

    assert found(RULE, before, after, facts) == []
