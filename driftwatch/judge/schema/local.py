"""What the keywords of one schema say by themselves, without the schemas that hold for the same value."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from driftwatch.judge.canonical import canonical
from driftwatch.judge.schema import patterns
from driftwatch.judge.schema.accept import items
from driftwatch.judge.schema.keywords import CONTENT, IN_PLACE, REFERENCES
from driftwatch.judge.schema.marks import mark
from driftwatch.judge.schema.numbers import length, number
from driftwatch.judge.schema.root import Sub
from driftwatch.judge.schema.shape import ALL, UNKNOWN, Condition, Members, Row, Shape, meet, tidy, under
from driftwatch.judge.schema.work import Work
from driftwatch.model import Json

_TYPES = {sort: sort for sort in ("null", "boolean", "number", "string", "array", "object")} | {"integer": "number"}


def local(sub: Sub, work: Work) -> tuple[Shape, ...]:
    """Give the shapes of a schema's own keywords. What is no usable value of a keyword is a condition."""
    raw = sub.raw
    work.spend(len(ALL))
    found = _of_types(raw)
    if "const" in raw:
        found = meet(found, _of_values([raw["const"]]), work)
    if "enum" in raw:
        work.spend(len(raw["enum"]) if isinstance(raw["enum"], list) else 1)
        found = meet(found, _of_values(raw["enum"]), work)
    return tuple(narrowed for shape in found if not (narrowed := _narrowed(shape, sub, work)).empty)


def _of_types(raw: dict[str, Json]) -> tuple[Shape, ...]:
    if "type" not in raw:
        return ALL
    types = raw["type"] if isinstance(raw["type"], list) else [raw["type"]]
    if not all(isinstance(one, str) and one in _TYPES for one in types):
        return under(ALL, UNKNOWN)
    sorts = {_TYPES[one] for one in types}
    integer = "integer" in types and "number" not in types
    found = [replace(shape, integer=integer and shape.sort == "number") for shape in ALL if shape.sort in sorts]
    if raw.get("nullable") is True and "null" not in sorts:
        found.append(Shape("null", values=(None,), conditions=(Condition("nullable", b"nullable"),)))
    return tuple(found)


def _of_values(values: Json) -> tuple[Shape, ...]:
    if not isinstance(values, list):
        return under(ALL, UNKNOWN)
    sorted_out: dict[str, list[Json]] = {}
    for value in values:
        sorted_out.setdefault(_sort(value), []).append(value)
    return tuple(Shape(sort, values=tuple(found)) for sort, found in sorted_out.items())


def _sort(value: Json) -> str:
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, list | dict):
        return "array" if isinstance(value, list) else "object"
    return "number"


def _narrowed(shape: Shape, sub: Sub, work: Work) -> Shape:
    """Narrow a shape by the keywords for its sort."""
    raw: dict[str, Json] = sub.raw
    if shape.sort == "number":
        return _number(shape, raw)
    if shape.sort == "string":
        return _string(shape, raw, work)
    if shape.sort == "array":
        return _array(shape, sub)
    return _object(shape, sub) if shape.sort == "object" else shape


def _unsure(shape: Shape, *doubts: bool) -> Shape:
    return replace(shape, conditions=(*shape.conditions, UNKNOWN)) if any(doubts) else shape


def _number(shape: Shape, raw: dict[str, Json]) -> Shape:
    lows = [(number(raw[key]), key != "minimum") for key in ("minimum", "exclusiveMinimum") if key in raw]
    highs = [(number(raw[key]), key != "maximum") for key in ("maximum", "exclusiveMaximum") if key in raw]
    step = number(raw["multipleOf"]) if "multipleOf" in raw else None
    usable_step = step is not None and step > 0
    low = max(((value, left_out) for value, left_out in lows if value is not None), default=None)
    high = min(
        ((value, left_out) for value, left_out in highs if value is not None),
        key=lambda bound: (bound[0], not bound[1]),
        default=None,
    )
    found = replace(
        shape, low=low, high=high, steps=(step,) if step is not None and usable_step else (), formats=_formats(raw)
    )
    odd = any(value is None for value, _ in (*lows, *highs))
    return tidy(_unsure(found, odd, "multipleOf" in raw and not usable_step, "format" in raw and not found.formats))


def _formats(raw: dict[str, Json]) -> tuple[str, ...]:
    return (raw["format"],) if isinstance(raw.get("format"), str) else ()


def _counts(raw: dict[str, Json], low: str, high: str) -> tuple[int, float, bool]:
    """Give the least and the most of something, and whether one of them is no count."""
    least = length(raw[low]) if low in raw else 0
    most = length(raw[high]) if high in raw else math.inf
    return least or 0, math.inf if most is None else most, least is None or most is None


def _string(shape: Shape, raw: dict[str, Json], work: Work) -> Shape:
    least, most, odd = _counts(raw, "minLength", "maxLength")
    pattern = raw.get("pattern", "")
    usable = isinstance(pattern, str)
    kept = (pattern,) if usable and pattern and not patterns.all_match(pattern, work) else ()
    found = replace(shape, least=least, most=most, patterns=kept, formats=_formats(raw))
    content = tuple(
        Condition(keyword, canonical(raw[keyword])) for keyword in sorted(raw.keys() & CONTENT) if raw[keyword] != ""
    )
    found = replace(found, conditions=(*found.conditions, *content))
    return _unsure(found, odd, not usable, "format" in raw and not found.formats)


def _array(shape: Shape, sub: Sub) -> Shape:
    raw: dict[str, Json] = sub.raw
    least, most, odd = _counts(raw, "minItems", "maxItems")
    first, rest = items(sub)
    beyond = rest
    if rest is True and "items" not in raw and "unevaluatedItems" in raw and not raw.keys() & IN_PLACE:
        beyond = raw["unevaluatedItems"]
    row = Row(tuple(Sub(one, sub.root) for one in first), None if beyond is True else Sub(beyond, sub.root))
    found = replace(shape, least=least, most=most, unique=raw.get("uniqueItems") is True)
    return _unsure(replace(found, rows=(row,)) if row.first or row.rest is not None else found, odd)


def _object(shape: Shape, sub: Sub) -> Shape:
    raw: dict[str, Json] = sub.raw
    least, most, odd = _counts(raw, "minProperties", "maxProperties")
    named, by_pattern = raw.get("properties", {}), raw.get("patternProperties", {})
    required, needs = raw.get("required", []), raw.get("dependentRequired", {})
    rest = raw.get("additionalProperties", True)
    if "additionalProperties" not in raw and "unevaluatedProperties" in raw and not raw.keys() & IN_PLACE:
        rest = raw["unevaluatedProperties"]
    usable = isinstance(named, dict) and isinstance(by_pattern, dict)
    listed = isinstance(required, list) and all(isinstance(name, str) for name in required)
    needed = isinstance(needs, dict) and all(
        isinstance(names, list) and all(isinstance(name, str) for name in names) for names in needs.values()
    )
    found = replace(
        shape,
        least=least,
        most=most,
        required=frozenset(required) if listed else frozenset(),
        needs=frozenset((name, other) for name, names in needs.items() for other in names) if needed else frozenset(),
        names=(Sub(raw["propertyNames"], sub.root),) if "propertyNames" in raw else (),
    )
    others = Sub(rest, sub.root)
    if usable and (named or by_pattern or not others.anything):
        members = Members(
            {name: Sub(schema, sub.root) for name, schema in named.items()},
            {pattern: Sub(schema, sub.root) for pattern, schema in by_pattern.items()},
            None if others.anything else others,
        )
        found = replace(found, members=(members,))
    return _unsure(found, odd, not usable, not listed, not needed)


def conditions(sub: Sub, work: Work) -> Iterator[tuple[str, Condition]]:
    """Give what shapes cannot hold, each with the sort of values that it is about (nothing: all)."""
    raw: dict[str, Json] = sub.raw
    if raw.keys() & REFERENCES:
        yield "", UNKNOWN
    if "not" in raw:
        inner = Sub(raw["not"], sub.root)
        yield "", Condition("not", mark(inner, work), (inner,))
    if "if" in raw and raw.keys() & {"then", "else"}:
        branches = [Sub(raw.get(keyword, True), sub.root) for keyword in ("if", "then", "else")]
        yield "", Condition("if", marked(branches, work), tuple(branches))
    if "contains" in raw:
        inner = Sub(raw["contains"], sub.root)
        counts = canonical([raw.get("minContains", 1), raw.get("maxContains")])
        told = mark(inner, work)
        yield "array", Condition("contains", None if told is None else told + counts, (inner,))
    if "dependencies" in raw:
        yield "object", UNKNOWN
    schemas = raw.get("dependentSchemas", {})
    for name, schema in sorted(schemas.items()) if isinstance(schemas, dict) else (("", None),):
        told = mark(Sub(schema, sub.root), work)
        yield (
            "object",
            Condition("dependent", None if told is None else told + canonical(name), (Sub(schema, sub.root),)),
        )
    for keyword, sort in (("unevaluatedProperties", "object"), ("unevaluatedItems", "array")):
        if not Sub(raw.get(keyword, True), sub.root).anything and raw.keys() & IN_PLACE:
            yield sort, Condition(keyword, mark(sub, work))


def marked(subs: Sequence[Sub], work: Work, *, ordered: bool = True) -> bytes | None:
    """Give one mark for several schemas."""
    found = [mark(sub, work) for sub in subs]
    known = [one for one in found if one is not None]
    return b"\0".join(known if ordered else sorted(known)) if len(known) == len(found) else None
