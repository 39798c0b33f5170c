"""A configuration that is read where its secrets are not to be had."""

import copy
import os
from pathlib import Path

import pytest

from driftwatch.config.load import load, parse
from driftwatch.config.schema import Intervals, Settings
from driftwatch.config.secret import MissingSecret, Secret, shown
from driftwatch.config.words import InvalidConfigError
from driftwatch.errors import ConfigError

TEXT = """
    [daemon]
    public_url = "${NONE}"
    [servers.docs]
    url = "https://${NONE}/mcp?key=hunter2"
    bearer = { env = "NONE" }
    headers = { X-A = { file = "none" }, X-B = "is ${NONE}", X-C = { file = "${NONE}/key" }, X-D = "here" }
    labels = { team = "${NONE}" }
    interval = { default = "${NONE}" }
    [servers.git]
    command = "${NONE}/bin/git-mcp"
    args = ["--root", "${NONE}"]
    cwd = "${NONE}"
    env = { A = "${NONE}", PATH = "${NONE}" }
    [channels.team]
    url = "${NONE}"
    secret = { env = "NONE" }
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return parse(TEXT, {}, base=tmp_path, secrets=False)


def test_a_secret_that_is_missing_cannot_be_revealed(settings: Settings) -> None:
    docs, git = settings.server("docs"), settings.server("git")
    missing = [docs.headers[name] for name in ("Authorization", "X-A", "X-B", "X-C")]

    for secret in [*missing, git.env["A"], settings.channels[0].secret]:
        with pytest.raises(ConfigError, match=r'^(The environment variable NONE is not set|There is no file "none")\.'):
            secret.reveal()
    assert docs.headers["X-D"].reveal() == "here"


def test_a_secret_that_is_missing_prints_and_compares_like_nothing_else() -> None:
    missing = MissingSecret(("gone", "look for it"))

    assert str(missing) == repr(missing) == f"{missing}" == "***"
    assert missing == copy.deepcopy(missing)
    assert missing != MissingSecret(("gone", "look for it"))
    assert missing != Secret("")
    assert Secret("") != missing
    assert len({missing, Secret("")}) == 2


def test_text_that_is_missing_reads_as_it_stands_and_prints_no_other_secret(settings: Settings) -> None:
    docs, git = settings.server("docs"), settings.server("git")

    assert docs.shown_url == "https://${NONE}/mcp?key=***"
    assert docs.host == ""
    assert git.shown_command == "${NONE}/bin/git-mcp --root ${NONE}"
    assert (git.cwd, docs.labels["team"], settings.daemon.public_url) == ("${NONE}", "${NONE}", None)
    assert shown(copy.deepcopy(settings).server("docs").url) == docs.shown_url
    assert "hunter2" not in settings.model_dump_json() + repr(settings) + repr(settings.model_dump())


def test_a_time_that_is_missing_is_the_usual_one(settings: Settings) -> None:
    assert settings.server("docs").interval == Intervals()


def test_a_server_says_what_a_look_at_it_would_miss(settings: Settings) -> None:
    assert settings.server("docs").missing == (
        "the environment variable NONE is not set",
        'there is no file "none"',
    )
    with pytest.raises(ConfigError, match="git cannot be looked at: the environment variable NONE is not set"):
        settings.ready("git")


def test_what_is_there_is_read_also_where_it_need_not_be(tmp_path: Path) -> None:
    complete = parse(
        '[servers.a]\nurl = "https://${HOST}"\nbearer = {env = "T"}', {"T": "t0ken", "HOST": "h"}, base=tmp_path,
        secrets=False,
    )  # fmt: skip

    assert complete.ready("a").headers["Authorization"].reveal() == "Bearer t0ken"
    assert complete.ready("a").host == "h:443"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[database]\nurl = "${NONE}"', "database.url: the environment variable NONE is not set"),
        ('[daemon]\nlog_level = "${NONE}"', "daemon.log_level: the environment variable NONE is not set"),
        (
            '[servers.a]\nurl = "https://e.com"\nalert_after = "${NONE}"',
            "servers.a.alert_after: the environment variable NONE is not set",
        ),
        ('[servers.a]\nurl = "ftp://e.com"\nbearer = {env = "NONE"}', 'servers.a.url: the scheme "ftp"'),
        ('[servers.a]\nurl = "https://e.com"\nbearer = {env = "A-B"}', 'servers.a.bearer: "A-B" is not a name'),
        ('[servers.a]\nurl = "https://e.com"\nbearer = {evn = "NONE"}', "servers.a.bearer: needs exactly one of env"),
        ('[servers.a]\nurl = "https://e.com"\nbearer = {file = "."}', 'servers.a.bearer: "." is a folder'),
        (
            '[servers.a]\nurl = "https://e.com"\nbearer = {file = "empty"}',
            'servers.a.bearer: the file "empty" is empty',
        ),
        ('[servers.a]\nurl = "https://e.com/${NONE}${A B}"', 'servers.a.url: "A B" is not a name'),
        ('[servers.a]\nurl = "https://e.com/${NONE}${"', "servers.a.url: a ${ has no }"),
        ('[servers.a]\nurl = "${NONE}"\ncwd = "${NONE}"', "servers.a.cwd: a server with a url starts no program"),
    ],
)
def test_all_else_is_as_wrong_as_ever(text: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()

    with pytest.raises(InvalidConfigError) as caught:
        parse(text, {}, base=tmp_path, secrets=False)

    assert len(caught.value.problems) == 1
    assert problem in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_secret_that_this_user_may_not_read_is_missing(tmp_path: Path) -> None:
    (tmp_path / "key").touch(mode=0)
    (tmp_path / "driftwatch.toml").write_text('[servers.a]\nurl = "https://e.com"\nbearer = {file = "key"}')

    settings = load(None, {}, cwd=tmp_path, secrets=False)

    assert settings.server("a").missing == ('the file "key" cannot be read: Permission denied',)


def test_a_server_that_is_switched_off_stops_no_start(tmp_path: Path) -> None:
    off = '[servers.a]\nurl = "https://${NONE}"\nbearer = {env = "NONE"}\nenabled = false\n'
    on = '[servers.b]\nurl = "https://e.com"\nbearer = {env = "NONE"}\n'

    settings = parse(off, {}, base=tmp_path)

    assert settings.server("a").missing == ("the environment variable NONE is not set",)
    with pytest.raises(InvalidConfigError) as caught:
        parse(off + on, {}, base=tmp_path)
    assert [problem.path for problem in caught.value.problems] == ["servers.b.bearer"]


def test_the_path_is_shown_without_detours(tmp_path: Path) -> None:
    (tmp_path / "t").mkdir()
    (tmp_path / "elsewhere" / "deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to("elsewhere/deep")
    for folder in (tmp_path, tmp_path / "elsewhere"):
        (folder / "driftwatch.toml").touch()

    assert load(Path("t/../driftwatch.toml"), {}, cwd=tmp_path).path == tmp_path / "driftwatch.toml"
    behind_a_link = load(Path("link/../driftwatch.toml"), {}, cwd=tmp_path).path
    assert behind_a_link is not None
    assert behind_a_link.samefile(tmp_path / "elsewhere" / "driftwatch.toml")
