"""The commands in the README, the quick start and the pages of hosts are run as they stand there."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from driftwatch.config.hostfiles import PROGRAMS, HostProgram
from tests import zygote
from tests.documents import ROOT, blocks
from tests.servers.over_http import serving

HOSTS = ROOT / "docs" / "hosts"
PAGES = [ROOT / "README.md", ROOT / "docs" / "quickstart.md", *sorted(HOSTS.glob("*.md"))]
RUN = [ROOT / "README.md", ROOT / "docs" / "quickstart.md", HOSTS / "codex.md"]
"""Pages that are run. Those of the other hosts with a file give the same commands, which another test holds."""

ALIKE = {
    "claude-code": ("claude-code", "~/.claude.json", "Claude Code"),
    "codex": ("codex", "~/.codex/config.toml", "Codex"),
    "cursor": ("cursor", "~/.cursor/mcp.json", "Cursor"),
    "vs-code": ("vscode", "~/.config/Code/User/mcp.json", "VS Code"),
}
"""The id, the file and the name of the hosts with a file, by their page."""
SHELL = {"console", "sh", "bash"}

SERVER = """
import json, sys

for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    answers = {
        "initialize": {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "issues", "version": "2.0"},
        },
        "tools/list": {"tools": [{"name": "list_issues", "inputSchema": {"type": "object"}}]},
    }
    answer = {"jsonrpc": "2.0", "id": asked["id"]}
    if asked["method"] in answers:
        answer["result"] = answers[asked["method"]]
    else:
        answer["error"] = {"code": -32601, "message": "Method not found"}
    print(json.dumps(answer), flush=True)
"""


def named(host: str) -> HostProgram:
    return next(one for one in PROGRAMS if one.id == host)


def commands_of(page: Path) -> str:
    return "\n".join(one.text for one in blocks(page) if one.language in SHELL and not one.excuse)


def told(scratch: Path) -> list[dict[str, Any]]:
    """Give the messages that the program was handed, which it keeps one behind the other."""
    rest = (scratch / "watch" / "alerts.jsonl").read_text()
    found = []
    while rest:
        one, end = json.JSONDecoder().raw_decode(rest)
        found.append(one)
        rest = rest[end:].lstrip()
    return found


def entry_for_codex(home: Path) -> str:
    program = home / "servers" / "issues.py"
    return f"[mcp_servers.github]\ncommand = {json.dumps(sys.executable)}\nargs = ['{program}']\n"


def settle(home: Path) -> None:
    """Give a person the files of their hosts, each with one server."""
    program = home / "servers" / "issues.py"
    program.parent.mkdir()
    program.write_text(SERVER)
    entry = {"command": sys.executable, "args": [str(program)]}
    files = {
        ".cursor/mcp.json": json.dumps({"mcpServers": {"github": entry}}, indent=2),
        ".codex/config.toml": entry_for_codex(home),
    }
    for name, text in files.items():
        file = home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def played(script: str, scratch: Path) -> subprocess.CompletedProcess[str]:
    """Run commands as a person would, in an empty folder, with a home of their own."""
    home, folder, programs = scratch / "home", scratch / "watch", scratch / "bin"
    for one in (home, folder, programs):
        one.mkdir()
    settle(home)
    program = programs / "driftwatch"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(zygote.standing_for_driftwatch())} -m driftwatch "$@"\n')
    program.chmod(0o755)
    (programs / "python3").symlink_to(sys.executable)
    environ = {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(home), "LANG": "C.UTF-8", "USER": "ann"}
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
def test_the_commands_of_a_page_do_what_it_says(page: Path, tmp_path: Path) -> None:
    done = played(commands_of(page), tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr
    if page.stem == "quickstart":
        assert "ended with 1" in done.stdout
        assert "text-injection" in done.stdout
        assert [one["type"].rpartition(".")[2] for one in told(tmp_path)] == ["opened", "acknowledged", "resolved"]
    elif page.parent == HOSTS:
        assert (tmp_path / "home" / ".codex" / "config.toml").read_text() == entry_for_codex(tmp_path / "home")


def test_the_pages_of_hosts_with_a_file_give_the_same_commands() -> None:
    given = set()
    for page, words in ALIKE.items():
        script = commands_of(HOSTS / f"{page}.md")
        host, file, name = words
        script = script.replace(file, "FILE").replace(name, "NAME")
        script = script.replace(host, "HOST")
        given.add(script)

    assert len(given) == 1, given
    assert {*ALIKE, "chatgpt-apps"} == {page.stem for page in HOSTS.glob("*.md")}
    assert all(named(host).files[0].removeprefix("{config}") in file for host, file, _ in ALIKE.values())


async def test_the_commands_for_chatgpt_do_what_the_page_says(tmp_path: Path) -> None:
    async with serving() as server:
        script = commands_of(HOSTS / "chatgpt-apps.md").replace("https://mcp.example.com/mcp", server.url)
        done = await asyncio.to_thread(played, script, tmp_path)

    assert done.returncode in {0, 1}, done.stdout + done.stderr


def test_what_is_not_run_says_why() -> None:
    shell = {page.name: [one for one in blocks(page) if one.language in SHELL] for page in PAGES}
    excuses = {name: [one.excuse for one in given if one.excuse] for name, given in shell.items()}

    assert {name: len(given) for name, given in excuses.items() if given} == {"README.md": 5, "quickstart.md": 3}
    assert all(len(excuse) > 20 for given in excuses.values() for excuse in given)
