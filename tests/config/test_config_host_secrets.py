from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from driftwatch.config.hosts import HostEntry, HostFile, read_host_file, to_toml


def read(document: Any) -> HostFile:
    return read_host_file(json.dumps(document), name="host.json")


def one(entry: Mapping[str, Any], name: str = "git") -> HostEntry:
    (found,) = read({"mcpServers": {name: entry}}).entries
    return found


def holds(entry: HostEntry) -> dict[str, str]:
    return {variable.name: variable.holds for variable in entry.variables}


@pytest.mark.parametrize(
    "value", ["hunter2", "ghp_0123456789abcdef", "postgres://u:hunter2@h/d", "two words", "PIN", "$${A}x"]
)
def test_a_value_of_env_that_may_be_secret_becomes_a_variable(value: str) -> None:
    entry = one({"command": "x", "env": {"API_KEY": value}})

    assert entry.env == (("API_KEY", "${GIT_API_KEY}"),)
    assert holds(entry) == {"GIT_API_KEY": "the server's variable API_KEY, for git"}
    assert value not in to_toml([entry])


@pytest.mark.parametrize("value", ["true", "debug", "8080", "production", "", "en_US.UTF-8", "stdio"])
def test_a_value_of_env_that_is_plainly_a_setting_is_copied(value: str) -> None:
    assert one({"command": "x", "env": {"SETTING": value}}).env == (("SETTING", value),)


def test_even_a_plain_value_of_a_secret_is_not_copied() -> None:
    assert one({"command": "x", "env": {"PIN": "1234"}}).env == (("PIN", "${GIT_PIN}"),)


@pytest.mark.parametrize(
    ("value", "spelt"),
    [
        ("${TOKEN}", "${TOKEN}"),
        ("${env:TOKEN}", "${TOKEN}"),
        ("${TOKEN:-fallback}", "${TOKEN}"),
        ("${userHome}/x", "${HOME}/x"),
        ("${workspaceFolder}/x", "${WORKSPACE_FOLDER}/x"),
        ("a${/}b${pathSeparator}c", "a/b/c"),
        ("${config:a.b}", "${FILL_IN_CONFIG_A_B}"),
        ("${command:pick}", "${FILL_IN_COMMAND_PICK}"),
        ("${}", "${FILL_IN_VALUE}"),
        ("$TOKEN", "$TOKEN"),
    ],
)
def test_placeholders_become_variables(value: str, spelt: str) -> None:
    entry = one({"command": value, "args": [value], "cwd": value})

    assert (entry.command, entry.args, entry.cwd) == (spelt, (spelt,), spelt)


@pytest.mark.parametrize(
    ("value", "spelt"),
    [
        ("${TOKEN}", "${TOKEN}"),
        ("Bearer ${TOKEN}", "Bearer ${TOKEN}"),
        ("hunter2${TOKEN}", "${GIT_A_KEY}"),
        ("cost$${TOKEN}", "${GIT_A_KEY}"),
    ],
)
def test_a_placeholder_does_not_take_a_literal_secret_along(value: str, spelt: str) -> None:
    entry = one({"command": "x", "env": {"A_KEY": value}})

    assert entry.env == (("A_KEY", spelt),)
    assert [f"${{{name}}}" for name in holds(entry)] == [spelt.removeprefix("Bearer ")]


def test_a_default_of_the_host_is_not_copied_and_is_said() -> None:
    entry = one({"url": "${BASE:-https://e.com}/mcp"})

    assert entry.url == "${BASE}/mcp"
    assert entry.notes == ("the host has a value of its own for BASE when it is not set; driftwatch needs it set",)


def test_a_placeholder_without_an_end_is_kept_as_text_and_said() -> None:
    entry = one({"command": "x", "args": ["${A:-${B}}", "${C"]})

    assert entry.args == ("$${A:-${B}}", "$${C")
    assert "check it" in entry.notes[0]


@pytest.mark.parametrize(
    ("headers", "kept", "variables"),
    [
        ({"Authorization": "Bearer hunter2"}, {"Authorization": "Bearer ${GIT_TOKEN}"}, {"GIT_TOKEN"}),
        ({"Authorization": "Basic hunter2"}, {"Authorization": "${GIT_AUTHORIZATION}"}, {"GIT_AUTHORIZATION"}),
        ({"X-Api-Key": "hunter2"}, {"X-Api-Key": "${GIT_X_API_KEY}"}, {"GIT_X_API_KEY"}),
        ({"X-Api-Key": "hunter2-${X}"}, {"X-Api-Key": "${GIT_X_API_KEY}"}, {"GIT_X_API_KEY"}),
        ({"X-Debug": "true"}, {"X-Debug": "true"}, set()),
        ({"Accept": "text/plain", "Content-Type": "x"}, {}, set()),
        ({"A": "true", "a": "false"}, {"A": "true"}, set()),
    ],
)
def test_literal_headers_become_variables(headers: dict[str, str], kept: dict[str, str], variables: set[str]) -> None:
    entry = one({"url": "https://e.com/mcp", "headers": headers})

    assert dict(entry.headers) == kept
    assert set(holds(entry)) == variables
    assert "hunter2" not in to_toml([entry])


@pytest.mark.parametrize(
    ("url", "spelt"),
    [
        ("https://e.com/mcp?api_key=hunter2&debug=true", "https://e.com/mcp?api_key=${GIT_API_KEY}&debug=true"),
        ("https://e.com/mcp?features=docs,search", "https://e.com/mcp?features=docs,search"),
        ("https://e.com/mcp?token=abc", "https://e.com/mcp?token=${GIT_TOKEN}"),
        ("https://e.com/s/Zm9vYmFyMTIzNDU2Nzg5MA/mcp", "https://e.com/s/${GIT_URL_PART}/mcp"),
        ("https://e.com/mcp#part", "https://e.com/mcp"),
        ("https://e.com/mcp?k=${env:K}", "https://e.com/mcp?k=${K}"),
        ("https://u:hunter2@e.com/mcp", "https://e.com/mcp"),
        ("${BASE}/mcp?token=hunter2", "${BASE}/mcp?token=${GIT_TOKEN}"),
    ],
)
def test_what_may_be_secret_in_a_url_becomes_a_variable(url: str, spelt: str) -> None:
    entry = one({"url": url})

    assert entry.url == spelt
    assert "hunter2" not in to_toml([entry])


def test_a_user_name_in_a_url_becomes_a_header() -> None:
    entry = one({"url": "https://u:hunter2@e.com/mcp"})

    assert entry.headers == (("Authorization", "${GIT_AUTHORIZATION}"),)
    assert "base64" in holds(entry)["GIT_AUTHORIZATION"]


@pytest.mark.parametrize(
    ("args", "spelt"),
    [
        (["--api-key", "hunter2"], ["--api-key", "${GIT_API_KEY}"]),
        (["--apiKey=hunter2"], ["--apiKey=${GIT_APIKEY}"]),
        (["--token", "--verbose"], ["--token", "--verbose"]),
        (["-e", "TOKEN=hunter2"], ["-e", "TOKEN=${GIT_TOKEN}"]),
        (["-eMODE=hunter2"], ["-eMODE=${GIT_MODE}"]),
        (["--env=MODE=hunter2"], ["--env=MODE=${GIT_MODE}"]),
        (["-e", "DEBUG=true", "-e", "TOKEN"], ["-e", "DEBUG=true", "-e", "TOKEN"]),
        (["API_TOKEN=hunter2", "x"], ["API_TOKEN=${GIT_API_TOKEN}", "x"]),
        (["--header", "Authorization: Bearer hunter2"], ["--header", "Authorization: Bearer ${GIT_TOKEN}"]),
        (["--header", "X-Key:hunter2"], ["--header", "X-Key: ${GIT_X_KEY}"]),
        (["postgres://u:hunter2@h/d"], ["${GIT_ARG}"]),
        (["https://e.com/mcp?key=hunter2"], ["https://e.com/mcp?key=${GIT_KEY}"]),
        (["sk-hunter2hunter2hunter2"], ["${GIT_ARG}"]),
        (["--config", '{"apiKey":"hunter2"}'], ["--config", "${GIT_ARG}"]),
        (["-c", "API_TOKEN=hunter2 npx x"], ["-c", "${GIT_ARG}"]),
        (["-v", "/etc/token:/token:ro"], ["-v", "/etc/token:/token:ro"]),
        (["--max-tokens", "100", "/srv/data"], ["--max-tokens", "100", "/srv/data"]),
        (["@scope/some-long-package-name@2025.10.11"], ["@scope/some-long-package-name@2025.10.11"]),
        (["img@sha256:" + "0a" * 32], ["img@sha256:" + "0a" * 32]),
    ],
)
def test_secrets_in_arguments_become_variables(args: list[str], spelt: list[str]) -> None:
    entry = one({"command": "x", "args": args})

    assert list(entry.args) == spelt
    assert "hunter2" not in to_toml([entry])


def test_one_variable_stands_for_one_thing_only() -> None:
    found = read(
        {
            "mcpServers": {
                "a.b": {"command": "x", "env": {"KEY": "one"}},
                "a-b": {"command": "x", "env": {"KEY": "two", "OTHER": "${A_B_KEY}"}},
                "ld": {"command": "x", "env": {"PRELOAD": "three"}},
                "1p": {"command": "x", "env": {"KEY": "four"}},
            }
        }
    )

    assert [dict(entry.env) for entry in found.entries] == [
        {"KEY": "${A_B_KEY_2}"},
        {"KEY": "${A_B_KEY_3}", "OTHER": "${A_B_KEY}"},
        {"PRELOAD": "${LD_PRELOAD_2}"},
        {"KEY": "${MCP_1P_KEY}"},
    ]
