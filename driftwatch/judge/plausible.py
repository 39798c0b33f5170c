"""Where a tool's own text contradicts the trust that it claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from driftwatch.judge import pointer as at
from driftwatch.judge import words
from driftwatch.judge.hints import DESTRUCTIVE, OPEN_WORLD, READ_ONLY, annotations_of, declared
from driftwatch.judge.names import word_set
from driftwatch.judge.names import words as name_words
from driftwatch.model import Confidence, Item, Json

Reader: TypeAlias = Callable[[str], str]

_ADDRESSES = word_set(
    "url urls uri endpoint webhook href link website domain hostname email recipient recipients adresse destinataire "
    "destinatario destinatário empfänger empfaenger odbiorca mottagare ontvanger получатель enlace lien"
)
_ADDRESSES_UNSPACED = (
    "网址",
    "網址",
    "链接",
    "收件人",
    "邮箱",
    "宛先",
    "送信先",
    "アドレス",
    "링크",
    "수신자",
    "이메일",
)
_ADDRESS_FORMATS = frozenset({"uri", "iri", "url", "email", "idn-email", "hostname", "idn-hostname"})


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
        return
    if not words.name_reads(item.key) or hint == DESTRUCTIVE:
        switch = next((name for name, _ in _parameters(item) if words.parameter_destroys(name)), "")
        if switch:
            yield Doubt(hint, switch, "parameter", Confidence.MEDIUM)


def _reaches_out(item: Item) -> Iterator[Doubt]:
    typed = ""
    for name, schema in _parameters(item):
        if set(name_words(name)) & _ADDRESSES or any(word in name for word in _ADDRESSES_UNSPACED):
            yield Doubt(OPEN_WORLD, name, "parameter", Confidence.MEDIUM)
            return
        given = schema.get("format") if isinstance(schema, dict) else None
        typed = typed or (name if isinstance(given, str) and given in _ADDRESS_FORMATS else "")
    if typed:
        yield Doubt(OPEN_WORLD, typed, "parameter", Confidence.LOW)
        return
    written = words.text_reaches_out(_description(item))
    if written:
        yield Doubt(OPEN_WORLD, written, "description", Confidence.LOW)


def _parameters(item: Item) -> Iterator[tuple[str, Json]]:
    """Give every parameter with what is said about it, those inside other parameters too."""
    for place, value in at.walk(item.raw.get("inputSchema"), ""):
        if isinstance(value, dict) and place.endswith("/properties") and not place.endswith("/properties/properties"):
            yield from value.items()


def _description(item: Item) -> str:
    text: Json = item.raw.get("description") if isinstance(item.raw, dict) else None
    return text if isinstance(text, str) else ""
