"""The rule item-added."""

from __future__ import annotations

from rule_kit import example, found, hinted, places

RULE = "item-added"


def test_a_new_tool_that_destroys_without_a_hint_is_medium() -> None:
    assert places(found(RULE, *example(RULE))) == [("medium", "erase_workspace", "")]


def test_a_new_tool_that_says_what_it_destroys_is_low() -> None:
    findings = found(RULE, [], [hinted("erase_workspace", destructiveHint=True)])

    assert [one.severity for one in findings] == ["low"]


def test_new_prompts_resources_and_templates_are_low() -> None:
    live = {
        "prompts": [{"name": "p"}],
        "resources": [{"uri": "a://b"}],
        "resourceTemplates": [{"uriTemplate": "a://{b}"}],
    }

    findings = found(RULE, {"prompts": [], "resources": [], "resourceTemplates": []}, live)

    assert {(one.kind, one.item, one.severity) for one in findings} == {
        ("prompt", "p", "low"),
        ("resource", "a://b", "low"),
        ("resource_template", "a://{b}", "low"),
    }


def test_several_that_came_at_once_are_one_finding_with_all_names() -> None:
    (finding,) = found(RULE, [], [hinted(name) for name in ("list_a", "list_b", "list_c")])

    assert (finding.items, finding.message) == (
        ("list_a", "list_b", "list_c"),
        "3 tools are new. Nobody has approved them.",
    )


def test_new_tools_that_destroy_without_a_hint_are_told_one_by_one() -> None:
    names = ["delete_a", "delete_b", "delete_c"]

    assert [one.item for one in found(RULE, [], [hinted(name) for name in names])] == names
