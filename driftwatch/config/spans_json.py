"""Where the values of JSON with comments and trailing commas stand in its text."""

from __future__ import annotations

import json
import re

from driftwatch.config.jsonc import carried
from driftwatch.config.spans import Language, LostError, Member, Node, following, lost

_BLANK = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*[\s\S]*?\*/)*+")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*+"')
_PLAIN = re.compile(r"[^\s,\[\]{}\"/:]+")


def blank(text: str, start: int) -> int:
    """Give where whitespace and comments end."""
    match = _BLANK.match(text, start)
    return match.end() if match else start


def scan(text: str) -> Node:
    """Find every value. Of a key that stands twice the last one counts, as for those who read it.

    Raises:
        LostError: it is no object, or not written as one that can be followed.

    """
    node = _value(text, blank(text, 1 if text.startswith("\ufeff") else 0))
    if node.members is None:
        raise LostError("it is no object")
    return node


def _value(text: str, start: int) -> Node:
    opening = text[start : start + 1]
    if opening == "{":
        return _object(text, start)
    if opening == "[":
        return _list(text, start)
    match = (_STRING if opening == '"' else _PLAIN).match(text, start)
    if match is None:
        raise _lost(text, start)
    return Node(start, match.end())


def _object(text: str, start: int) -> Node:
    members: dict[str, Member] = {}
    place = blank(text, start + 1)
    while text[place : place + 1] != "}":
        key = _STRING.match(text, place)
        colon = blank(text, key.end()) if key else place
        if key is None or text[colon : colon + 1] != ":":
            raise _lost(text, place)
        node = _value(text, blank(text, colon + 1))
        name = carried(json.loads(key.group()))
        members.pop(name, None)
        members[name] = Member(place, place, node)
        place = _next(text, node.end, "}")
    return Node(start, place + 1, members=members)


def _list(text: str, start: int) -> Node:
    items: list[Node] = []
    place = blank(text, start + 1)
    while text[place : place + 1] != "]":
        items.append(_value(text, place))
        place = _next(text, items[-1].end, "]")
    return Node(start, place + 1, items=items)


def _next(text: str, end: int, closing: str) -> int:
    return following(text, end, closing, blank, "JSON")


def _lost(text: str, place: int) -> LostError:
    return lost(text, place, "JSON")


def _member(name: str) -> str:
    return f"{json.dumps(name)}: "


JSON = Language(scan=scan, string=json.dumps, member=_member, blank=blank)
"""JSON, with comments and trailing commas."""
