"""Who needs the secrets: a command that looks or sends does; one that reads, or writes down a decision, does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_world import Run, at, look, shown, tool

from driftwatch.cli.app import COMMANDS
from driftwatch.store import Store

DIGEST = shown(tool()).digest

WITHOUT = {
    "status": ("status",),
    "diff": ("diff", "files"),
    "show": ("show", "files"),
    "approve": ("approve", "files", "--note", "read it", "--by", "ann", "--yes"),
    "reject": ("reject", "files", "--digest", DIGEST, "--note", "no", "--by", "ann"),
    "history": ("history", "files"),
    "replay": ("replay", "files"),
    "ahead": ("ahead",),
    "audit": ("audit",),
    "alerts": ("alerts",),
    "channels": ("channels",),
    "deliveries": ("deliveries",),
    "silences": ("silences",),
    "servers": ("servers",),
    "export": ("export", "files"),
    "token": ("token", "add", "ci", "--by", "ann"),
    "user": ("user", "add", "eve", "--link", "--by", "ann"),
    "healthcheck": ("healthcheck",),
    "witness": ("witness", "list"),
}
"""Commands that neither look nor send."""

WITH = {
    "run": ("run",),
    "check": ("check", "files"),
    "preview": ("preview", "files", "--version", "1.2.3"),
    "lock": ("lock", "write", "--from-look"),
    "config": ("config", "check"),
    "selftest": ("selftest",),
    "inventory": ("inventory",),
    "supply": ("supply",),
}
"""Commands that look, send, or say whether the configuration is good."""

OF_THE_DATABASE = {"backup", "restore", "db", "prune", "vacuum", "reload"}
"""Commands that need to know only which database it is."""

NO_CONFIGURATION = {"completion", "compare", "scan", "rules", "hosts", "import", "demo", "bumps"}

OF_EVERYTHING = {"doctor"}
"""A command that goes on where the configuration is not good, and says so beside all else."""


@pytest.fixture
def bare_shell(store: Store, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A database that a daemon filled, in a shell that has none of the daemon's variables."""
    for server in ("files", "git"):
        look(store, server, shown(tool()), when=at(-1))
    monkeypatch.delenv("KEY")
    monkeypatch.delenv("HOOK")
    return store


def test_every_command_is_in_one_of_the_groups() -> None:
    assert set(COMMANDS) - NO_CONFIGURATION - OF_THE_DATABASE - OF_EVERYTHING - {*WITHOUT, *WITH} == set()
    assert not WITHOUT.keys() & WITH.keys()


@pytest.mark.parametrize("name", [name for name in WITHOUT if name in COMMANDS])
def test_a_command_that_neither_looks_nor_sends_needs_no_secret(run: Run, bare_shell: Store, name: str) -> None:
    ended = run(*WITHOUT[name])

    assert ended.code == 0, ended.err
    assert "not set" not in ended.err


@pytest.mark.parametrize("name", WITH)
def test_a_command_that_looks_or_sends_says_which_variables_are_not_set(run: Run, bare_shell: Store, name: str) -> None:
    ended = run(*WITH[name])

    assert (ended.code, ended.out) == (3, "")
    assert "servers.files.headers.X-Key: the environment variable KEY is not set" in ended.err
    assert "servers.git.args[1]: the environment variable KEY is not set" in ended.err
    assert "channels.ops.secret: the environment variable HOOK is not set" in ended.err


def test_the_doctor_says_which_variables_are_not_set_and_looks_into_the_rest(run: Run, bare_shell: Store) -> None:
    ended = run("doctor", "--offline", "--all")

    said = " ".join(ended.out.split())
    assert ended.code == 3
    assert "servers.files.headers.X-Key: the environment variable KEY is not set" in said
    assert "channels.ops.secret: the environment variable HOOK is not set" in said
    assert "database" in said


def test_the_rest_of_the_configuration_is_checked_as_strictly_without_the_secrets(
    run: Run, configured: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KEY")
    configured.write_text(configured.read_text(encoding="utf-8") + "zzz = 1\n", encoding="utf-8")

    ended = run("status")

    assert ended.code == 3
    assert 'channels.ops.zzz: unknown key "zzz"' in ended.err
    assert "KEY" not in ended.err


def test_a_server_that_is_switched_off_needs_no_secret_until_it_is_looked_at(run: Run, configured: Path) -> None:
    text = configured.read_text(encoding="utf-8").replace("enabled = false", 'enabled = false\nbearer = {env = "NONE"}')
    configured.write_text(text, encoding="utf-8")

    good, refused = run("config", "check"), run("check", "mail")

    assert good.code == 0
    assert refused.code == 3
    assert "error: mail cannot be looked at: the environment variable NONE is not set." in refused.err
