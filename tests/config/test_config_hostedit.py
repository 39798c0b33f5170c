"""Wrapping and unwrapping in the text of a host's file: nothing but command and args changes, and all comes back."""

from __future__ import annotations

import json
import tomllib
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.config import jsonc as reader
from driftwatch.config import toml
from driftwatch.config.hostedit import Place, launches, unwrap, wrap
from driftwatch.config.spans import Node
from driftwatch.config.spans_json import JSON
from driftwatch.config.spans_toml import TOML
from driftwatch.config.wrapped import Wrapped, spelled
from driftwatch.errors import UnreadableInputError

FRONT = ("/opt/dw/driftwatch", "witness", "notes", "--host", "desk", "--")

CLAUDE = """\ufeff{
  // my servers
  "mcpServers": {
    "notes" : { "command" : "np\\u0078" , /* pinned */ "args":["-y",
        "notes-mcp@1.2.3", // the one
      ], "env": {"KEY": "v"}, },
    "bare": {
\t"command": "bare-mcp"   // nothing else
    },
    "empty": {"command": "e", "args": [ ]}, "far": {"url": "https://far.example/mcp"},
    "off": {"command": "x", "disabled": true}
  },\r
  "other": [1, 2.50, "a // b", null,],
}
"""
ZED = '{"context_servers": {"notes": {"source": "custom", "command": {"path": "notes-mcp"}}}}'
CODEX = """model = "o5"   # mine\r
[mcp_servers.notes]\r
command = 'notes-mcp'   # literal\r
\r
[mcp_servers."two words"]\r
args = [\r
  "-y", # yes\r
  \"\"\"pkg\"\"\",\r
]\r
command = "npx"\r
env = { KEY = "a#b" }\r
[[profiles]]\r
name = "x"\r
[mcp_servers.last]\r
startup_timeout_sec = 20\r
command = \"last-mcp\""""
DOTTED = """mcp_servers = { notes = { command = "a" }, "b" = { args = [], command = "b" } }
[other]
mcp.x = 1979-05-27 07:32:00
"""
DOTS = 'mcp_servers.notes.command = "a"\nmcp_servers.notes.env.K = "v"\n'


def places(text: str, name: str) -> dict[Place, tuple[str, ...]]:
    return {one.place: FRONT for one in launches(text, name=name) if not one.why}


@pytest.mark.parametrize(
    ("text", "name", "count"),
    [
        (CLAUDE, "claude_desktop_config.json", 3),
        (ZED, "settings.json", 1),
        (CODEX, "config.toml", 3),
        (DOTTED, "config.toml", 2),
        (DOTS, "config.toml", 1),
    ],
    ids=["claude", "zed", "codex", "inline", "dotted"],
)
def test_what_was_wrapped_reads_as_wrapped_and_comes_back_to_the_byte(text: str, name: str, count: int) -> None:
    lines = {one.place: one.line for one in launches(text, name=name)}

    wrapped, changes = wrap(text, places(text, name), name=name)
    back, done, left = unwrap(wrapped, changes, name=name)

    assert len(changes) == count
    seen = [one for one in launches(wrapped, name=name) if one.wrapped]
    assert [one.wrapped for one in seen] == [Wrapped("notes", lines[one.place], "desk") for one in seen]
    assert [one.place for one in done] == [one.place for one in changes]
    assert left == ()
    assert back == text


@pytest.mark.parametrize("text", [CLAUDE, ZED], ids=["claude", "zed"])
def test_when_the_host_wrote_the_file_anew_only_the_wrapping_is_undone(text: str) -> None:
    name = "settings.json"
    before = json.loads(json.dumps(decoded(text)))
    wrapped, changes = wrap(text, places(text, name), name=name)
    anew = {**decoded(wrapped), "numStartups": 7}

    back, done, _ = unwrap(json.dumps(anew, indent=2), changes, name=name)

    assert ('"np\\u0078"' in back) == ('"np\\u0078"' in text)
    assert json.loads(back) == {**before, "numStartups": 7}
    assert len(done) == len(changes)


def test_without_a_memory_of_the_install_the_text_itself_says_what_was_wrapped() -> None:
    name = "config.toml"
    wrapped, _ = wrap(CODEX, places(CODEX, name), name=name)

    back, done, _ = unwrap(wrapped, None, name=name)

    assert [one.name for one in done] == ["notes", "two words", "last"]
    assert tomllib.loads(back) == {
        **tomllib.loads(CODEX),
        "mcp_servers": {key: {"args": [], **held} for key, held in tomllib.loads(CODEX)["mcp_servers"].items()},
    }


def test_what_somebody_else_wrapped_is_left_alone() -> None:
    name = "mcp.json"
    theirs = spelled(Wrapped("mine", ["mine-mcp"]), ["driftwatch"])
    text = json.dumps({"servers": {"mine": {"command": theirs[0], "args": theirs[1:]}, "notes": {"command": "n"}}})
    wrapped, changes = wrap(text, places(text, name), name=name)

    back, done, left = unwrap(wrapped, changes, name=name)

    assert [one.name for one in done] == ["notes"]
    assert [one.name for one in left] == ["mine"]
    assert back == text


def test_an_entry_that_a_person_moved_or_gave_another_argument_is_still_ours() -> None:
    name = "mcp.json"
    text = json.dumps({"servers": {"notes": {"command": "n", "args": ["-a"]}, "docs": {"command": "d"}}})
    wrapped, changes = wrap(text, places(text, name), name=name)
    document = decoded(wrapped)
    document["servers"]["papers"] = document["servers"].pop("docs")
    document["servers"]["notes"]["args"].append("-b")

    back, done, left = unwrap(json.dumps(document), changes, name=name)

    assert (len(done), left) == (2, ())
    assert json.loads(back) == {
        "servers": {"notes": {"command": "n", "args": ["-a", "-b"]}, "papers": {"command": "d"}}
    }


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"url": "https://x.example"}, "it is a remote server"),
        ({"command": "a", "disabled": True}, "it is switched off in the host"),
        ({"command": "a", "enabled": False}, "it is switched off in the host"),
        ({"command": "a", "args": "b"}, "it has no command that is text with a list of arguments"),
        ({"command": ["a"]}, "it has no command that is text with a list of arguments"),
        ({"command": "a", "url": "https://x.example"}, "it has both a command and a URL"),
        ({"command": "~/bin/a"}, "its command starts with ~, which only the host can read: write the whole path"),
        ({"command": "a -b"}, "its command has spaces in it, as for a shell: write its arguments into args"),
        ({"command": {"path": "a"}, "args": ["b"]}, "its arguments stand apart from its command"),
        ({"command": FRONT[0], "args": [*FRONT[1:], "a"]}, "it is witnessed already, as notes in desk"),
        (3, "it is not an object"),
    ],
)
def test_what_cannot_be_wrapped_says_why(entry: Any, why: str) -> None:
    (found,) = launches(json.dumps({"mcpServers": {"x": entry}}), name="mcp.json")

    assert found.why == why


def test_a_file_that_cannot_be_followed_is_refused() -> None:
    text = '{"mcpServers": {"a": {"command": "x"}}, "n": [,]}'

    with pytest.raises(UnreadableInputError, match="cannot be edited safely"):
        wrap(text, {("mcpServers", "a"): FRONT}, name="mcp.json")


def test_of_a_key_that_stands_twice_the_one_that_counts_is_edited() -> None:
    text = '{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y", "command": "z"}}}'

    wrapped, changes = wrap(text, {("mcpServers", "a"): FRONT}, name="mcp.json")

    assert launches(wrapped, name="mcp.json")[0].wrapped == Wrapped("notes", ["z"], "desk")
    assert unwrap(wrapped, changes, name="mcp.json")[0] == text


# --------------------------------------------------------------- whatever is written

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
gaps = st.sampled_from(["", " ", "\n  ", "\r\n\t", '/* { " */', ' // }]" x\n', "/**/"])
entries = st.fixed_dictionaries(
    {"command": words.filter(bool).filter(lambda word: word[0] not in "~ " and word.split() == [word])},
    optional={"args": st.lists(words | st.integers(), max_size=3), "env": st.dictionaries(words, words, max_size=2)},
)


@st.composite
def jsonc(draw: st.DrawFn, value: Any) -> str:
    """Write a value as JSON with comments, trailing commas and any spacing."""
    if isinstance(value, dict | list) and value:
        parts = []
        for key in value:
            name = (
                f"{json.dumps(key, ensure_ascii=draw(st.booleans()))}{draw(gaps)}:" if isinstance(value, dict) else ""
            )
            inner = value[key] if isinstance(value, dict) else key
            parts.append(f"{draw(gaps)}{name}{draw(gaps)}{draw(jsonc(inner))}{draw(gaps)}")
        last = f",{draw(gaps)}" if draw(st.booleans()) else ""
        return ("{%s}" if isinstance(value, dict) else "[%s]") % (",".join(parts) + last)
    return json.dumps(value, ensure_ascii=draw(st.booleans()))


@st.composite
def tomls(draw: st.DrawFn, servers: dict[str, dict[str, Any]]) -> str:
    """Write servers as TOML in one of its ways."""
    eol = draw(st.sampled_from(["\n", "\r\n"]))
    spaces = st.sampled_from(["", " ", "\t"])

    def string(text: str) -> str:
        literal = "'" not in text and text.isprintable() and draw(st.booleans())
        return f"'{text}'" if literal else toml.string(text)

    def value(held: Any) -> str:
        if isinstance(held, dict):
            return "{" + ", ".join(f"{toml.key(key)} = {value(one)}" for key, one in held.items()) + "}"
        if isinstance(held, list):
            gap = st.sampled_from(["", " ", eol, f" # ]{eol}"])
            return "[" + ",".join(f"{draw(gap)}{value(one)}{draw(gap)}" for one in held) + draw(gap) + "]"
        return string(held) if isinstance(held, str) else str(held)

    lines = ["top = 1", '# a comment with [brackets] = "x']
    if draw(st.booleans()):
        return eol.join([f"mcp_servers = {value(servers)}", *lines]) + draw(st.sampled_from(["", eol]))
    for name, held in servers.items():
        lines.append(f"{draw(spaces)}[ mcp_servers . {toml.key(name)} ] {draw(st.sampled_from(['', '# x']))}")
        lines += [
            f"{draw(spaces)}{toml.key(key)}{draw(spaces)}={draw(spaces)}{value(one)}{draw(spaces)}"
            for key, one in held.items()
        ]
    return eol.join(lines) + draw(st.sampled_from(["", eol]))


def decoded(text: str) -> Any:
    return reader.read(text, name="x")[0]


def meant(node: Node, text: str) -> Any:
    """Read a value out of the places that were found for it."""
    if node.members is not None:
        return {key: meant(one.node, text) for key, one in node.members.items()}
    if node.items is not None:
        return [meant(one, text) for one in node.items]
    return json.loads(text[node.start : node.end])


@given(st.dictionaries(words, values, max_size=4).flatmap(lambda value: st.tuples(st.just(value), jsonc(value))))
def test_every_value_of_any_json_with_comments_is_found_where_it_is(written: tuple[Any, str]) -> None:
    value, text = written

    assert meant(JSON.scan(text), text) == value


@given(
    st.dictionaries(words, entries, min_size=1, max_size=3).flatmap(lambda value: jsonc({"a": 1, "mcpServers": value}))
)
def test_any_json_is_wrapped_and_comes_back_to_the_byte(text: str) -> None:
    wrapped, changes = wrap(text, places(text, "x.json"), name="x.json")

    assert unwrap(wrapped, changes, name="x.json")[0] == text
    assert all(one.wrapped for one in launches(wrapped, name="x.json"))


@given(
    st.dictionaries(words, entries, min_size=1, max_size=3).flatmap(
        lambda value: st.tuples(st.just(value), tomls(value))
    )
)
def test_any_toml_is_wrapped_and_comes_back_to_the_byte(written: tuple[Any, str]) -> None:
    servers, text = written
    assert tomllib.loads(text)["mcp_servers"] == servers

    wrapped, changes = wrap(text, places(text, "x.toml"), name="x.toml")

    assert unwrap(wrapped, changes, name="x.toml")[0] == text
    assert all(one.wrapped for one in launches(wrapped, name="x.toml"))
    assert TOML.scan(text).members is not None


@given(
    st.dictionaries(words, entries, min_size=1, max_size=3).flatmap(lambda value: jsonc({"servers": value})),
    st.sampled_from([None, 2, "\t"]),
    st.booleans(),
)
def test_whatever_a_host_makes_of_the_text_the_servers_come_back(
    text: str, indent: int | str | None, remembered: bool
) -> None:
    wrapped, changes = wrap(text, places(text, "x.json"), name="x.json")
    anew = json.dumps(decoded(wrapped), indent=indent)

    back, done, _ = unwrap(anew, changes if remembered else None, name="x.json")

    before, after = (decoded(one)["servers"] for one in (text, back))
    if not remembered:
        before = {name: {"args": [], **entry} for name, entry in before.items()}
        after = {name: {"args": [], **entry} for name, entry in after.items()}
    assert after == before
    assert len(done) == len(changes)


@given(st.text(st.sampled_from('{}[]",:/*\\\n a1'), max_size=40))
def test_whatever_stands_there_is_read_or_refused(text: str) -> None:
    for name in ("x.json", "x.toml"):
        with suppress(UnreadableInputError):
            assert wrap(text, {}, name=name) == (text, ())
