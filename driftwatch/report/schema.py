"""A JSON Schema as an indented list: names, types, what is allowed, and every text in full."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from driftwatch.model import Json
from driftwatch.report.cut import shown
from driftwatch.report.excerpt import value_text
from driftwatch.report.lines import Line, Piece, Style, wrap
from driftwatch.report.prose import fact_lines, indent, text_lines

DEEPEST = 12
"""Levels that are laid out; what lies deeper is given as JSON."""

_NAMED = {"properties": "", "patternProperties": "names like ", "$defs": "definition ", "definitions": "definition "}
"""Keywords that hold schemas by name, and what stands before such a name."""

_LISTED = {"anyOf": "any of: ", "oneOf": "one of: ", "allOf": "all of: ", "prefixItems": "item "}
"""Keywords that hold a list of schemas."""

_SINGLE = {
    "items": "each item",
    "additionalProperties": "every other name",
    "not": "not",
    "contains": "one item",
    "propertyNames": "every name",
    "if": "if",
    "then": "then",
    "else": "else",
}
"""Keywords that hold one schema."""

_TEXTS = ("title", "description")


def schema_lines(schema: Json, level: int, *, width: int, depth: int = 0) -> Iterator[Line]:
    """Give what stands inside a schema: texts, then what further keywords say, then the schemas inside it."""
    if not isinstance(schema, dict):
        yield from text_lines(value_text(schema), level, width=width)
        return
    for key in _TEXTS:
        if isinstance(schema.get(key), str):
            yield from text_lines(schema[key], level, width=width)
    inside = list(children(schema))
    required = schema.get("required")
    for name, child, is_property, _ in inside:
        asked = is_property and isinstance(required, list) and name[1] in required
        yield from _node(name, child, level, required=asked, width=width, depth=depth)
    for key in sorted(set(schema) - told(schema)):
        yield from fact_lines(key, schema[key], level, width=width)


def _node(name: tuple[str, str], schema: Json, level: int, *, required: bool, width: int, depth: int) -> Iterator[Line]:
    """Give one named schema: a line with its name and what it accepts, then what stands inside it."""
    lead, own = name
    words = accepts(schema, required=required)
    pieces = [Piece(lead, Style.QUIET), Piece(shown(own, len(own)), Style.STRONG), Piece("  "), Piece(words)]
    yield from wrap(pieces, width=width, first=indent(level), rest=indent(level + 2))
    if depth >= DEEPEST:
        yield from text_lines(value_text(schema), level + 1, width=width)
    else:
        yield from schema_lines(schema, level + 1, width=width, depth=depth + 1)


def accepts(schema: Json, *, required: bool = False) -> str:
    """Say on one line which values a schema accepts, as far as it says so itself."""
    return ", ".join([*_types(schema), *(["required"] if required else []), *_values(schema)])


def _types(schema: Json) -> list[str]:
    """Say of which type a value is; `anything` where the schema does not say."""
    if not isinstance(schema, dict):
        return ["anything" if schema is True else "nothing" if schema is False else "not a schema"]
    kind = schema.get("type")
    if isinstance(kind, list):
        return [" or ".join(_json(one) if not isinstance(one, str) else shown(one, len(one)) for one in kind)]
    if isinstance(kind, str):
        return [shown(kind, len(kind))]
    return [] if "$ref" in schema or any(key in schema for key in (*_LISTED, "enum", "const")) else ["anything"]


def _values(schema: Json) -> Iterator[str]:
    """Say which values are allowed and which one is taken by itself."""
    if not isinstance(schema, dict):
        return
    if isinstance(schema.get("enum"), list):
        yield f"one of {', '.join(_json(one) for one in schema['enum'])}"
    if "const" in schema:
        yield f"always {_json(schema['const'])}"
    if "default" in schema:
        yield f"default {_json(schema['default'])}"
    if "$ref" in schema:
        yield f"as {_json(schema['$ref'])}"


def children(schema: Mapping[str, Json]) -> Iterator[tuple[tuple[str, str], Json, bool, tuple[str, ...]]]:
    """Give the schemas inside a schema: what to call each, itself, whether it is a property, and the way to it."""
    for key, lead in _NAMED.items():
        if isinstance(schema.get(key), dict):
            for name, child in schema[key].items():
                yield (lead, name), child, key == "properties", (key, name)
    for key, lead in _LISTED.items():
        if isinstance(schema.get(key), list):
            for number, child in enumerate(schema[key]):
                yield (lead, str(number + 1)), child, False, (key, str(number))
    for key, lead in _SINGLE.items():
        if isinstance(schema.get(key), dict):
            yield (lead, ""), schema[key], False, (key,)


def told(schema: Mapping[str, Json]) -> set[str]:
    """Give the keywords that are shown in a place of their own."""
    found = {key for key in _TEXTS if isinstance(schema.get(key), str)}
    found |= {key for key in _NAMED if isinstance(schema.get(key), dict)}
    found |= {key for key in (*_LISTED, "enum") if isinstance(schema.get(key), list)}
    found |= {key for key in _SINGLE if isinstance(schema.get(key), dict)}
    found |= {key for key in ("const", "default", "$ref") if key in schema}
    found |= {"type"} if isinstance(schema.get("type"), (str, list)) else set()
    return found | ({"required"} if _all_described(schema) else set())


def _all_described(schema: Mapping[str, Json]) -> bool:
    """Whether every required name is a property, where it is told."""
    required, properties = schema.get("required"), schema.get("properties")
    names = properties if isinstance(properties, dict) else {}
    return isinstance(required, list) and all(isinstance(one, str) and one in names for one in required)


def _json(value: Json) -> str:
    """Give a value as JSON on one line, strings in quotes."""
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, str) else value_text(value)
    return shown(text, len(text))
