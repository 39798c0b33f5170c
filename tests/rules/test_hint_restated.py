"""The rule hint-restated."""

from __future__ import annotations

import pytest
from rule_kit import example, found, hinted, places, tool

RULE = "hint-restated"


def test_a_default_that_is_spelled_out_is_low_where_hosts_act_on_it() -> None:
    findings = found(RULE, *example(RULE))

    assert places(findings) == [("low", "list_tickets", "/annotations/destructiveHint")]
    assert findings[0].hosts


def test_no_default_that_is_spelled_out_reaches_medium() -> None:
    after = hinted(readOnlyHint=False, destructiveHint=True, idempotentHint=False, openWorldHint=True)

    findings = found(RULE, [tool()], [after])

    assert {one.severity for one in findings} == {"info", "low"}
    assert len(findings) == 4


def test_a_hint_that_no_host_acts_on_is_info() -> None:
    findings = found(RULE, [hinted(readOnlyHint=True)], [hinted(readOnlyHint=True, idempotentHint=False)])

    assert [(one.severity, one.hosts) for one in findings] == [("info", ())]


@pytest.mark.parametrize("after", [{"readOnlyHint": True}, {"readOnlyHint": True, "destructiveHint": False}])
def test_a_danger_of_a_reader_that_is_no_longer_spelled_out_is_medium_and_names_the_hosts(after: dict) -> None:
    findings = found(RULE, [hinted(readOnlyHint=True, destructiveHint=True)], [hinted(**after)])

    assert places(findings) == [("medium", "list_tickets", "/annotations/destructiveHint")]
    named = {one.host for one in findings[0].hosts}
    assert {"Codex (approval mode auto)", "Cursor (team policy reads)", "n8n (Instance AI)"} <= named
    assert "Codex (approval mode auto)" in findings[0].message


def test_a_reader_that_says_it_destroys_is_low_and_names_the_hosts_that_stop_it() -> None:
    findings = found(RULE, [hinted(readOnlyHint=True)], [hinted(readOnlyHint=True, destructiveHint=True)])

    assert [one.severity for one in findings] == ["low"]
    assert any(one.host == "mcpproxy-go (strict calls)" for one in findings[0].hosts)


def test_one_unusable_value_in_place_of_another_is_told_by_hint_malformed_alone() -> None:
    assert found(RULE, [hinted(readOnlyHint="a")], [hinted(readOnlyHint="b")]) == []
    assert [one.severity for one in found(RULE, [hinted(idempotentHint="a")], [hinted()])] == ["info"]
