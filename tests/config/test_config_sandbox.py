"""The sandbox of local servers: its keys, its short form, and the paths that no server may be shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from driftwatch.config.isolation import SandboxConfig
from driftwatch.config.load import parse
from driftwatch.config.schema import Settings
from driftwatch.config.words import InvalidConfigError, Problem

SERVER = '[servers.git]\ncommand = "git-mcp"\n'


def read(text: str, base: Path, **environ: str) -> Settings:
    return parse(text, {"PATH": "", **environ}, base=base)


def problems(text: str, base: Path, **environ: str) -> tuple[Problem, ...]:
    with pytest.raises(InvalidConfigError) as caught:
        read(text, base, **environ)
    return caught.value.problems


def test_a_server_is_sandboxed_where_that_works_unless_it_is_said_otherwise(tmp_path: Path) -> None:
    sandbox = read(SERVER, tmp_path).server("git").sandbox

    assert (sandbox.kind, sandbox.network, sandbox.home, sandbox.read, sandbox.write) == ("auto", "on", "kept", (), ())


@pytest.mark.parametrize("spelling", ['sandbox = "bwrap"', 'sandbox = { kind = "bwrap" }'])
def test_a_word_is_short_for_the_table_with_that_kind(spelling: str, tmp_path: Path) -> None:
    own = read(SERVER + spelling, tmp_path).server("git").sandbox
    default = read(f"[defaults]\n{spelling}\n{SERVER}", tmp_path).server("git").sandbox

    assert own == default == SandboxConfig(kind="bwrap")


def test_a_server_changes_of_the_default_sandbox_only_what_it_names(tmp_path: Path) -> None:
    text = f'[defaults.sandbox]\nnetwork = "off"\nmemory = "1GiB"\n{SERVER}sandbox = "bwrap"\n'

    sandbox = read(text, tmp_path).server("git").sandbox

    assert (sandbox.kind, sandbox.network, sandbox.memory) == ("bwrap", "off", 2**30)


def test_a_variable_sets_the_default_kind_and_leaves_the_rest_and_a_server_of_its_own(tmp_path: Path) -> None:
    text = (
        f'[defaults.sandbox]\nkind = "bwrap"\nprocesses = 9\n{SERVER}[servers.own]\ncommand = "x"\nsandbox = "bwrap"\n'
    )

    settings = read(text, tmp_path, DRIFTWATCH_SANDBOX="None")

    assert (settings.server("git").sandbox.kind, settings.server("git").sandbox.processes) == ("none", 9)
    assert settings.server("own").sandbox.kind == "bwrap"


def test_a_wrong_variable_is_named_by_its_own_name(tmp_path: Path) -> None:
    found = problems(SERVER, tmp_path, DRIFTWATCH_SANDBOX="chroot")

    assert [one.path for one in found] == ["DRIFTWATCH_SANDBOX"]


def test_paths_start_at_the_folder_of_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    text = SERVER + 'sandbox = { read = ["data"], write = ["data/notes", "/srv/notes"] }\n'

    settings = read(text, tmp_path)

    sandbox = settings.server("git").sandbox
    assert sandbox.read == (str(tmp_path / "data"),)
    assert sandbox.write == (str(tmp_path / "data" / "notes"), "/srv/notes")
    assert any("sandbox.write[0]" in one and "is not there" in one for one in settings.warnings)


@pytest.mark.parametrize(
    ("table", "key", "message"),
    [
        ('kind = "chroot"', "kind", "is not one of the words"),
        ('network = "maybe"', "network", "is not one of the words"),
        ('memory = "much"', "memory", "not a size"),
        ('memory = "0"', "memory", "more than zero"),
        ("processes = 0", "processes", "at least 1"),
        ("open_files = true", "open_files", "expected an integer"),
        ('cpu = "0s"', "cpu", "more than zero"),
        ('read = "/srv"', "read", "expected an array"),
        ('read = [""]', "read[0]", "is empty"),
        ('kind = "container"', "kind", "needs an image"),
        ('kind = "container"\nimage = "a"\nnetwork = "fetch-only"', "network", "does not go with a container"),
        ("processs = 4", "processs", "unknown key"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place(table: str, key: str, message: str, tmp_path: Path) -> None:
    (found,) = problems(f"{SERVER}[servers.git.sandbox]\n{table}\n", tmp_path)

    assert found.path == f"servers.git.sandbox.{key}"
    assert message in found.message


def test_neither_a_number_nor_a_list_is_a_sandbox(tmp_path: Path) -> None:
    (found,) = problems(f"{SERVER}sandbox = 5\n", tmp_path)

    assert (found.path, found.message) == ("servers.git.sandbox", "expected a table, found an integer")


@pytest.mark.parametrize("key", ["read", "write"])
@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/", "is everything there is"),
        ("{home}", "a home folder"),
        ("{home}/..", "a home folder"),
        (".", "driftwatch's own configuration"),
        ("data", "driftwatch's own configuration or database"),
        ("data/watch.db", "driftwatch's own configuration or database"),
        ("data/watch.db-wal", "driftwatch's own configuration or database"),
        ("/proc", "lead out of the sandbox"),
        ("/run", "lead out of the sandbox"),
        ("/srv/docker.sock", "lead out of the sandbox"),
        ("link", "driftwatch's own configuration"),
        ("a\\u0000b", "NUL"),
    ],
)
def test_a_path_that_would_show_what_must_not_be_seen_is_refused(
    path: str, message: str, key: str, tmp_path: Path
) -> None:
    home, base = tmp_path / "people" / "ann", tmp_path / "driftwatch"
    (base / "data").mkdir(parents=True)
    home.mkdir(parents=True)
    (base / "link").symlink_to(base)
    text = f'[database]\nurl = "sqlite:///data/watch.db"\n{SERVER}[servers.git.sandbox]\n'

    (found,) = problems(f'{text}{key} = ["{path.format(home=home)}"]\n', base, HOME=str(home))

    assert found.path == f"servers.git.sandbox.{key}[0]"
    assert message in found.message
    assert found.hint


def test_a_wrong_path_of_the_defaults_is_said_once_and_there(tmp_path: Path) -> None:
    text = f'[defaults.sandbox]\nread = ["/"]\n{SERVER}[servers.other]\ncommand = "x"\n'

    (found,) = problems(text, tmp_path)

    assert found.path == "defaults.sandbox.read[0]"


def test_a_path_with_a_secret_in_it_is_shown_as_it_is_written(tmp_path: Path) -> None:
    text = f'{SERVER}[servers.git.sandbox]\nread = ["${{PLACE}}"]\n'

    (found,) = problems(text, tmp_path, PLACE=str(tmp_path))

    assert "${PLACE}" in found.message
    assert str(tmp_path) not in found.message


def test_folders_with_keys_in_them_are_doubted(tmp_path: Path) -> None:
    keys = tmp_path / "ann" / ".ssh"
    keys.mkdir(parents=True)

    settings = read(f'{SERVER}[servers.git.sandbox]\nread = ["{keys}"]\n', tmp_path / "own")

    assert any("servers.git.sandbox.read[0]: people keep keys" in one for one in settings.warnings)


@pytest.mark.parametrize(("command", "doubted"), [("pipx", True), ("npx", False), ("python3", False)])
def test_fetching_alone_is_doubted_where_the_runner_cannot(command: str, doubted: bool, tmp_path: Path) -> None:
    args = '["run", "mail-mcp==1.0"]' if command == "pipx" else '["mail-mcp@1.0.0"]'
    text = f'[servers.git]\ncommand = "{command}"\nargs = {args}\nsandbox = {{ network = "fetch-only" }}\n'

    settings = read(text, tmp_path)

    assert any("cannot fetch without running" in one for one in settings.warnings) is doubted
