"""What the commands do with a policy: thresholds by axis, profiles, and what is hidden."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cli_world import CONFIG, LOOSENED, Run, at, look, shown, tool

from driftwatch.cli.exits import FailOn
from driftwatch.cli.options import Profile
from driftwatch.config.toml import string
from driftwatch.judge.policy import PROFILES
from driftwatch.judge.varied import SHAPES
from driftwatch.model import Axis, Severity
from driftwatch.store import Store

OLD, NEW = shown(tool()), shown(tool(annotations={"readOnlyHint": False}))
HIDDEN = replace(LOOSENED, hidden="ignored: agreed with its owners")
IGNORES = '[[policy.ignore]]\nitem = "list_files"\nreason = "agreed with its owners"\nexpires = 2999-12-31\n'
EXPECTS = "[servers.files.expect]\nclosed_world = true\n"

Write = Callable[[str, Any], str]


@pytest.fixture
def reduced(write: Write) -> tuple[str, str]:
    """A pair of listings of which the later one lacks an optional parameter."""
    properties = {"path": {"type": "string"}, "depth": {"type": "integer"}}
    before = tool(inputSchema={"type": "object", "properties": properties})
    after = tool(inputSchema={"type": "object", "properties": {"path": {"type": "string"}}})
    return write("old.json", {"tools": [before]}), write("new.json", {"tools": [after]})


# Thresholds


@pytest.mark.parametrize(
    ("thresholds", "code"),
    [
        (["low"], 1),
        (["contract:low"], 1),
        (["security:low"], 0),
        (["security:info", "contract:medium"], 0),
        (["security:critical", "contract:low"], 1),
        (["CONTRACT:Low"], 1),
        (["never"], 0),
        (["never", "contract:low"], 1),
        ([], 0),
    ],
)
def test_a_threshold_may_be_for_one_axis_and_stand_more_than_once(
    run: Run, reduced: tuple[str, str], thresholds: list[str], code: int
) -> None:
    asked = [part for one in thresholds for part in ("--fail-on", one)]

    assert run("compare", *reduced, *asked).code == code


@pytest.mark.parametrize("wrong", ["bad", "safety:high", "security:", ":high", "security:never", ""])
def test_a_threshold_that_is_none_is_a_usage_error(run: Run, reduced: tuple[str, str], wrong: str) -> None:
    ended = run("compare", *reduced, "--fail-on", wrong)

    assert ended.code == 2
    assert "security:high" in ended.err


@pytest.mark.parametrize("written", ["high", "never", "security:info", "contract:critical"])
def test_a_threshold_is_shown_as_it_is_written(written: str) -> None:
    assert str(FailOn.read(written)) == written


def test_no_finding_reaches_never() -> None:
    assert not FailOn(None).reached_by([replace(LOOSENED, severity=Severity.CRITICAL)])
    assert FailOn(Severity.HIGH, Axis.SECURITY).reached_by([LOOSENED])


# Profiles


def test_the_profiles_of_the_command_line_are_those_of_the_judge() -> None:
    assert [profile.value for profile in Profile] == list(PROFILES)


def test_a_profile_changes_what_is_reached_and_keeps_the_rules_own_severity(run: Run, reduced: tuple[str, str]) -> None:
    assert run("compare", *reduced, "--fail-on", "medium").code == 0

    ended = run("compare", *reduced, "--fail-on", "medium", "--profile", "strict", "--format", "json")

    assert ended.code == 1
    removed = [one for one in ended.json["findings"] if one["rule"] == "parameter-removed"]
    assert [(one["severity"], one["ruled"], one["axis"]) for one in removed] == [("medium", "low", "contract")]


def test_a_scan_for_a_directory_asks_for_explicit_hints(run: Run, write: Write) -> None:
    listing = write("list.json", {"tools": [tool()]})

    assert run("scan", listing).code == 0
    assert run("scan", listing, "--profile", "directory").code == 1
    assert run("scan", listing, "--profile", "lax").code == 2


def test_the_catalogue_shows_what_the_rules_weigh_in_a_profile(run: Run) -> None:
    assert "severity low" in run("rules", "description-changed").out
    assert "severity medium" in run("rules", "description-changed", "--profile", "strict").out
    (one,) = [one for one in run("rules", "--format", "json").json["rules"] if one["id"] == "item-added"]
    assert one["profiles"] == {"balanced": one["severity"], "strict": "high", "directory": one["severity"]}


# A policy beside two files


@pytest.fixture
def policy(tmp_path: Path, configured: Path) -> str:
    """A configuration with an ignore and an expectation."""
    configured.write_text(CONFIG.replace("[servers.git]", f"{EXPECTS}[servers.git]") + IGNORES, encoding="utf-8")
    return configured.name


def test_two_files_are_judged_under_the_policy_that_is_named(run: Run, reduced: tuple[str, str], policy: str) -> None:
    ended = run("compare", *reduced, "--policy", policy, "--fail-on", "info")

    assert ended.code == 0
    assert "Nothing found." in ended.out
    assert "1 hidden by policy, worst: low (--show-hidden shows them)" in " ".join(ended.out.split())


def test_what_is_hidden_is_shown_with_its_reason_and_counts_for_nothing(
    run: Run, reduced: tuple[str, str], policy: str
) -> None:
    ended = run("compare", *reduced, "--policy", policy, "--show-hidden", "--fail-on", "info")

    assert ended.code == 0
    assert "parameter-removed" in ended.out
    assert "agreed with its owners" in " ".join(ended.out.split())
    said = run("compare", *reduced, "--policy", policy, "--format", "json").json
    assert (said["findings"], said["hidden_count"]) == ([], 1)
    assert said["hidden"][0]["hidden"].startswith("ignored until the end of 2999-12-31 UTC")


def test_what_is_expected_of_a_server_is_judged_for_two_files(run: Run, write: Write, policy: str) -> None:
    listing = write("list.json", {"tools": [tool("get_file")]})

    assert run("scan", listing, "--policy", policy).code == 0
    ended = run("scan", listing, "--policy", policy, "--as", "files")
    assert (ended.code, "expectation-broken" in ended.out) == (1, True)


def test_a_server_needs_a_policy_that_holds_it(run: Run, write: Write, policy: str) -> None:
    listing = write("list.json", {"tools": [tool()]})

    assert run("scan", listing, "--as", "files").code == 2
    assert run("scan", listing, "--policy", policy, "--as", "file").code == 2
    assert run("scan", listing, "--policy", "none.toml").code == 3


# What is hidden, and what breaks an expectation, in a database


@pytest.fixture
def quieted(run: Run, store: Store, configured: Path) -> Store:
    """A server with an approved list that then loosened a hint, which a policy hides."""
    configured.write_text(CONFIG + IGNORES, encoding="utf-8")
    look(store, "files", OLD, when=at(-9))
    assert run("approve", "files", "--yes", "--by", "ann").code == 0
    look(store, "files", NEW, when=at(-5), findings=(HIDDEN,))
    return store


@pytest.mark.usefixtures("quieted")
def test_status_counts_what_is_hidden_and_shows_it_when_asked(run: Run) -> None:
    plain, asked = run("status"), run("status", "--show-hidden")

    assert "clean, 1 hidden by policy" in " ".join(plain.out.split())
    assert "agreed with its owners" not in plain.out
    assert "agreed with its owners" in asked.out
    files = run("status", "--format", "json").json["servers"][0]
    assert (files["state"], files["worst"], len(files["hidden"])) == ("clean", None, 1)


@pytest.mark.usefixtures("quieted")
def test_a_difference_says_how_much_the_policy_hides(run: Run) -> None:
    plain, asked = run("diff", "files"), run("diff", "files", "--show-hidden")

    assert "hidden by policy, worst: high (--show-hidden shows them)" in " ".join(plain.out.split())
    assert "agreed with its owners" not in plain.out
    assert "agreed with its owners" in " ".join(asked.out.split())


@pytest.fixture
def expecting(run: Run, store: Store, configured: Path) -> Store:
    """A server of which more is expected than what was approved holds."""
    look(store, "files", OLD, when=at(-9))
    configured.write_text(CONFIG.replace("[servers.git]", f"{EXPECTS}[servers.git]"), encoding="utf-8")
    return store


@pytest.mark.usefixtures("expecting")
def test_an_approval_says_what_it_does_not_end(run: Run) -> None:
    ended = run("approve", "files", "--yes", "--by", "ann")

    assert ended.code == 0
    assert "expectation-broken" in ended.out
    assert "Still found in it: 1 high" in " ".join(ended.out.split())


@pytest.mark.usefixtures("expecting")
def test_an_approved_list_that_breaks_an_expectation_never_reads_as_clean(run: Run) -> None:
    run("approve", "files", "--yes", "--by", "ann")

    said = run("status").out
    assert "as approved, with findings" in said
    assert "clean" not in said
    assert run("status", "--format", "json").json["servers"][0]["state"] == "found"
    assert "expectation-broken" in run("diff", "files").out


# Values that vary


def test_a_difference_prints_the_lines_that_declare_what_varies(run: Run, store: Store) -> None:
    for minute, day in ((-9, "01"), (-7, "02"), (-5, "03")):
        look(store, "files", shown(tool(description=f"Lists files. Built 2026-01-{day}.")), when=at(minute))
        if minute == -9:
            run("approve", "files", "--yes", "--by", "ann")

    ended = run("diff", "files")

    lines = ended.out.splitlines()
    start = lines.index("[[policy.volatile]]")
    assert lines[start + 1 : start + 5] == [
        'server = "files"',
        'item = "list_files"',
        'pointer = "/description"',
        f"pattern = {string(SHAPES['date'])}",
    ]


def test_a_configuration_with_an_ignore_that_ended_is_good_and_says_so(run: Run, configured: Path) -> None:
    configured.write_text(CONFIG + IGNORES.replace("2999", "2001"), encoding="utf-8")

    ended = run("config", "check")

    assert ended.code == 0
    assert "policy.ignore[0]: it ended at the end of 2001-12-31 UTC" in ended.err


def test_a_rule_that_there_is_not_is_refused_by_every_command(run: Run, configured: Path) -> None:
    configured.write_text(CONFIG + '[[policy.ignore]]\nrule = "item-aded"\nreason = "x"\n', encoding="utf-8")

    ended = run("status")

    assert ended.code == 3
    assert "did you mean item-added?" in ended.err
