"""What people are told to type has no word in it that a shell reads as anything but that word."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from driftwatch.cli.app import COMMANDS
from driftwatch.model.commands import command, is_offered

PACKAGE = Path(__file__).resolve().parent.parent / "driftwatch"
_VALUE = "\0"
"""Stands for a value in a text that is put together."""
_VERB = rf"driftwatch (?:{'|'.join(map(re.escape, sorted(COMMANDS)))})\b[A-Za-z0-9 _\"'=./…{_VALUE}-]*"
_BY_HAND = re.compile(f"{_VERB}{_VALUE}")
_LAID_OUT = re.compile(r"\{[A-Za-z0-9_.\[\]]*\}")
_IN_A_TEMPLATE = re.compile(rf"{_VERB}\{{\{{")

HOSTILE = [
    "plain",
    "two words",
    "$(touch X)",
    "`touch X`",
    "a; touch X",
    "a && touch X",
    "a | sh",
    '" --yes "',
    "' --yes '",
    "$HOME",
    "!history",
    "*",
    "~root",
    "#",
    "\\",
    "a\\",
    "<in >out",
    "{a,b}",
    "",
    "客户端 é",
    "--yes",
    "a" * 4_000,
]
UNSEEN = ["a\nb", "a\rb", "\x1b[2J", "a\x00b", "a\u202eb", "a\u2066b", "a\u200bb", "\ud800", "a\u2028b", "\u3164"]
ESCAPED = ["\\u{202E}", "e" + "\u0301" * 6, "a\ufe0f", "a\u2800"]


@pytest.mark.parametrize("word", HOSTILE)
def test_a_word_of_somebody_elses_is_just_that_word_to_a_shell(word: str) -> None:
    line = command("show", "notes", "--as", f"witness of {word}", "--digest", word)

    assert shlex.split(line) == ["driftwatch", "show", "notes", "--as", f"witness of {word}", "--digest", word]


@pytest.mark.parametrize("word", [*UNSEEN, *ESCAPED])
def test_a_word_that_does_not_read_as_it_is_is_offered_in_no_command(word: str) -> None:
    assert not is_offered(word)
    assert command("import", word) == "driftwatch import --help"
    assert command("witness", "forget", "notes", word) == "driftwatch witness forget --help"


def test_nowhere_is_a_command_put_together_by_hand_with_a_value_in_it() -> None:
    found = [
        f"{file.relative_to(PACKAGE)}:{line}"
        for file in sorted(PACKAGE.rglob("*.py"))
        for line in by_hand(file.read_text())
    ]
    found += [
        f"{file.relative_to(PACKAGE)}: {match.group()}"
        for file in sorted(PACKAGE.rglob("*.html"))
        for match in _IN_A_TEMPLATE.finditer(file.read_text())
    ]

    assert not found, "use driftwatch.model.commands.command"


@pytest.mark.parametrize(
    "source",
    [
        'f"See: driftwatch diff {server}"',
        "f'driftwatch show {server} --as \"witness of {host}\" --digest {digest}'",
        '"driftwatch diff " + server',
        '"Run: driftwatch lock write {0}".format(server)',
        '"driftwatch diff %s" % server',
        '" ".join(["driftwatch diff", server])',
    ],
)
def test_a_command_that_is_put_together_by_hand_is_seen(source: str) -> None:
    assert list(by_hand(source)) == [1]


@pytest.mark.parametrize(
    "source",
    ['"See: driftwatch status"', 'f"driftwatch failed ({error})"', 'f"{count} looks. See: driftwatch status"'],
)
def test_what_is_no_command_with_a_value_is_left_alone(source: str) -> None:
    assert not list(by_hand(source))


def by_hand(source: str) -> Iterator[int]:
    """Give the lines on which a text with a command has a value behind it."""
    for node in ast.walk(ast.parse(source)):
        if any(_BY_HAND.search(text) for text in _texts(node)):
            yield node.lineno  # type: ignore[attr-defined]


def _texts(node: ast.AST) -> Iterator[str]:
    """Give texts that are put together, with a mark where a value goes in."""
    match node:
        case ast.JoinedStr():
            yield "".join(part.value if isinstance(part, ast.Constant) else _VALUE for part in node.values)  # type: ignore[misc]
        case ast.BinOp(left=ast.Constant(value=str() as text), op=ast.Add()):
            yield text + _VALUE
        case ast.BinOp(left=ast.Constant(value=str() as text), op=ast.Mod()):
            yield text.replace("%s", _VALUE)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str() as text), attr="format")):
            yield _LAID_OUT.sub(_VALUE, text)
        case ast.List(elts=[ast.Constant(value=str() as text), *_]):
            yield f"{text} {_VALUE}" if len(node.elts) > 1 else text
        case ast.Assign(value=ast.Constant(value=str() as text)):
            yield _LAID_OUT.sub(_VALUE, text)
        case ast.AnnAssign(value=ast.Constant(value=str() as text)):
            yield _LAID_OUT.sub(_VALUE, text)
        case _:
            return
