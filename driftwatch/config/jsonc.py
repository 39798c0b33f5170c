"""JSON with comments and trailing commas, as the hosts' own files have it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from driftwatch.config.words import quoted, safe
from driftwatch.errors import UnreadableInputError
from driftwatch.model import Json

_STRING = r'"(?:[^"\\\n]|\\.)*+"?'
_COMMENT = re.compile(rf"({_STRING})|//[^\r\n]*|/\*[\s\S]*?(?:\*/|\Z)")
_LAST_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])")
_LARGEST = 4 * 2**20
_DEEPEST = 64


def read(text: str, *, name: str, largest: int = _LARGEST) -> tuple[dict[str, Json], tuple[str, ...]]:
    """Give the object in `text`, and the keys that it holds twice (the last one counts). `largest` is in characters.

    Lone surrogates come back as U+FFFD: neither TOML nor a process can carry them. Raises `UnreadableInputError`.
    """
    if len(text) > largest:
        message = f"{quoted(name)} is larger than {largest // 2**20} MiB."
        raise UnreadableInputError(message, hint="Name the file that lists the servers.")
    twice: list[str] = []

    def pairs(found: list[tuple[str, Json]]) -> dict[str, Json]:
        table = dict(found)
        if len(table) != len(found):
            counts = Counter(key for key, _ in found)
            twice.extend(sorted(key for key, count in counts.items() if count > 1))
        return table

    try:
        decoded = _clean(_decoded(text.removeprefix("\ufeff"), pairs), 0)
    except RecursionError:
        raise UnreadableInputError(f"{quoted(name)} is nested too deeply.", hint="Is it a host's file?") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        message = f"{quoted(name)} is not JSON, also when comments are allowed: {safe(error.msg)} at {where}."
        raise UnreadableInputError(message, hint="Correct it there, or name another file.") from None
    except ValueError:
        raise UnreadableInputError(f"{quoted(name)} holds a number that cannot be read.", hint="Correct it.") from None
    if not isinstance(decoded, dict):
        raise UnreadableInputError(f"{quoted(name)} is JSON, but not an object.", hint='It must start with "{".')
    return decoded, tuple(dict.fromkeys(twice))


def _decoded(text: str, pairs: Callable[[list[tuple[str, Json]]], Json]) -> Json:
    """Decode JSON as it stands, which is quick for a large file, and else without comments and last commas."""
    with suppress(json.JSONDecodeError):
        return json.loads(text, object_pairs_hook=pairs)
    return json.loads(_plain(text), object_pairs_hook=pairs)


def _plain(text: str) -> str:
    """Take comments and last commas out, and keep every line where it was, so that error places stay true."""

    def blank(match: re.Match[str]) -> str:
        return match.group(1) or " " + "\n" * match.group().count("\n")

    return _LAST_COMMA.sub(lambda match: match.group(1) or "", _COMMENT.sub(blank, text))


def carried(text: str) -> str:
    """Give text as it comes out of here: lone surrogates are U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _clean(value: Any, depth: int) -> Json:
    if depth > _DEEPEST:
        raise RecursionError
    if isinstance(value, str):
        return carried(value)
    if isinstance(value, Mapping):
        return {_clean(key, depth): _clean(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_clean(inner, depth + 1) for inner in value]
    return value
