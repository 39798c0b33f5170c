"""Pins in the files of a repository: what is read, where it stands, and what of it starts a server."""

from __future__ import annotations

import json

import pytest

from driftwatch.errors import UnreadableInputError
from driftwatch.review.pins import may_pin, pins_of
from driftwatch.review.starts import may_start, starts_of

COMPOSE = """\
services:
  tickets:
    image: "mcp/tickets:1.2.0"   # reviewed
  other:
    image: postgres:16
    entrypoint: ["npx", "-y"]
  notes:
    image: node:22
    command: [ "npx", "-y", "@notes/mcp@2.0.0", "/data" ]
  words:
    image: registry.example:5000/team/mcp-words@sha256:{digest}
    command:
      - uvx
      - words-mcp==3.1
  late:
    image: mcp/late:${{LATE:-4.0}}
    command: uvx --from late-mcp==4.1 late
"""

DOCKERFILE = """\
ARG TAG=1.2
FROM --platform=linux/amd64 mcp/base:${TAG} AS one
RUN npm install -g @notes/mcp@2.0.0 \\
    # kept
    left-pad@1.3.0 && pip install "words-mcp[extra]==3.1"
ENTRYPOINT ["npx", "-y", "@notes/mcp@2.0.0"]
"""


@pytest.mark.parametrize(
    ("path", "read"),
    [
        ("compose.yaml", True),
        ("deploy/docker-compose.prod.yml", True),
        ("Dockerfile", True),
        ("build/mcp.Dockerfile", True),
        ("package.json", True),
        ("requirements-dev.txt", True),
        ("node_modules/a/package.json", False),
        ("values.yaml", False),
        ("notes.txt", False),
    ],
)
def test_files_are_known_by_their_names(path: str, read: bool) -> None:
    assert may_pin(path) is read


def test_a_compose_file_is_read_with_the_lines_and_with_what_it_starts() -> None:
    found = {pin.name: pin for pin in pins_of("compose.yaml", COMPOSE.format(digest="a" * 64))}

    assert {name: pin.version for name, pin in found.items()} == {
        "mcp/tickets": "1.2.0",
        "postgres": "16",
        "node": "22",
        "@notes/mcp": "2.0.0",
        "registry.example:5000/team/mcp-words": "sha256:" + "a" * 64,
        "words-mcp": "3.1",
        "mcp/late": "4.0",
        "late-mcp": "4.1",
    }
    assert (found["mcp/tickets"].line, found["@notes/mcp"].line) == (3, 9)
    assert found["mcp/tickets"].words == ("docker", "run", "-i", "--rm", "mcp/tickets:1.2.0")
    assert found["words-mcp"].words == ("uvx", "words-mcp==3.1")
    assert found["postgres"].words == ()


def test_a_dockerfile_is_read_with_continued_lines_and_arguments() -> None:
    found = [(pin.name, pin.version, pin.line, bool(pin.words)) for pin in pins_of("Dockerfile", DOCKERFILE)]

    assert found == [
        ("mcp/base", "1.2", 2, True),
        ("@notes/mcp", "2.0.0", 3, False),
        ("left-pad", "1.3.0", 3, False),
        ("words-mcp", "3.1", 3, False),
        ("@notes/mcp", "2.0.0", 6, True),
    ]


def test_lists_of_packages_are_read() -> None:
    npm = pins_of("package.json", json.dumps({"dependencies": {"@notes/mcp": "^2.0.0", "b": "workspace:*"}}))
    python = pins_of(
        "requirements.txt", "# pinned\nWords_MCP[x]==3.1 ; python_version > '3' \\\n    --hash=sha256:ab\nb>=2\n"
    )

    assert [(pin.name, pin.version) for pin in npm] == [("@notes/mcp", "2.0.0")]
    assert [(pin.name, pin.version, pin.line) for pin in python] == [("words-mcp", "3.1", 2)]


@pytest.mark.parametrize("path", ["compose.yaml", "Dockerfile", "package.json", "requirements.txt"])
@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00",
        "[" * 50_000,
        "image: \n" * 99,
        "RUN " + "a[" * 200_000,
        "CMD [",
        "command: 'a",
        '{"dependencies": 1}',
    ],
)
def test_whatever_such_a_file_holds_reading_it_comes_to_an_end(path: str, text: str) -> None:
    assert isinstance(pins_of(path, text), tuple)


def test_hosts_files_and_our_own_are_read_without_anything_filled_in() -> None:
    host = json.dumps(
        {
            "mcpServers": {
                "notes": {
                    "command": "npx",
                    "args": ["-y", "@notes/mcp@1.0.0"],
                    "env": {"KEY": "s3cr3t-value-4711-abc"},
                },
                "web": {"url": "https://mcp.example.com"},
                "off": {"command": "npx", "args": ["x"], "disabled": True},
            }
        }
    )
    own = (
        '[servers.notes]\ncommand = "npx"\nargs = ["${PKG}"]\nenv = {KEY = {file = "/etc/shadow"}}\n'
        '[servers."../x"]\ncommand = "y"\n'
    )

    (of_host,) = starts_of(".cursor/mcp.json", host)
    (of_own,) = starts_of("driftwatch.toml", own)

    assert (of_host.server, of_host.words, of_host.env) == ("notes", ("npx", "-y", "@notes/mcp@1.0.0"), ("KEY",))
    assert "s3cr3t" not in repr(of_host)
    assert (of_own.words, of_own.env, of_own.line) == (("npx", "${PKG}"), ("KEY",), 1)


def test_what_looks_like_a_hosts_file_and_cannot_be_read_is_said_and_all_else_is_left_alone() -> None:
    assert not may_start("src/data.json")
    assert may_start(".vscode/settings.json")
    assert starts_of("config.json", '{"observers": [}') == ()
    with pytest.raises(UnreadableInputError):
        starts_of(".mcp.json", '{"mcpServers": {')
