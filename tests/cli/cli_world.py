"""What the tests of the commands share: how a command ended, tools, and a small world with servers and looks."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from driftwatch.judge.snapshot import take
from driftwatch.model import Era, Finding, Kind, Severity, Snapshot, Unreachable
from driftwatch.store import LookRecord, Store

CONFIG = """
[servers.files]
rehearse = false
url = "https://files.example/mcp"
headers = {X-Key = {env = "KEY"}}

[servers.git]
rehearse = false
command = "git-mcp"
args = ["--token", "${KEY}"]

[servers.mail]
url = "http://127.0.0.1:1/mcp"
enabled = false

[channels.ops]
url = "https://ops.example/hook"
secret = {env = "HOOK"}
"""

SERVER = """
import json, sys

for line in sys.stdin:
    asked = json.loads(line)
    answers = {
        "initialize": {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "files", "version": "1.0"},
        },
        "tools/list": {"tools": json.load(open(sys.argv[1]))},
    }
    if "id" not in asked:
        continue
    answer = {"jsonrpc": "2.0", "id": asked["id"]}
    if asked["method"] in answers:
        answer["result"] = answers[asked["method"]]
    else:
        answer["error"] = {"code": -32601, "message": "Method not found"}
    print(json.dumps(answer), flush=True)
"""
"""A server that lists the tools in the file that it is given."""

SECRET = "not-for-eyes-4711"
HOOK = "whsec_" + "QUJDREVGR0hJSktMTU5PUFFSU1RVVldY"


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Ended]


def tool(name: str = "list_files", **parts: Any) -> dict[str, Any]:
    """Make a tool as a server lists it."""
    return {
        "name": name,
        "description": "Lists the files in a folder.",
        "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
        "annotations": {"readOnlyHint": True},
        **parts,
    }


def shown(*tools: dict[str, Any]) -> Snapshot:
    """Make the snapshot of a server that shows these tools."""
    return take({"serverInfo": {"name": "files", "version": "1.0"}, "tools": list(tools)})


LOOSENED = Finding(
    rule="hint-readonly-loosened",
    severity=Severity.HIGH,
    kind=Kind.TOOL,
    item="list_files",
    pointer="/annotations/readOnlyHint",
    message="It said that it only reads, and says so no more.",
    before=True,
    after=False,
)


def at(minutes: float) -> datetime:
    """Give the time so many minutes from now, and half a minute: ages in whole minutes are then certain."""
    shift = timedelta(minutes=abs(minutes), seconds=30)
    return datetime.now(UTC) + (shift if minutes > 0 else -shift)


def look(store: Store, server: str, snapshot: Snapshot, *, when: datetime, **parts: Any) -> None:
    """Record a look at a server."""
    baseline = store.baseline(server)
    values: dict[str, Any] = {
        "server": server,
        "at": when,
        "next_at": at(3),
        "era": Era.MODERN,
        "snapshot": snapshot,
        "expected_baseline": baseline.digest if baseline else None,
        "judged": "by a test",
        "become_provisional": baseline is None,
    }
    store.record_look(LookRecord(**{**values, **parts}))


def fail(store: Store, server: str, *, when: datetime) -> None:
    """Record a failed look at a server."""
    outcome = Unreachable(code="connect", detail="nobody answers \x1b[2J")
    store.record_failure(server, outcome=outcome, at=when, next_at=at(10), era=None)
