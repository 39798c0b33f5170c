"""The page on which a person reads a whole list: nothing is cut, nothing passes for our own words."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.judge.snapshot import take
from driftwatch.model import Item, Kind
from driftwatch.report.lines import cells
from driftwatch.report.page import characters, contents, in_order, to_page

FILTER = {
    "type": "object",
    "description": "What to leave out.",
    "properties": {"glob": {"type": ["string", "null"], "pattern": "^x"}},
    "required": ["glob"],
    "additionalProperties": False,
}
TOOL = {
    "name": "list_files",
    "title": "List",
    "description": "Lists files.\nNever\u200b more.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "Where to look."},
            "mode": {"enum": ["fast", "slow"], "default": "fast"},
            "filter": FILTER,
            "extra": {"anyOf": [{"$ref": "#/$defs/T"}, {"type": "array", "items": {"type": "integer"}}]},
        },
        "required": ["path"],
        "$defs": {"T": {"type": "number"}},
    },
    "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}},
    "annotations": {"readOnlyHint": True, "destructiveHint": "no"},
    "_meta": {"vendor/x": [1]},
}
PROMPT = {"name": "sum", "arguments": [{"name": "x", "description": "What to sum up.", "required": True}]}


def page(width: int = 80, **document: Any) -> str:
    return to_page(in_order(take(document)), colour=False, width=width)


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("field", ["", "name", "uri", "uriTemplate"])
@pytest.mark.parametrize("key", ["", "read_note"])
def test_an_item_of_any_kind_with_any_field_that_reads_like_its_name_is_laid_out(
    kind: Kind, field: str, key: str
) -> None:
    item = Item(kind, key, {field: key, "description": "Reads one note."}, "sha256:0")

    assert "Reads one note." in to_page([item], colour=False)


def test_a_list_reads_from_the_server_to_the_last_prompt() -> None:
    server = {"name": "files", "version": "1.0"}

    text = page(serverInfo=server, instructions="Be kind.", tools=[TOOL], prompts=[PROMPT])

    assert (
        text
        == """
server
  instructions (8 characters)
    | Be kind.
  serverInfo
    name  files
    version  1.0

tool list_files
  title  List
  description (25 characters)
    | Lists files.
    | Never\\u{200B} more.
  parameters
    path  string, required
      | Where to look.
    mode  one of "fast", "slow", default "fast"
    filter  object
      | What to leave out.
      glob  string or null, required
        pattern  ^x
      additionalProperties  false
    extra
      any of: 1  as "#/$defs/T"
      any of: 2  array
        each item  integer
    definition T  number
  returns
    n  integer
  hints
    readOnlyHint     said true
    destructiveHint  said "no", neither true nor false: counts as not said
    idempotentHint   not said, which counts as false
    openWorldHint    not said, which counts as true
  _meta
    vendor/x  [1]

prompt sum
  arguments
    x  required
      | What to sum up.
"""
    )


def test_a_text_is_never_cut_and_empty_stretches_become_their_size() -> None:
    filler = "kind " * 3000
    text = page(tools=[{"name": "x", "description": f"a{' ' * 500}b\n{filler}{chr(10) * 900}end"}])

    assert "| a (500 blanks) b" in text
    assert "| (899 blank lines)\n    | end" in text
    assert text.count("kind") == 3000


def test_a_text_cannot_pass_for_our_own_words() -> None:
    text = page(tools=[{"name": "x", "description": "Good.\n\ntool y\n  hints\n\x1b[2Jbad\r\u202e"}])

    assert "\ntool y" not in text
    assert "    | tool y" in text
    assert "| \\u{001B}[2Jbad\\u{000D}\\u{202E}" in text


def test_the_size_of_a_list_is_told() -> None:
    snapshot = take({"tools": [{"name": "ab", "description": "cde"}, {"name": "x"}], "prompts": []})

    assert contents(snapshot) == "2 tools, 25 characters in all (not looked at: resources, resource templates)"
    assert characters([{"ab": "c"}, ["d", 1, None]]) == 4


@pytest.mark.parametrize("width", [40, 60, 80])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    deep: Any = {"type": "string", "description": "at the end " * 20}
    for number in range(40):
        deep = {"type": "object", "properties": {f"level{number}": deep}}

    text = page(width, tools=[{**TOOL, "inputSchema": deep, "x" * 300: "y" * 300}])

    assert max(cells(line) for line in text.splitlines()) <= width
    assert "".join(text.split()).replace("|", "").count("attheend") == 20


values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(st.characters(exclude_categories=())),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text(max_size=5)
            | st.sampled_from(["properties", "required", "items", "anyOf", "type", "enum", "annotations", "arguments"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(tool=values, schema=values, annotations=values, arguments=values, width=st.integers(40, 100))
def test_whatever_a_server_sends_can_be_read(
    *, tool: Any, schema: Any, annotations: Any, arguments: Any, width: int
) -> None:
    odd = {"name": "x", "inputSchema": schema, "outputSchema": schema, "annotations": annotations}
    prompt = {"name": "p", "arguments": arguments}

    text = page(width, tools=[tool, odd], prompts=[prompt], instructions=tool)

    assert not {character for character in text if unicodedata.category(character) in {"Cc", "Cf", "Cs"}} - {"\n"}
    assert max(cells(line) for line in text.splitlines()) <= width


@pytest.mark.parametrize(
    "place",
    [
        {"inputSchema": {"title": "HERE"}},
        {"inputSchema": {"$comment": "HERE"}},
        {"inputSchema": {"type": "object", "properties": {"path": {"examples": ["HERE"]}}}},
        {"inputSchema": {"type": "object", "properties": {"path": {"description": ["HERE"]}}}},
        {"inputSchema": {"type": "object", "properties": {"HERE": True}}},
        {"inputSchema": {"type": "object", "patternProperties": {"HERE": {}}}},
        {"inputSchema": {"type": ["HERE"], "required": ["HERE"]}},
        {"inputSchema": {"not": {"enum": [{"a": "HERE"}]}}},
        {"inputSchema": "HERE"},
        {"outputSchema": {"dependentSchemas": {"a": {"description": "HERE"}}}},
        {"outputSchema": {"type": "HERE"}},
        {"annotations": {"vendor": "HERE"}},
        {"annotations": ["HERE"]},
        {"icons": [{"src": "HERE"}]},
        {"HERE": None},
    ],
)
def test_a_text_in_any_place_is_on_the_page(place: dict[str, Any]) -> None:
    assert "HERE" in page(tools=[{"name": "x", **place}])
