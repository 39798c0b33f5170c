"""The rule meta-changed."""

from __future__ import annotations

from rule_kit import example, found, places, tool

RULE = "meta-changed"


def test_another_value_is_info() -> None:
    assert places(found(RULE, *example(RULE))) == [("info", "list_tickets", "/_meta/example.com~1tier")]


def test_gates_are_left_to_their_rules() -> None:
    assert found(RULE, [tool()], [tool(_meta={"anthropic/requiresUserInteraction": True})]) == []


def test_noise_in_the_meta_of_many_tools_is_one_finding() -> None:
    names = ["a", "b", "c", "d"]
    before, after = ([tool(name, _meta={"build": f"{name}{number}"}) for name in names] for number in (1, 2))

    (finding,) = found(RULE, before, after)

    assert (finding.severity, finding.items) == ("info", tuple(names))
