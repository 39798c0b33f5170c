"""The rule annotations-first."""

from __future__ import annotations

from rule_kit import example, found, hinted, tool

RULE = "annotations-first"


def test_a_server_that_begins_to_annotate_is_one_finding_at_medium() -> None:
    findings = found(RULE, *example(RULE))

    assert [(one.severity, one.item, one.items) for one in findings] == [("medium", "", ("get_ticket", "list_tickets"))]


def test_nothing_else_about_their_hints_is_told_beside_it() -> None:
    before, after = example(RULE)

    assert found("hint-loosened", before, after) == found("hint-restated", before, after) == []


def test_tools_that_only_spell_out_the_defaults_are_info() -> None:
    names = ["a", "b"]

    findings = found(RULE, [tool(name) for name in names], [hinted(name, destructiveHint=True) for name in names])

    assert [one.severity for one in findings] == ["info"]


def test_one_tool_alone_is_a_change_of_that_tool() -> None:
    assert found(RULE, [tool()], [hinted(readOnlyHint=True)]) == []


def test_the_wave_keeps_who_claims_what() -> None:
    names = ["list_a", "list_b", "list_c", "add_d"]
    after = [hinted(name, readOnlyHint=not name.startswith("add"), openWorldHint=False) for name in names]

    (finding,) = found(RULE, [tool(name) for name in names], after)

    assert finding.after == {
        "openWorldHint: false": sorted(names),
        "readOnlyHint: false": ["add_d"],
        "readOnlyHint: true": ["list_a", "list_b", "list_c"],
    }
    assert "readOnlyHint: true on 3" in finding.message


def test_the_wave_names_the_hosts_that_ask_less() -> None:
    (finding,) = found(RULE, *example(RULE))

    assert any(effect.host.startswith("VS Code") for effect in finding.hosts)


def test_a_member_that_its_own_words_contradict_is_not_in_the_wave() -> None:
    names = ["list_a", "list_b", "list_c", "delete_d"]

    findings = found(RULE, [tool(name) for name in names], [hinted(name, readOnlyHint=True) for name in names])

    assert [one.item or one.items for one in findings] == ["delete_d", ("list_a", "list_b", "list_c")]
