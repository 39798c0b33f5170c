"""What a sandbox is made of before anything is started: command lines, packages, folders, limits, words."""

from __future__ import annotations

import json
import resource
from dataclasses import replace
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
from driftwatch.watch.fetch.sandbox.runners import fetched_npm, runner_of, to_fetch_with
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
    ("line", "fetch"),
    [
        ("npx -y tickets-mcp@1.2.0 --port 1", "npx --yes -y --package tickets-mcp@1.2.0 -- true"),
        ("npx -y -p tickets-mcp@1.2.0 tickets --port 1", "npx --yes -y -p tickets-mcp@1.2.0 -- true"),
        ("npx --package=@a/b -- tickets -y", "npx --yes --package=@a/b -- true"),
        ("npx -p a -c tickets", "npx --yes -p a -- true"),
        ("npm exec -- tickets-mcp@1 --x", "npm exec --yes --package tickets-mcp@1 -- true"),
        ("uvx tickets-mcp==1.2.0 --port 1", "uvx --from tickets-mcp==1.2.0 python -c pass"),
        ("uvx --python 3.12 tickets@1.0", "uvx --python 3.12 --from tickets@1.0 python -c pass"),
        ("uvx --from tickets --with a,b serve -x", "uvx --from tickets --with a,b python -c pass"),
        ("/opt/bin/uvx tickets", "/opt/bin/uvx --from tickets python -c pass"),
        ("uv tool run --from tickets serve", "uv tool run --from tickets python -c pass"),
    ],
)
def test_a_runner_fetches_what_it_would_run_and_runs_nothing_of_it(line: str, fetch: str) -> None:
    command, *args = line.split()

    runner = runner_of(command, args)

    assert runner is not None
    assert runner.fetches_first
    assert " ".join(runner.to_fetch) == fetch


@pytest.mark.parametrize("line", ["pipx run tickets", "bunx tickets", "uv run server.py", "npx", "deno run npm:a"])
def test_other_runners_cannot_fetch_alone(line: str) -> None:
    command, *args = line.split()

    runner = runner_of(command, args)

    assert runner is not None
    assert not runner.fetches_first


@pytest.mark.parametrize("command", ["python3", "node", "docker", "npx-like", "/usr/bin/git"])
def test_what_is_no_runner_is_none(command: str) -> None:
    assert runner_of(command, ["tickets"]) is None


@pytest.mark.parametrize(
    ("line", "places"),
    [
        ("uv --directory /srv/p run server.py", ["/srv/p"]),
        ("uv run --project=/srv/p server.py", ["/srv/p"]),
        ("npx file:/srv/p.tgz", ["/srv/p.tgz"]),
        ("uvx --from ./p tickets", ["./p"]),
        ("npx tickets /srv/documents", []),
    ],
)
def test_a_project_or_package_that_is_a_path_is_what_the_runner_is_to_run(line: str, places: list[str]) -> None:
    command, *args = line.split()

    runner = runner_of(command, args)

    assert runner is not None
    assert list(runner.places()) == places


def test_installers_get_their_own_variables_and_none_of_the_servers() -> None:
    given = {
        "PATH": "/bin",
        "npm_config_registry": "https://npm.example",
        "UV_INDEX_URL": "https://index.example",
        "HTTPS_PROXY": "http://proxy.example",
        "GITHUB_TOKEN": "secret",
        "DATABASE_URL": "secret",
    }

    assert set(to_fetch_with(given)) == set(given) - {"GITHUB_TOKEN", "DATABASE_URL"}


def _fetched(cache: Path, programs: object, spec: str = "@tickets/mcp@1.2.0") -> None:
    into = cache / "_npx" / "0a"
    package = into / "node_modules" / "@tickets" / "mcp"
    package.mkdir(parents=True)
    (package / "package.json").write_text(json.dumps({"name": "@tickets/mcp", "bin": programs}))
    (into / "package.json").write_text(
        json.dumps({"_npx": {"packages": [spec]}, "dependencies": {"@tickets/mcp": "1.2.0"}})
    )
    for name in ("mcp", "one", "other"):
        (into / "node_modules" / ".bin").mkdir(exist_ok=True)
        (into / "node_modules" / ".bin" / name).touch()


@pytest.mark.parametrize(
    ("programs", "chosen"),
    [("index.js", "mcp"), ({"one": "a.js"}, "one"), ({"one": "a.js", "mcp": "b.js"}, "mcp")],
)
def test_what_npx_fetched_is_started_by_the_program_that_npx_would_start(
    programs: object, chosen: str, tmp_path: Path
) -> None:
    _fetched(tmp_path, programs)
    runner = runner_of("npx", ["-y", "@tickets/mcp@1.2.0", "--x"])
    assert runner is not None

    found = fetched_npm(runner, tmp_path)

    assert found is not None
    assert found.words == (f"{found.programs}/{chosen}", "--x")


@pytest.mark.parametrize("programs", [{"one": "a.js", "other": "b.js"}, {}, 5, {"../../sh": "a.js"}])
def test_where_it_is_not_clear_what_npx_would_start_nothing_is_guessed(programs: object, tmp_path: Path) -> None:
    _fetched(tmp_path, programs)
    runner = runner_of("npx", ["-y", "@tickets/mcp@1.2.0"])
    assert runner is not None

    assert fetched_npm(runner, tmp_path) is None


def test_another_version_in_the_cache_is_not_what_was_asked_for(tmp_path: Path) -> None:
    _fetched(tmp_path, "index.js", spec="@tickets/mcp@1.1.0")
    runner = runner_of("npx", ["@tickets/mcp@1.2.0"])
    assert runner is not None

    assert fetched_npm(runner, tmp_path) is None


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
    (tools / "runtime").write_bytes(b"\x7fELF")
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


def test_of_a_persons_settings_no_line_with_a_secret_is_shown(tmp_path: Path) -> None:
    (tmp_path / ".npmrc").write_text(
        "registry=https://npm.example/\n//npm.example/:_authToken=abc\n_password=x\nproxy=http://ann:pw@proxy\n"
    )
    (tmp_path / ".config" / "uv").mkdir(parents=True)
    (tmp_path / ".config" / "uv" / "uv.toml").write_text('[[index]]\nurl = "https://ann:pw@index.example"\n')
    runner = runner_of("npx", ["tickets"])
    room = Room(WORKS, Guard.of([], []), {"PATH": "/bin"}, cwd="/", home=str(tmp_path), runner=runner)

    start = sandboxed(ServerConfig(name="a", command="npx", args=("tickets",)), ("npx", "tickets"), room)
    other = sandboxed(ServerConfig(name="a", command="node"), ("node",), replace(room, runner=None))

    assert start.walls is not None
    assert start.walls.view.files["/home/sandbox/.npmrc"] == b"registry=https://npm.example/\n"
    assert "/home/sandbox/.config/uv/uv.toml" not in start.walls.view.files
    assert other.walls is not None
    assert "/home/sandbox/.npmrc" not in other.walls.view.files


def test_a_link_that_a_package_left_in_its_cache_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "wheels-v8").mkdir()
    (tmp_path / "archive-v0").symlink_to("/etc")
    runner = runner_of("uvx", ["tickets"])
    room = Room(WORKS, Guard.of([], []), {"PATH": "/bin"}, cwd="/", runner=runner, cache=tmp_path)

    start = sandboxed(ServerConfig(name="a", command="uvx", args=("tickets",)), ("uvx", "tickets"), room)

    assert start.walls is not None
    assert f"{tmp_path}/wheels-v8" in start.walls.view.read
    assert f"{tmp_path}/archive-v0" not in start.walls.view.read
    assert str(tmp_path) in start.walls.view.scratch


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
