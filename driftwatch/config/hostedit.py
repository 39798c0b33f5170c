"""Putting the witness before the commands in a host's file, and taking it out again, in the text of the file.

Only the values of command and args change: comments, order, spaces, line ends and everything else of the file stay, and
what cannot be done so is not done. Each new text is decoded, and must say exactly what it should. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from driftwatch.config import shapes
from driftwatch.config.shapes import line_of, plain
from driftwatch.config.spans import Edit, Language, LostError, Member, Node, at, beside, edited, without
from driftwatch.config.spans_json import JSON
from driftwatch.config.spans_toml import TOML
from driftwatch.config.words import quoted
from driftwatch.config.wrapped import Wrapped, read_back
from driftwatch.errors import UnreadableInputError
from driftwatch.model import Json

LARGEST = 32 * 2**20
"""Characters that a file may have: one that keeps its whole state beside its servers can be large."""

Place: TypeAlias = tuple[str, ...]

REMOTE = "it is a remote server"
"""Why a server with a URL cannot be wrapped."""

_INTACT = "Nothing was written. Edit the file by hand: docs/witness.md says how a wrapped command is written."


@dataclass(frozen=True, slots=True)
class Launch:
    """One server of a host's file.

    `line` is its command line as the file has it, its program first, empty where it has none, and `wrapped` what that
    wraps, if it does. `variables` are the names that its `env` sets. `why` says why its command cannot be wrapped,
    empty where it can be.
    """

    place: Place
    line: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    wrapped: Wrapped | None = None
    url: str = ""
    why: str = ""

    @property
    def name(self) -> str:
        """What the host calls it."""
        return self.place[-1]


@dataclass(frozen=True, slots=True)
class Change:
    """What was changed of one server: its line, and how command and args are spelled in the text, before and after.

    `args` is None where there were none.
    """

    place: Place
    line: tuple[str, ...]
    new_line: tuple[str, ...]
    command: str
    new_command: str
    args: str | None
    new_args: str


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where the command of one server stands: the object that holds it, its key there, and the arguments."""

    holder: Place
    key: str
    table: Node
    command: Member
    args: Member | None


def launches(text: str, *, name: str) -> tuple[Launch, ...]:
    """Give all servers of a host's file, in its order. `name` decides between JSON and TOML.

    Raises:
        UnreadableInputError: it is neither, or too large.

    """
    shape = shapes.read(text, name=name, largest=LARGEST)
    return tuple(
        _launch((*place, key), raw)
        for place, servers in shape.sections
        if isinstance(servers, Mapping)
        for key, raw in servers.items()
    )


def wrap(text: str, wanted: Mapping[Place, Sequence[str]], *, name: str) -> tuple[str, tuple[Change, ...]]:
    """Put words before the command lines of some servers: the first becomes the command, the rest arguments.

    Raises:
        UnreadableInputError: it cannot be done without changing anything else.

    """
    language, document, root = _read(text, name)
    edits: list[Edit] = []
    changes: list[Change] = []
    for place, words in wanted.items():
        spot = _spot(root, document, place, name)
        raw = _entry(document, place)
        line = line_of(plain(raw))
        held = text[spot.command.node.start : spot.command.node.end]
        front = ", ".join([*map(language.string, words[1:]), held])
        edits.append((spot.command.node.start, spot.command.node.end, language.string(words[0])))
        if spot.args is None:
            new_args = f"[{front}]"
            edits.append(beside(text, language, spot.command, "args", new_args))
        else:
            put, new_args = _in_front(text, spot.args.node, front)
            edits.append(put)
        old = None if spot.args is None else text[spot.args.node.start : spot.args.node.end]
        changes.append(
            Change(place, line, (*words, *line), held, language.string(words[0]), old, new_args),
        )
        _set(document, spot, words[0], [*words[1:], line[0], *_arguments(document, spot)])
    return _checked(edited(text, edits), document, name), tuple(changes)


def unwrap(
    text: str, ours: Sequence[Change] | None, *, name: str
) -> tuple[str, tuple[Launch, ...], tuple[Launch, ...]]:
    """Take the witness out again. Of `ours` only what they did; where nothing is known any more (None), all of it.

    Gives the text, the servers that were wrapped and are no more, and those wrapped ones that were left alone.

    Raises:
        UnreadableInputError: it cannot be done without changing anything else.

    """
    language, document, root = _read(text, name)
    done: list[Launch] = []
    left: list[Launch] = []
    edits: list[Edit] = []
    for launch in launches(text, name=name):
        if launch.wrapped is None:
            continue
        change = _of(launch, ours or ())
        if change is None and ours is not None:
            left.append(launch)
            continue
        spot = _spot(root, document, launch.place, name)
        edits += _taken_out(text, language, spot, launch, change)
        words = _arguments(document, spot)
        rest = words[len(words) - len(launch.wrapped.command) + 1 :]
        gone = not rest and change is not None and change.args is None
        _set(document, spot, launch.wrapped.command[0], None if gone else rest)
        done.append(launch)
    return _checked(edited(text, edits), document, name), tuple(done), tuple(left)


def _launch(place: Place, raw: Json) -> Launch:
    if not isinstance(raw, Mapping):
        return Launch(place, why="it is not an object")
    entry = plain(raw)
    env, url, line = entry.get("env"), entry.get("url"), line_of(entry)
    launch = Launch(
        place,
        line,
        tuple(env) if isinstance(env, Mapping) else (),
        read_back(line),
        url if isinstance(url, str) else "",
    )
    return replace(launch, why=next(_why(raw, entry, launch), ""))


def _why(raw: Mapping[str, Json], entry: Mapping[str, Json], launch: Launch) -> Iterator[str]:
    """Say why a server cannot be wrapped, the first reason first."""
    if entry.get("disabled") is True or entry.get("enabled") is False:
        yield "it is switched off in the host"
    if launch.url and not entry.get("command"):
        yield REMOTE
    if not launch.line:
        yield "it has no command that is text with a list of arguments"
        return
    if launch.url:
        yield "it has both a command and a URL"
    if launch.wrapped is not None:
        yield f"it is witnessed already, as {launch.wrapped.server} in {launch.wrapped.host}"
    if isinstance(raw["command"], Mapping) and "args" in raw and "args" not in raw["command"]:
        yield "its arguments stand apart from its command"
    if launch.line[0].startswith("~"):
        yield "its command starts with ~, which only the host can read: write the whole path"
    if re.search(r"\s", launch.line[0]) and not launch.line[0].startswith("/"):
        yield "its command has spaces in it, as for a shell: write its arguments into args"


def _read(text: str, name: str) -> tuple[Language, dict[str, Json], Node]:
    language = TOML if shapes.is_toml(name) else JSON
    document, _ = shapes.document(text, name=name, largest=LARGEST)
    try:
        return language, document, language.scan(text)
    except (LostError, RecursionError) as error:
        raise UnreadableInputError(f"{quoted(name)} cannot be edited safely: {error}.", hint=_INTACT) from None


def _entry(document: Json, place: Place) -> dict[str, Any]:
    for key in place:
        document = document[key]
    found: dict[str, Any] = document
    return found


def _spot(root: Node, document: Mapping[str, Json], place: Place, name: str) -> _Spot:
    nested = isinstance(_entry(document, place).get("command"), Mapping)
    holder, key = ((*place, "command"), "path") if nested else (place, "command")
    try:
        table = at(root, holder)
        at(table, (key,))
    except LostError as error:
        raise UnreadableInputError(f"{quoted(name)} cannot be edited safely: {error}.", hint=_INTACT) from None
    members = table.members or {}
    return _Spot(holder, key, table, members[key], members.get("args"))


def _arguments(document: Mapping[str, Json], spot: _Spot) -> list[Any]:
    return list(_entry(document, spot.holder).get("args", []))


def _set(document: dict[str, Json], spot: _Spot, command: str, args: list[Any] | None) -> None:
    """Say what the text is to mean."""
    held = _entry(document, spot.holder)
    held[spot.key] = command
    if args is None:
        held.pop("args", None)
    else:
        held["args"] = args


def _in_front(text: str, args: Node, front: str) -> tuple[Edit, str]:
    """Give the edit that puts words before a list's own, and how the list is spelled then."""
    place, put = (args.items[0].start, f"{front}, ") if args.items else (args.start + 1, front)
    return (place, place, put), text[args.start : place] + put + text[place : args.end]


def _of(launch: Launch, ours: Iterable[Change]) -> Change | None:
    """Find the change that wrapped a server: by its whole line, else by its place in the file."""
    known = list(ours)
    same = [one for one in known if one.new_line == launch.line]
    return next(iter([one for one in same if one.place == launch.place] or same), None) or next(
        (one for one in known if one.place == launch.place), None
    )


def _taken_out(text: str, language: Language, spot: _Spot, launch: Launch, change: Change | None) -> list[Edit]:
    """Give the edits that unwrap one server, in the spelling that it had."""
    command, args = spot.command.node, spot.args
    if args is None or args.node.items is None or launch.wrapped is None:
        raise UnreadableInputError(f"{quoted(launch.name)} cannot be edited safely.", hint=_INTACT)
    items, inner = args.node.items, launch.wrapped.command
    own = len(items) - len(inner) + 1
    held = text[items[own - 1].start : items[own - 1].end]
    if change is not None and change.line[0] == inner[0]:
        held = change.command
    edits: list[Edit] = [(command.start, command.end, held)]
    if change is not None and change.args is None and len(inner) == 1:
        return edits + without(text, language, spot.table, "args")
    if change is not None and change.args is not None and change.new_args == text[args.node.start : args.node.end]:
        return [*edits, (args.node.start, args.node.end, change.args)]
    if len(inner) > 1:
        return [*edits, (items[0].start, items[own].start, "")]
    comma = language.blank(text, items[-1].end)
    end = comma + 1 if text[comma] == "," else items[-1].end
    return [*edits, (items[0].start, end, "")]


def _checked(text: str, document: Mapping[str, Json], name: str) -> str:
    """Give the text if it says what it is to say.

    Raises:
        UnreadableInputError: it does not.

    """
    try:
        found, _ = shapes.document(text, name=name, largest=LARGEST + 2**20)
    except UnreadableInputError:
        found = {}
    if found != document:
        message = f"{quoted(name)} cannot be edited safely: its text is written in an unusual way."
        raise UnreadableInputError(message, hint=_INTACT)
    return text
