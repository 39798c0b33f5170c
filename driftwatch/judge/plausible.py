"""Where a tool's own text contradicts the trust that it claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from driftwatch.judge import words
from driftwatch.judge.hints import DESTRUCTIVE, OPEN_WORLD, READ_ONLY, annotations_of, declared
from driftwatch.judge.names import word_set
from driftwatch.judge.names import words as name_words
from driftwatch.model import Confidence, Item, Json

Reader: TypeAlias = Callable[[str], str]

_ADDRESSES = word_set(
    "url urls uri endpoint webhook href link website domain hostname email recipient recipients adresse"
)


@dataclass(frozen=True)
class Doubt:
    """One claim that the tool's own words contradict. `evidence` is what says otherwise, `where` its source."""

    hint: str
    evidence: str
    where: str
    confidence: Confidence


def doubts(item: Item | None) -> tuple[Doubt, ...]:
    """Give every spelled-out claim of safety that the tool's name, description or parameters contradict."""
    said = declared(annotations_of(item))
    if item is None or not said:
        return ()
    found: list[Doubt] = []
    if said.get(READ_ONLY) is True:
        # A name that says "get" is believed against all but a destructive description.
        by_text = words.text_destroys if words.name_reads(item.key) else words.text_writes
        found += _doubt(item, READ_ONLY, words.name_writes, by_text)
    elif said.get(DESTRUCTIVE) is False:
        found += _doubt(item, DESTRUCTIVE, words.name_destroys, words.text_destroys)
    if said.get(OPEN_WORLD) is False:
        found += _reaches_out(item)
    return tuple(found)


def looks_destructive(item: Item) -> str:
    """Give the word by which a tool says that it destroys, or nothing."""
    return words.name_destroys(item.key) or words.text_destroys(_description(item))


def _doubt(item: Item, hint: str, by_name: Reader, by_text: Reader) -> Iterator[Doubt]:
    named = by_name(item.key)
    if named:
        yield Doubt(hint, named, "name", Confidence.HIGH)
        return
    written = by_text(_description(item))
    if written:
        yield Doubt(hint, written, "description", Confidence.MEDIUM)


def _reaches_out(item: Item) -> Iterator[Doubt]:
    schema = item.raw.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for name in properties if isinstance(properties, dict) else ():
        if set(name_words(name)) & _ADDRESSES:
            yield Doubt(OPEN_WORLD, name, "parameter", Confidence.MEDIUM)
            return
    written = words.text_reaches_out(_description(item))
    if written:
        yield Doubt(OPEN_WORLD, written, "description", Confidence.LOW)


def _description(item: Item) -> str:
    text: Json = item.raw.get("description") if isinstance(item.raw, dict) else None
    return text if isinstance(text, str) else ""
