"""One mark for schemas that are spelled alike: annotations left out, references followed, order ignored."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from driftwatch.judge.canonical import canonical
from driftwatch.judge.schema.keywords import ARRAYS, ASSERTIONS, MAPS, NESTED
from driftwatch.judge.schema.root import Sub
from driftwatch.judge.schema.work import DEEPEST, Work
from driftwatch.model import Json

_SETS = frozenset({"required", "enum", "type"})


def mark(sub: Sub, work: Work, depth: int = 0) -> bytes | None:
    """Give the mark of a schema: equal marks mean equal schemas. None for what refers to itself, or is too deep."""
    if sub.key in work.marks:
        return work.marks[sub.key]
    if depth > DEEPEST:
        return None
    work.marks[sub.key] = None
    work.spend()
    work.marks[sub.key] = found = _mark(sub, work, depth)
    return found


def _mark(sub: Sub, work: Work, depth: int) -> bytes | None:
    if sub.anything and not sub.root.strange:
        return b"true"
    if not isinstance(sub.raw, dict):
        return b"false" if sub.raw is False else None
    said = {keyword: sub.raw[keyword] for keyword in sorted(sub.raw.keys() & ASSERTIONS)}
    if "$ref" in said:
        target = sub.root.resolve(said["$ref"])
        if target is not None and (len(said) == 1 or sub.root.legacy):
            return mark(target[1], work, depth + 1) if len(said) == 1 else None
    draft = b"%d%d" % (sub.root.legacy, sub.root.tuples)
    parts: list[bytes | None] = [sub.root.strange.encode("utf-8", "replace"), draft]
    for keyword, value in said.items():
        parts += [keyword.encode(), _part(sub, keyword, value, work, depth)]
    return _digest(parts)


def _part(sub: Sub, keyword: str, value: Json, work: Work, depth: int) -> bytes | None:
    """Spell one keyword."""
    if keyword in MAPS and isinstance(value, dict):
        return _joined([(name, inner) for name, inner in sorted(value.items())], sub, work, depth)
    if (keyword in ARRAYS or keyword == "items") and isinstance(value, list):
        return _joined([("", inner) for inner in value], sub, work, depth)
    target = sub.root.resolve(value) if keyword == "$ref" else None
    if target is not None or (keyword in NESTED and isinstance(value, dict | bool)):
        return mark(target[1] if target is not None else Sub(value, sub.root), work, depth + 1)
    work.spend(len(value) // 8 if isinstance(value, list | str) else 0)
    if keyword == "dependencies" and isinstance(value, dict) and any(isinstance(one, dict) for one in value.values()):
        return None
    several = [value] if keyword == "type" and isinstance(value, str) else value
    if keyword in _SETS and isinstance(several, list):
        return _digest(sorted({canonical(one) for one in several}))
    return canonical(value)


def _joined(inner: list[tuple[str, Json]], sub: Sub, work: Work, depth: int) -> bytes | None:
    parts = [(canonical(name), mark(Sub(schema, sub.root), work, depth + 1)) for name, schema in inner]
    return _digest([part for pair in parts for part in pair])


def _digest(parts: Sequence[bytes | None]) -> bytes | None:
    """Digest parts, each with its length; None when one of them is None."""
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    return hashlib.sha256(b"".join(b"%d:%s" % (len(part), part) for part in known)).digest()
