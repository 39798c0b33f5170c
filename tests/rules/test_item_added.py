"""The rule item-added."""

from __future__ import annotations

import pytest
from rule_kit import example, found, hinted, places

import driftwatch

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


PURPOSE = "Synchronise the shelf with the other branch and drop what is gone there."


def shelf(name: str, description: str = PURPOSE, **hints: bool) -> dict[str, object]:
    return {**hinted(name, **hints), "description": description}


@pytest.mark.parametrize("original", ["sync_shelf", "sync-shelf", "mirror_shelf", None])
@pytest.mark.parametrize(
    "decoy",
    [
        shelf("sync_shelf2", readOnlyHint=True),
        shelf("sync_shelf_3", "Wholly other words about it.", readOnlyHint=True),
        shelf("syncShelf", "Wholly other words about it.", destructiveHint=False),
        shelf("fetch_all", destructiveHint=False),
    ],
    ids=lambda decoy: decoy["name"],
)
def test_a_copy_that_denies_what_the_approved_tool_admits_is_high_whatever_became_of_that(
    original: str | None, decoy: dict[str, object]
) -> None:
    approved = shelf("sync_shelf", destructiveHint=True)
    kept = [] if original is None else [{**approved, "name": original}]

    report = driftwatch.compare([approved], [*kept, decoy])

    loud = {(one.rule, one.item) for one in report.findings if one.severity >= "high"}
    assert loud & {("item-added", decoy["name"]), ("hint-loosened", decoy["name"])}


def test_a_copy_that_says_the_same_of_its_dangers_is_low() -> None:
    approved = shelf("sync_shelf", destructiveHint=True)

    findings = found(RULE, [approved], [approved, shelf("sync_shelf2", destructiveHint=True)])

    assert [one.severity for one in findings] == ["low"]


def test_another_tool_with_the_same_parameters_is_no_copy() -> None:
    approved = shelf("drop_shelf", "Drop one shelf by its key for good.", destructiveHint=True)
    reader = shelf("read_shelf", "Read one shelf by its key for once.", readOnlyHint=True)

    assert [one.severity for one in found(RULE, [approved], [approved, reader])] == ["low"]
