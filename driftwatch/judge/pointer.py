"""JSON Pointers (RFC 6901): writing them, taking them apart, following them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from driftwatch.model import Json

ABSENT = object()
"""What `get` gives where there is no value: a null is a value."""


def join(base: str, *tokens: str | int) -> str:
    """Add reference tokens to a pointer, escaped."""
    for token in tokens:
        base += "/" + escape(str(token))
    return base


def escape(token: str) -> str:
    """Escape one reference token."""
    return token.replace("~", "~0").replace("/", "~1")


def split(pointer: str) -> list[str]:
    """Give the unescaped reference tokens of a pointer."""
    tokens = pointer.split("/")[1:]
    return [token.replace("~1", "/").replace("~0", "~") for token in tokens] if "~" in pointer else tokens


def get(value: Json, pointer: str, default: Json = ABSENT) -> Json:
    """Give the value at a pointer, or `default` where there is none."""
    return follow(value, split(pointer), default)


def follow(value: Json, tokens: Iterable[str | int], default: Json = ABSENT) -> Json:
    """Give the value that the tokens lead to, or `default` where there is none."""
    for token in tokens:
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and is_index(token) and int(token) < len(value):
            value = value[int(token)]
        else:
            return default
    return value


def is_index(token: str | int) -> bool:
    """Say whether a token can be a list position; a property name can look like a number of any length."""
    text = str(token)
    return text.isascii() and text.isdecimal() and len(text) < 12


def covers(outer: str, inner: str) -> bool:
    """Say whether `inner` is `outer` or lies below it."""
    return inner == outer or inner.startswith(outer + "/")


def parents(pointer: str) -> Iterator[str]:
    """Give every pointer above a pointer, the nearest first, that of the whole last."""
    while pointer:
        pointer = pointer.rsplit("/", 1)[0]
        yield pointer


def walk(value: Json, pointer: str = "") -> Iterator[tuple[str, Json]]:
    """Give every value inside with its pointer, the value itself first, at any depth."""
    waiting: list[tuple[str, Json]] = [(pointer, value)]
    while waiting:
        place, found = waiting.pop()
        yield place, found
        if isinstance(found, dict):
            waiting.extend((join(place, key), found[key]) for key in reversed(found))
        elif isinstance(found, list):
            waiting.extend((join(place, index), found[index]) for index in range(len(found) - 1, -1, -1))
