"""What a configuration that is right becomes."""

import base64
import os
from pathlib import Path

import pytest

from driftwatch.config.load import find, load, parse
from driftwatch.config.schema import Intervals, Limits, ServerConfig, Settings, Timeouts
from driftwatch.config.secret import Secret, hidden, shown
from driftwatch.config.warnings import VARIABLES
from driftwatch.config.words import quoted
from driftwatch.errors import ConfigError, UnknownServerError
from driftwatch.model import Severity

KEY = "whsec_" + base64.b64encode(bytes(range(32))).decode()
SAMPLE = Path(__file__).parents[2] / "deploy" / "driftwatch.toml"


def test_an_empty_file_is_all_defaults(tmp_path: Path) -> None:
    settings = parse("", {}, base=tmp_path)

    assert settings.servers == ()
    assert settings.channels == ()
    assert settings.database_url == f"sqlite:///{tmp_path}/driftwatch.db"
    assert (settings.daemon.concurrency, settings.daemon.per_host, settings.daemon.grace) == (16, 2, 10)
    assert Intervals() == Intervals(default=300, floor=30, ceiling=3600)
    assert Timeouts() == Timeouts(connect=10, request=30, start=60, look=120)
    assert (Limits().message_bytes, Limits().look_bytes) == (8 * 2**20, 32 * 2**20)


def test_a_server_with_a_url(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("from a file\n")
    text = """
        [servers.docs]
        url = "https://MCP.Example.com/mcp"
        bearer = { env = "TOKEN" }
        headers = { X-A = "literal", X-B = { file = "key" }, X-C = "is ${TOKEN}" }
        interval = { default = "2m", floor = 1.5, ceiling = "1h30m" }
        timeout = { look = "500ms" }
        limits = { message_bytes = "512KiB", pages = 3 }
        labels = { team = "web" }
        alert_after = 5
        notices = false
        enabled = false
    """

    docs = parse(text, {"TOKEN": "t0ken"}, base=tmp_path).server("docs")

    assert (docs.name, docs.transport, docs.host) == ("docs", "http", "mcp.example.com:443")
    assert {name: value.reveal() for name, value in docs.headers.items()} == {
        "X-A": "literal",
        "X-B": "from a file",
        "X-C": "is t0ken",
        "Authorization": "Bearer t0ken",
    }
    assert docs.interval == Intervals(default=120, floor=1.5, ceiling=5400)
    assert docs.timeout == Timeouts(look=0.5)
    assert docs.limits == Limits(message_bytes=512 * 1024, pages=3)
    assert (docs.labels, docs.alert_after, docs.notices, docs.enabled) == ({"team": "web"}, 5, False, False)


def test_a_server_with_a_command(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    text = """
        [servers."git.local"]
        command = "bin/serve"
        args = ["--root", "${ROOT}", "$${PLAIN}", "a$b"]
        env = { A = "v", B = { env = "TOKEN" }, C = "" }
        cwd = "work"
    """

    git = parse(text, {"TOKEN": "t0ken", "ROOT": "/srv"}, base=tmp_path).server("git.local")

    assert (git.transport, git.host) == ("stdio", "")
    assert git.command == str(tmp_path / "bin" / "serve")
    assert git.args == ("--root", "/srv", "${PLAIN}", "a$b")
    assert {name: value.reveal() for name, value in git.env.items()} == {"A": "v", "B": "t0ken", "C": ""}
    assert git.cwd == str(tmp_path / "work")


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://example.com/x", "example.com:80"),
        ("https://example.com.:8443", "example.com:8443"),
        ("http://[::1]:8080/mcp", "[::1]:8080"),
        ("http://127.0.0.1:9/mcp", "127.0.0.1:9"),
    ],
)
def test_the_host_is_that_of_the_origin(url: str, host: str) -> None:
    assert ServerConfig(name="a", url=url).host == host


def test_the_legacy_transport_is_chosen_by_name(tmp_path: Path) -> None:
    settings = parse('[servers.a]\nurl = "https://e.com/sse"\ntransport = "sse"', {}, base=tmp_path)

    assert settings.server("a").transport == "sse"


def test_defaults_hold_for_every_server_key_by_key(tmp_path: Path) -> None:
    text = """
        [defaults]
        alert_after = 7
        interval = { default = "10m", floor = "1m" }
        limits = { pages = 2 }
        [servers.a]
        url = "https://a.example"
        interval = { floor = "2m" }
        [servers.b]
        url = "https://b.example"
        alert_after = 1
    """

    settings = parse(text, {}, base=tmp_path)

    a, b = settings.server("a"), settings.server("b")
    assert a.interval == Intervals(default=600, floor=120, ceiling=3600)
    assert b.interval == Intervals(default=600, floor=60, ceiling=3600)
    assert (a.limits.pages, b.limits.pages) == (2, 2)
    assert (a.alert_after, b.alert_after) == (7, 1)


def test_a_channel(tmp_path: Path) -> None:
    text = f"""
        [channels.team]
        url = "https://hooks.example/x?key=abc"
        secret = "{KEY}"
        min_severity = "high"
        headers = {{ X-Org = "web" }}
        timeout = "5s"
        max_attempts = 3
    """

    (team,) = parse(text, {}, base=tmp_path).channels

    assert (team.name, team.kind, team.timeout, team.max_attempts) == ("team", "webhook", 5, 3)
    assert team.min_severity is Severity.HIGH
    assert team.secret.reveal() == KEY
    assert team.url == "https://hooks.example/x?key=abc"
    assert team.shown_url == "https://hooks.example/x?key=***"


def test_variables_take_precedence_over_the_file(tmp_path: Path) -> None:
    text = '[daemon]\nlog_level = "debug"\nlog_format = "json"\npublic_url = "https://x"\n'
    environ = {
        "DRIFTWATCH_DATABASE_URL": "sqlite:////srv/a.db",
        "DRIFTWATCH_LOG_LEVEL": "WARNING",
        "DRIFTWATCH_LOG_FORMAT": "",
        "DRIFTWATCH_PUBLIC_URL": "https://watch.example/",
    }

    settings = parse(text, environ, base=tmp_path)

    assert settings.database_url == "sqlite:////srv/a.db"
    assert settings.daemon.log_level == "warning"
    assert settings.daemon.log_format == "json"
    assert settings.daemon.public_url == "https://watch.example"


@pytest.mark.parametrize(
    ("url", "placed"),
    [
        ("sqlite:///a/b.db", "sqlite:///{base}/a/b.db"),
        ("sqlite:////srv/b.db", "sqlite:////srv/b.db"),
    ],
)
def test_a_relative_database_lies_beside_the_file(url: str, placed: str, tmp_path: Path) -> None:
    settings = parse(f'[database]\nurl = "{url}"', {}, base=tmp_path)

    assert settings.database_url == placed.format(base=tmp_path)


def test_no_secret_prints_in_any_form(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("hunter2")
    text = f"""
        [database]
        url = "sqlite:///${{TOKEN}}.db"
        [servers.docs]
        url = "https://example.com/${{TOKEN}}/mcp?key=hunter2&hunter2"
        bearer = {{ file = "key" }}
        headers = {{ X-A = "hunter2", X-B = {{ env = "TOKEN" }} }}
        labels = {{ a = "${{TOKEN}}" }}
        [servers.git]
        command = "git"
        args = ["--key=${{TOKEN}}"]
        env = {{ A = "hunter2" }}
        [channels.team]
        url = "https://hooks.example/${{TOKEN}}"
        secret = "{KEY}"
    """

    settings = parse(text, {"TOKEN": "hunter2"}, base=tmp_path)

    docs, git = settings.server("docs"), settings.server("git")
    for printed in (
        repr(settings),
        str(settings),
        settings.model_dump_json(),
        repr(settings.model_dump()),
        f"{docs!r} {docs.shown_url} {git.shown_command}",
        f"{shown(settings.database_url)} {settings.channels[0].shown_url}",
        " ".join(settings.warnings),
        repr(settings.model_copy(deep=True)),
    ):
        assert "hunter2" not in printed
        assert KEY not in printed
    assert docs.shown_url == "https://example.com/${TOKEN}/mcp?key=***&***"
    assert git.shown_command == "git --key=${TOKEN}"
    assert docs.url == "https://example.com/hunter2/mcp?key=hunter2&hunter2"
    assert git.args == ("--key=hunter2",)
    assert set(hidden(docs.url)) == set(hidden(git.args[0])) == {"hunter2"}


def test_a_configuration_can_be_made_without_a_file() -> None:
    server = ServerConfig(
        name="a", url="http://127.0.0.1:1/mcp", headers={"A": Secret("x")}, interval=Intervals(default=1, floor=0.1)
    )

    assert Settings(servers=(server,)).server("a") is server


def test_settings_are_frozen(tmp_path: Path) -> None:
    settings = parse("", {}, base=tmp_path)

    with pytest.raises(ValueError, match="frozen"):
        settings.daemon.grace = 3  # type: ignore[misc]


def test_a_server_that_is_not_there_is_an_error_with_the_name_that_was_meant(tmp_path: Path) -> None:
    settings = parse('[servers.github]\nurl = "https://e.com"', {}, base=tmp_path)

    with pytest.raises(UnknownServerError, match='No server is called "githbu"') as caught:
        settings.server("githbu")
    assert caught.value.hint == "Did you mean github?"
    with pytest.raises(UnknownServerError) as none:
        Settings().server("x\x1b")
    assert "\x1b" not in str(none.value)
    assert "no server is configured" in str(none.value).lower()


def warnings(text: str, base: Path, **environ: str) -> list[str]:
    quiet = text + f'\n[channels.quiet]\nurl = "https://e.com"\nsecret = "{KEY}"\n'
    return list(parse(quiet, environ, base=base).warnings)


def test_headers_over_plain_http_to_another_machine_are_a_warning(tmp_path: Path) -> None:
    text = """
        [servers.far]
        url = "http://example.com/mcp"
        bearer = "x"
        [servers.near]
        url = "http://localhost:1/mcp"
        bearer = "x"
        [servers.nearer]
        url = "http://[::1]:1/mcp"
        bearer = "x"
        [servers.open]
        url = "http://example.com/mcp"
    """

    (found,) = warnings(text, tmp_path)

    assert found == (
        "servers.far.url: this is http, so anyone on the way can read the header Authorization — use https"
    )


def test_a_program_that_is_not_found_is_a_warning(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "here"
    program.parent.mkdir()
    program.touch(mode=0o755)
    text = """
        [servers.a]
        command = "here"
        [servers.b]
        command = "not-here"
        [servers.c]
        command = "bin/here"
        [servers.d]
        command = "bin/gone"
        [servers.e]
        command = "here"
        env = { PATH = "/nowhere" }
    """

    found = warnings(text, tmp_path, PATH=str(program.parent))

    assert [line.partition(" — ")[0] for line in found] == [
        'servers.b.command: no program "not-here" was found on the PATH',
        f"servers.d.command: no program {quoted(f'{tmp_path}/bin/gone')} was found there",
        'servers.e.command: no program "here" was found on the PATH',
    ]


def test_a_server_that_is_looked_at_through_a_witness_is_a_warning(tmp_path: Path) -> None:
    text = '[servers.a]\ncommand = "true"\nargs = ["-c", "driftwatch", "witness", "a", "--", "a-mcp", "-x"]'

    found = warnings(text, tmp_path, PATH=os.defpath)

    assert found == [
        'servers.a.command: this goes through a witness, which is for hosts — write what it wraps: "a-mcp -x"'
    ]


def test_a_variable_of_ours_that_nothing_reads_is_a_warning(tmp_path: Path) -> None:
    text = '[servers.a]\nurl = "https://e.com"\nbearer = {env = "DRIFTWATCH_TOKEN"}'

    read = {"DRIFTWATCH_TOKEN": "x", "DRIFTWATCH_WITNESS_URL": "x"}
    found = warnings(text, tmp_path, **read, DRIFTWATCH_LOGLEVEL="x", DRIFTWATCH_ZZZZZZZZZZ="x", OTHER="x")

    assert found == [
        "DRIFTWATCH_LOGLEVEL: driftwatch does not read this variable — did you mean DRIFTWATCH_LOG_LEVEL?",
        "DRIFTWATCH_ZZZZZZZZZZ: driftwatch does not read this variable — driftwatch reads only " + ", ".join(VARIABLES),
    ]


def test_watching_nothing_and_telling_nobody_are_warnings(tmp_path: Path) -> None:
    found = parse("", {}, base=tmp_path).warnings

    assert [line.partition(" — ")[0] for line in found] == [
        "servers: no server is watched",
        "channels: there is no channel, so nobody will be told of anything",
    ]


def test_the_file_is_looked_for_in_order(tmp_path: Path) -> None:
    for name in ("given.toml", "named.toml", "driftwatch.toml"):
        (tmp_path / name).touch()
    environ = {"DRIFTWATCH_CONFIG": "named.toml"}

    assert find(Path("given.toml"), environ, tmp_path) == tmp_path / "given.toml"
    assert find(None, environ, tmp_path) == tmp_path / "named.toml"
    assert find(None, {"DRIFTWATCH_CONFIG": ""}, tmp_path) == tmp_path / "driftwatch.toml"


def test_a_file_that_is_named_and_not_there_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "driftwatch.toml").touch()

    with pytest.raises(ConfigError, match=r'no configuration at "x\.toml", which the command line names'):
        find(Path("x.toml"), {}, tmp_path)
    with pytest.raises(ConfigError, match="which DRIFTWATCH_CONFIG names"):
        find(None, {"DRIFTWATCH_CONFIG": "y.toml"}, tmp_path)
    with pytest.raises(ConfigError, match="Is a directory"):
        load(tmp_path, {})
    with pytest.raises(ConfigError, match="no configuration at"):
        find(Path("x" * 5000), {}, tmp_path)
    with pytest.raises(ConfigError, match="no configuration at"):
        find(Path("x\0"), {}, tmp_path)


@pytest.mark.skipif(Path("/etc/driftwatch/driftwatch.toml").exists(), reason="this machine has a configuration")
def test_no_file_anywhere_is_an_error_that_says_where_it_looked_and_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        find(None, {}, tmp_path)

    assert str(tmp_path / "driftwatch.toml") in caught.value.message
    assert "/etc/driftwatch/driftwatch.toml" in caught.value.message
    assert "driftwatch import FILE" in caught.value.hint
    assert "--config" in caught.value.hint


def test_loading_remembers_the_path_and_reads_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("s3cret\r\n")
    (tmp_path / "driftwatch.toml").write_text('\ufeff[servers.a]\nurl = "https://e.com"\nbearer = {file = "key"}\n')

    settings = load(Path("driftwatch.toml"), {}, cwd=tmp_path)

    assert settings.path == tmp_path / "driftwatch.toml"
    assert settings.server("a").headers["Authorization"].reveal() == "Bearer s3cret"


def test_only_one_line_break_is_taken_off_a_secret_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("two\nlines\n\n")

    settings = parse('[servers.a]\ncommand = "x"\nenv = {A = {file = "key"}}', {}, base=tmp_path)

    assert settings.server("a").env["A"].reveal() == "two\nlines\n"


def test_the_sample_configuration_can_be_used() -> None:
    settings = load(SAMPLE, {"DRIFTWATCH_WEBHOOK_SECRET": KEY, "PATH": ""})

    assert [server.name for server in settings.servers] == ["docs", "legacy", "everything"]
    assert [channel.name for channel in settings.channels] == ["team"]
