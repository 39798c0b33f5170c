"""One schema document: its dialect, its references, its places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import unquote

from driftwatch.judge import pointer as at
from driftwatch.judge.schema.keywords import ARRAYS, ASSERTIONS, DRAFTED, MAPS, MIXED, NESTED
from driftwatch.judge.schema.work import Work
from driftwatch.model import Json

_DIALECT = re.compile(r"https?://json-schema\.org/(draft-07|draft/2019-09|draft/2020-12)/schema#?")
_DEEPEST = 72
"""Levels below which no schema is looked for: more than an honest one has."""
_MANY = 20_000
"""How many places of one document are looked at."""


_PURSE = 10_000


@dataclass(frozen=True)
class Position:
    """A place where a schema stands. `chain` are the property names that lead there, None by any other way."""

    tokens: tuple[str, ...]
    chain: tuple[str, ...] | None
    schema: dict[str, Json]


def positions(raw: Json) -> Iterator[Position]:
    """Give every schema inside a schema, itself first; values such as defaults are not entered, nor references."""
    waiting: list[tuple[tuple[str, ...], tuple[str, ...] | None, Json]] = [((), (), raw)]
    seen = 0
    while waiting and seen < _MANY:
        tokens, chain, schema = waiting.pop()
        if not isinstance(schema, dict) or len(tokens) > _DEEPEST:
            continue
        seen += 1
        yield Position(tokens, chain, schema)
        found = list(_below(tokens, chain, schema))
        waiting.extend(reversed(found))


def _below(
    tokens: tuple[str, ...], chain: tuple[str, ...] | None, schema: dict[str, Json]
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...] | None, Json]]:
    for keyword, value in sorted(schema.items()):
        if keyword in MAPS and isinstance(value, dict):
            for name, inner in sorted(value.items()):
                along = (*chain, name) if chain is not None and keyword == "properties" else None
                yield (*tokens, keyword, name), along, inner
        elif (keyword in ARRAYS or keyword == "items") and isinstance(value, list):
            yield from (((*tokens, keyword, str(index)), None, inner) for index, inner in enumerate(value))
        elif keyword in NESTED:
            yield (*tokens, keyword), None, value


@dataclass(eq=False)
class Root:
    """A schema document. Two roots are the same only when they are one object; `raw` must not change meanwhile."""

    raw: Json
    legacy: bool = field(init=False, default=False)
    """Written for draft 7, which ignores what stands beside a `$ref` and knows fewer keywords."""
    tuples: bool = field(init=False, default=False)
    """Written for a draft that has a list under `items` where 2020-12 has `prefixItems`."""
    strange: str = field(init=False, default="")
    """The dialect, when it is none that we know."""
    annotating: bool = field(init=False, default=False)
    """Whether some keyword depends on what the others have looked at."""
    twisted: bool = field(init=False, default=False)
    """Whether some reference stands where accepting more is not accepting more as a whole."""
    drafted: bool = field(init=False, default=False)
    """Whether something is said that drafts read differently."""
    purse: Work = field(init=False, default_factory=lambda: Work(_PURSE))
    """What small questions about single places may cost together."""
    spelled: dict[int, bytes] = field(init=False, default_factory=dict)
    """Digests of values in the document by their identity: references lead to one value as often as they like."""
    references: set[str] = field(init=False, default_factory=set)
    """Everything that a `$ref` says."""
    _own: str = field(init=False, default="#")
    """What a reference into this document may begin with beside a bare `#`."""
    _nested: bool = field(init=False, default=False)
    _anchors: dict[str, tuple[str, ...] | None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Read the dialect and the anchors."""
        dialect = self.raw.get("$schema") if isinstance(self.raw, dict) else None
        known = _DIALECT.fullmatch(dialect) if isinstance(dialect, str) else None
        self.legacy = known is not None and known[1] == "draft-07"
        self.tuples = known is not None and known[1] != "draft/2020-12"
        identity = self.raw.get("$id") if isinstance(self.raw, dict) else None
        self._own = identity.removesuffix("#") + "#" if isinstance(identity, str) else "#"
        self.strange = "" if dialect is None or known else str(dialect)[:200]
        for place in positions(self.raw):
            schema = place.schema
            self._nested = self._nested or (bool(place.tokens) and isinstance(schema.get("$id", schema.get("id")), str))
            self.annotating = self.annotating or bool(schema.keys() & {"unevaluatedProperties", "unevaluatedItems"})
            self.twisted = self.twisted or ("$ref" in schema and bool(MIXED & set(place.tokens)))
            beside = "$ref" in schema and len(schema.keys() & ASSERTIONS) > 1
            listed = isinstance(schema.get("items"), list)
            self.drafted = self.drafted or beside or listed or bool(schema.keys() & DRAFTED)
            if isinstance(schema.get("$ref"), str):
                self.references.add(schema["$ref"])
            anchor = schema.get("$anchor")
            if isinstance(anchor, str):
                self._anchors[anchor] = None if anchor in self._anchors else place.tokens

    def dangles(self, reference: str) -> bool:
        """Say whether something refers to what is not there."""
        return reference in self.references and self.resolve(reference) is None

    def way(self, reference: str) -> tuple[str, ...] | None:
        """Give the place that a reference leads to; None for what `resolve` gives none for."""
        found = self.resolve(reference)
        return None if found is None else found[0]

    @property
    def sub(self) -> Sub:
        """The document as a whole."""
        return Sub(self.raw, self)

    def resolve(self, reference: Json) -> tuple[tuple[str, ...], Sub] | None:
        """Give where a reference leads to and the schema there; None for what is elsewhere, missing or ambiguous."""
        if not isinstance(reference, str) or self._nested:
            return None
        local = reference[len(self._own) - 1 :] if reference.startswith(self._own) else reference
        if not local.startswith("#"):
            return None
        fragment = unquote(local[1:])
        pointed = fragment.startswith("/") or not fragment
        tokens = tuple(at.split(fragment)) if pointed else self._anchors.get(fragment)
        found = at.ABSENT if tokens is None else at.follow(self.raw, tokens)
        usable = tokens is not None and isinstance(found, dict | bool)
        return (tokens, Sub(found, self)) if usable and tokens is not None else None


@dataclass(frozen=True, eq=False, slots=True)
class Sub:
    """A schema inside a document."""

    raw: Json
    root: Root

    @property
    def key(self) -> Key:
        """What tells it from other schemas. It holds the document, so that no other takes its place in memory."""
        return self.root, id(self.raw)

    @property
    def anything(self) -> bool:
        """Whether it says nothing about values: `true`, `{}`, or annotations alone."""
        return self.raw is True or (isinstance(self.raw, dict) and not self.raw.keys() & ASSERTIONS)


Key: TypeAlias = tuple[Root, int]
"""What schemas are remembered by."""
