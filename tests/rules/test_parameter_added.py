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
