"""Where the values of TOML stand in its text. That it is TOML was found out by others: here it is only followed."""

from __future__ import annotations

import re
import tomllib

from driftwatch.config import toml
from driftwatch.config.spans import Language, LostError, Member, Node, following, lost

_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*+")
_SPACE = re.compile(r"[ \t]*")
_KEY = re.compile(r"[A-Za-z0-9_-]+|\"(?:[^\"\\\n]|\\.)*+\"|'[^'\n]*'")
_STRING = re.compile(
    r'"""(?:\\[\s\S]|[^\\])*?"""(?:"{0,2})'
    r"|'''[\s\S]*?'''(?:'{0,2})"
    r'|"(?:[^"\\\n]|\\.)*+"'
    r"|'[^'\n]*'"
)
_PLAIN = re.compile(r"[^,\[\]{}#\"'\r\n=]+")


def blank(text: str, start: int) -> int:
    """Give where whitespace and comments end."""
    match = _BLANK.match(text, start)
    return match.end() if match else start


def scan(text: str) -> Node:
    """Find every value.

    Raises:
        LostError: it is not written in a way that can be followed.

    """
    root = table = Node(0, len(text), members={})
    place = blank(text, 1 if text.startswith("\ufeff") else 0)
    while place < len(text):
        if text[place] == "[":
            double = text.startswith("[[", place)
            keys, place = _keys(text, place + (2 if double else 1))
            place = _expect(text, place, "]]" if double else "]")
            table = _headed(root, [key for key, _ in keys], double=double)
        else:
            place = _pair(text, place, table, lined=True)
        place = blank(text, place)
    return root


def _headed(root: Node, keys: list[str], *, double: bool) -> Node:
    """Give the table of a header; a doubled one is a new item of a list."""
    above = _below(root, keys[:-1])
    if not double:
        return _below(above, keys[-1:])
    held = above.members if above.members is not None else {}
    if keys[-1] not in held:
        held[keys[-1]] = Member(0, 0, Node(0, 0, items=[]))
    items = held[keys[-1]].node.items
    if items is None:
        raise LostError(f"{keys[-1]!r} is no list of tables")
    items.append(Node(0, 0, members={}))
    return items[-1]


def _below(node: Node, keys: list[str]) -> Node:
    """Give the table at a key below another, made where it is not there yet; of a list of tables the last one."""
    for key in keys:
        if node.members is None:
            raise LostError(f"there is no table for {key!r}")
        if key not in node.members:
            node.members[key] = Member(0, 0, Node(0, 0, members={}))
        node = node.members[key].node
        if node.items:
            node = node.items[-1]
    return node


def _pair(text: str, start: int, table: Node, *, lined: bool) -> int:
    """Read one key with its value into a table; give where it ends."""
    keys, place = _keys(text, start)
    node = _value(text, blank(text, _expect(text, place, "=")))
    holder = _below(table, [key for key, _ in keys[:-1]])
    if holder.members is None:
        raise _lost(text, start)
    holder.members[keys[-1][0]] = Member(start, keys[-1][1], node, lined)
    return node.end


def _keys(text: str, start: int) -> tuple[list[tuple[str, int]], int]:
    """Read a key, its parts with where they begin; give where it ends."""
    keys: list[tuple[str, int]] = []
    place = start
    while True:
        place = _space(text, place)
        match = _KEY.match(text, place)
        if match is None:
            raise _lost(text, place)
        word = match.group()
        name = next(iter(tomllib.loads(f"{word} = 0"))) if word[0] in "\"'" else word
        keys.append((name, place))
        place = _space(text, match.end())
        if text[place : place + 1] != ".":
            return keys, place
        place += 1


def _value(text: str, start: int) -> Node:
    opening = text[start : start + 1]
    if opening == "[":
        items: list[Node] = []
        place = blank(text, start + 1)
        while text[place : place + 1] != "]":
            items.append(_value(text, place))
            place = _next(text, items[-1].end, "]")
        return Node(start, place + 1, items=items)
    if opening == "{":
        node = Node(start, start, members={})
        place = blank(text, start + 1)
        while text[place : place + 1] != "}":
            place = _next(text, _pair(text, place, node, lined=False), "}")
        node.end = place + 1
        return node
    match = (_STRING if opening in {'"', "'"} else _PLAIN).match(text, start)
    if match is None:
        raise _lost(text, start)
    return Node(start, start + len(match.group().rstrip(" \t")))


def _next(text: str, end: int, closing: str) -> int:
    return following(text, end, closing, blank, "TOML")


def _space(text: str, start: int) -> int:
    match = _SPACE.match(text, start)
    return match.end() if match else start


def _expect(text: str, start: int, word: str) -> int:
    place = _space(text, start)
    if not text.startswith(word, place):
        raise _lost(text, place)
    return place + len(word)


def _lost(text: str, place: int) -> LostError:
    return lost(text, place, "TOML")


def _member(name: str) -> str:
    return f"{toml.key(name)} = "


TOML = Language(scan=scan, string=toml.string, member=_member, blank=blank)
"""TOML."""
