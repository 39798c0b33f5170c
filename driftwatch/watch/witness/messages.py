"""What a witness reads of a message: ids, names, and who the agent says it is. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from driftwatch.model import Json, Oddity
from driftwatch.watch.fetch.reading import UnreadableError, read

LONGEST: Final = 200
"""Code points that are kept of names: of a tool, of the agent, of a prompt."""

CLIENT: Final = "io.modelcontextprotocol/clientInfo"


def decoded(data: bytes, depth: int) -> list[Json]:
    """Give the messages in a text of the agent: one, those of a batch, or none where it cannot be read."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        try:
            value = read(data, depth=depth).value
        except UnreadableError:
            return []
    return value if isinstance(value, list) else [value]


def within(oddities: tuple[Oddity, ...], way: str) -> tuple[Oddity, ...]:
    """Give the oddities of one message of a batch, as they are within it."""
    inner: Iterator[Oddity] = (one for one in oddities if f"{one.pointer}/".startswith(f"{way}/"))
    return tuple(replace(one, pointer=one.pointer[len(way) :]) for one in inner)


def client_of(info: Json) -> str:
    """Give who the agent says it is: `name version`."""
    if not isinstance(info, dict):
        return ""
    return " ".join(filter(None, (word(info.get("name")), word(info.get("version")))))


def speaker_of(messages: list[Json]) -> str:
    """Give who the agent says it is in the messages of the newer era, each of which tells; empty for nobody."""
    for message in messages:
        params = message.get("params") if isinstance(message, dict) else None
        meta = params.get("_meta") if isinstance(params, dict) else None
        if isinstance(meta, dict) and CLIENT in meta:
            return client_of(meta[CLIENT])
    return ""


def word(value: Json) -> str:
    """Give the beginning of a text, empty for what is none."""
    return value[:LONGEST] if isinstance(value, str) else ""


def is_just(one: Json, other: Json) -> bool:
    """Say whether an id is the other one to every agent, and not only to those that make numbers of ids."""
    return type(one) is type(other) and one == other
