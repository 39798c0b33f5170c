"""What hosts' files hold: nothing is left out, no secret comes along, and what is masked cannot change unseen."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.config.contents import Entry, NoTableError, read
from driftwatch.errors import UnreadableInputError

TOKEN = "abcd1234efgh5678ijkl"


def contents(document: Any, name: str = "mcp.json") -> tuple[Entry, ...]:
    text = document if isinstance(document, str) else json.dumps(document)
    return read(text, name=name, largest=10**6)[0]


def one(entry: Any) -> Entry:
    (found,) = contents({"mcpServers": {"notes": entry}})
    return found


@pytest.mark.parametrize(
    ("document", "section"),
    [
        ({"mcpServers": {"notes": {"command": "a"}}}, "mcpServers"),
        ({"servers": {"notes": {"command": "a"}}}, "servers"),
        ({"mcp": {"servers": {"notes": {"command": "a"}}}}, "mcp.servers"),
        ({"context_servers": {"notes": {"command": {"path": "a"}}}}, "context_servers"),
    ],
)
def test_every_shape_of_json_is_read(document: Any, section: str) -> None:
    (entry,) = contents(document)

    assert (entry.name, entry.section, entry.command, entry.transport) == ("notes", section, "a", "stdio")


def test_toml_is_read_with_the_names_of_its_own() -> None:
    text = """
        [mcp_servers.notes]
        command = "notes-mcp"
        args = ["--all"]
        env = { KEY = "v" }
        [mcp_servers.docs]
        url = "https://docs.example/mcp"
        bearer_token_env_var = "DOCS"
        http_headers = { X-Team = "web" }
        default_tools_approval_mode = "approve"
        """

    notes, docs = contents(text, name="config.toml")

    assert (notes.command, notes.args, notes.env) == ("notes-mcp", ("--all",), ("KEY",))
    assert (docs.url, docs.headers) == ("https://docs.example/mcp", ("Authorization", "X-Team"))
    assert docs.settings == {"default_tools_approval_mode": "approve"}


def test_servers_of_projects_are_told_apart_by_their_folder() -> None:
    document = {
        "mcpServers": {"notes": {"command": "a"}},
        "projects": {"/home/me/one": {"mcpServers": {"notes": {"command": "b"}}}},
    }

    assert [entry.name for entry in contents(document)] == ["notes", "notes (/home/me/one)"]


def test_what_cannot_be_watched_is_an_entry_all_the_same() -> None:
    assert one(3).odd == "a number"
    assert one({}).transport == "http"
    assert one({"type": "carrier-pigeon", "url": "https://a.example"}).transport == "carrier-pigeon"
    assert one({"command": ["sh", "-c", "x"], "args": ["y"]}).args == ("-c", "x", "y")
    assert one({"command": "a", "args": ["x", 3, None, {"b": 1}]}).args == ("x", "3", "", '{"b": 1}')
    assert one({"serverUrl": "https://a.example"}).url == "https://a.example"
    assert one({"command": "a", "disabled": True}).disabled
    assert one({"command": "a", "enabled": False}).disabled


def test_no_secret_comes_along() -> None:
    entry = one(
        {
            "command": "notes-mcp",
            "args": ["--token", TOKEN, f"--api-key={TOKEN}"],
            "env": {"KEY": TOKEN},
            "url": f"https://me:{TOKEN}@a.example/{TOKEN}/mcp?key={TOKEN}",
            "headers": {"Authorization": f"Bearer {TOKEN}"},
            "cwd": f"/srv/{TOKEN}",
            "oauth": {"clientSecret": "tiny", "clientId": TOKEN},
        }
    )

    assert TOKEN not in repr(entry)
    assert "tiny" not in repr(entry)
    assert (entry.env, entry.headers) == (("KEY",), ("Authorization",))
    assert set(entry.sealed) == {"args", "cwd", "env", "headers", "url"}


def test_what_is_masked_cannot_change_unseen() -> None:
    before = one({"command": "a", "args": ["--token", TOKEN], "env": {"A": "1"}})
    after = one({"command": "a", "args": ["--token", TOKEN.upper()], "env": {"A": "1"}})

    assert before.args == after.args
    assert before.sealed["args"] != after.sealed["args"]
    assert before.sealed["env"] == after.sealed["env"]


def test_references_are_no_secrets_and_are_not_sealed() -> None:
    entry = one({"url": "https://a.example", "headers": {"Authorization": "Bearer ${env:TOKEN}"}, "env": {"A": "${B}"}})

    assert entry.sealed == {}


def test_an_argument_that_changes_in_the_open_does_not_move_the_seal() -> None:
    before = one({"command": "a", "args": ["--token", TOKEN, "--list"]})
    after = one({"command": "a", "args": ["--token", TOKEN, "--all"]})

    assert before.sealed == after.sealed


def test_a_section_that_is_no_table_is_no_empty_one() -> None:
    with pytest.raises(NoTableError, match="mcpServers"):
        contents({"mcpServers": ["notes"]})


def test_a_file_without_servers_has_none() -> None:
    assert contents({}) == ()
    assert contents({"mcpServers": {}}) == ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{", "a.json"),
        ("[]", "a.json"),
        ("", "a.json"),
        ("= 3", "a.toml"),
        ("a: b", "a.yaml"),
        ("[" * 10_000, "a.json"),
    ],
)
def test_what_is_no_file_of_a_host_is_refused(text: str, name: str) -> None:
    with pytest.raises(UnreadableInputError):
        contents(text, name)


def test_a_key_that_stands_twice_is_told() -> None:
    text = '{"mcpServers": {"notes": {"command": "a"}, "notes": {"command": "b"}}}'

    entries, twice = read(text, name="a.json", largest=1000)

    assert ([entry.command for entry in entries], twice) == (["b"], ("notes",))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
KEYS = st.sampled_from(["command", "args", "env", "url", "headers", "type", "cwd", "disabled", "x", "http_headers"])


@given(st.dictionaries(st.text(max_size=8), st.dictionaries(KEYS, JSON, max_size=6) | JSON, max_size=4))
def test_any_servers_are_read_whole(servers: dict[str, Any]) -> None:
    assert len(contents({"mcpServers": servers})) == len(servers)


def test_an_entry_is_read_for_what_its_witness_wraps_and_the_program_of_the_witness_is_kept() -> None:
    plain = {"command": "npx", "args": ["-y", "notes-mcp", "--token", TOKEN, 3], "env": {"KEY": "v"}}
    words = ["witness", "mine", "--host", "desk", "--", "npx", *plain["args"]]

    wrapped = one({**plain, "command": "/opt/bin/driftwatch", "args": words})

    assert dict(wrapped.witness) == {"program": "/opt/bin/driftwatch", "server": "mine", "host": "desk"}
    assert replace(wrapped, witness={}) == one(plain)


def test_words_before_a_witness_are_shown_without_what_may_be_secret() -> None:
    words = ["-i", f"API_TOKEN={TOKEN}", "driftwatch", "witness", "mine", "--", "npx"]

    found = one({"command": "env", "args": words})

    assert found.command == "npx"
    assert TOKEN not in str(found)
