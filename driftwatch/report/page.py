"""All that a server shows, laid out for reading before a decision: nothing is cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from driftwatch.judge.hints import HINTS
from driftwatch.judge.snapshot import LISTS
from driftwatch.model import Item, Json, Kind, Snapshot
from driftwatch.report.cut import shown
from driftwatch.report.excerpt import value_text
from driftwatch.report.hinttable import hint_words
from driftwatch.report.lines import Line, Piece, Style, paint, wrap
from driftwatch.report.prose import fact_lines, heading, text_lines
from driftwatch.report.schema import accepts, schema_lines
from driftwatch.report.started import started_lines, title_of

_LISTS = tuple(kind for kind, _ in LISTS.values())
_ASKED = tuple(kind for kind in _LISTS if kind not in {Kind.ENTRY, Kind.PROMPT_BODY})
"""The lists that a server is asked for."""
_KEY_FIELDS = dict(LISTS.values())


def to_page(items: Sequence[Item], *, colour: bool, width: int = 80) -> str:
    """Give items for a terminal, `width` cells wide, each after a blank line: all that a model is shown of them."""
    lines: list[Line] = []
    for item in items:
        lines += [(), *item_lines(item, width=width)]
    return "".join(paint(line, colour=colour) + "\n" for line in lines)


def in_order(snapshot: Snapshot) -> tuple[Item, ...]:
    """Give the items in the order of reading: how it is reached, the server, tools, prompts, resources, templates."""
    return tuple(item for kind in (Kind.LAUNCH, Kind.SERVER, *_LISTS) for item in snapshot.of(kind))


def contents(snapshot: Snapshot) -> str:
    """Say how much there is to read, `2 tools, 1 prompt, 1,234 characters in all`, and what was not looked at."""
    counts = [_number(len(snapshot.of(kind)), kind.noun, kind.nouns) for kind in _LISTS if snapshot.of(kind)]
    size = sum(characters(item.raw) for item in snapshot.items if item.kind is not Kind.LAUNCH)
    asked = () if Kind.ENTRY in snapshot.sections else _ASKED
    unseen = [kind.nouns for kind in asked if kind not in snapshot.sections]
    missing = f" (not looked at: {', '.join(unseen)})" if unseen else ""
    return f"{', '.join(counts) or 'no items'}, {_number(size, 'character', 'characters')} in all{missing}"


def characters(value: Json) -> int:
    """Count the characters of all strings in a value, and of all names in it."""
    count, left = 0, [value]
    while left:
        one = left.pop()
        if isinstance(one, str):
            count += len(one)
        elif isinstance(one, dict):
            count += sum(len(name) for name in one)
            left.extend(one.values())
        elif isinstance(one, list):
            left.extend(one)
    return count


def item_lines(item: Item, *, width: int) -> Iterator[Line]:
    """Give the lines of one item."""
    name = shown(item.key, len(item.key)) or ("" if item.kind in {Kind.SERVER, Kind.LAUNCH} else "(without a name)")
    word = title_of(item.raw) if item.kind is Kind.LAUNCH else item.kind.noun
    pieces = [Piece(f"{word} ", Style.QUIET), Piece(name, Style.STRONG)]
    yield from wrap(pieces, width=width, rest="  ")
    if not isinstance(item.raw, dict):
        yield from text_lines(value_text(item.raw), 1, width=width)
        return
    rest = dict(item.raw)
    field = _KEY_FIELDS.get(item.kind)
    if field is not None and rest.get(field) == item.key:
        del rest[field]
    if item.kind in {Kind.LAUNCH, Kind.ENTRY}:
        yield from started_lines(rest, width=width)
    if isinstance(rest.get("title"), str):
        yield from fact_lines("title", rest.pop("title"), 1, width=width)
    yield from _texts(rest, ("description", "instructions"), width=width)
    yield from _schemas(rest, width=width)
    yield from _arguments(rest, width=width) if item.kind is Kind.PROMPT else ()
    yield from _hints(rest, width=width) if item.kind is Kind.TOOL else ()
    for key, value in rest.items():
        yield from _rest(key, value, width=width)


def _texts(rest: dict[str, Json], keys: Iterable[str], *, width: int) -> Iterator[Line]:
    """Give the texts of an item, and take them out of what is left."""
    for key in keys:
        if isinstance(rest.get(key), str):
            text = rest.pop(key)
            yield from heading(f"{key} ({_number(len(text), 'character', 'characters')})", 1, width=width)
            yield from text_lines(text, 2, width=width)


def _schemas(rest: dict[str, Json], *, width: int) -> Iterator[Line]:
    """Give what a tool takes and what it returns."""
    for key, word in (("inputSchema", "parameters"), ("outputSchema", "returns")):
        if not isinstance(rest.get(key), dict):
            continue
        schema = rest.pop(key)
        words = accepts(schema)
        if words == "object" and all(key == "type" or value in ({}, []) for key, value in schema.items()):
            yield from heading(f"{word}: none", 1, width=width)
            continue
        yield from heading(word if words == "object" else f"{word}: {words}", 1, width=width)
        yield from schema_lines(schema, 2, width=width)


def _arguments(rest: dict[str, Json], *, width: int) -> Iterator[Line]:
    """Give the arguments of a prompt."""
    arguments = rest.get("arguments")
    if not isinstance(arguments, list) or not all(isinstance(one, dict) for one in arguments):
        return
    del rest["arguments"]
    yield from heading("arguments" if arguments else "arguments: none", 1, width=width)
    for argument in arguments:
        left = dict(argument)
        name = value_text(left.pop("name", ""))
        asked = "  required" if left.get("required") is True else ""
        pieces = [Piece(shown(name, len(name)), Style.STRONG), Piece(asked)]
        yield from wrap(pieces, width=width, first="    ", rest="      ")
        if asked:
            del left["required"]
        for key in ("title", "description"):
            if isinstance(left.get(key), str):
                yield from text_lines(left.pop(key), 3, width=width)
        for key, value in left.items():
            yield from fact_lines(key, value, 3, width=width)


def _hints(rest: dict[str, Json], *, width: int) -> Iterator[Line]:
    """Say of each hint what was said, or what counts where nothing was."""
    annotations = rest.get("annotations", {})
    if not isinstance(annotations, dict):
        return
    rest.pop("annotations", None)
    yield from heading("hints", 1, width=width)
    for hint in HINTS:
        words = Piece(hint_words(annotations, hint), Style.QUIET if hint not in annotations else Style.PLAIN)
        yield from wrap([Piece(f"{hint}  ".ljust(17)), words], width=width, first="    ", rest="      ")
    for key, value in annotations.items():
        if key not in HINTS:
            yield from fact_lines(key, value, 2, width=width)


def _rest(key: str, value: Json, *, width: int) -> Iterator[Line]:
    """Give what has no place of its own; small objects key by key."""
    if not isinstance(value, dict) or not value:
        yield from fact_lines(key, value, 1, width=width)
        return
    yield from heading(shown(key, len(key)), 1, width=width)
    for name, part in value.items():
        yield from fact_lines(name, part, 2, width=width)


def _number(count: int, one: str, more: str) -> str:
    """Say how many there are: `1 tool`, `1,234 characters`."""
    return f"{count:,} {one if count == 1 else more}"
