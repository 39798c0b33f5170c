"""What a sandbox is made of before anything is started: command lines, packages, folders, limits, words."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from driftwatch.config.isolation import SandboxConfig
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.config.secret import Secret
from driftwatch.watch.fetch.sandbox import bwrap, container
from driftwatch.watch.fetch.sandbox.able import Able, able
from driftwatch.watch.fetch.sandbox.assemble import Room, sandboxed
from driftwatch.watch.fetch.sandbox.choose import Sandboxes
from driftwatch.watch.fetch.sandbox.guard import Guard
from driftwatch.watch.fetch.sandbox.limits import limits_of
from driftwatch.watch.fetch.sandbox.needs import Asked, needs
from driftwatch.watch.fetch.sandbox.said import sandbox_words
from driftwatch.watch.fetch.sandbox.view import View

WORKS = Able("/usr/bin/bwrap")


def after(words: list[str], option: str) -> list[str]:
    """Give what follows an option each time."""
    return [words[at + 1] for at, word in enumerate(words) if word == option]


def test_nothing_is_shown_twice_and_what_lies_in_a_folder_comes_after_it() -> None:
    view = View(
        read=("/srv/a/b", "/srv/a"),
        write=("/srv/a/b/c",),
        empty=("/srv/docs",),
        scratch=("/tmp",),
        kept={"/home/sandbox": "/var/kept"},
    )

    words = bwrap.arguments(view, ["server"], cwd="/srv/a", network=True, size=9)

    mounts = [word for word in words if word.startswith(("/srv", "/tmp", "/home", "/var/kept"))]
    assert mounts[:3] == ["/tmp", "/var/kept", "/home/sandbox"]
    assert words.index("/srv/a") < words.index("/srv/a/b") < words.index("/srv/a/b/c")
    assert after(words, "--bind-try") == ["/srv/a/b/c"]
    assert words[-2:] == ["--", "server"]


@pytest.mark.parametrize(("network", "apart"), [(True, False), (False, True)])
def test_the_network_is_apart_only_where_it_is_off(network: bool, apart: bool) -> None:
    words = bwrap.arguments(View(), ["x"], cwd="/", network=network, size=9)

    assert ("--unshare-net" in words) is apart
    assert {"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--new-session"} <= set(words)
    assert after(words, "--cap-drop") == ["ALL"]
    assert after(words, "--remount-ro") == ["/dev", "/"]


def test_an_old_bubblewrap_is_asked_for_nothing_that_it_does_not_know() -> None:
    words = bwrap.arguments(View(scratch=("/tmp",)), ["x"], cwd="/", network=True, size=9, features=frozenset())

    assert not {"--size", "--disable-userns"} & set(words)


def test_the_environment_is_on_no_command_line(tmp_path: Path) -> None:
    server = ServerConfig(name="a", command="/bin/true", env={"TOKEN": Secret("hunter2hunter2")})
    room = Room(WORKS, Guard.of([], []), {"TOKEN": "hunter2hunter2", "PATH": "/bin"}, cwd="/")

    start = sandboxed(server, ("/bin/true",), room)

    assert start.env["TOKEN"] == "hunter2hunter2"
    assert start.walls is not None
    words = bwrap.arguments(start.walls.view, start.words, cwd="/", network=True, size=9)
    assert "hunter2" not in " ".join(words)
    assert "hunter2" not in repr(start)


def test_a_file_that_is_named_in_a_folder_that_may_be_written_is_not_shown_apart(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("x")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "list.db").symlink_to("../other")
    words = ("/bin/true", str(tmp_path / "data" / "list.db"), str(tmp_path / "other"))
    sandbox = SandboxConfig(write=(str(tmp_path / "data"),))
    server = ServerConfig(name="a", command="/bin/true", args=words[1:], sandbox=sandbox)

    start = sandboxed(server, words, Room(WORKS, Guard.of([], []), {"PATH": "/bin"}, cwd="/"))

    assert start.walls is not None
    assert str(tmp_path / "data" / "list.db") not in start.walls.view.read
    assert str(tmp_path / "other") in start.walls.view.read


@pytest.mark.parametrize("engine", ["podman", "docker"])
def test_a_container_is_read_only_without_rights_and_with_every_limit(engine: str) -> None:
    sandbox = SandboxConfig(
        kind="container", image="tickets:1", network="off", read=("/srv/a,b",), write=("/srv/w",), memory=64 * 2**20
    )

    words = container.arguments(
        engine, sandbox, ["server", "--flag"], name="driftwatch-a-1", variables=["TOKEN"], cwd="/srv/w"
    )

    assert words[:2] == ["run", "--rm"]
    assert {"--read-only", "--interactive", "--init"} <= set(words)
    assert (after(words, "--network"), after(words, "--cap-drop")) == (["none"], ["ALL"])
    assert after(words, "--memory") == after(words, "--memory-swap") == [str(64 * 2**20)]
    assert after(words, "--mount") == [
        'type=bind,"source=/srv/a,b","target=/srv/a,b",readonly',
        'type=bind,"source=/srv/w","target=/srv/w"',
    ]
    assert after(words, "--env") == ["HOME=/home/sandbox", "TOKEN"]
    assert words[-4:] == ["--entrypoint", "server", "tickets:1", "--flag"]
    assert ("--userns" in words) is (engine == "podman")


def test_a_container_has_the_engines_own_network_where_it_is_on() -> None:
    sandbox = SandboxConfig(kind="container", image="tickets:1")

    words = container.arguments("podman", sandbox, ["x"], name="n", variables=[], cwd=None)

    assert "--network" not in words
    assert after(words, "--workdir") == ["/home/sandbox"]


@pytest.mark.parametrize(
    ("folder", "allowed"),
    [
        ("/", False),
        ("/home", False),
        ("/home/ann", False),
        ("/home/ann/Downloads", False),
        ("/home/ann/.ssh", False),
        ("/home/ann/.ssh/agents", False),
        ("/home/ann/.config", False),
        ("/home/ann/.local/share", False),
        ("/home/ann/.pyenv", True),
        ("/home/ann/.nvm/versions/node/v22", True),
        ("/home/ann/mail-mcp", True),
        ("/home/bob", False),
        ("/home/bob/.aws", False),
        ("/root", False),
        ("/root/mail-mcp", True),
        ("/srv", False),
        ("/srv/mail-mcp", True),
        ("/srv/driftwatch", False),
        ("/srv/driftwatch/servers", True),
    ],
)
def test_a_folder_is_shown_whole_only_where_it_is_a_programs(folder: str, allowed: bool) -> None:
    guard = Guard.of(["/home/ann", "not absolute"], [Path("/srv/driftwatch/watch.db")])

    assert guard.allows(folder) is allowed


def _asked(*words: str, cwd: Path) -> Asked:
    return Asked(words, "/nowhere", str(cwd), lambda command, _: f"{cwd}/bin/{command}")


def _program(file: Path, text: str = "\x7fELF") -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)


def test_a_script_for_node_needs_the_packages_and_settings_above_it(tmp_path: Path) -> None:
    project = tmp_path / "project"
    for folder in ("bin", "dist", "node_modules", "private"):
        (project / folder).mkdir(parents=True)
    (project / "package.json").write_text("{}")
    (project / "bin" / "node").write_bytes(b"\x7fELF")
    (project / "dist" / "index.js").write_text("")

    found = needs(_asked("node", "dist/index.js", cwd=project), Guard.of([], []))

    inside = {str(Path(one).relative_to(project)) for one in found}
    assert inside == {"bin/node", "dist", "node_modules", "package.json"}


def test_a_script_names_what_runs_it_and_each_link_on_the_way_is_needed(tmp_path: Path) -> None:
    tools, package = tmp_path / "bin", tmp_path / "store" / "tool"
    for folder in (tools, package):
        folder.mkdir(parents=True)
    _program(tools / "runtime")
    (package / "serve").write_text("#!/usr/bin/env -S runtime --flag\n")
    (tools / "serve").symlink_to("../store/tool/serve")

    found = needs(_asked("serve", cwd=tmp_path), Guard.of([], []))

    assert {str(Path(one).relative_to(tmp_path)) for one in found} == {"bin/serve", "bin/runtime", "store/tool/serve"}


def test_an_environment_is_needed_whole_with_what_is_under_development_in_it(tmp_path: Path) -> None:
    environment, project = tmp_path / "env", tmp_path / "project" / "src"
    site = environment / "lib" / "python3.12" / "site-packages"
    for folder in (site, environment / "bin", project):
        folder.mkdir(parents=True)
    (environment / "pyvenv.cfg").write_text("home = /usr/bin\n")
    (environment / "bin" / "serve").write_text("#!/usr/bin/python3\n")
    (site / "project.pth").write_text(f"{project}\nimport sys\n/nowhere/at/all\n")

    found = needs(_asked("serve", cwd=environment), Guard.of([], []))

    assert found == {str(environment), str(project)}


def test_links_that_lead_round_end(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "round").symlink_to("round")

    assert needs(_asked("round", cwd=tmp_path), Guard.of([], [])) == {str(tmp_path / "bin" / "round")}


@pytest.mark.parametrize(("release", "counted"), [("5.10.0-28-amd64", False), ("5.14.0-1", True), ("6.18.44-x", True)])
def test_processes_are_counted_by_the_kernel_only_where_it_counts_a_sandbox_apart(release: str, counted: bool) -> None:
    limits = dict(limits_of(SandboxConfig(processes=7, cpu=0.2), release))

    assert (limits.get(resource.RLIMIT_NPROC) == 7) is counted
    assert limits[resource.RLIMIT_CORE] == 0
    assert limits[resource.RLIMIT_CPU] == 1


def _server(name: str, kind: str, command: str = "x", **fields: object) -> ServerConfig:
    return ServerConfig(name=name, command=command, sandbox=SandboxConfig(kind=kind, image="i"), **fields)


@pytest.mark.parametrize(
    ("servers", "reason", "said"),
    [
        ([], "", ""),
        ([ServerConfig(name="web", url="https://a.example/mcp")], "", ""),
        ([_server("a", "none")], "", ""),
        ([_server("a", "auto"), _server("b", "bwrap")], "", "bubblewrap"),
        ([_server("a", "auto")], "it is not there", "none, because it is not there"),
        (
            [_server("a", "auto"), _server("b", "bwrap"), _server("c", "none"), _server("d", "auto", enabled=False)],
            "it is not there",
            "none, because it is not there: a; NOT WORKING, because it is not there: b; none, as configured: c",
        ),
        (
            [_server("a", "container"), _server("b", "auto", command="docker")],
            "",
            "a container: a; a container of its own: b",
        ),
    ],
)
def test_what_local_servers_run_in_is_said_in_a_line(servers: list[ServerConfig], reason: str, said: str) -> None:
    settings = Settings(servers=tuple(servers))

    assert sandbox_words(settings, {}, tried=lambda _: Able(reason=reason)) == said


def test_without_bubblewrap_on_the_path_the_reason_is_said(tmp_path: Path) -> None:
    assert able({"PATH": str(tmp_path)}).reason == "bubblewrap (the program bwrap) is not installed"


def test_a_bubblewrap_that_fails_says_why(tmp_path: Path) -> None:
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    program.chmod(0o755)

    assert able({"PATH": str(tmp_path)}).reason == (
        "bubblewrap does not work here: setting up uid map: Permission denied"
    )


def test_an_old_bubblewrap_is_used_for_what_it_can(tmp_path: Path) -> None:
    program = tmp_path / "bwrap"
    program.write_text(
        '#!/bin/sh\n[ "$1" = --help ] && echo "    --size BYTES  Set size" && exit\n'
        'for word; do [ "$word" = --disable-userns ] && echo "bwrap: Unknown option" >&2 && exit 1; done\nexit 0\n'
    )
    program.chmod(0o755)

    found = able({"PATH": str(tmp_path)})

    assert (found.features, found.reason) == (frozenset({"--size"}), "")


def test_what_servers_keep_lies_beside_the_database_and_what_is_tried_out_apart(tmp_path: Path) -> None:
    settings = Settings(database_url=f"sqlite:///{tmp_path}/watch.db", path=tmp_path / "driftwatch.toml")

    sandboxes = Sandboxes.of(settings, {})
    apart = sandboxes.apart(tmp_path / "tried")

    assert sandboxes.folder == tmp_path / "watch.db.sandbox"
    assert apart.folder == tmp_path / "tried"
    assert sandboxes.private == apart.private == (tmp_path / "watch.db", tmp_path / "driftwatch.toml")
