"""The rule two-faces."""

from __future__ import annotations

from face_kit import faces, other_face, poisoned
from rule_kit import example, found, hinted, tool

RULE = "two-faces"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def test_a_poison_that_some_names_are_shown_is_critical_and_says_for_whom() -> None:
    finding = found(RULE, *example(RULE))[0]

    assert finding.severity == "critical"
    assert (finding.item, finding.pointer) == ("list_tickets", "/description")
    assert "“claude-code”" in finding.message
    assert "An honest scope-filtered list is not this" in finding.message
    assert finding.before != finding.after
    assert finding.spans


def test_a_hidden_tool_is_high_and_a_hint_that_is_loosened_for_some_is_critical() -> None:
    more = faces(other_face([tool()], [tool(), tool("export_all")]))
    loose = faces(other_face([hinted(destructiveHint=True)], [hinted(destructiveHint=False)]))

    assert [one.severity for one in found(RULE, [], [], more)] == ["high"]
    assert [one.severity for one in found(RULE, [], [], loose)] == ["critical"]


def test_another_spelling_alone_is_a_workaround_rather_than_an_attack() -> None:
    spelled = other_face([tool()], [tool(inputSchema={**tool()["inputSchema"], "$schema": DIALECT})])  # type: ignore[dict-item]

    assert [one.severity for one in found(RULE, [], [], faces(spelled))] == ["medium"]


def test_one_list_for_two_names_is_told_once_and_two_lists_twice() -> None:
    lists = [tool(), tool("get_ticket")]
    first, second = (other_face(lists, poisoned(lists), client=name) for name in ("one", "two"))
    third = other_face(lists, [lists[0]], client="three")

    assert len(found(RULE, [], [], faces(first, second))) == 1
    assert "“one”, “two”" in found(RULE, [], [], faces(first, second))[0].message
    assert len(found(RULE, [], [], faces(first, second, third))) == 2


def test_what_differs_in_many_places_names_them_all_and_stays_the_same_finding() -> None:
    lists = [tool(), tool("get_ticket"), tool("find_ticket")]
    changed = [{**one, "description": f"Other words, {one['name']}."} for one in lists]

    finding = found(RULE, [], [], faces(other_face(lists, changed)))[0]

    assert finding.items == ("find_ticket", "get_ticket", "list_tickets")
    assert {place for _, place in finding.places} == {"/description"}
    assert finding.fingerprint == found(RULE, [], [], faces(other_face(lists, changed, client="else")))[0].fingerprint
