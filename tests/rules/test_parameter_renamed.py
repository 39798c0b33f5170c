"""The rule parameter-renamed."""

from __future__ import annotations

from rule_kit import example, found, places, schema, tool

RULE = "parameter-renamed"
TEXT = {"type": "string", "description": "A project's key."}


def told(before: dict, after: dict, **keywords: object) -> list[str]:
    one, two = tool(inputSchema=schema(before)), tool(inputSchema=schema(after, **keywords))
    return [finding.message for finding in found(RULE, [one], [two])]


def test_the_same_body_under_another_name_is_low_and_names_both_places() -> None:
    findings = found(RULE, *example(RULE))

    assert places(findings) == [("low", "list_tickets", "/inputSchema/properties/projectKey")]
    assert findings[0].places == (
        ("list_tickets", "/inputSchema/properties/projectKey"),
        ("list_tickets", "/inputSchema/properties/project"),
    )


def test_it_stands_for_what_came_and_went() -> None:
    before, after = example(RULE)

    assert found("parameter-added", before, after) == found("parameter-removed", before, after) == []


def test_another_title_and_another_spelling_of_the_way_do_not_hide_it() -> None:
    before = schema({"filter": {"$ref": "#/$defs/F"}}, **{"$defs": {"F": schema({"project": TEXT})}})
    after = schema({"filter": schema({"projectKey": {**TEXT, "title": "Project Key"}})})

    findings = found(RULE, [tool(inputSchema=before)], [tool(inputSchema=after)])

    assert "filter.projectKey" in findings[0].message


def test_the_only_one_that_came_is_the_only_one_that_went_whatever_little_is_said() -> None:
    assert told({"a": {"type": "string"}}, {"b": {"type": "string"}})
    assert not told({"a": {"type": "string"}, "b": {"type": "string"}}, {"c": {"type": "string"}, "d": {}})


def test_of_several_with_one_body_none_is_guessed() -> None:
    assert not told({"a": TEXT, "b": TEXT}, {"c": TEXT, "d": TEXT})


def test_it_says_when_the_new_one_is_required() -> None:
    assert "required now" in told({"a": TEXT}, {"b": TEXT}, required=["b"])[0]
