"""Where people read as whom a server is looked at, when that last was, and what came of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_world import Run, at, look, shown, tool

from driftwatch.model import Face, Verdict
from driftwatch.store import Store

IDENTITIES = 'identities = ["claude-code", "cursor", "vscode"]\ncloaking_period = "2h"\n'


@pytest.fixture
def faces(store: Store, configured: Path) -> None:
    text = configured.read_text(encoding="utf-8")
    configured.write_text(text.replace("[servers.files]\n", f"[servers.files]\n{IDENTITIES}"), encoding="utf-8")
    look(store, "files", shown(tool()), when=at(-3))
    store.record_face(
        Face("files", "claude-code", Verdict.DIFFERS, looked_at=at(-5), ok_at=at(-5), since=at(-5), outcome="listed")
    )
    store.record_face(
        Face(
            "files",
            "cursor",
            Verdict.LEARNED,
            cause="credential capabilities",
            looked_at=at(-7),
            ok_at=at(-60 * 5),
            failures=2,
            outcome="refused:forbidden",
            detail="this client may not list",
        )
    )


@pytest.mark.usefixtures("faces")
@pytest.mark.parametrize("command", [("status",), ("servers",), ("show", "files")])
def test_each_identity_has_a_line_with_its_last_look_and_what_it_came_to(command: tuple[str, ...], run: Run) -> None:
    said = " ".join(run(*command).out.split())

    assert "files is looked at as each of these once in 2 h:" in said
    assert "claude-code: looked as 5 min ago: ANOTHER LIST, for no reason but the name." in said
    assert (
        "cursor (cursor-vscode): looked as 7 min ago, and that look failed (forbidden: this client may not list); "
        "before that, 5 h ago: a list of its own, learned (it may differ: credential, capabilities)."
    ) in said
    assert "vscode (Visual Studio Code): not looked as yet." in said


@pytest.mark.usefixtures("faces")
@pytest.mark.parametrize("command", ["status", "servers"])
def test_programs_get_the_same(command: str, run: Run) -> None:
    servers = {one["name"]: one for one in run(command, "--format", "json").json["servers"]}

    found = servers["files"]["identities"]
    assert [(one["name"], one["client_name"], one["verdict"]) for one in found] == [
        ("claude-code", "claude-code", "differs"),
        ("cursor", "cursor-vscode", "learned"),
        ("vscode", "Visual Studio Code", "not-compared"),
    ]
    assert found[1]["failures"] == 2
    assert servers["git"]["identities"] == []


def test_servers_without_identities_say_nothing_of_them(run: Run, store: Store) -> None:
    assert "looked at as each" not in run("servers").out
