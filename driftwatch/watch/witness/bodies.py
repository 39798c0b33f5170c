"""What `prompts/get` gave, without what the user put in. Pure."""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections.abc import Mapping
from urllib.parse import quote, quote_plus

from driftwatch.model import Json

MOST_MESSAGES = 200
LONGEST_TEXT = 1 << 16
"""Code points of one text that are kept of a body."""

_SHORT = 4
"""Values shorter than this are replaced as whole words only: a single letter stands everywhere."""

_LARGE = frozenset({"data", "blob"})
"""Keys under which pictures, sounds and files stand; no text is read out of them."""


def body_of(messages: list[Json], arguments: Json) -> list[Json]:
    """Give a prompt's messages with the values of its arguments replaced by `{name}`, and large values cut.

    So the user's words are not recorded, and bodies of one prompt can be compared.
    """
    values = _spellings(arguments if isinstance(arguments, dict) else {})
    return [_without(message, values) for message in messages[:MOST_MESSAGES]]


def _spellings(arguments: Mapping[str, Json]) -> dict[str, str]:
    """Give each value as a body may hold it, and its placeholder."""
    found: dict[str, str] = {}
    for name, value in arguments.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        quoted = text.encode("utf-8", "replace")
        ways = (text, text.strip(), html.escape(text), quote(quoted), quote(quoted, safe=""), quote_plus(quoted))
        inner = (json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])
        for way in (*ways, *inner):
            if way.strip():
                found.setdefault(way, f"{{{name}}}")
    return found


def _without(value: Json, values: dict[str, str]) -> Json:
    pattern = _pattern(values)

    def walk(one: Json, key: str = "") -> Json:
        if isinstance(one, str):
            if key in _LARGE:
                return _cut(one) if len(one) > LONGEST_TEXT else one
            plain = pattern.sub(lambda found: values.get(found[0], values.get(found[0].strip(), "")), one)
            return plain if len(plain) <= LONGEST_TEXT else plain[:LONGEST_TEXT] + _cut(plain)
        if isinstance(one, dict):
            return {name: walk(inner, name) for name, inner in one.items()}
        if isinstance(one, list):
            return [walk(inner) for inner in one]
        return one

    return walk(value)


def _pattern(values: dict[str, str]) -> re.Pattern[str]:
    """Match any of the values, the longest first: one may lie within another."""
    longest = sorted(values, key=lambda value: (-len(value), value))
    return re.compile("|".join(_one(value) for value in longest) or r"(?!)")


def _one(value: str) -> str:
    spelled = re.escape(value)
    return spelled if len(value) >= _SHORT else rf"(?<!\w){spelled}(?!\w)"


def _cut(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"… {len(text)} characters in all, sha256:{digest}"
