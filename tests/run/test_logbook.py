"""The catalogue of log lines, held against the code that writes them and the document that lists them."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from driftwatch.run.logbook import LINES, render
from driftwatch.run.tracing import FACTS

ROOT = Path(__file__).resolve().parents[2]
LEVELS = {
    "debug": "debug",
    "info": "info",
    "warning": "warning",
    "error": "error",
    "critical": "critical",
    "exception": "error",
}
GIVEN = {"exc_info"}
"""Keys that become others in every line."""


@dataclass
class Written:
    """What the code writes under one action. `is_open` where a level or a key is worked out as it runs."""

    levels: set[str] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    any_level: bool = False
    any_key: bool = False


@cache
def calls() -> tuple[tuple[str, str, str, ast.Call], ...]:
    """Give every call in what logs or traces: where it is, of what it is asked, its name, and the call."""
    found = []
    for path in sorted((ROOT / "driftwatch").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "structlog" not in text and "spans" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
                of = node.func.value if isinstance(node.func, ast.Attribute) else None
                name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
                where = f"{path.relative_to(ROOT)}:{node.lineno}"
                found.append((where, of.id if isinstance(of, ast.Name) else "", name, node))
    return tuple(found)


@cache
def written() -> dict[str, Written]:
    found: defaultdict[str, Written] = defaultdict(Written)
    for where, _, name, call in (one for one in calls() if one[1] == "log"):
        named = {word.arg: word.value for word in call.keywords if word.arg}
        action = named.pop("action", None)
        assert isinstance(action, ast.Constant), f"{where}: a line needs its action, written out"
        line = found[str(action.value)]
        line.keys |= named.keys() - GIVEN
        line.any_key |= any(word.arg is None for word in call.keywords)
        line.any_level |= name == "log"
        line.levels |= {LEVELS[name]} if name != "log" else set()
    return found


def test_every_line_that_the_code_writes_is_in_the_catalogue_and_the_other_way_round() -> None:
    actions = [line.action for line in LINES]

    assert actions == sorted(set(actions))
    assert sorted([*written(), "library"]) == actions, "see driftwatch/run/logbook.py, and write docs/logs.md anew"


def test_levels_and_keys_of_the_catalogue_are_those_that_the_code_writes() -> None:
    wrong = []
    for line in LINES:
        code = written().get(line.action)
        if code is None:
            continue
        levels, keys = set(line.levels.split()), set(line.keys.split())
        if not (code.levels <= levels and (code.any_level or levels == code.levels)):
            wrong.append((line.action, "levels", code.levels))
        if not (code.keys <= keys and (code.any_key or keys == code.keys)):
            wrong.append((line.action, "keys", code.keys))

    assert wrong == []


def test_the_table_of_the_document_is_the_catalogue() -> None:
    assert render() in (ROOT / "docs" / "logs.md").read_text(encoding="utf-8"), (
        "run: python -m driftwatch.run.logbook docs/logs.md"
    )


def test_every_fact_that_the_code_tells_of_a_span_is_one_that_spans_may_hold() -> None:
    told = {
        word.arg
        for _, _, name, call in calls()
        if name in {"span", "spans", "_spans", "told", "judged"}
        for word in call.keywords
        if word.arg
    }

    assert told - {"carrier", "failed"} == FACTS.keys()
