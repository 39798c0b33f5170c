"""The rule capability-changed."""

from __future__ import annotations

from rule_kit import example, found, places

RULE = "capability-changed"


def test_a_lost_capability_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "", "/capabilities/tools/listChanged")]


def test_capabilities_that_were_not_known_before_are_info() -> None:
    findings = found(RULE, {"tools": []}, {"tools": [], "capabilities": {"tools": {}}})

    assert [one.severity for one in findings] == ["info"]


def change(before: object, after: object) -> list[str]:
    return [one.severity.value for one in found(RULE, {"capabilities": before}, {"capabilities": after})]


def test_a_promise_of_notices_is_only_recorded_and_its_withdrawal_is_low() -> None:
    silent, telling = {"tools": {"listChanged": False}}, {"tools": {"listChanged": True}}

    assert change(silent, telling) == ["info"]
    assert change(telling, silent) == ["low"]
    assert change({"tools": {}}, telling) == ["info"]


def test_a_capability_that_comes_or_goes_is_low() -> None:
    assert change({"tools": {}}, {"tools": {}, "prompts": {}}) == ["low"]
    assert change({"tools": {}, "prompts": {}}, {"tools": {}}) == ["low"]


def test_a_server_that_declares_what_hosts_declare_is_medium() -> None:
    assert change({"tools": {}}, {"tools": {}, "sampling": {}}) == ["medium"]


def test_what_hosts_declare_is_medium_also_where_all_capabilities_come_at_once() -> None:
    after = {"tools": [], "capabilities": {"tools": {}, "sampling": {}, "roots": None}}

    for before in ({"tools": []}, {"tools": [], "capabilities": None}):
        louder = [one for one in places(found(RULE, before, after)) if one[0] == "medium"]

        assert louder == [("medium", "", "/capabilities/roots"), ("medium", "", "/capabilities/sampling")]
