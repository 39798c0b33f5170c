"""Where the values of a text stand in it, so that one can be put in the place of another and all else stays.

Offsets are in characters of the text. The two languages are in `spans_json` and `spans_toml`; what a text means is read
by `shapes`, and here only found. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias


class LostError(ValueError):
    """The text cannot be followed; the message says where."""


@dataclass(slots=True)
class Node:
    """A value: where it begins and ends. An object has `members`, a list has `items`; nothing else has either.

    A table of TOML may be written in several places: its own begin and end mean nothing.
    """

    start: int
    end: int
    members: dict[str, Member] | None = None
    items: list[Node] | None = None


@dataclass(slots=True)
class Member:
    """A value with its key: where the key begins, and its last part, which is all of it but for TOML's dotted keys.

    `lined` says that it is on a line of its own, with no comma to any other.
    """

    key: int
    name: int
    node: Node
    lined: bool = False


@dataclass(frozen=True, slots=True)
class Language:
    """How one of the languages is read and written.

    `scan` gives the outermost object and raises `LostError`; `string` and `member` spell a string, and a key before its
    value; `blank` gives where whitespace and comments end that begin at an offset.
    """

    scan: Callable[[str], Node]
    string: Callable[[str], str]
    member: Callable[[str], str]
    blank: Callable[[str, int], int]


Edit: TypeAlias = tuple[int, int, str]
"""Begin and end of what is taken out, and what comes there."""


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Give the text with all edits made. They must not overlap; all offsets are those of `text`."""
    for start, end, put in sorted(edits, reverse=True):
        text = text[:start] + put + text[end:]
    return text


def following(text: str, end: int, closing: str, blank: Callable[[str, int], int], name: str) -> int:
    """Give where the next value of a list or an object begins, or its closing bracket stands, behind one that ended.

    Raises:
        LostError: neither is there; `name` is what the language is called.

    """
    place = blank(text, end)
    if text[place : place + 1] == ",":
        return blank(text, place + 1)
    if text[place : place + 1] != closing:
        raise lost(text, place, name)
    return place


def lost(text: str, place: int, name: str) -> LostError:
    """Say at which line a text is not what a language would have there."""
    return LostError(f"line {text.count(chr(10), 0, place) + 1} is not what {name} would have there")


def at(node: Node, place: Iterable[str]) -> Node:
    """Give the value at a place below an object; raises `LostError` where there is none."""
    for key in place:
        if node.members is None or key not in node.members:
            raise LostError(f"there is no {key!r}")
        node = node.members[key].node
    return node


def beside(text: str, language: Language, member: Member, name: str, value: str) -> Edit:
    """Give the edit that puts another member right behind one, written in the way that one is."""
    spelled = language.member(name) + value
    start = text.rfind("\n", 0, member.key) + 1
    indent = text[start : member.name]
    if member.lined:
        end = _line_end(text, member.node.end)
        return end, end, f"{_newline(text, end)}{indent}{spelled}"
    end = member.node.end
    gap = f"{_newline(text, start - 1)}{indent}" if start and not indent.strip() else " "
    return end, end, f",{gap}{spelled}"


def without(text: str, language: Language, table: Node, name: str) -> list[Edit]:
    """Give the edits that take a member out, with its comma. Comments about others stay."""
    members = table.members or {}
    member = members[name]
    start, end = member.key, member.node.end
    if member.lined:
        begin, stop = text.rfind("\n", 0, start) + 1, _line_end(text, end)
        if stop < len(text):
            return [(begin, text.index("\n", stop) + 1, "")]
        return [(begin - (2 if text[begin - 2 : begin] == "\r\n" else 1 if begin else 0), stop, "")]
    gap = len(text[:start].rstrip(" \t\r\n"))
    before = max((one.node.end for one in members.values() if one.node.end <= start), default=0)
    if before:
        comma = language.blank(text, before)
        return [(comma, end, "")] if comma + 1 == gap else [(comma, comma + 1, ""), (gap, end, "")]
    follows = language.blank(text, end)
    if text[follows : follows + 1] == ",":
        return [(start, language.blank(text, follows + 1), "")]
    return [(start, end, "")]


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    return end - 1 if end > start and text[end - 1] == "\r" else end


def _newline(text: str, near: int) -> str:
    r"""Give the line end that is used at a place: `\n` or `\r\n`."""
    end = text.find("\n", max(near, 0))
    end = text.find("\n") if end < 0 else end
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"
