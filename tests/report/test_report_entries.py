"""What a report shows of how servers are started: words for people, and no JSON, digests or notes of our own."""

from __future__ import annotations

import re
from typing import Any

import pytest

from driftwatch.judge.judge import compare_snapshots
from driftwatch.judge.snapshot import take
from driftwatch.report import to_text

DIGEST = "sha256:" + "1f" * 32
OTHER = "sha256:" + "2e" * 32


def entry(name: str = "notes", **fields: Any) -> dict[str, Any]:
    return {"name": name, "transport": "stdio", "command": "npx", "args": ["notes-mcp"], **fields}


def launch(**fields: Any) -> dict[str, Any]:
    return {"command": "npx", "args": ["notes-mcp"], **fields}


def text_of(before: dict[str, Any], after: dict[str, Any], *, full: bool = False) -> str:
    text = to_text(compare_snapshots(take(before), take(after)), colour=False, width=200, full=full)
    return text.partition("\nbaseline sha256:")[0]


def test_a_new_entry_is_told_by_what_a_person_reads_of_it() -> None:
    added = entry("docs", env=["TOKEN"], cwd="/srv/docs", settings={"timeout": 5}, sealed={"env": "ab12"})

    text = text_of({"entries": [entry()]}, {"entries": [entry(), added]})

    assert text.count("npx notes-mcp") == 1
    for line in ("+ in the folder /srv/docs", "+ variables TOKEN", "+ settings timeout", "+ masked values in env"):
        assert line in text
    assert "ab12" not in text
    assert "{" not in text


def test_a_plain_new_entry_needs_no_more_than_its_message() -> None:
    assert "+ " not in text_of({"entries": []}, {"entries": [entry()]})


def test_a_removed_entry_says_how_it_was_started() -> None:
    assert "- how It starts `npx notes-mcp`." in text_of({"entries": [entry(), entry("docs")]}, {"entries": [entry()]})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"entries": [entry(sealed={"env": DIGEST})]}, {"entries": [entry(sealed={"env": OTHER})]}),
        ({"entries": [entry()]}, {"entries": [entry(settings={"trust": True})]}),
        (
            {"launch": launch(script={"path": "/srv/a.py", "digest": DIGEST})},
            {"launch": launch(script={"path": "/srv/a.py", "digest": OTHER})},
        ),
        (
            {"launch": launch(executable={"path": "/bin/a", "digest": DIGEST})},
            {"launch": launch(executable={"path": "/opt/a", "digest": OTHER})},
        ),
        (
            {"launch": launch(package={"ecosystem": "npm", "name": "notes-mcp", "version": "1", "digest": DIGEST})},
            {"launch": launch(package={"ecosystem": "npm", "name": "notes-mcp", "version": "1", "digest": OTHER})},
        ),
        (
            {"launch": launch(package={"ecosystem": "npm", "name": "notes-mcp", "version": "1", "digest": DIGEST})},
            {"launch": launch(package={"ecosystem": "npm", "name": "notes-mcp", "version": "2", "digest": OTHER})},
        ),
        (
            {
                "launch": launch(script={"path": "/srv/a.py", "digest": DIGEST}),
                "tools": [{"name": "get_note", "description": "Gets a note.", "inputSchema": {}}],
            },
            {
                "launch": launch(script={"path": "/srv/a.py", "digest": DIGEST}),
                "tools": [{"name": "get_note", "description": "Gets a note of anybody.", "inputSchema": {}}],
            },
        ),
    ],
    ids=["seal", "trust", "script", "program", "files", "version", "list"],
)
def test_digests_and_notes_of_our_own_are_shown_with_full_only(before: dict[str, Any], after: dict[str, Any]) -> None:
    text = text_of(before, after)

    assert not re.search(r"sha256|[{}]|\[\"|^ *[+-] (?:true|false)$", text, re.MULTILINE)
    assert text != text_of(before, after, full=True)


def test_a_switch_that_came_or_went_says_so() -> None:
    sides = {"tools": [{"name": "a", "inputSchema": {}}]}, {"tools": [{"name": "a", "inputSchema": {}, "extra": True}]}

    assert "+ true" not in text_of(*sides)
    assert "- true" not in text_of(*reversed(sides))
