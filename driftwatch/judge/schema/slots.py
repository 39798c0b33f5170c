"""What a caller can fill in: every parameter of a schema at any depth, by its path and not by how it is spelled.

References, `allOf`, branches and conditions are followed, so that a parameter that moved into `$defs` is the same one.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from driftwatch.judge import pointer as at
from driftwatch.judge.canonical import canonical
from driftwatch.judge.schema.accept import items
from driftwatch.judge.schema.edits import along
from driftwatch.judge.schema.keywords import ASSERTIONS, DEFINITIONS, KNOWN, MAPS
from driftwatch.judge.schema.root import Key, Root, Sub
from driftwatch.judge.schema.shape import Shape
from driftwatch.judge.schema.shapes import shapes
from driftwatch.judge.schema.work import Spent, Work
from driftwatch.model import Json

_AGAIN = 10_000
"""How much of what references lead to more than once is looked at again, in slots; names count for their length."""
_DEEPEST = 24
_BRANCHES = ("allOf", "anyOf", "oneOf")
_TURNS = ("if", "then", "else", "contentSchema")
_STEPS = 400
"""What finding out something about one slot may cost."""


@dataclass(frozen=True)
class Slot:
    """One place to put a value. `path` is for people and tells slots apart; `parent` is that of the object around it.

    `name` is the property's name, a pattern for names, or empty for items and properties of any name. `schema` is
    all that is said about it, what a reference leads to included; `pointer` is where it is declared. `named` says
    whether callers know it by a name of its own. `also` are the other declarations of the same one, by branches and
    the like: what any of them says is said.
    """

    path: str
    parent: str
    name: str
    pointer: str
    schema: Json
    required: bool
    named: bool
    sub: Sub = field(compare=False, repr=False)
    also: tuple[Slot, ...] = field(default=(), compare=False, repr=False)

    @property
    def declarations(self) -> tuple[Slot, ...]:
        """Every place where it is declared, this one first."""
        return (self, *self.also)

    def free(self) -> bool:
        """Say whether a value can hold free text: not a number, a switch or a fixed choice; by any declaration."""
        return any(free(one.sub) for one in self.declarations)

    def said(self, *, but: str = "") -> Hashable:
        """Give a word for all that its declarations say, one keyword left out: equal words for equal schemas."""
        return tuple(_spelled(one, but) for one in self.declarations)


@dataclass(frozen=True)
class _Step:
    sub: Sub
    tokens: tuple[str, ...]
    path: str
    seen: frozenset[Key]


def slots(raw: Json, pointer: str) -> Mapping[str, Slot]:
    """Give every slot of a schema by its path; `pointer` leads to the schema. What lies nearest is looked at first."""
    root = Root(raw)
    found: dict[str, list[Slot]] = {}
    waiting = deque([_Step(root.sub, (), "", frozenset())])
    done: set[tuple[Key, str]] = set()
    met: set[Key] = set()
    left = _AGAIN
    while waiting:
        step = waiting.popleft()
        place = (step.sub.key, step.path)
        if (
            place in done
            or step.sub.key in step.seen
            or len(step.seen) > _DEEPEST
            or not isinstance(step.sub.raw, dict)
        ):
            continue
        if step.sub.key in met:
            left -= _size(step.sub.raw) if left > 0 else 0
            if left <= 0:
                continue
        done.add(place)
        met.add(step.sub.key)
        waiting.extend(_same_value(step))
        for slot, below in _inside(step, pointer):
            waiting.append(below)
            found.setdefault(slot.path, []).append(slot)
    return {path: _one(declared) for path, declared in found.items()}


def _size(raw: dict[str, Json]) -> int:
    """Say how many slots and further schemas a schema has itself; long names count for more than one."""
    held = [raw[keyword] for keyword in (*_BRANCHES, "prefixItems", "items", *MAPS - DEFINITIONS) if keyword in raw]
    names = sum(1 + len(name) // 32 for one in held if isinstance(one, dict) for name in one)
    return 1 + names + sum(len(one) for one in held if isinstance(one, list))


def _one(declared: list[Slot]) -> Slot:
    """Make one slot of its declarations: the first, or the first by which it is required."""
    if len(declared) == 1:
        return declared[0]
    first = next((slot for slot in declared if slot.required), declared[0])
    return replace(first, also=tuple(slot for slot in declared if slot is not first))


def _same_value(step: _Step) -> Iterator[_Step]:
    """Give the schemas that say more about the same value."""
    raw, root, seen = step.sub.raw, step.sub.root, step.seen | {step.sub.key}
    target = root.resolve(raw["$ref"]) if "$ref" in raw else None
    if target is not None:
        yield _Step(target[1], target[0], step.path, seen)
    for keyword in _BRANCHES:
        several = raw.get(keyword)
        for index, schema in enumerate(several if isinstance(several, list) else ()):
            yield _Step(Sub(schema, root), (*step.tokens, keyword, str(index)), step.path, seen)
    for keyword in _TURNS:
        if keyword in raw:
            yield _Step(Sub(raw[keyword], root), (*step.tokens, keyword), step.path, seen)
    dependent = raw.get("dependentSchemas")
    for name, schema in sorted(dependent.items()) if isinstance(dependent, dict) else ():
        yield _Step(Sub(schema, root), (*step.tokens, "dependentSchemas", name), step.path, seen)


def _inside(step: _Step, pointer: str) -> Iterator[tuple[Slot, _Step]]:
    """Give the slots that a schema itself declares, each with the step to what lies in it."""
    raw, root, seen = step.sub.raw, step.sub.root, step.seen | {step.sub.key}
    needed = raw.get("required")
    required = frozenset(name for name in needed if isinstance(name, str)) if isinstance(needed, list) else frozenset()

    def made(schema: Json, name: str, end: str, *tokens: str, named: bool = False) -> tuple[Slot, _Step]:
        way = (*step.tokens, *tokens)
        sub = Sub(schema, root)
        path = along(step.path, end) if named else step.path + end
        slot = Slot(path, step.path, name, at.join(pointer, *way), told(sub), named and name in required, named, sub)
        return slot, _Step(sub, way, path, seen)

    declared, by_pattern = raw.get("properties"), raw.get("patternProperties")
    for name, schema in sorted(declared.items()) if isinstance(declared, dict) else ():
        yield made(schema, name, name, "properties", name, named=True)
    for pattern, schema in sorted(by_pattern.items()) if isinstance(by_pattern, dict) else ():
        yield made(schema, pattern, f".<{pattern}>", "patternProperties", pattern)
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if isinstance(raw.get(keyword), dict):
            yield made(raw[keyword], "", ".*", keyword)
    first, rest = items(step.sub)
    spelled = "prefixItems" if "prefixItems" in raw else "items"
    for index, schema in enumerate(first):
        yield made(schema, "", f"[{index}]", spelled, str(index))
    if isinstance(rest, dict):
        yield made(rest, "", "[]", "additionalItems" if spelled == "items" and first else "items")
    for keyword in ("contains", "unevaluatedItems"):
        if isinstance(raw.get(keyword), dict):
            yield made(raw[keyword], "", "[]", keyword)


def told(sub: Sub, depth: int = 0) -> Json:
    """Give all that is said about a value in one place: a schema with what its reference leads to laid under it."""
    if not isinstance(sub.raw, dict) or "$ref" not in sub.raw or depth > _DEEPEST:
        return sub.raw
    target = sub.root.resolve(sub.raw["$ref"])
    under = told(target[1], depth + 1) if target is not None else {}
    own = {keyword: value for keyword, value in sub.raw.items() if keyword != "$ref"}
    if not isinstance(under, dict):
        return sub.raw
    # A schema of very many keywords that very many references lead to is not copied for each.
    under = {keyword: under[keyword] for keyword in KNOWN & under.keys()} if len(under) > len(KNOWN) else under
    return {**under, **own} if own else under


def _spelled(slot: Slot, but: str) -> Hashable:
    """Give a word for what one declaration says, one keyword left out."""
    if not isinstance(slot.schema, dict):
        return canonical(slot.schema)
    known = slot.sub.root.spelled
    return frozenset((keyword, _digest(value, known)) for keyword, value in slot.schema.items() if keyword != but)


def _digest(value: Json, known: dict[int, bytes]) -> bytes:
    if id(value) not in known:
        known[id(value)] = hashlib.sha256(canonical(value)).digest()
    return known[id(value)]


def free(sub: Sub) -> bool:
    """Say whether a value that a schema accepts can hold free text; yes where that takes too long to find out."""
    sub.root.purse.grant(_STEPS)
    try:
        return _free(sub, sub.root.purse, 0)
    except (Spent, RecursionError):
        return True


def _free(sub: Sub, work: Work, depth: int) -> bool:
    """Say whether a value that a schema accepts can hold free text."""
    if depth > 4 or (isinstance(sub.raw, dict) and not sub.raw.keys() & ASSERTIONS):
        return True
    for shape in shapes((sub,), work):
        if shape.values is not None:
            continue
        if shape.sort == "string":
            return True
        if shape.sort == "array":
            inner = [one for row in shape.rows for one in (*row.first, row.rest)]
            if not inner or any(one is None or _free(one, work, depth + 1) for one in inner):
                return True
        if shape.sort == "object":
            parts = [
                part for one in shape.members for part in (*one.named.values(), *one.by_pattern.values(), one.rest)
            ]
            if not _shut(shape) and all(_free(one, work, depth + 1) for one in shape.names):
                return True  # in the names of the properties
            if not parts or any(part is None or _free(part, work, depth + 1) for part in parts):
                return True
    return False


def closed(sub: Sub) -> bool:
    """Say whether a schema takes objects, and of named properties only, for sure."""
    objects = _objects(sub)
    return bool(objects) and all(_shut(one) for one in objects or ())


def takes_objects(sub: Sub) -> bool:
    """Say whether a schema takes objects; yes where that takes too long to find out."""
    objects = _objects(sub)
    return objects is None or bool(objects)


def _objects(sub: Sub) -> list[Shape] | None:
    """Give the shapes of the objects that a schema takes; None where that takes too long to find out."""
    sub.root.purse.grant(_STEPS)
    try:
        return [one for one in shapes((sub,), sub.root.purse) if one.sort == "object" and one.values is None]
    except (Spent, RecursionError):
        return None


def _shut(shape: Shape) -> bool:
    rests = [members.rest for members in shape.members if not members.by_pattern]
    return any(rest is not None and rest.raw is False for rest in rests)
