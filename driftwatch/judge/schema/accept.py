"""Does a schema accept a value: yes, no, or not to be said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from driftwatch.judge.canonical import canonical
from driftwatch.judge.schema import patterns
from driftwatch.judge.schema.keywords import ASSERTIONS, CONTENT, IN_PLACE, LATER, REFERENCES
from driftwatch.judge.schema.numbers import divides, length, number, whole
from driftwatch.judge.schema.root import Sub
from driftwatch.judge.schema.work import DEEPEST, Work
from driftwatch.model import Json

FORMATS: dict[str, tuple[Json, ...]] = {
    "date": ("2024-05-17",),
    "date-time": ("2024-05-17T10:20:30Z",),
    "time": ("10:20:30Z",),
    "email": ("a@example.com",),
    "uri": ("https://example.com/a",),
    "url": ("https://example.com/a",),
    "uri-reference": ("https://example.com/a",),
    "hostname": ("example.com",),
    "ipv4": ("192.0.2.1",),
    "ipv6": ("2001:db8::1",),
    "uuid": ("123e4567-e89b-42d3-a456-426614174000",),
}
"""A text that is of a format for every reader. Of another text a reader may say so or not: many never look."""
_SMALL = 127
"""A whole number up to this is of every numeric format (`int32`, `uint8`, `double`) that a vendor writes."""


def accepts(sub: Sub, value: Json, work: Work, depth: int = 0) -> bool | None:
    """Say whether a schema accepts a value; None when that depends on the reader, or is not understood."""
    work.spend()
    raw = sub.raw
    if depth > DEEPEST:
        return None
    if isinstance(raw, bool):
        return raw
    if not isinstance(raw, dict):
        return None
    if odd_draft(raw, sub):
        return None
    return _all(_said(sub, raw, value, work, depth))


def odd_draft(raw: dict[str, Json], sub: Sub) -> bool:
    """Say whether readers of the document's draft may differ about a schema."""
    beside = "$ref" in raw and len(raw.keys() & ASSERTIONS) > 1
    return bool(sub.root.strange) or (sub.root.legacy and (beside or bool(raw.keys() & LATER)))


def _all(answers: Iterable[bool | None]) -> bool | None:
    """Give the answer of several that must all hold; a no needs no further answer."""
    found: bool | None = True
    for answer in answers:
        if answer is False:
            return False
        found = None if answer is None else found
    return found


def _any(answers: Iterable[bool | None]) -> bool | None:
    found: bool | None = False
    for answer in answers:
        if answer is True:
            return True
        found = None if answer is None else found
    return found


def _said(sub: Sub, raw: dict[str, Json], value: Json, work: Work, depth: int) -> Iterator[bool | None]:
    """Give the answer of every keyword, the cheap and certain ones first."""
    yield from _plain(raw, value)
    if isinstance(value, str):
        yield from _text(raw, value, work)
    elif isinstance(value, dict):
        yield from _object(sub, raw, value, work, depth)
    elif isinstance(value, list):
        yield from _array(sub, raw, value, work, depth)
    elif not isinstance(value, bool | None):
        yield from _number(raw, value)
    yield from _combined(sub, raw, value, work, depth)


def _plain(raw: dict[str, Json], value: Json) -> Iterator[bool | None]:
    if "type" in raw:
        types = raw["type"] if isinstance(raw["type"], list) else [raw["type"]]
        if raw.get("nullable") is True and value is None:
            yield None
        elif all(isinstance(one, str) and one in _TYPES for one in types):
            yield any(_TYPES[one](value) for one in types)
        else:
            yield None
    if "const" in raw:
        yield canonical(raw["const"]) == canonical(value)
    if "enum" in raw:
        choices = raw["enum"]
        here = canonical(value)
        yield any(canonical(one) == here for one in choices) if isinstance(choices, list) else None


_TYPES: dict[str, Callable[[Json], bool]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: isinstance(value, int | float) and not isinstance(value, bool) and whole(value),
}


def _counted(raw: dict[str, Json], low: str, high: str, count: int) -> Iterator[bool | None]:
    if low in raw:
        least = length(raw[low])
        yield None if least is None else count >= least
    if high in raw:
        most = length(raw[high])
        yield None if most is None else count <= most


def _text(raw: dict[str, Json], value: str, work: Work) -> Iterator[bool | None]:
    yield from _counted(raw, "minLength", "maxLength", len(value))
    if "pattern" in raw:
        yield patterns.matches(raw["pattern"], value, work) if isinstance(raw["pattern"], str) else None
    if "format" in raw:
        yield True if isinstance(raw["format"], str) and value in FORMATS.get(raw["format"], ()) else None
    if raw.keys() & CONTENT:
        yield None


def _number(raw: dict[str, Json], value: float) -> Iterator[bool | None]:
    for keyword, holds in _BOUNDS.items():
        if keyword in raw:
            bound = number(raw[keyword])
            yield None if bound is None else holds(value, bound)
    if "multipleOf" in raw:
        step = number(raw["multipleOf"])
        yield None if step is None or step <= 0 else divides(step, value)
    if "format" in raw:
        yield True if whole(value) and 0 <= value <= _SMALL else None


_BOUNDS: dict[str, Callable[[float, float], bool]] = {
    "minimum": lambda value, bound: value >= bound,
    "maximum": lambda value, bound: value <= bound,
    "exclusiveMinimum": lambda value, bound: value > bound,
    "exclusiveMaximum": lambda value, bound: value < bound,
}


def _object(sub: Sub, raw: dict[str, Json], value: dict[str, Json], work: Work, depth: int) -> Iterator[bool | None]:
    yield from _counted(raw, "minProperties", "maxProperties", len(value))
    if "required" in raw:
        needed = raw["required"]
        yield all(name in value for name in needed) if _names(needed) else None
    for name, inner in value.items():
        yield from (accepts(one, inner, work, depth + 1) for one in _of_name(sub, raw, name, work))
    if "propertyNames" in raw:
        names = Sub(raw["propertyNames"], sub.root)
        yield _all(accepts(names, name, work, depth + 1) for name in value)
    needs = raw.get("dependentRequired", {})
    if not isinstance(needs, dict) or not all(_names(names) for names in needs.values()):
        yield None
    else:
        yield all(other in value for name, names in needs.items() if name in value for other in names)
    schemas = raw.get("dependentSchemas", {})
    for name in schemas if isinstance(schemas, dict) else ():
        if name in value:
            yield accepts(Sub(schemas[name], sub.root), value, work, depth + 1)
    if "dependencies" in raw:
        yield None


def _names(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


UNSURE = None
"""Stands for a schema that may or may not apply."""


def _of_name(sub: Sub, raw: dict[str, Json], name: str, work: Work) -> Iterator[Sub]:
    """Give the schemas that a property of a value must meet. What may apply is given as a schema nobody can read."""
    declared, by_pattern = raw.get("properties", {}), raw.get("patternProperties", {})
    if not isinstance(declared, dict) or not isinstance(by_pattern, dict):
        yield Sub(UNSURE, sub.root)
        return
    own = name in declared
    if own:
        yield Sub(declared[name], sub.root)
    unsure = False
    for pattern, schema in by_pattern.items():
        hit = patterns.matches(pattern, name, work)
        own, unsure = own or hit is True, unsure or hit is None
        if hit:
            yield Sub(schema, sub.root)
    if unsure:
        yield Sub(UNSURE, sub.root)
    elif not own and "additionalProperties" in raw:
        yield Sub(raw["additionalProperties"], sub.root)
    elif not own and not Sub(raw.get("unevaluatedProperties", True), sub.root).anything:
        lonely = not raw.keys() & IN_PLACE
        yield Sub(raw["unevaluatedProperties"] if lonely else UNSURE, sub.root)


def _array(sub: Sub, raw: dict[str, Json], value: list[Json], work: Work, depth: int) -> Iterator[bool | None]:
    yield from _counted(raw, "minItems", "maxItems", len(value))
    if raw.get("uniqueItems") is True:
        yield len({canonical(item) for item in value}) == len(value)
    prefix, rest = items(sub)
    for index, item in enumerate(value):
        schema = prefix[index] if index < len(prefix) else rest
        yield accepts(Sub(schema, sub.root), item, work, depth + 1)
    if "contains" in raw:
        yield _contains(sub, raw, value, work, depth)
    beyond = Sub(raw.get("unevaluatedItems", True), sub.root)
    if "items" not in raw and not beyond.anything and len(value) > len(prefix):
        answers = (accepts(beyond, item, work, depth + 1) for item in value[len(prefix) :])
        yield None if raw.keys() & IN_PLACE else _all(answers)


def items(sub: Sub) -> tuple[list[Json], Json]:
    """Give the schemas of the first items, and that of all further ones, as the document's draft spells them."""
    raw: dict[str, Json] = sub.raw
    prefix, rest = raw.get("prefixItems"), raw.get("items", True)
    if sub.root.tuples and prefix is None and isinstance(rest, list):
        return rest, raw.get("additionalItems", True)
    if isinstance(rest, list) or (prefix is not None and (sub.root.tuples or not isinstance(prefix, list))):
        return [UNSURE], UNSURE
    return prefix or [], rest


def _contains(sub: Sub, raw: dict[str, Json], value: list[Json], work: Work, depth: int) -> bool | None:
    inner = Sub(raw["contains"], sub.root)
    answers = [accepts(inner, item, work, depth + 1) for item in value]
    least, most = length(raw.get("minContains", 1)), length(raw.get("maxContains", len(value)))
    if least is None or most is None:
        return None
    sure, maybe = answers.count(True), answers.count(True) + answers.count(None)
    if maybe < least or sure > most:
        return False
    return True if sure >= least and maybe <= most else None


def _combined(sub: Sub, raw: dict[str, Json], value: Json, work: Work, depth: int) -> Iterator[bool | None]:
    """Give the answers of the keywords that hold whole schemas for the same value."""

    def inner(schema: Json) -> bool | None:
        return accepts(Sub(schema, sub.root), value, work, depth + 1)

    if raw.keys() & REFERENCES:
        yield None
    if "$ref" in raw:
        target = sub.root.resolve(raw["$ref"])
        yield accepts(target[1], value, work, depth + 1) if target is not None else None
    for keyword, combine in (("allOf", _all), ("anyOf", _any), ("oneOf", _one)):
        if keyword in raw:
            several = raw[keyword]
            yield combine(inner(one) for one in several) if isinstance(several, list) and several else None
    if "not" in raw:
        answer = inner(raw["not"])
        yield None if answer is None else not answer
    if "if" in raw:
        answer = inner(raw["if"])
        then, otherwise = (inner(raw[branch]) if branch in raw else True for branch in ("then", "else"))
        yield {True: then, False: otherwise, None: then if then == otherwise else None}[answer]


def _one(answers: Iterable[bool | None]) -> bool | None:
    found = list(answers)
    if found.count(True) > 1:
        return False
    return None if None in found else found.count(True) == 1
