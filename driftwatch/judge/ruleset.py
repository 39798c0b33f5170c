"""The version of the rule set: what finds something is data for the greater part, and the version moves with it.

Stored history is judged anew when the version moves.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module

from driftwatch.judge.rules import RULES

REVISION = 12
"""Raise this when the *code* of the judge finds something else; of its data the digest below takes notice itself."""

_TEXT = """
    broken encoded escapes harmless lengths listed messages numbered padding together views wrapped
    added chars ciphers concepts confusables decode denied examine gate hidden known landmarks lexicon match normalise
    reader learned.features learned.opinion learned.pieces learned.weights learned.windows
    sentences spelling surface suspect understand vocabulary weigh words signals.data signals.lies
    signals.orders signals.procedures signals.shapes signals.tools
"""
_OTHERS = """
    behaviour breaches entries faces gates hints landing launches listen names neighbours opinions outright packages
    pairing parameters passages places plausible openings prose headers schema policy.profiles policy.volatile sinks
    suspicion texts varied waves witnessed words
"""
_SCHEMA = """
    accept contain edits examples judged keyword keywords local marks meaning numbers patterns root shape shapes sides
    slots work
"""
DATA = (
    *(f"driftwatch.judge.text.{name}" for name in _TEXT.split()),
    *(f"driftwatch.judge.{name}" for name in _OTHERS.split()),
    *(f"driftwatch.judge.schema.{name}" for name in _SCHEMA.split()),
    *(f"driftwatch.judge.hosts.{name}" for name in ("assistants", "base", "coding", "effects", "gateways", "table")),
    *(rule.check.__module__ for rule in RULES),
)
"""The modules whose constants say what is found, by their full names (a function may bear a module's short one)."""


def constants(module: str) -> Iterator[tuple[str, object]]:
    """Give the constants of a module by name, the record of a rule left out: it holds documentation."""
    for name, value in sorted(vars(import_module(module)).items()):
        if name.strip("_").isupper() and name != "RULE":
            yield name, value


def digest() -> str:
    """Digest the rules with what they say of themselves, and every constant of the data modules."""
    rules = [f"{rule.id} {rule.area} {rule.action} {rule.severity} {rule.confidence} {rule.last}" for rule in RULES]
    told = hashlib.sha256("\n".join(rules).encode())
    for module in DATA:
        for name, value in constants(module):
            told.update("\0".join((name, *spelled(value))).encode("utf-8", "surrogatepass"))
    return told.hexdigest()


def spelled(value: object) -> Iterator[str]:
    """Spell a constant, the same in every process: sets sorted, expressions by their text, functions by their name."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, re.Pattern):
        yield f"{value.pattern} {value.flags}"
    elif isinstance(value, set | frozenset):
        yield from sorted("\1".join(spelled(one)) for one in value)
        yield "}"
    elif value is None or isinstance(value, int | float):
        yield repr(value)
    else:
        parts = list(_parts(value))
        texts = [part for part in parts if isinstance(part, str)]
        yield from texts if len(texts) == len(parts) else _each(parts)
        yield f"{len(parts)}" if parts else getattr(value, "__name__", type(value).__name__)


def _each(parts: Iterable[object]) -> Iterator[str]:
    for part in parts:
        yield from spelled(part)


def _parts(value: object) -> Iterable[object]:
    """Give what a value is made of, in order."""
    if isinstance(value, Mapping):
        return (part for pair in value.items() for part in pair)
    if is_dataclass(value):
        return (getattr(value, field.name) for field in fields(value))
    return value if isinstance(value, tuple | list) else ()


RULESET = f"{REVISION}.{digest()[:8]}"
"""Moves when a rule comes, goes or weighs otherwise, when a word or a signal does, and with `REVISION`."""
