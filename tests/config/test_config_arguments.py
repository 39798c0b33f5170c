"""Secrets that somebody wrote into arguments: they are not shown, and said by the name of their option."""

import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.config.arguments import exposed, masked, masked_line
from driftwatch.config.hosts import read_host_file
from driftwatch.config.load import parse
from driftwatch.config.schema import ServerConfig
from driftwatch.config.secret import hidden, shown

WARNING = "may be a secret, and it stands in this file — write ${NAME}, and set that variable"


@pytest.mark.parametrize(
    ("line", "seen", "by"),
    [
        ("serve --api-key hunter9", "serve --api-key ***", "the value of --api-key"),
        ("serve --token=hunter9", "serve --token=***", "the value of --token"),
        ("serve --apiKey=a=b", "serve --apiKey=***", "the value of --apiKey"),
        ("serve -password hunter", "serve -password ***", "the value of -password"),
        ("serve -k x", "serve -k ***", "the value of -k"),
        ("serve -t hunter9", "serve -t ***", "the value of -t"),
        ("npx -y pkg@1.0.0 -p hunter9", "npx -y pkg@1.0.0 -p ***", "the value of -p"),
        ("serve -H 'Authorization: Bearer hunter9'", "serve -H Authorization: ***", "the header Authorization"),
        ("serve --header=X-Api-Key:hunter9", "serve --header=X-Api-Key: ***", "the header X-Api-Key"),
        ("serve Authorization:hunter9", "serve Authorization: ***", "the header Authorization"),
        ("docker run -e API_TOKEN=hunter9 img", "docker run -e API_TOKEN=*** img", "the value of API_TOKEN"),
        ("docker run -eAPI_TOKEN=hunter9 img", "docker run -eAPI_TOKEN=*** img", "the value of -eAPI_TOKEN"),
        ("serve --db postgresql://u:hunter9@h/d", "serve --db postgresql://***@h/d", "the URL"),
        ("serve https://h.example/?key=hunter9", "serve https://h.example/?key=***", "the URL"),
        ("serve ghp_hunter9hunter9hunter9", "serve ***", "it"),
        ("sh -c 'serve --api-key hunter9 --fast'", "sh -c serve --api-key *** --fast", "the value of --api-key"),
    ],
)
def test_what_may_be_a_secret_is_not_shown_and_named_by_its_option(
    line: str, seen: str, by: str, tmp_path: Path
) -> None:
    command, *args = shlex.split(line)

    settings = parse(f'[servers.a]\ncommand = "{command}"\nargs = {args!r}', {}, base=tmp_path)

    (server,) = settings.servers
    assert server.shown_command == seen
    assert server.args == tuple(args)
    (said,) = [warning for warning in settings.warnings if WARNING in warning]
    assert said.startswith("servers.a.args[")
    assert f"]: {by} may be" in said
    assert "hunter" not in " ".join(settings.warnings) + repr(settings) + settings.model_dump_json()


@pytest.mark.parametrize(
    "line",
    [
        "npx -y @scope/pkg@2025.9.25 --port 8080",
        "npx -p pkg2go@1.0.0 bin",
        "uvx --python 3.12 -p 3.12 pkg@1.0.0",
        "docker run -it -p 8080:80 -t ubuntu22 img@sha256:" + "a" * 64,
        "uvx --from git+https://h.example/r@" + "b" * 40 + " bin",
        "git clone ssh://git@h.example/r",
        "serve --token-file /run/secrets/token",
        "serve -k /etc/ssl/key.pem",
        "serve -p 8080 -t text",
        "serve --auth none --verbose",
        "serve --api-key --verbose",
        "serve --header 'X-Org: web'",
        "serve https://h.example/mcp?tab=1",
        "serve --max-tokens 100",
        "python -m server",
    ],
)
def test_plain_arguments_are_shown_as_they_are(line: str) -> None:
    command, *args = shlex.split(line)

    assert list(exposed(command, args)) == []
    assert [shown(word) for word in masked(command, args)] == args


def test_a_variable_in_an_argument_is_no_secret_in_the_file(tmp_path: Path) -> None:
    args = '["--api-key", "${T}", "--token=${T}", "-H", "Authorization: Bearer ${T}"]'
    text = f'[servers.a]\ncommand = "serve"\nargs = {args}'

    settings = parse(text, {"T": "hunter9"}, base=tmp_path)

    assert settings.servers[0].shown_command == "serve --api-key ${T} --token=${T} -H Authorization: Bearer ${T}"
    assert not [warning for warning in settings.warnings if WARNING in warning]


def test_a_variable_does_not_hide_a_secret_beside_it(tmp_path: Path) -> None:
    text = '[servers.a]\ncommand = "serve"\nargs = ["--api-key=hunter9${T}"]'

    (server,) = parse(text, {"T": "t0ken"}, base=tmp_path).servers

    assert server.shown_command == "serve --api-key=***"
    assert server.args == ("--api-key=hunter9t0ken",)


def test_what_is_not_shown_is_known_to_those_who_must_keep_it_out_of_messages() -> None:
    server = ServerConfig(name="a", command="serve", args=("--api-key", "hunter9", "-k", "x"))

    assert [hidden(word) for word in server.args] == [(), ("hunter9",), (), ()]


def test_arguments_in_the_command_are_a_warning_that_says_where_they_belong(tmp_path: Path) -> None:
    settings = parse('[servers.a]\ncommand = "npx -y foo --api-key hunter9"', {}, base=tmp_path)

    said = [warning for warning in settings.warnings if warning.startswith("servers.a.command")]
    no_program = 'servers.a.command: no program "npx -y foo --api-key ***" was found on the PATH'
    assert said == [
        f'{no_program} — write command = "npx" alone, and what follows it as args = ["…", "…"]',
        "servers.a.command: it may hold a secret — put arguments into args, and write ${NAME} for a secret",
    ]
    assert settings.servers[0].shown_command == "npx -y foo --api-key ***"


def test_a_package_that_is_not_pinned_is_a_warning_for_a_server_of_our_own_file(tmp_path: Path) -> None:
    text = '[servers.a]\ncommand = "npx"\nargs = ["-y", "pkg"]\n'
    text += '[servers.b]\ncommand = "npx"\nargs = ["-y", "pkg@${VERSION}"]\n'

    settings = parse(text, {"VERSION": "1.2.3"}, base=tmp_path)
    loose = parse(text, {"VERSION": "latest"}, base=tmp_path)

    said = 'npx fetches "{}", which is not pinned: any start may run something newer than what you approved — pin it: '
    said += "pkg@<the version you approved>"
    assert [line for line in settings.warnings if "pinned" in line] == ["servers.a.args: " + said.format("pkg")]
    assert [line for line in loose.warnings if "pinned" in line] == [
        "servers.a.args: " + said.format("pkg"),
        "servers.b.args: " + said.format("pkg@${VERSION}"),
    ]


def test_an_import_takes_secrets_after_short_options_and_asks_about_the_others() -> None:
    text = '{"mcpServers": {"a": {"command": "serve", "args": ["-k", "x", "-t", "hunter9", "-u", "bob", "-p", "80"]}}}'

    (entry,) = read_host_file(text, name="host.json").entries

    assert entry.args == ("-k", "${A_K}", "-t", "${A_T}", "-u", "bob", "-p", "80")
    assert entry.notes == ("look its arguments over: what follows -u was copied as it is; is it a secret?",)


@given(st.text(), st.lists(st.sampled_from(["-k", "-t", "--key", "--key=", "-e", "A_KEY=b", "://@", "?"]) | st.text()))
def test_any_command_line_at_all_can_be_shown(command: str, args: list[str]) -> None:
    once = masked(command, args)

    assert list(once) == args
    assert [shown(word) for word in masked(command, once)] == [shown(word) for word in once]
    assert [index for index, _ in exposed(command, once)] == [index for index, _ in exposed(command, args)]
    assert masked_line(command) == command
