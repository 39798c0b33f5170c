"""The lock file: facts that read well in a diff, and every way in which it is not what it should be."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from driftwatch.errors import UnreadableInputError
from driftwatch.judge.snapshot import take
from driftwatch.model import Kind, Snapshot
from driftwatch.review.lock import files_of
from driftwatch.review.lockfile import NAME, content_name, content_text, portable, read_lock
from tests.fakes import tool

LAUNCH = {
    "transport": "stdio",
    "command": "npx",
    "args": ["-y", "@notes/mcp@1.2.0", "/srv/app/data"],
    "env": ["KEY"],
    "executable": {"path": "/usr/bin/npx", "digest": "sha256:" + "1" * 64},
    "package": {
        "ecosystem": "npm",
        "name": "@notes/mcp",
        "asked": "@notes/mcp@1.2.0",
        "pinned": True,
        "version": "1.2.0",
        "digest": "sha256:" + "2" * 64,
    },
}


def shown(*tools: dict[str, Any], **more: Any) -> Snapshot:
    server = {
        "serverInfo": {"name": "notes", "version": "1.2.0"},
        "protocolVersion": "2025-06-18",
        "instructions": "Use wisely.",
    }
    lists = {"tools": list(tools), "prompts": [], "resources": [], "resourceTemplates": []}
    return take({**server, **lists, "launch": LAUNCH, **more})


def kept(*, content: bool = True, **lists: Snapshot) -> dict[str, str]:
    """Give a lock file with what lies beside it, by name."""
    made = {name: portable(one) for name, one in lists.items()}
    texts = files_of(made, {}, read={}.get, content=content).texts
    return {name: text for name, text in texts.items() if text is not None}


def older(texts: dict[str, str]) -> dict[str, str]:
    """Give a lock file as it was written before it said what lies beside it."""
    shape = json.loads(texts[NAME])
    for facts in shape["servers"].values():
        del facts["content"]
    return {**texts, NAME: json.dumps(shape)}


def test_a_lock_file_has_one_line_for_each_fact_and_no_more_than_ascii() -> None:
    texts = kept(notes=shown(tool(description="a\u202eb\u200b é"), tool("wipe", annotations={})))

    lines = [line.strip() for line in texts[NAME].splitlines()]
    assert all(text.isascii() and text.endswith("}\n") for text in texts.values())
    assert '"command": "npx -y @notes/mcp@1.2.0 /srv/app/data",' in lines
    assert '"version": "1.2.0"' in lines
    assert '"dangers": "writes, destroys, unrepeatable, open-world",' in lines
    assert '"dangers_said": "none",' in lines
    assert '"protocol": "2025-06-18",' in lines
    assert "\\u202e" in texts[content_name("notes")]


def test_what_is_written_fits_the_schema_that_is_shipped() -> None:
    schema = json.loads((files("driftwatch.review") / "lock.schema.json").read_text(encoding="utf-8"))

    texts = kept(notes=shown(tool(), tool(), tool("")), empty=take({"tools": []}))

    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(texts[NAME]), schema)


def test_the_same_lists_give_the_same_bytes_in_whatever_order_they_came() -> None:
    turned = {key: tool()[key] for key in reversed(tool())}

    first = kept(b=shown(tool("x"), tool()), a=shown(tool()))
    second = kept(a=shown(turned), b=shown(tool(), tool("x")))

    assert first == second


def test_what_is_written_is_read_back_as_the_same_list() -> None:
    live = portable(shown(tool(), tool("list_notes", title="Another"), {"name": 7}, tool("\ud800", description="\x00")))
    texts = kept(notes=live)

    found = read_lock(texts.get)

    assert found is not None
    assert found["notes"].content == live
    assert found["notes"].digest == live.digest
    assert [item.place for item in found["notes"].items if item.kind is Kind.TOOL] == [
        item.place for item in live.of(Kind.TOOL)
    ]


def test_a_list_is_the_same_on_any_machine() -> None:
    def started(folder: str, program: str) -> Snapshot:
        launch = {
            **LAUNCH,
            "command": f"{folder}/bin/serve",
            "cwd": folder,
            "args": [f"{folder}/data", "/srv"],
            "executable": {"path": program},
        }
        return portable(shown(tool(), launch=launch), Path(folder))

    one, other = started("/home/ann/app", "/usr/bin/node"), started("/build/7/app", "/opt/node")

    assert one.digest == other.digest
    assert one.of(Kind.LAUNCH)[0].raw["command"] == "./bin/serve"
    assert one.of(Kind.LAUNCH)[0].raw["args"] == ["./data", "/srv"]
    assert one.body == shown(tool()).body


def test_without_content_the_digests_are_read() -> None:
    found = read_lock(kept(notes=shown(tool()), content=False).get)

    assert found is not None
    assert (found["notes"].content, found["notes"].is_older) == (None, False)
    assert found["notes"].version == "1.2.0"


def test_a_file_that_was_taken_out_from_beside_it_is_missed() -> None:
    texts = kept(notes=shown(tool()), other=shown(tool()))
    del texts[content_name("notes")]

    with pytest.raises(UnreadableInputError) as error:
        read_lock(texts.get)

    assert f"{content_name('notes')}: it is not there, and the lock file has its digest" in error.value.message
    assert content_name("other") not in error.value.message


def test_the_file_beside_it_may_be_laid_out_otherwise_and_say_nothing_else() -> None:
    texts = kept(notes=shown(tool()))
    name = content_name("notes")
    spread = {**texts, name: json.dumps(json.loads(texts[name]), indent=8).replace("\n", "\r\n")}
    more = {**texts, name: json.dumps({**json.loads(texts[name]), "note": "and more"})}

    same = read_lock(spread.get)
    with pytest.raises(UnreadableInputError, match="not what the lock file has the digests of"):
        read_lock(more.get)

    assert same is not None
    assert same["notes"].content is not None
    assert files_of({"notes": same["notes"].content}, same, read=spread.get).texts == {NAME: texts[NAME]}


@pytest.mark.parametrize("beside", [True, False])
def test_an_older_lock_file_is_read_whether_or_not_something_lies_beside_it(*, beside: bool) -> None:
    texts = older(kept(notes=shown(tool())))
    if not beside:
        del texts[content_name("notes")]

    found = read_lock(texts.get)

    assert found is not None
    assert (found["notes"].content is not None, found["notes"].is_older) == (beside, True)


def test_a_file_beside_it_that_no_server_has_is_said() -> None:
    texts = kept(notes=shown(tool()))

    with pytest.raises(UnreadableInputError) as error:
        read_lock(texts.get, there=[content_name("notes"), content_name("other")])

    assert f"{content_name('other')}: it does not belong there" in str(error.value)
    assert "notes.json" not in str(error.value)


def test_no_lock_file_is_none() -> None:
    assert read_lock({}.get) is None


def _edited(texts: dict[str, str], old: str, new: str, name: str = NAME) -> dict[str, str]:
    assert old in texts[name]
    return {**texts, name: texts[name].replace(old, new)}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"version": 1', '"version": 2', "written by a newer driftwatch"),
        ('"version": 1\n}', '"version": 0\n}', "this is not 1"),
        ("{\n", "<<<<<<< ours\n{\n", "conflicts that nobody resolved"),
        ('"servers": {', '"servers": {{', "cannot be read: line 2"),
        ('"servers"', '"service"', "no lock file of driftwatch"),
        ('"notes": {', '"../notes": {', "cannot be the name of a server"),
        ('"digest": "sha256:', '"digest": "sha256:0', "do not fit together"),
        ('"list_notes"', '"list_n0tes"', "do not fit together"),
        ('"dangers": "writes', '"dangers": "none', "servers.notes: tools: edited, since driftwatch.lock.d/notes"),
        ('"pinned": true', '"pinned": true,\n"pinned": false', "stands twice"),
        ('"reached": {', '"r": {', "reached is missing"),
        ('"content": "sha256:', '"content": "sha256:0', "not what the lock file has the digests of"),
        ('"content": "', '"content": 7, "c": "', "content is not what it should be"),
    ],
)
def test_every_way_in_which_it_is_not_as_it_was_written_is_said(old: str, new: str, said: str) -> None:
    texts = _edited(kept(notes=shown(tool(annotations={}))), old, new)

    with pytest.raises(UnreadableInputError) as error:
        read_lock(texts.get)

    assert said in str(error.value)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"document": 1}', '{"document": {"tools": 1}}', "[" * 100_000, "\x00"]
)
def test_content_that_is_not_what_the_digests_are_of_is_said(text: str) -> None:
    texts = {**kept(notes=shown(tool())), content_name("notes"): text}

    with pytest.raises(UnreadableInputError) as error:
        read_lock(texts.get)

    assert content_name("notes") in str(error.value)


def test_all_problems_are_named_at_once() -> None:
    texts = kept(one=shown(tool()), two=shown(tool()), three=shown(tool("x")))
    texts[content_name("one")] = "{}"
    texts = _edited(texts, '"x": {', '"y": {')

    with pytest.raises(UnreadableInputError) as error:
        read_lock(texts.get)

    assert "servers.three" in str(error.value)
    assert content_name("one") in str(error.value)


def test_what_json_cannot_hold_has_no_content() -> None:
    assert content_text("notes", take({"tools": [tool(limit=float("nan"))]})) is None
