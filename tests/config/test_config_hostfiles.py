"""Where hosts keep their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from driftwatch.config.hostfiles import PROGRAMS, named, whose

HOME = Path("/home/ann")


def files(host: str, platform: str = "linux", **environ: str) -> list[str]:
    found = named(host)
    assert found is not None
    return [str(path) for path in found.paths(platform, environ, HOME)]


@pytest.mark.parametrize(
    ("host", "linux", "mac"),
    [
        ("claude-desktop", ".config/Claude", "Library/Application Support/Claude"),
        ("vscode", ".config/Code/User", "Library/Application Support/Code/User"),
        ("zed", ".config/zed", ".config/zed"),
        ("Cursor", ".cursor", ".cursor"),
        ("Gemini CLI", ".gemini", ".gemini"),
    ],
)
def test_a_host_has_its_files_where_the_system_keeps_settings(host: str, linux: str, mac: str) -> None:
    assert files(host)[0].rpartition("/")[0] == f"{HOME}/{linux}"
    assert files(host, "darwin")[0].rpartition("/")[0] == f"{HOME}/{mac}"


def test_variables_move_them_where_they_name_a_whole_path() -> None:
    assert files("zed", XDG_CONFIG_HOME="/conf") == ["/conf/zed/settings.json"]
    assert files("zed", "darwin", XDG_CONFIG_HOME="/conf") == [f"{HOME}/.config/zed/settings.json"]
    assert files("zed", XDG_CONFIG_HOME="conf") == [f"{HOME}/.config/zed/settings.json"]
    assert files("codex", CODEX_HOME="/srv/codex") == ["/srv/codex/config.toml"]
    assert files("codex", CODEX_HOME="codex") == [f"{HOME}/.codex/config.toml"]


@pytest.mark.parametrize(
    ("path", "host"),
    [
        (f"{HOME}/.cursor/mcp.json", "cursor"),
        (f"{HOME}/.claude.json", "claude-code"),
        ("/srv/web/.mcp.json", "claude-code"),
        ("/srv/web/.vscode/mcp.json", "vscode"),
        ("/srv/web/.codex/config.toml", "codex"),
        ("/srv/web/mcp.json", None),
        ("/", None),
    ],
)
def test_a_file_is_that_of_the_host_that_reads_it(path: str, host: str | None) -> None:
    found = whose(Path(path), "linux", {}, HOME)

    assert (found.id if found else None) == host


def test_no_two_hosts_have_a_name_or_a_file_in_common() -> None:
    for platform in ("linux", "darwin"):
        paths = [path for one in PROGRAMS for path in one.paths(platform, {}, HOME)]
        assert len(set(paths)) == len(paths)
    words = [word for one in PROGRAMS for word in {one.id, one.name}]
    assert len(set(words)) == len(words)
    assert all(named(one.name) is one for one in PROGRAMS)
    assert named("nobody") is None


def test_the_page_names_every_host_with_its_files() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "witness.md").read_text(encoding="utf-8")

    for one in PROGRAMS:
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{one.id}` |")]
        assert all(file.replace("{config}", "CONFIG") in row for file in (*one.files, *one.project, *one.mac))
