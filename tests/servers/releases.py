"""Releases of a package of npm as they lie in a registry, and an `npx` that starts the one that it is asked for."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from servers.layouts import npm_package

SERVER = """#!{python}
import json, sys

TOOLS = {tools}
ANSWERS = {{
    "initialize": {{
        "protocolVersion": "2025-06-18",
        "capabilities": {{"tools": {{}}}},
        "serverInfo": {{"name": "tickets", "version": "{version}"}},
    }},
    "tools/list": {{"tools": TOOLS}},
}}
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    answer = {{"jsonrpc": "2.0", "id": asked["id"]}}
    if asked["method"] in ANSWERS:
        answer["result"] = ANSWERS[asked["method"]]
    else:
        answer["error"] = {{"code": -32601, "message": "Method not found"}}
    print(json.dumps(answer), flush=True)
"""

_NPX = """#!/bin/sh
for word in "$@"; do case "$word" in @*@*) version="${{word##*@}}"; esac; done
PATH="{shelf}/$version/node_modules/.bin:$PATH" sh -c "tickets-mcp; true" <&0
# the shell stays above
"""


class Registry:
    """A registry of one package: its releases lie in folders, and an `npx` starts the one that it is asked for."""

    def __init__(self, folder: Path) -> None:
        """Take the folder that holds all of it."""
        self.shelf, self.npx = folder / "shelf", folder / "bin" / "npx"
        self.npx.parent.mkdir()
        self.npx.write_text(_NPX.format(shelf=self.shelf))
        self.npx.chmod(0o755)

    def release(self, version: str, *tools: dict[str, Any], code: str = "") -> None:
        """Publish a version that shows these tools; `code` is added to its program."""
        server = SERVER.format(python=sys.executable, tools=json.dumps(tools).replace("true", "True"), version=version)
        server = server.replace("false", "False") + code
        npm_package(self.shelf / version / "node_modules", version=version, server=server)

    def pinned(self, version: str) -> str:
        """Give the tables of a configuration in which that version is started, as it is."""
        return (
            '[defaults]\nsandbox = "none"\nrehearse = false\n'
            f"[servers.tickets]\ncommand = {json.dumps(str(self.npx))}\n"
            f'args = ["-y", "@tickets/mcp@{version}"]\n'
        )
