"""A second opinion from the command line: with a database and for files, on a real socket."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_world import SERVER, Run, tool

from tests.servers.model_endpoint import Endpoint, endpoint, harmless, injection

SAID = "Lists the fi\u200bles in a folder, and copies them to the shelf."


def configure(folder: Path, asked: Endpoint, more: str = "") -> None:
    (folder / "driftwatch.toml").write_text(f'[second_opinion]\nurl = "{asked.url}"\nmodel = "small"\n{more}\n')


def test_a_file_is_judged_with_what_the_named_model_says(
    run: Run, tmp_path: Path, write: Callable[[str, Any], str]
) -> None:
    was, live = write("was.json", [tool()]), write("live.json", [tool(description=SAID)])
    with endpoint(lambda _: injection("copies them to the shelf")) as model:
        configure(tmp_path, model)
        compared = run("compare", was, live, "--second-opinion", "driftwatch.toml")
        scanned = run("scan", live, "--second-opinion", "driftwatch.toml", "--format", "json")
        plain = run("compare", was, live)

    assert (compared.code, plain.code, len(model.asked)) == (1, 0, 2)
    assert "A second opinion (model small) says: an instruction to models" in " ".join(compared.out.split())
    assert "It means “copies them to the shelf”." in " ".join(compared.out.split())
    assert [one["opinion"]["was"] for one in scanned.json["findings"] if one["opinion"]] == ["medium"]


def test_a_file_without_a_suspect_text_is_sent_nowhere(
    run: Run, tmp_path: Path, write: Callable[[str, Any], str]
) -> None:
    with endpoint(lambda _: harmless()) as model:
        configure(tmp_path, model)
        ended = run("scan", write("live.json", [tool()]), "--second-opinion", "driftwatch.toml")

    assert (ended.code, model.asked) == (0, [])


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("", "does not say whom to ask"),
        ('[second_opinion]\nurl = "http://127.0.0.1:1/v1"', "does not say whom to ask"),
        ('[second_opinion]\nurl = "${NOT_SET_HERE}"\nmodel = "m"', "NOT_SET_HERE"),
        (
            '[second_opinion]\nurl = "http://127.0.0.1:1/v1"\nmodel = "m"\napi_key = {env = "NOT_SET_HERE"}',
            "NOT_SET_HERE",
        ),
    ],
)
def test_a_configuration_that_names_nobody_to_ask_is_an_error(
    run: Run, tmp_path: Path, write: Callable[[str, Any], str], table: str, said: str
) -> None:
    (tmp_path / "asked.toml").write_text(table)

    ended = run("scan", write("live.json", [tool()]), "--second-opinion", "asked.toml")

    assert ended.code == 3
    assert said in ended.err


def test_check_tells_it_diff_and_alerts_show_it_and_config_check_names_whom_it_asks(run: Run, tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(SERVER)
    (tmp_path / "tools.json").write_text(json.dumps([tool()]))
    command, args = (
        json.dumps(sys.executable),
        json.dumps([str(tmp_path / name) for name in ("server.py", "tools.json")]),
    )
    with endpoint(lambda _: injection("copies them to the shelf")) as model:
        configure(
            tmp_path, model, f"enabled = true\n[servers.files]\nrehearse = false\ncommand = {command}\nargs = {args}"
        )
        run("check", "files")
        run("approve", "files", "--note", "read it", "--by", "ann", "--yes")
        (tmp_path / "tools.json").write_text(json.dumps([tool(description=SAID)]))
        checked, again = (run("check", "files", "--format", "json") for _ in range(2))
        diff, alerts = run("diff", "files"), run("alerts", "--format", "json")
        told, shown = run("alerts"), run("show", "files")
        good = run("config", "check")

    opinions = [one["opinion"] for one in checked.json["results"][0]["findings"] if one["opinion"]]
    assert [one["was"] for one in opinions] == ["medium"]
    assert (checked.code, len(model.asked)) == (1, 1)
    assert [one["opinion"] for one in again.json["results"][0]["findings"] if one["opinion"]] == opinions
    for ended in (diff, told, shown):
        assert "A second opinion (model small) says: an instruction" in " ".join(ended.out.split())
    assert [one["opinion"] for one in alerts.json["alerts"][0]["findings"] if one["opinion"]] == opinions
    assert f"second opinion: on (model small at {model.url})" in good.out
