"""The page about the protocol names every code that the source can give, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOM = ROOT / "driftwatch" / "watch" / "fetch"
SECTIONS = {
    "Unreachable": "### Unreachable",
    "Refused": "### Refused",
    "Malformed": "### Malformed",
    "ListenEnd": "### The end of listening",
    "Oddity": "## Oddities",
}


def literals(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)


def codes_in_source(name: str) -> set[str]:
    """Collect the first arguments of all calls; oddities are also made by `note`, and from markers' reasons."""
    makers = {"Oddity": {"Oddity", "note", "_marker"}}.get(name, {name})
    found = set()
    for path in ROOM.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if called in makers:
                    found.update(literals(node.args[0]))
    return found


def codes_in_page(name: str) -> set[str]:
    page = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    section = page.split(SECTIONS[name], 1)[1].split("\n#", 1)[0]
    return set(re.findall(r"^\| `([a-z0-9-]+)` \|", section, re.MULTILINE))


@pytest.mark.parametrize("name", SECTIONS)
def test_the_page_and_the_source_name_the_same_codes(name: str) -> None:
    assert codes_in_page(name) == codes_in_source(name)
