"""Snapshots as they are judged: what lies beyond too long a way is compared whole, and its texts are still read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from driftwatch.judge.inside import MAX_DEPTH, TOO_LONG, reach
from driftwatch.judge.names import words
from driftwatch.judge.snapshot import digest_of
from driftwatch.model import Item, Json, Kind, Snapshot

_NAME = 2
"""How many words make no more than a name."""


def bounded(*snapshots: Snapshot) -> tuple[Snapshot, ...]:
    """Give snapshots that can be judged together: digests as they are, bodies cut where pointers grow too long.

    What is cut leaves its digest and its texts, so that no difference and no word is lost. Items of one name are cut
    alike, or what is the same would differ. Without such an item, which none of an honest server is, nothing changes.
    """
    reaches: dict[tuple[Kind, str], int] = {}
    for item in (item for snapshot in snapshots for item in snapshot.items):
        if any(oddity.code == TOO_LONG for oddity in item.oddities):
            own = reach(item.raw)
            reaches[item.kind, item.key] = min(own, reaches.get((item.kind, item.key), own))
    return tuple(_cut(snapshot, reaches) for snapshot in snapshots) if reaches else snapshots


def _cut(snapshot: Snapshot, reaches: dict[tuple[Kind, str], int]) -> Snapshot:
    return replace(snapshot, items=tuple(_cut_item(item, reaches) for item in snapshot.items))


def _cut_item(item: Item, reaches: dict[tuple[Kind, str], int]) -> Item:
    longest = reaches.get((item.kind, item.key))
    return item if longest is None else replace(item, raw=_within(item.raw, longest, 0))


def _within(value: Json, longest: int, length: int, depth: int = 0) -> Json:
    """Give a value with each object and list cut whose pointer is longer than that."""
    if not isinstance(value, dict | list):
        return value
    if length > longest or depth > MAX_DEPTH:
        return {"…": digest_of(value), "texts": "\n".join(_texts(value))}
    if isinstance(value, list):
        return [_within(inner, longest, length + 2, depth + 1) for inner in value]
    return {key: _within(inner, longest, length + 1 + len(key), depth + 1) for key, inner in value.items()}


def _texts(value: Json) -> Iterator[str]:
    """Give every text inside a value that is more than a plain name, in one order and without any pointer."""
    return (text for text in _strings(value) if not text.isascii() or len(words(text)) > _NAME)


def _strings(value: Json) -> Iterator[str]:
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            keys = sorted(found, reverse=True)
            yield from reversed(keys)
            waiting.extend(found[key] for key in keys)
        elif isinstance(found, list):
            waiting.extend(reversed(found))
        elif isinstance(found, str):
            yield found
