"""What is left of a configuration that has problems, for whoever looks into the rest of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from driftwatch.config.load import load_rest
from driftwatch.config.schema import Settings
from driftwatch.errors import ConfigError

GOOD = """
[servers.notes]
url = "https://mcp.example.com/notes"
[channels.ops]
kind = "command"
command = "/bin/true"
"""


def rest(folder: Path, text: str) -> Settings:
    (folder / "driftwatch.toml").write_text(GOOD + text, encoding="utf-8")
    return load_rest(folder / "driftwatch.toml", {})


@pytest.mark.parametrize(
    "wrong",
    [
        '[servers."two words"]\nurl = "ftp://example.com"\n',
        '[servers.other]\nurl = "https://mcp.example.com/other"\nargs = ["x"]\n',
        '[channels.hook]\nurl = "https://example.com"\n',
        '[channels.hook]\nurl = "https://example.com"\n[routes.all]\nto = ["hook"]\n',
        '[web]\nlisten = "here"\n',
        "[nothing]\nof_ours = 1\n",
    ],
)
def test_what_is_wrong_in_one_table_leaves_the_others(tmp_path: Path, wrong: str) -> None:
    left = rest(tmp_path, wrong)

    assert [server.name for server in left.servers] == ["notes"]
    assert [channel.name for channel in left.channels] == ["ops"]


def test_where_the_defaults_are_wrong_no_server_is_left_that_could_be_started_otherwise(tmp_path: Path) -> None:
    left = rest(tmp_path, '[defaults]\nsandbox = "bubble"\n')

    assert left.servers == ()
    assert [channel.name for channel in left.channels] == ["ops"]


@pytest.mark.parametrize("wrong", ['[database]\nurl = "sqlite:"\nsize = 3\n', "[[[\n", '[servers]\nnotes = "x"\n'])
def test_of_a_file_that_is_none_and_of_a_database_that_is_not_known_nothing_is_left(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(ConfigError):
        rest(tmp_path, wrong)
