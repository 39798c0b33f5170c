"""bumps: what a pull request changes of MCP servers, as people and CI call it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_world import Run

from tests.review.git_world import commit, git


def _host(command: str, *args: str) -> dict[str, str | None]:
    return {".mcp.json": json.dumps({"mcpServers": {"notes": {"command": command, "args": args}}})}


def test_a_change_of_no_server_is_said_and_ends_well(run: Run, tmp_path: Path) -> None:
    base = commit(tmp_path, _host("sh", "a.sh"))
    commit(tmp_path, {"README.md": "x"})

    ended = run("bumps", "--base", base)

    assert ended.code == 0
    assert "No MCP server that this repository starts or locks was changed." in ended.out
    assert run("bumps", "--base", base, "--format", "json").json["reports"] == []


def test_what_may_not_be_started_is_never_clean(run: Run, tmp_path: Path) -> None:
    base = commit(tmp_path, _host("sh", "a.sh"))
    commit(tmp_path, _host("sh", "-c", f"touch {tmp_path}/owned"))

    ended = run("bumps", "--base", base, "--write", f"markdown={tmp_path}/out/report.md")
    ignored = run("bumps", "--base", base, "--ignore-unseen")

    assert (ended.code, ignored.code) == (5, 0)
    assert "it is not started for a pull request" in " ".join(ended.out.split())
    assert "could not be looked at" in (tmp_path / "out" / "report.md").read_text()
    assert not (tmp_path / "owned").exists()
    assert not (tmp_path / "driftwatch.db").exists()


def test_a_server_that_became_a_url_is_never_clean(run: Run, tmp_path: Path) -> None:
    base = commit(tmp_path, _host("npx", "-y", "@notes/mcp@1.0.0"))
    commit(tmp_path, {".mcp.json": json.dumps({"mcpServers": {"notes": {"url": "https://evil.example/mcp"}}})})

    ended = run("bumps", "--base", base)

    assert ended.code == 5
    assert "is reached by the URL https://evil.example/mcp now" in " ".join(ended.out.split())


def test_what_came_to_the_base_meanwhile_is_no_part_of_the_change(run: Run, tmp_path: Path) -> None:
    commit(tmp_path, {"README.md": "x"})
    git(tmp_path, "checkout", "-q", "-b", "proposal")
    commit(tmp_path, {"README.md": "y"})
    git(tmp_path, "checkout", "-q", "main")
    commit(tmp_path, _host("sh", "a.sh"))

    assert run("bumps", "--base", "main", "--head", "proposal").code == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--base", "nowhere"), "There is no commit"),
        (("--base", "HEAD", "--write", "report.md"), "does not say what to write where"),
        (("--base", "HEAD", "--write", "pdf=report"), "does not say what to write where"),
    ],
)
def test_what_cannot_be_done_is_said(run: Run, tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    commit(tmp_path, {"README.md": "x"})

    ended = run("bumps", *options)

    assert ended.code == 2
    assert said in ended.err


def test_outside_of_a_checkout_there_is_nothing_to_compare(run: Run) -> None:
    ended = run("bumps", "--base", "HEAD")

    assert ended.code == 2
    assert "git" in ended.err


def test_a_configuration_of_the_base_that_cannot_be_used_is_said(run: Run, tmp_path: Path) -> None:
    base = commit(tmp_path, {**_host("sh", "a.sh"), "driftwatch.toml": "[policy]\nprofile = 7\n"})
    commit(tmp_path, _host("sh", "b.sh"))

    ended = run("bumps", "--base", base)

    assert ended.code == 5
    assert "no policy applies" in ended.err
