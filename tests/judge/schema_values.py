"""Small schemas and values that fit or miss them, for the tests of containment."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, 3, -1, 0.5, 1.5, 2.0),
    *("", "a", "b", "ab", "abc", "A", "x-a"),
    *([], [1], ["a"], ["a", "b"], [1, 1], [None, 2], [[]]),
    *({}, {"a": 1}, {"a": "a"}, {"b": 1}, {"a": 1, "b": 2}, {"a": "ab", "b": "a"}, {"c": 1}, {"x-a": 1}),
    *({"a": {"a": 1}}, {"a": [1]}, {"a": None, "c": True}, {"a": 2, "x-a": "b"}),
)
NAMES = st.sampled_from(["a", "b", "c"])
PATTERNS = st.sampled_from(["^a", "b$", "^[a-z]+$", "", "^(a|b)$", "^[a-z]{1,2}$", "a?"])
REFERENCES = st.sampled_from(["#/$defs/X", "#/$defs/Y", "#/$defs/Z"])
SMALL = st.integers(0, 3)
LEAF = (
    st.booleans()
    | st.just({})
    | st.fixed_dictionaries({"type": st.sampled_from(TYPES)})
    | st.fixed_dictionaries({"const": st.sampled_from(VALUES)})
    | st.fixed_dictionaries({"$ref": REFERENCES})
)


def _keywords(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    several = st.lists(inner, min_size=1, max_size=2)
    by_name = st.dictionaries(NAMES, inner, max_size=2)
    keywords: dict[str, st.SearchStrategy[Any]] = {
        "type": st.sampled_from(TYPES) | st.lists(st.sampled_from(TYPES), min_size=1, max_size=3, unique=True),
        "enum": st.lists(st.sampled_from(VALUES), min_size=1, max_size=4),
        "const": st.sampled_from(VALUES),
        **dict.fromkeys(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], st.sampled_from([0, 1, 1.5])),
        "multipleOf": st.sampled_from([1, 2, 0.5]),
        **dict.fromkeys(["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"], SMALL),
        "pattern": PATTERNS,
        **dict.fromkeys(["items", "contains", "not", "additionalProperties", "propertyNames"], inner),
        **dict.fromkeys(["unevaluatedProperties", "unevaluatedItems"], inner),
        **dict.fromkeys(["prefixItems", "allOf", "anyOf", "oneOf"], several),
        "uniqueItems": st.booleans(),
        **dict.fromkeys(["properties", "dependentSchemas"], by_name),
        "patternProperties": st.dictionaries(st.sampled_from(["^x-", "^a", "c"]), inner, max_size=1),
        "required": st.lists(NAMES, max_size=2, unique=True),
        "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, min_size=1, max_size=1), max_size=1),
        **dict.fromkeys(["if", "then", "else"], inner),
        "$ref": REFERENCES,
    }
    one = st.sampled_from(sorted(keywords)).flatmap(lambda name: st.tuples(st.just(name), keywords[name]))
    return st.lists(one, min_size=1, max_size=3).map(dict)


SCHEMAS = st.recursive(LEAF, _keywords, max_leaves=5)
DEFINITIONS = st.fixed_dictionaries({"X": SCHEMAS, "Y": SCHEMAS, "Z": SCHEMAS})


@st.composite
def pairs(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give two schemas that have something in common: one has a keyword more, one less, or is wrapped."""
    one = draw(SCHEMAS.filter(lambda schema: isinstance(schema, dict)))
    change = draw(st.sampled_from(["more", "less", "wrap", "other"]))
    other: Any = {key: value for key, value in one.items() if change != "less" or draw(st.booleans())}
    if change == "more":
        other |= draw(SCHEMAS.filter(lambda schema: isinstance(schema, dict)))
    elif change == "wrap":
        other = {draw(st.sampled_from(["anyOf", "allOf", "oneOf"])): draw(st.permutations([one, draw(SCHEMAS)]))}
    elif change == "other":
        other = draw(SCHEMAS.filter(lambda schema: isinstance(schema, dict)))
    known = draw(DEFINITIONS)
    changed = draw(st.just(known) | DEFINITIONS)
    return {**one, "$defs": known}, {**other, "$defs": changed}
