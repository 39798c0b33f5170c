"""What a published attack is compared with: the same tool without the poison, or the list that it came to.

Most samples were published as one tool, without the tool that a person approved. Where the sample says where the
poison stands, and a mark bounds it or the text begins with a sentence that says what the tool does, the baseline is the
tool without it. Elsewhere cutting would leave a part of the poison in the baseline: the tool then arrives as a new one
beside an approved list.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.detection.measured.sources import Shelf

GIVEN = "published with its baseline"
CUT = "poison cut out"
NEW = "new tool beside an approved list"

_TAG: Final = re.compile(r"<(\w+)[^>]*>.*?</\1>|\[(\w+)\].*?\[/\2\]", re.DOTALL)
_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
_DEED: Final = re.compile(r"(?!This\b|Always\b)[A-Z][a-z]+s\s")
"""How a sentence begins that says what a tool does: with a verb in the third person."""
_SENTENCE: Final = re.compile(r"(?<=[.!?。！？])\s+")


@dataclass(frozen=True)
class Pair:
    """Two listings, how the first was made, and what the second gained, as far as it is known."""

    how: str
    before: dict[str, Any]
    live: dict[str, Any]
    text: str


def pair(row: Mapping[str, Any], shelf: Shelf) -> Pair:
    """Make the pair of one published attack."""
    tool = row["tool"]
    said = tool.get("description") or ""
    beside = shelf.beside(said, without=(tool["name"],))
    was = row.get("baseline_tool")
    how = GIVEN if was else CUT
    was = was or cut(tool, row["injection_location"])
    if was is None:
        how = NEW
    before = [was, *beside] if was else beside
    text = row.get("injected_text") or said
    return Pair(
        how,
        {"tools": before},
        {"tools": [tool, *beside]},
        text or json.dumps(tool.get("inputSchema"), ensure_ascii=False),
    )


def cut(tool: Mapping[str, Any], places: list[str]) -> dict[str, Any] | None:
    """Give the tool without what stands at some places; None where nothing says where the poison ends."""
    said = tool.get("description") or ""
    for place in sorted(places, key=lambda one: one.startswith("description.")):
        left = _IN_TEXT.get(place, _first_sentence if place.startswith("description.") else str)(said).strip()
        if left and left != said:
            return {**tool, "description": left}
        if place in _IN_SCHEMA:
            schema = _without(tool.get("inputSchema"), _IN_SCHEMA[place])
            if schema != tool.get("inputSchema"):
                return {**tool, "inputSchema": schema}
    return None


def _first_sentence(text: str) -> str:
    """Give the first of several sentences where it says what the tool does; otherwise the whole text."""
    first = _SENTENCE.split(text.strip(), maxsplit=1)[0]
    return first if _DEED.match(first) else text


def _seen(text: str) -> str:
    """Give the characters that show: no controls of format, tags, variation selectors or private use."""
    shown = (char for char in text if unicodedata.category(char) not in {"Cf", "Co", "Cn"})
    return "".join(char for char in shown if not 0xFE00 <= ord(char) <= 0xFE0F and not 0xE0100 <= ord(char) <= 0xE01EF)


_IN_TEXT: Final[Mapping[str, Callable[[str], str]]] = {
    "pseudo_tag": lambda text: _TAG.sub("", text),
    "html_comment": lambda text: _COMMENT.sub("", text),
    "unicode.invisible": _seen,
}
"""What bounds poison in a description: taking it out leaves the tool's own text."""

_IN_SCHEMA: Final[Mapping[str, str]] = {
    "schema.description": "description",
    "schema.default": "default",
    "schema.enum": "enum",
    "param_name": "properties",
}


def _without(schema: Any, keyword: str) -> Any:
    """Give a schema without one keyword at any depth; a parameter that is called like the keyword stays."""
    if isinstance(schema, list):
        return [_without(one, keyword) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: value for name, value in schema.items() if name != keyword}
    return {
        name: {key: _without(one, keyword) for key, one in value.items()}
        if name == "properties" and isinstance(value, dict)
        else _without(value, keyword)
        for name, value in kept.items()
    }
