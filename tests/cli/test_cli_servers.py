"""A server that is called otherwise in the configuration keeps what is known of it."""

from __future__ import annotations

from pathlib import Path

from cli_world import CONFIG, Run, at, look, shown, tool

from driftwatch.store import Store
from driftwatch.store.holding import held


def test_a_server_keeps_its_approval_under_another_name(run: Run, store: Store, configured: Path) -> None:
    look(store, "git", shown(tool()), when=at(-60))
    run("approve", "git", "--yes", "--by", "ana")
    store.close()
    with held(f"sqlite:///{configured.parent / 'driftwatch.db'}", doing="run", now=at(0)):
        beside = run("servers", "rename", "git", "notes")
    configured.write_text(CONFIG.replace("[servers.git]", "[servers.notes]"), encoding="utf-8")

    wrong = run("servers", "rename", "git", "no such name")
    done = run("servers", "rename", "git", "notes", "--by", "ana")
    again = run("servers", "rename", "git", "notes")
    status = {one["name"]: one for one in run("status", "--format", "json").json["servers"]}

    assert (beside.code, "is held by driftwatch run" in beside.err) == (4, True)
    assert wrong.code == 2
    assert (done.code, done.out) == (0, "All that was known of git is known of notes now.\n")
    assert (again.code, "Nothing is known" in again.err) == (2, True)
    assert status["notes"]["baseline"]["state"] == "approved"
    assert run("audit", "verify").code == 0
    assert "notes was git" in run("audit").out
