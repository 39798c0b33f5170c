"""The rule parameter-added."""

from __future__ import annotations

from rule_kit import example, found, places, schema, tool

RULE = "parameter-added"


def test_a_new_optional_parameter_is_low() -> None:
    findings = found(RULE, *example(RULE))

    assert places(findings) == [("low", "list_tickets", "/inputSchema/properties/page")]
    assert "optional" in findings[0].message


def test_nested_parameters_are_named_by_their_way() -> None:
    inner = {"type": "array", "items": {"type": "object", "properties": {"field": {}, "value": {}}}}
    before = {"type": "array", "items": {"type": "object", "properties": {"field": {}}}}

    findings = found(RULE, [tool(inputSchema=schema({"f": before}))], [tool(inputSchema=schema({"f": inner}))])

    assert "f[].value" in findings[0].message


def test_a_required_one_is_said_to_be_required() -> None:
    after = tool(inputSchema=schema({"project": {"type": "string"}, "page": {}}, required=["page"]))

    assert "required" in found(RULE, [tool()], [after])[0].message


def test_the_first_properties_of_a_schema_are_each_told() -> None:
    findings = found(RULE, [tool(inputSchema={})], [tool(inputSchema={"properties": {"a": {}, "b": {}}})])

    assert [one.pointer for one in findings] == ["/inputSchema/properties/a", "/inputSchema/properties/b"]


def test_arguments_of_prompts_count() -> None:
    findings = found(RULE, {"prompts": [{"name": "p"}]}, {"prompts": [{"name": "p", "arguments": [{"name": "a"}]}]})

    assert places(findings) == [("low", "p", "/arguments/0")]


def test_a_parameter_that_only_moved_behind_a_reference_is_not_new() -> None:
    inner = schema({"field": {"type": "string"}})
    before, after = schema({"f": inner}), schema({"f": {"$ref": "#/$defs/F"}}, **{"$defs": {"F": inner}})

    assert found(RULE, [tool(inputSchema=before)], [tool(inputSchema=after)]) == []
    assert found("parameter-removed", [tool(inputSchema=before)], [tool(inputSchema=after)]) == []


def test_a_parameter_behind_a_reference_is_named_by_its_way() -> None:
    before, after = (
        schema({"f": {"$ref": "#/$defs/F"}}, **{"$defs": {"F": schema(fields)}})
        for fields in ({"a": {}}, {"a": {}, "b": {}})
    )

    findings = found(RULE, [tool(inputSchema=before)], [tool(inputSchema=after)])

    assert places(findings) == [("low", "list_tickets", "/inputSchema/$defs/F/properties/b")]
    assert "f.b" in findings[0].message


def test_of_a_new_object_only_the_object_is_told() -> None:
    after = tool(inputSchema=schema({"project": {"type": "string"}, "filter": schema({"a": {}, "b": {}})}))

    assert [one.pointer for one in found(RULE, [tool()], [after])] == ["/inputSchema/properties/filter"]


def test_a_name_that_looks_like_the_way_to_another_parameter_is_new_all_the_same() -> None:
    inner = {"type": "object", "properties": {"b": {"type": "boolean"}}}
    before, after = schema({"a": inner}), schema({"a": inner, "a.b": {"type": "string"}, "": {}, "a[]": {}})

    findings = found(RULE, [tool(inputSchema=before)], [tool(inputSchema=after)])

    assert {finding.pointer for finding in findings} == {
        f"/inputSchema/properties/{name}" for name in ("a.b", "", "a[]")
    }


def test_a_parameter_is_found_however_much_lies_before_it() -> None:
    names = {f"p{number}": {"type": "object", "properties": {"x": {}}} for number in range(2_500)}
    before, after = (schema({**names, "q": {"type": "object", "properties": part}}) for part in ({}, {"new": {}}))

    findings = found(RULE, [tool(inputSchema=before)], [tool(inputSchema=after)])

    assert places(findings) == [("low", "list_tickets", "/inputSchema/properties/q/properties/new")]
