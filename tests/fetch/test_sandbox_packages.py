"""Packages in the sandbox: what is fetched, by which command, and what of it is started."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from driftwatch.config.schema import ServerConfig
from driftwatch.config.secret import Secret
from driftwatch.watch.fetch.sandbox.able import Able
from driftwatch.watch.fetch.sandbox.assemble import Room, sandboxed
from driftwatch.watch.fetch.sandbox.choose import Sandboxes
from driftwatch.watch.fetch.sandbox.guard import Guard
from driftwatch.watch.fetch.sandbox.runners import certificates, fetched_npm, runner_of, secrets_in, to_fetch_with
from driftwatch.watch.fetch.start import Start

WORKS = Able("/usr/bin/bwrap")


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


WAYS = {
    "HTTPS_PROXY": "http://ann:hunter2%40home@proxy.example:3128",
    "http_proxy": "http://proxy.example:3128",
    "NO_PROXY": "localhost",
    "UV_SYSTEM_CERTS": "1",
    "UV_NATIVE_TLS": "1",
    "UV_DEFAULT_INDEX": "https://bot:t0ken@index.example/simple",
    "PIP_INDEX_URL": "https://index.example/simple",
    "npm_config_registry": "https://npm.example",
    "NPM_CONFIG_CAFILE": "{ca}",
    "SSL_CERT_FILE": "{ca}",
    "REQUESTS_CA_BUNDLE": "{ca}",
    "NODE_EXTRA_CA_CERTS": "{ca}",
    "SSL_CERT_DIR": "{folder}",
}


@pytest.mark.parametrize("line", ["npx -y tickets-mcp@1.2.0", "uvx tickets-mcp==1.2.0", "uv tool run tickets-mcp"])
async def test_a_package_is_fetched_by_the_way_of_this_machine_and_the_server_learns_nothing_of_it(
    line: str, tmp_path: Path
) -> None:
    (tmp_path / "certificates").mkdir()
    authority = tmp_path / "company.pem"
    authority.write_text("certificate")
    ways = {name: value.format(ca=authority, folder=tmp_path / "certificates") for name, value in WAYS.items()}
    command, *args = line.split()
    fetches: list[Start] = []

    async def run(start: Start) -> str:
        fetches.append(start)
        (Path(start.env["UV_CACHE_DIR"]) / "wheels-v8").mkdir()
        return ""

    server = ServerConfig(
        name="a", command=command, args=tuple(args), env={"KEY": Secret("k"), "no_proxy": Secret("*")}
    )
    sandboxes = Sandboxes(tmp_path / "kept", try_it=lambda _: WORKS)

    served = await sandboxes.start_of(
        server, {"PATH": "/bin", "GITHUB_TOKEN": "t", "UV_PUBLISH_TOKEN": "t", **ways}, run
    )

    (fetch,) = fetches
    own = {"no_proxy": "*", **{name: value for name, value in ways.items() if name != "NO_PROXY"}}
    assert {name: value for name, value in fetch.env.items() if name in WAYS or name == "no_proxy"} == own
    assert {"KEY", "GITHUB_TOKEN", "UV_PUBLISH_TOKEN"}.isdisjoint(fetch.env)
    assert fetch.walls is not None
    assert {str(authority), str(tmp_path / "certificates")} <= set(fetch.walls.view.read)
    assert served.walls is not None
    assert set(WAYS).isdisjoint(served.env)
    assert str(authority) not in served.walls.view.read
    assert served.env["KEY"] == "k"
    assert "hunter2" not in repr((fetch, served))


@pytest.mark.parametrize(
    ("address", "secrets"),
    [
        ("http://proxy.example:3128", set()),
        ("https://index.example/@scope/x", set()),
        ("http://ann:hunter2@proxy.example", {"ann:hunter2", "hunter2"}),
        ("http://ann:pw@proxy.example", {"ann:pw"}),
        ("http://t0ken@index.example", {"t0ken"}),
        ("http://ann:a%40b1c2d3@p", {"ann:a%40b1c2d3", "ann:a@b1c2d3", "a%40b1c2d3", "a@b1c2d3", "b1c2d3"}),
        ("http://ann:p@ss@proxy.example", {"ann:p@ss", "p@ss"}),
        ("https://a:first1@one https://b:second2@two", {"a:first1", "first1", "b:second2", "second2"}),
    ],
)
def test_names_and_passwords_in_addresses_are_not_told(address: str, secrets: set[str]) -> None:
    assert set(secrets_in({"HTTPS_PROXY": address, "PATH": "/bin"})) == secrets


def test_certificates_that_lie_beside_keys_or_are_not_there_are_not_shown(tmp_path: Path) -> None:
    keys = tmp_path / ".ssh"
    keys.mkdir()
    (keys / "ca.pem").write_text("certificate")
    environment = {
        "PATH": "/bin",
        "SSL_CERT_FILE": str(keys / "ca.pem"),
        "SSL_CERT_DIR": str(keys),
        "PIP_CERT": "/none",
    }
    room = Room(WORKS, Guard.of([str(tmp_path)], []), environment, cwd="/", trusts=certificates(environment))

    start = sandboxed(ServerConfig(name="a", command="node"), ("node",), room)

    assert start.walls is not None
    assert not [one for one in start.walls.view.read if one.startswith((str(tmp_path), "/none"))]


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
