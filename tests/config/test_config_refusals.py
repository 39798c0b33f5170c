"""Every refusal of a configuration: where it is said to be, what it says, and what it never says."""

import base64
import os
from pathlib import Path

import pytest

from driftwatch.config.load import load, parse
from driftwatch.config.words import InvalidConfigError, Problem
from driftwatch.errors import ConfigError

KEY = "whsec_" + base64.b64encode(bytes(range(32))).decode()


def problems(text: str, base: Path, **environ: str) -> dict[str, Problem]:
    with pytest.raises(InvalidConfigError) as caught:
        parse(text, environ, base=base)
    assert caught.value.exit_code == 3
    return {problem.path: problem for problem in caught.value.problems}


def only(text: str, base: Path, **environ: str) -> Problem:
    found = problems(text, base, **environ)
    assert len(found) == 1, found
    return next(iter(found.values()))


def server(lines: str) -> str:
    return f'[servers.git]\nurl = "https://example.com/mcp"\n{lines}\n'


def channel(lines: str) -> str:
    return f'[channels.team]\nurl = "https://example.com/hook"\n{lines}\n'


@pytest.mark.parametrize(
    ("text", "path", "message", "hint"),
    [
        ("[server.git]", "server", 'unknown key "server"', "did you mean servers?"),
        ("[zzz]", "zzz", 'unknown key "zzz"', "known here: database, daemon, defaults, servers"),
        ("[daemon]\nlog-levl = 'info'", "daemon.log-levl", 'unknown key "log-levl"', "did you mean log_level?"),
        (server("headrs = {}"), "servers.git.headrs", 'unknown key "headrs"', "did you mean headers?"),
        (server("type = 'sse'"), "servers.git.type", 'unknown key "type"', "here it is transport"),
        (server("floor = 3"), "servers.git.floor", 'unknown key "floor"', "did you mean interval.floor?"),
        (server("interval = {flor = 3}"), "servers.git.interval.flor", 'unknown key "flor"', "did you mean floor?"),
        (server("name = 'x'"), "servers.git.name", 'unknown key "name"', "the table's header"),
        ("servers = 3", "servers", "expected a table, found an integer", "[servers.NAME]"),
        ("[[servers]]\nurl = 'x'", "servers", "expected a table, found an array", "[servers.NAME]"),
        ("[servers]\nurl = 'x'", "servers.url", "expected a table, found a string", "[servers.NAME]"),
        ("daemon = 2020-01-01", "daemon", "expected a table, found a date or a time", "[daemon]"),
        (server("interval = 30"), "servers.git.interval", "expected a table, found an integer", "{ key = value }"),
        (server("headers = 'x'"), "servers.git.headers", "expected a table, found a string", "{ key = value }"),
        (server("notices = 'yes'"), "servers.git.notices", "expected a boolean, found a string", "true or false"),
        (server("alert_after = '3'"), "servers.git.alert_after", "expected an integer, found a string", "plain number"),
        (server("alert_after = true"), "servers.git.alert_after", "expected an integer, found a boolean", "number"),
        (server("alert_after = 0"), "servers.git.alert_after", "must be at least 1", "in that range"),
        (server("limits = {depth = 65}"), "servers.git.limits.depth", "must be at most 64", "in that range"),
        (server("labels = {a = 1}"), "servers.git.labels.a", "expected a string, found an integer", "quotes"),
        (
            server("interval = {floor = '5 minutes'}"),
            "servers.git.interval.floor",
            '"5 minutes" is not a duration',
            "5m",
        ),
        (server("interval = {floor = []}"), "servers.git.interval.floor", "an array that is not a duration", "5m"),
        (server("interval = {floor = 0}"), "servers.git.interval.floor", "must be more than zero", "5m"),
        (server("interval = {floor = nan}"), "servers.git.interval.floor", "a number that is not a duration", "5m"),
        (server("limits = {pages = 1.5}"), "servers.git.limits.pages", "expected an integer, found a number", "number"),
        (server("limits = {look_bytes = '8 mb'}"), "servers.git.limits.look_bytes", '"8 mb" is not a size', "8MiB"),
        (server("limits = {look_bytes = 1.5}"), "servers.git.limits.look_bytes", "a number that is not a size", "8MiB"),
        (server("limits = {look_bytes = '9999GB'}"), "servers.git.limits.look_bytes", "at most 4GiB", "8MiB"),
        ("[daemon]\nlog_format = 'xml'", "daemon.log_format", "is not one of the words", "'console' or 'json'"),
        (channel(f"secret = '{KEY}'\nkind = 'pager'"), "channels.team.kind", "is no kind of channel", "pagerduty"),
        (channel(f"secret = '{KEY}'\nmin_severity = 'worst'"), "channels.team.min_severity", "not one", "'critical'"),
        (channel(""), "channels.team.secret", "is missing", "openssl rand -base64 32"),
        (channel("secret = 'hunter2'"), "channels.team.secret", "starts with whsec_", "openssl rand -base64 32"),
        (channel("secret = 'whsec_@@'"), "channels.team.secret", "is not base64", "openssl rand -base64 32"),
        (channel("secret = 'whsec_é'"), "channels.team.secret", "is not base64", "openssl rand -base64 32"),
        (channel("secret = 'whsec_AAAA'"), "channels.team.secret", "24 to 64 bytes, this one 3", "openssl"),
        (f"[channels.team]\nsecret = '{KEY}'", "channels.team.url", "is missing", "Where alerts are sent"),
        ("[servers.git]", "servers.git.url", "neither a url nor a command", "command ="),
        (server("command = 'git'"), "servers.git.url", "there is a url and a command", "two servers"),
        (server("args = ['x']"), "servers.git.args", "starts no program", "take args out"),
        (server("cwd = '.'"), "servers.git.cwd", "starts no program", "only a server with a command has a folder"),
        (server("env = {A = 'x'}"), "servers.git.env", "starts no program", "use headers"),
        ("[servers.a]\ncommand = 'x'\nbearer = 't'", "servers.a.bearer", "has no address", "use env"),
        (server("transport = 'stdio'"), "servers.git.transport", "stdio does not go with url", "left out"),
        (
            "[servers.a]\ncommand = 'x'\ntransport = 'sse'",
            "servers.a.transport",
            "does not go with command",
            "left out",
        ),
        (server("transport = 'ws'"), "servers.git.transport", "is not one of the words", "'http', 'sse' or 'stdio'"),
        ('[servers."a b"]\nurl = "https://e.com"', 'servers."a b"', '"a b" cannot be a name', "letters, digits"),
        ('[servers."-a"]\nurl = "https://e.com"', "servers.-a", "cannot be a name", "start with a letter"),
        ('[servers."é"]\nurl = "https://e.com"', 'servers."é"', "cannot be a name", "start with a letter"),
        (f'[servers."{"a" * 65}"]\nurl = "https://e.com"', f"servers.{'a' * 65}", "cannot be a name", "64 at most"),
        (server("headers = {A = 'x', a = 'y'}"), "servers.git.headers", 'the header "a" is there twice', "keep one"),
        (server("bearer = 't'\nheaders = {authorization = 'x'}"), "servers.git.bearer", "and an Authorization", "one"),
        (server('headers = {A = "x\\r\\ny: z"}'), "servers.git.headers.A", "holds a line break", "one line"),
        (server("headers = {A = 'é'}"), "servers.git.headers.A", "not plain ASCII", "encode"),
        (server("headers = {'a b' = 'x'}"), 'servers.git.headers."a b"', "cannot be the name of a header", "X-Api-Key"),
        (server("headers = {Host = 'x'}"), "servers.git.headers.Host", "set by driftwatch itself", "take it out"),
        (server("headers = {A = 3}"), "servers.git.headers.A", "is not a value that driftwatch can use", "{env ="),
        (
            server("headers = {A = {}}"),
            "servers.git.headers.A",
            "exactly one of env, file, credential, command, and has none of them",
            "{env =",
        ),
        (server("headers = {A = {env = 'X', file = 'y'}}"), "servers.git.headers.A", 'has "env", "file"', "{env ="),
        (server("headers = {A = {var = 'X'}}"), "servers.git.headers.A", 'has "var"', "{env ="),
        (server("headers = {A = {env = 3}}"), "servers.git.headers.A", "env does not hold a name", "{env ="),
        (
            server("bearer = {credential = '../x'}"),
            "servers.git.bearer",
            '"../x" is not a name of a credential',
            "letters",
        ),
        (server("bearer = {credential = '..'}"), "servers.git.bearer", '".." is not a name of a credential', "letters"),
        (server("bearer = {credential = 'x'}"), "servers.git.bearer", "credential x is not there", "LoadCredential="),
        (server("bearer = {env = 'A-B'}"), "servers.git.bearer", '"A-B" is not a name', "GIT_TOKEN"),
        (server("bearer = {env = 'NONE'}"), "servers.git.bearer", "NONE is not set", "where driftwatch is started"),
        (server("bearer = {env = 'EMPTY'}"), "servers.git.bearer", "EMPTY is empty", "where driftwatch is started"),
        (server("bearer = 'Bearer x'"), "servers.git.bearer", "one word without spaces", "without the word Bearer"),
        (server("bearer = {file = 'none'}"), "servers.git.bearer", 'there is no file "none"', "configuration's folder"),
        (server("bearer = {file = '.'}"), "servers.git.bearer", '"." is a folder', "name the file"),
        (server("bearer = {file = 'empty'}"), "servers.git.bearer", 'the file "empty" is empty', "nothing else"),
        (server("bearer = {file = 'binary'}"), "servers.git.bearer", "is not UTF-8 text", "nothing else"),
        (server("bearer = {file = 'large'}"), "servers.git.bearer", "is larger than 64 KiB", "nothing else"),
        (server('bearer = {file = "a\\u0000b"}'), "servers.git.bearer", "cannot be read: it is not a path", "readable"),
        (server("labels = {a = '${NONE}'}"), "servers.git.labels.a", "NONE is not set", "where driftwatch is started"),
        (server("labels = {a = '${A'}"), "servers.git.labels.a", "a ${ has no }", "$${ for a plain ${"),
        (server("labels = {a = '${A B}'}"), "servers.git.labels.a", '"A B" is not a name', "letters, digits and _"),
        (
            "[servers.a]\ncommand = 'x'\nargs = ['a', 3]",
            "servers.a.args[1]",
            "expected a string, found an integer",
            "quotes",
        ),
        ("[servers.a]\ncommand = 'x'\nargs = 'a'", "servers.a.args", "expected an array, found a string", '["one"'),
        ('[servers.a]\ncommand = "x"\nargs = ["a\\u0000"]', "servers.a.args[0]", "holds a NUL", "take it out"),
        ("[servers.a]\ncommand = 3", "servers.a.command", "expected a string, found an integer", "quotes"),
        ("[servers.a]\ncommand = 'x'\nenv = {'A=B' = 'x'}", 'servers.a.env."A=B"', "cannot be the name", "leave ="),
        ("[database]\nurl = 'mysql://x'", "database.url", "not the URL of a database that", "sqlite:///file.db"),
        ("[database]\nurl = 'postgresql://h/d'", "database.url", "PostgreSQL does not work with", "a SQLite file"),
        ("[database]\nurl = 'postgres+psycopg://h/d'", "database.url", "PostgreSQL does not work", "a SQLite file"),
        ("[database]\nurl = 'sqlite+aiosqlite:///x'", "database.url", "not the URL of a database that", "sqlite:///"),
        ("[database]\nurl = 'sqlite://x.db'", "database.url", "needs three slashes", "sqlite:///file.db"),
        ("[database]\nurl = 'sqlite:///:memory:'", "database.url", "forgets every approval", "name a file"),
        ("[daemon]\npublic_url = 'x'", "daemon.public_url", "a URL without a scheme", "https://"),
    ],
)
def test_what_is_wrong_is_said_with_its_place_and_a_hint(
    text: str, path: str, message: str, hint: str, tmp_path: Path
) -> None:
    (tmp_path / "empty").write_text("\n")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    (tmp_path / "large").write_text("x" * 70_000)

    found = only(text, tmp_path, EMPTY="")

    assert found.path == path
    assert message in found.message
    assert hint in found.hint
    assert str(found) == f"{found.path}: {found.message} — {found.hint}"


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("ftp://example.com", 'the scheme "ftp" is not one'),
        ("hunter2:x", "this scheme is not one"),
        ("example.com/mcp", "a URL without a scheme is not one"),
        ("https://", "names no host"),
        ("https://bücher.example", "names no host"),
        ("https://user:hunter2@example.com", "carries a user name or password"),
        ("https://example.com:99999", "is not a URL that can be read"),
        ("https://[::1", "is not a URL that can be read"),
        ("https://example.com:0", "port 0"),
        ("https://example.com/a b", "holds a space"),
        ("https://example.com/\\u202e", "does not print"),
        ("https://example.com/#top", "#fragment"),
    ],
)
def test_a_url_that_cannot_be_used_is_refused_without_being_repeated(url: str, message: str, tmp_path: Path) -> None:
    found = only(f'[servers.git]\nurl = "{url}"', tmp_path)

    assert found.path == "servers.git.url"
    assert message in found.message
    assert "hunter2" not in str(found)


@pytest.mark.parametrize(
    ("interval", "path", "message"),
    [
        ("{floor = '2h'}", "servers.git.interval.floor", "the floor (2h) is longer than the default (5m)"),
        ("{default = 10}", "servers.git.interval.default", "the floor (30s) is longer than the default (10s)"),
        ("{ceiling = '1m'}", "servers.git.interval.ceiling", "the default (5m) is longer than the ceiling (1m)"),
        ("{floor = 5, default = 4}", "servers.git.interval.floor", "the floor (5s) is longer than the default (4s)"),
    ],
)
def test_intervals_out_of_order_are_refused(interval: str, path: str, message: str, tmp_path: Path) -> None:
    found = problems(server(f"interval = {interval}"), tmp_path)

    assert found[path].message == message
    assert "floor <= default <= ceiling" in found[path].hint


def test_every_problem_of_a_file_is_reported_at_once(tmp_path: Path) -> None:
    text = """
        [daemon]
        log_levl = "x"
        per_host = 0
        [defaults]
        interval = { floor = "2h" }
        [servers.a]
        url = "ftp://x"
        bearer = { env = "NONE" }
        interval = { ceiling = "soon" }
        [servers.b]
        command = "x"
        url = "https://example.com"
        env = { A = "${MISSING}" }
        args = ["x", 3]
        [channels.c]
        secret = "whsec_AAAA"
    """

    found = problems(text, tmp_path)

    assert set(found) == {
        "daemon.log_levl",
        "daemon.per_host",
        "defaults.interval.floor",
        "servers.a.url",
        "servers.a.bearer",
        "servers.a.interval.ceiling",
        "servers.b.url",
        "servers.b.env.A",
        "servers.b.args[1]",
        "channels.c.url",
        "channels.c.secret",
    }


def test_a_missing_variable_is_one_problem_and_not_a_bad_value_too(tmp_path: Path) -> None:
    found = problems(
        '[servers.a]\nurl = "${NONE}"\ninterval = {floor = "${NONE}"}\nbearer = {file = "${NONE}/x"}', tmp_path
    )

    assert [problem.message for problem in found.values()] == ["the environment variable NONE is not set"] * 3
    assert set(found) == {"servers.a.url", "servers.a.interval.floor", "servers.a.bearer.file"}


def test_what_is_wrong_in_the_defaults_is_said_once_and_not_for_each_server(tmp_path: Path) -> None:
    text = '[defaults]\nalert_after = "x"\nzzz = 1\ninterval = {floor = "x", default = "1m"}\ntimeout = 3\n'
    text += '[servers.a]\nurl = "https://e.com"\n[servers.b]\nurl = "https://e.com"\n'

    found = problems(text, tmp_path)

    assert set(found) == {"defaults.alert_after", "defaults.zzz", "defaults.interval.floor", "defaults.timeout"}


def test_a_name_that_stands_twice_is_an_error_with_its_line(tmp_path: Path) -> None:
    found = only('[servers.a]\nurl = "https://e.com"\n[servers.a]\nurl = "https://e.com"\n', tmp_path)

    assert "line 3" in found.path
    assert "only once" in found.hint


@pytest.mark.parametrize(
    "text",
    ["= 3", "a = ", "[servers", 'a = "\x1b"', "a = 99999999-01-01", f"a = {'9' * 5000}", f"a = {'[' * 20_000}", "\x00"],
)
def test_text_that_is_not_toml_is_an_error_and_shows_no_control_character(text: str, tmp_path: Path) -> None:
    found = only(text, tmp_path)

    assert str(found).isprintable()
    assert found.hint


def test_a_tower_of_tables_is_a_problem_and_not_a_crash(tmp_path: Path) -> None:
    found = problems(".".join(["a"] * 3000) + " = 1", tmp_path)

    assert set(found) == {"a", "a.a.a.a"}
    assert "too deeply" in found["a.a.a.a"].message


def test_an_override_that_is_wrong_is_named_by_its_variable(tmp_path: Path) -> None:
    found = problems(
        "", tmp_path, DRIFTWATCH_LOG_FORMAT="xml", DRIFTWATCH_DATABASE_URL="nope", DRIFTWATCH_PUBLIC_URL="ftp://x"
    )

    assert set(found) == {"DRIFTWATCH_LOG_FORMAT", "DRIFTWATCH_DATABASE_URL", "DRIFTWATCH_PUBLIC_URL"}


def test_nothing_out_of_a_file_writes_on_the_terminal(tmp_path: Path) -> None:
    evil = "\\u001b[31m\\u202e\\u200b\\n"
    text = (
        f'[servers."{evil}"]\n"{evil}" = 1\nheaders = {{"{evil}" = {{"{evil}" = 1}}}}\ncommand = "x"\ncwd = "{evil}"\n'
    )

    with pytest.raises(ConfigError) as caught:
        parse(text, {}, base=tmp_path)

    assert str(caught.value).replace("\n", "").isprintable()
    assert "\\u{1b}[31m" in str(caught.value)


def test_no_problem_repeats_a_secret(tmp_path: Path) -> None:
    secret = "hunter2"
    (tmp_path / "secret").write_text(f"{secret}\n{secret}")
    text = f"""
        [database]
        url = "mysql://u:{secret}@h/d"
        [servers.a]
        url = "https://u:{secret}@example.com"
        headers = {{ A = "{secret}\\n", B = {{ env = "E" }}, C = {{ file = "secret" }}, D = ["{secret}"], Host = "x" }}
        tokn = "{secret}"
        [servers.b]
        url = "https://example.com:{secret}/"
        bearer = "{secret} {secret}"
        [servers.c]
        command = ["{secret}"]
        env = {{ A = "{secret}\\u0000", B = {{ env = {{ a = "{secret}" }} }} }}
        args = "{secret}"
        [channels.d]
        url = "{secret}"
        secret = "{secret}"
    """

    with pytest.raises(ConfigError) as caught:
        parse(text, {"E": f"{secret}\n"}, base=tmp_path)

    assert len(caught.value.problems) == 16
    assert secret not in str(caught.value)
    assert secret not in repr(caught.value)
    chain: BaseException | None = caught.value
    while chain is not None:
        assert secret not in str(chain)
        chain = chain.__cause__ or chain.__context__


def test_a_file_that_is_not_utf_8_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "driftwatch.toml").write_bytes(b'a = "\xff"')

    with pytest.raises(InvalidConfigError, match=r"byte 5: this is not UTF-8"):
        load(None, {}, cwd=tmp_path)


def test_a_file_far_too_large_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "driftwatch.toml").write_bytes(b"#" * (5 * 2**20))

    with pytest.raises(ConfigError, match="larger than 4 MiB"):
        load(None, {}, cwd=tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "driftwatch.toml"
    path.touch(mode=0)

    with pytest.raises(ConfigError, match="Permission denied"):
        load(path, {})
