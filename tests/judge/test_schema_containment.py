"""What is said of two schemas is certain: no value contradicts a yes, and the example of a no bears it out.

The judge of single values is the library `jsonschema`, which knows nothing of ours.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from judge_values import JSON, SCHEMA
from schema_values import SCHEMAS, VALUES, pairs

import driftwatch
from driftwatch.judge.schema import Answer, Direction, compare
from driftwatch.judge.schema.accept import accepts
from driftwatch.judge.schema.marks import mark
from driftwatch.judge.schema.meaning import STEPS, TOTAL, containment, meaning
from driftwatch.judge.schema.root import Root
from driftwatch.judge.schema.work import Work


def oracle(schema: dict[str, Any], values: tuple[Any, ...]) -> list[bool]:
    """Say of each value whether the schema accepts it; skip what goes round in circles for ever."""
    try:
        return [Draft202012Validator(schema).is_valid(value) for value in values]
    except RecursionError:
        assume(False)
        raise
    except BaseException as error:
        # The validator's map is compiled; where the recursion ends inside it, it panics instead.
        assume(type(error).__name__ != "PanicException")
        raise


@given(pairs())
def test_no_value_contradicts_what_is_said_of_two_schemas(pair: tuple[dict[str, Any], dict[str, Any]]) -> None:
    one, other = pair

    answer, example = containment(Root(one).sub, Root(other).sub, Work(TOTAL))

    if answer is Answer.YES:
        fitting = [value for value, fits in zip(VALUES, oracle(one, VALUES), strict=True) if fits]
        assert all(oracle(other, tuple(fitting)))
    if answer is Answer.NO:
        assert example is not None
        assert oracle(one, example) == [True]
        assert oracle(other, example) == [False]


def replaced(schema: dict[str, Any], before: Any, after: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give a schema twice, with another definition of `Y`."""
    return {**schema, "$defs": {"Y": before}}, {**schema, "$defs": {"Y": after}}


TOLD_WIDER = {"schema-cosmetic", "schema-widened", "schema-opened", "schema-default", "output-widened"}
TOLD_NARROWER = {"schema-cosmetic", "schema-narrowed", "parameter-required", "output-narrowed"}


@given(pairs(), st.sampled_from(["inputSchema", "outputSchema"]))
@example(replaced({"additionalProperties": {"$ref": "#/$defs/Y"}}, True, False), "inputSchema")
@example(replaced({"$ref": "#/$defs/Y"}, {"type": "string"}, True), "outputSchema")
@example(replaced({"not": {"$ref": "#/$defs/Y"}}, False, {"type": "string"}), "inputSchema")
def test_no_value_contradicts_what_is_told_of_a_change(pair: tuple[dict[str, Any], dict[str, Any]], key: str) -> None:
    inner = [{name: value for name, value in schema.items() if name != "$defs"} for schema in pair]
    whole = [
        {"type": "object", "properties": {"p": one}, "$defs": both["$defs"]}
        for one, both in zip(inner, pair, strict=True)
    ]
    tools = [{"name": "t", "inputSchema": {"type": "object"}, key: schema} for schema in whole]

    report = driftwatch.compare(*([one] for one in tools))

    told = {finding.rule for finding in report.findings}
    before, after = (oracle(schema, VALUES) for schema in pair)
    if told <= TOLD_WIDER:
        assert all(now or not was for was, now in zip(before, after, strict=True))
    if told <= TOLD_NARROWER:
        assert all(was or not now for was, now in zip(before, after, strict=True))


@given(SCHEMAS.filter(lambda schema: isinstance(schema, dict)))
def test_single_values_are_judged_as_the_library_judges_them(schema: dict[str, Any]) -> None:
    whole = {**schema, "$defs": {"X": {"type": "string"}, "Y": True, "Z": {"minimum": 1}}}
    root = Root(whole)

    told = [accepts(root.sub, value, Work(0, STEPS)) for value in VALUES]

    assert all(own is None or own is known for own, known in zip(told, oracle(whole, VALUES), strict=True))


@given(pairs())
def test_equal_marks_mean_equal_schemas(pair: tuple[dict[str, Any], dict[str, Any]]) -> None:
    one, other = pair
    work = Work(0, STEPS)

    marks = [mark(Root(schema).sub, work) for schema in pair]

    if marks[0] is not None and marks[0] == marks[1]:
        assert oracle(one, VALUES) == oracle(other, VALUES)


@given(SCHEMA | JSON, SCHEMA | JSON)
def test_anything_can_stand_for_a_schema_and_never_raises(one: Any, other: Any) -> None:
    assert compare(one, other).direction in Direction
    assert compare(one, one).kept is not Answer.NO


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"type": "string"}, {"type": ["string"]}),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": ["null", "string"]}),
        ({"const": "a"}, {"enum": ["a"]}),
        ({"const": 1}, {"enum": [1.0]}),
        ({"type": "integer", "exclusiveMinimum": 0}, {"type": "integer", "minimum": 1}),
        ({"type": "integer", "exclusiveMaximum": 10}, {"maximum": 9.5, "type": "integer"}),
        ({"allOf": [{"minLength": 1}, {"maxLength": 5}]}, {"minLength": 1, "maxLength": 5}),
        ({"allOf": [{"type": "string"}]}, {"type": "string"}),
        ({"type": "object"}, {"type": "object", "additionalProperties": {}, "required": [], "properties": {}}),
        ({"type": "array"}, {"type": "array", "items": True, "minItems": 0, "uniqueItems": False}),
        ({"type": "string"}, {"type": "string", "minLength": 0, "pattern": ".*"}),
        ({"type": "boolean"}, {"enum": [True, False]}),
        ({"type": "number"}, {"type": ["number", "integer"]}),
        ({"pattern": "^[0-9]+$"}, {"pattern": "^\\d\\d*$"}),
        ({"not": {"anyOf": [{"type": "null"}]}}, {"not": {"type": "null"}}),
        (
            {"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "string"}}},
            {"properties": {"a": {"type": "string", "title": "A"}}},
        ),
        (
            {"$ref": "#/$defs/A", "$defs": {"A": {"minimum": 1}}},
            {"$ref": "#/definitions/B", "definitions": {"B": {"minimum": 1}}},
        ),
        ({"$ref": "#a", "$defs": {"A": {"$anchor": "a", "minimum": 1}}}, {"minimum": 1}),
        ({"type": "object", "unevaluatedProperties": False}, {"type": "object", "additionalProperties": False}),
        ({"if": {"type": "string"}}, {}),
    ],
)
def test_what_is_only_spelled_otherwise_is_the_same(one: Any, other: Any) -> None:
    assert compare(one, other).direction is Direction.SAME
    assert compare(other, one).direction is Direction.SAME


def test_tuples_of_draft_7_and_of_2020_are_the_same() -> None:
    old = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "items": [{"type": "string"}],
        "additionalItems": False,
    }
    new = {"prefixItems": [{"type": "string"}], "items": False}

    assert compare(old, new).direction is Direction.SAME


def test_branches_that_a_property_tells_apart_are_the_same_in_any_order_and_as_any_of() -> None:
    branches = [{"type": "object", "required": ["kind"], "properties": {"kind": {"const": name}}} for name in "ab"]

    assert compare({"oneOf": branches}, {"anyOf": branches[::-1]}).direction is Direction.SAME


def test_a_schema_that_refers_to_itself_is_compared() -> None:
    def tree(place: str, leaf: dict[str, Any]) -> dict[str, Any]:
        node = {
            "type": "object",
            "properties": {"leaf": leaf, "nodes": {"type": "array", "items": {"$ref": f"#/{place}/N"}}},
        }
        return {"$ref": f"#/{place}/N", place: {"N": node}}

    text, short = {"type": "string"}, {"type": "string", "maxLength": 3}

    assert compare(tree("$defs", text), tree("definitions", text)).direction is Direction.SAME
    assert compare(tree("$defs", short), tree("$defs", text)).direction is Direction.WIDENED


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        ({"enum": ["a"]}, {"type": "string"}),
        ({"type": "string", "pattern": "^[a-z]+$"}, {"type": "string", "pattern": "^[A-Za-z]+$"}),
        ({"type": "string", "format": "email"}, {"type": "string"}),
        ({"type": "string", "pattern": "^(?=a)"}, {"type": "string"}),
        ({"type": "integer"}, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        ({"type": "object", "additionalProperties": False}, {"type": "object"}),
        (
            {"type": "object", "additionalProperties": False},
            {"type": "object", "patternProperties": {"^x-": {}}, "additionalProperties": False},
        ),
        ({"type": "array", "items": {"enum": [1]}}, {"type": "array", "items": {"enum": [1, 2]}}),
        ({"not": {"type": ["string", "null"]}}, {"not": {"type": "null"}}),
        ({"type": "object", "required": ["a"]}, {"type": "object"}),
        ({"type": "number", "multipleOf": 4}, {"type": "number", "multipleOf": 2}),
        ({"$ref": "https://example.com/a", "type": "string"}, {"$ref": "https://example.com/a"}),
    ],
)
def test_one_that_accepts_more_is_wider_and_the_other_way_round_narrower(narrow: Any, wide: Any) -> None:
    assert compare(narrow, wide).direction is Direction.WIDENED
    assert compare(wide, narrow).direction is Direction.NARROWED


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"$ref": "https://example.com/a"}, {"$ref": "https://example.com/b"}),
        ({"$dynamicRef": "#a"}, {"$dynamicRef": "#b"}),
        ({"$schema": "https://example.com/own", "type": "string"}, {"type": "string"}),
        ({"$ref": "#/$defs/gone"}, {"type": "string"}),
        ({"dependencies": {"a": ["b"]}}, {"dependencies": {"a": ["c"]}}),
        ({"$ref": "#"}, {"$ref": "#", "title": "Round"}),
        ({"type": "text"}, {"type": "words"}),
        ({"items": [{"type": "string"}]}, {"items": [{"type": "number"}]}),
    ],
)
def test_what_cannot_be_understood_is_unknown(one: Any, other: Any) -> None:
    assert Answer.YES not in (compare(one, other).kept, compare(one, other).known)


def _bomb(leaf: dict[str, Any]) -> dict[str, Any]:
    """Refer twice to the next definition, thirty times over."""
    steps = {f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}, {"$ref": f"#/$defs/d{n + 1}"}]} for n in range(30)}
    return {"$ref": "#/$defs/d0", "$defs": {**steps, "d30": leaf}}


def _product(last: dict[str, Any]) -> dict[str, Any]:
    """Ask for one of two in twenty ways at once."""
    return {"allOf": [{"anyOf": [{"required": [f"a{n}"]}, {"required": [f"b{n}"]}]} for n in range(20)], **last}


def _nested(leaf: dict[str, Any]) -> dict[str, Any]:
    for number in range(400):
        leaf = {"anyOf": [leaf, {"properties": {"a": leaf}}, {"minimum": number}]}
    return leaf


@pytest.mark.parametrize("make", [_bomb, _product, _nested], ids=lambda make: make.__name__)
def test_what_would_take_for_ever_ends_within_its_budget(make: Any) -> None:
    work = Work(TOTAL)

    found = meaning(Root(make({"maxLength": 3})).sub, Root(make({"maxLength": 4})).sub, work)

    assert found.direction in Direction
    assert work.total >= TOTAL - 2 * STEPS - 1


def test_an_example_shows_what_is_accepted_now_and_what_no_more() -> None:
    before = {"type": "object", "properties": {"size": {"enum": ["small", "large"]}}}
    after = {"type": "object", "properties": {"size": {"enum": ["large", "huge"]}}}

    found = compare(before, after)

    assert (found.lost, found.gained) == (({"size": "small"},), ({"size": "huge"},))
