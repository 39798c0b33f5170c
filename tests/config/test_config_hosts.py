"""The files of MCP hosts become entries that driftwatch can use, and no secret comes along."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.config import toml
from driftwatch.config.hosts import HostEntry, HostFile, read_host_file, to_toml
from driftwatch.config.load import parse
from driftwatch.config.values import is_name
from driftwatch.errors import UnreadableInputError


def read(document: Any) -> HostFile:
    return read_host_file(json.dumps(document), name="host.json")


def one(entry: Mapping[str, Any], name: str = "git") -> HostEntry:
    (found,) = read({"mcpServers": {name: entry}}).entries
    return found


def holds(entry: HostEntry) -> dict[str, str]:
    return {variable.name: variable.holds for variable in entry.variables}


def test_claude_desktop() -> None:
    text = """{"mcpServers": {"files": {"command": "npx",
        "args": ["-y", "@modelcontextprotocol/server-filesystem@2025.8.21", "/srv"]}}}"""

    found = read_host_file(text, name="claude_desktop_config.json")

    assert found.notes == ()
    (entry,) = found.entries
    assert (entry.name, entry.place, entry.transport) == ("files", "mcpServers.files", "stdio")
    assert (entry.command, entry.args) == ("npx", ("-y", "@modelcontextprotocol/server-filesystem@2025.8.21", "/srv"))
    assert (entry.unpinned, entry.notes, entry.variables) == ((), (), ())


def test_claude_code_with_the_servers_of_its_projects() -> None:
    found = read(
        {
            "numStartups": 3,
            "mcpServers": {"a": {"type": "http", "url": "https://a.example/mcp"}},
            "projects": {
                "/home/me/one": {"mcpServers": {"a": {"type": "sse", "url": "https://b.example/x"}}},
                "/home/me/two": {"mcpServers": {}},
                "/home/me/three": 3,
            },
        }
    )

    assert [(entry.name, entry.transport, entry.place) for entry in found.entries] == [
        ("a", "http", "mcpServers.a"),
        ("a-2", "sse", 'projects."/home/me/one".mcpServers.a'),
    ]
    assert found.entries[1].notes == ("another server is already called a, so this one is a-2",)


def test_cursor() -> None:
    entry = one({"url": "https://e.com/mcp", "headers": {"Authorization": "Bearer ${env:MY_TOKEN}"}})

    assert entry.headers == (("Authorization", "Bearer ${MY_TOKEN}"),)
    assert list(holds(entry)) == ["MY_TOKEN"]
    assert 'bearer = { env = "MY_TOKEN" }' in to_toml([entry])


@pytest.mark.parametrize("wrap", [lambda inner: inner, lambda inner: {"mcp": inner, "editor.fontSize": 12}])
def test_vs_code_with_inputs(wrap: Any) -> None:
    found = read(
        wrap(
            {
                "inputs": [{"type": "promptString", "id": "api-key", "password": True}, 3],
                "servers": {
                    "one": {"type": "stdio", "command": "serve", "env": {"KEY": "${input:api-key}"}},
                    "two": {
                        "type": "http",
                        "url": "https://${input:where}/mcp",
                        "headers": {"X-Key": "${input:api-key}"},
                    },
                },
            }
        )
    )

    one, two = found.entries
    assert one.env == (("KEY", "${INPUT_API_KEY}"),)
    assert (two.url, two.headers) == ("https://${INPUT_WHERE}/mcp", (("X-Key", "${INPUT_API_KEY}"),))
    assert {variable.name: variable.holds for variable in found.variables} == {
        "INPUT_API_KEY": 'what the host asks you for as "api-key"',
        "INPUT_WHERE": 'what the host asks you for as "where", which the file does not describe',
    }


def test_settings_with_a_dotted_key() -> None:
    assert [entry.place for entry in read({"mcp.servers": {"a": {"command": "x"}}}).entries] == ['"mcp.servers".a']


def test_comments_and_trailing_commas_are_read_over() -> None:
    text = """\ufeff// first
    { /* "mcpServers": {} , */ "mcpServers": { "a": { "command": "x", // ,
        "args": ["// not a comment", "/* nor this */", ",]", "\\"//",], }, }, }
    /* no end"""

    (entry,) = read_host_file(text, name="mcp.json").entries

    assert entry.args == ("// not a comment", "/* nor this */", ",]", '"//')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("", "is not JSON"),
        ("[]", "is JSON, but not an object"),
        ("{}", "lists no MCP servers"),
        ('{"mcp": {}, "projects": []}', "lists no MCP servers"),
        ('{"a": ' + "[" * 100_000, "nested too deeply"),
        ('{"a": ' + "[" * 200 + "]" * 200 + "}", "nested too deeply"),
        ('{"a": ' + "9" * 5000 + "}", "a number that cannot be read"),
        (" " * (5 * 2**20), "larger than 4 MiB"),
    ],
)
def test_a_file_that_lists_no_servers_is_an_error(text: str, message: str) -> None:
    with pytest.raises(UnreadableInputError) as caught:
        read_host_file(text, name="x\x1b.json")

    assert message in caught.value.message
    assert caught.value.message.startswith('"x\\u{1b}.json"')
    assert caught.value.hint


def test_an_error_in_the_file_is_named_by_its_line() -> None:
    with pytest.raises(UnreadableInputError, match="line 3, column 2"):
        read_host_file("{ /* a\n b */\n}}", name="x")


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (3, "it is not an object"),
        ({}, "it has neither a command nor a url"),
        ({"command": ["x"]}, "it has neither a command nor a url"),
        ({"type": "ws", "url": "wss://x"}, 'does not speak its transport "ws"'),
        ({"type": 3, "url": "https://x"}, 'does not speak its transport "3"'),
        ({"type": "http", "command": "x"}, "it says http and has no url"),
        ({"type": "stdio", "url": "https://x"}, "it says stdio and has no command"),
        ({"url": "unix:///tmp/sock"}, "its URL is not one of http or https"),
    ],
)
def test_a_server_that_cannot_be_watched_is_left_out_and_said(entry: Any, why: str) -> None:
    found = read({"mcpServers": {"git": entry, "ok": {"command": "x"}}})

    assert [kept.name for kept in found.entries] == ["ok"]
    (note,) = found.notes
    assert note.startswith("mcpServers.git was left out: ")
    assert why in note


def test_a_section_that_is_no_object_is_said() -> None:
    assert read({"mcpServers": []}).notes == ("mcpServers is not an object, so no server was read from it",)


def test_a_server_that_is_there_twice_is_said() -> None:
    found = read_host_file('{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}', name="x")

    assert [entry.command for entry in found.entries] == ["y"]
    assert found.notes == ('"a" is there twice; the last one counts, as for the host',)


@pytest.mark.parametrize(
    ("said", "transport"),
    [("http", "http"), ("streamable-http", "http"), ("streamableHttp", "http"), ("SSE", "sse"), (None, "http")],
)
def test_the_transport_is_read_from_the_type(said: str | None, transport: str) -> None:
    entry = {"url": "https://e.com/mcp", **({"type": said} if said else {})}

    assert one(entry).transport == transport


def test_the_legacy_transport_is_guessed_from_the_url_and_said() -> None:
    entry = one({"url": "https://e.com/sse"})

    assert entry.transport == "sse"
    assert "the legacy one is taken" in entry.notes[0]
    assert one({"type": "http", "url": "https://e.com/sse"}).transport == "http"


def test_what_is_left_out_is_said() -> None:
    entry = one(
        {
            "command": "x",
            "disabled": True,
            "envFile": "${workspaceFolder}/.env",
            "autoApprove": [],
            "headers": {"A": "x"},
            "args": ["a", 3, None],
            "env": {"A": True, "B": 3, "C": None},
            "cwd": "sub/folder",
        }
    )

    text = "\n".join(entry.notes)
    assert not entry.enabled
    assert "enabled = false" in text
    assert "autoApprove, headers" in text
    assert "reads more variables from" in text
    assert "a part of args" in text
    assert "env C" in text
    assert 'a relative path ("sub/folder")' in text
    assert (entry.args, entry.env) == (("a", "3"), (("A", "true"), ("B", "3")))


def test_names_that_cannot_be_names_are_changed_and_said() -> None:
    found = read({"mcpServers": {name: {"command": "x"} for name in ["my server", "my/server", "é", "", "x" * 99]}})

    assert [entry.name for entry in found.entries] == ["my-server", "my-server-2", "server", "server-2", "x" * 64]
    assert all(is_name(entry.name) for entry in found.entries)
    assert found.entries[1].notes == (
        'the host calls it "my/server", which cannot be a name here: it is my-server now',
        "another server is already called my-server, so this one is my-server-2",
    )


def test_unpinned_packages_are_said_in_the_toml() -> None:
    text = to_toml([one({"command": "npx", "args": ["-y", "pkg"]})])

    assert text.startswith('# Not pinned: npx fetches "pkg"')


def test_the_toml_is_a_configuration_once_the_variables_are_set(tmp_path: Path) -> None:
    found = read(
        {
            "mcpServers": {
                "a": {"url": "https://u:p@e.com/mcp?key=x", "headers": {"X-Org": "acme", "X-B": "a${C}"}},
                "b": {
                    "type": "sse",
                    "url": "https://e.com/x",
                    "headers": {"Authorization": "Bearer x"},
                    "disabled": True,
                },
                "c d": {"command": "npx", "args": ["-y", "pkg", "--key", "x", "${"], "env": {"A": "x", "B C": "true"}},
            }
        }
    )

    text = to_toml(found.entries)
    settings = parse(text, {variable.name: "v" for variable in found.variables}, base=tmp_path)

    a, b, c = settings.servers
    assert a.url == "https://e.com/mcp?key=v"
    assert {name: value.reveal() for name, value in a.headers.items()} == {
        "X-Org": "v",
        "X-B": "av",
        "Authorization": "v",
    }
    assert (b.transport, b.enabled, b.headers["Authorization"].reveal()) == ("sse", False, "Bearer v")
    assert (c.name, c.command, c.args) == ("c-d", "npx", ("-y", "pkg", "--key", "v", "${"))
    assert {name: value.reveal() for name, value in c.env.items()} == {"A": "v", "B C": "true"}
    for variable in found.variables:
        assert f"#   {variable.name} = " in text


def test_no_entries_are_no_text() -> None:
    assert to_toml([]) == ""


ANY_TEXT = st.text(alphabet=st.characters()) | st.text(alphabet="\n\r\x00\x1b\"'#=[]\\ \u2028\ud800a")


@given(ANY_TEXT, ANY_TEXT)
def test_any_string_and_key_survive_toml(key: str, value: str) -> None:
    def whole(text: str) -> str:
        return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)

    comments = "\n".join(toml.comment(value))
    text = f"{comments}\n{toml.key(key)} = {toml.string(value)}\narray = {toml.array([value, key])}\n"

    found = tomllib.loads(text)

    assert found == {whole(key): whole(value), "array": [whole(value), whole(key)]} or key == "array"
    assert all(line.startswith("#") and line.isprintable() for line in comments.split("\n"))


ENTRIES = st.fixed_dictionaries(
    {},
    optional={
        "command": ANY_TEXT,
        "url": ANY_TEXT | st.sampled_from(["https://e.com/mcp", "http://[", "https://u:p@h?a=b&c#d"]),
        "args": st.lists(ANY_TEXT, max_size=4) | ANY_TEXT,
        "env": st.dictionaries(ANY_TEXT, ANY_TEXT, max_size=3) | st.none(),
        "headers": st.dictionaries(ANY_TEXT, ANY_TEXT, max_size=3) | st.integers(),
        "cwd": ANY_TEXT,
        "type": st.sampled_from(["http", "sse", "stdio"]),
        "disabled": st.booleans(),
    },
)


@given(st.dictionaries(ANY_TEXT, ENTRIES | st.integers(), max_size=4))
def test_any_host_file_gives_toml_that_holds_its_servers(servers: dict[str, Any]) -> None:
    found = read({"mcpServers": servers})

    tables = tomllib.loads(to_toml(found.entries)).get("servers", {})

    assert list(tables) == [entry.name for entry in found.entries]
    for entry in found.entries:
        table = tables[entry.name]
        assert (table.get("command", ""), table.get("url", ""), tuple(table.get("args", ()))) == (
            entry.command,
            entry.url,
            entry.args,
        )
    assert all(note.isprintable() for note in found.notes)
    assert all(note.isprintable() for entry in found.entries for note in (*entry.notes, *entry.unpinned))


@given(st.text(alphabet='{}[]",:/*\\ \nab1', max_size=60))
def test_any_text_is_a_host_file_or_an_unreadable_input(text: str) -> None:
    try:
        found = read_host_file(text, name="x")
    except UnreadableInputError as error:
        assert error.message  # noqa: PT017 - either outcome is right
    else:
        assert isinstance(found, HostFile)


def test_an_entry_that_goes_through_a_witness_is_imported_without_it() -> None:
    entry = {"command": "/opt/bin/driftwatch", "args": ["witness", "mine", "--", "notes-mcp", "--all"]}

    found = read_host_file(json.dumps({"mcpServers": {"notes": entry}}), name="mcp.json")

    (one,) = found.entries
    assert (one.command, one.args) == ("notes-mcp", ("--all",))
    assert "through a witness, as mine" in one.notes[0]
