"""The rule launch-changed."""

from __future__ import annotations

import pytest
from entry_kit import entries, entry
from launch_kit import ONE, fetched, judged, local, remote, weighed
from rule_kit import example, found, places, scanned, tool

from driftwatch.judge.judge import compare

RULE = "launch-changed"
SAME_FILE = {"path": "/usr/bin/tickets-server", "digest": ONE}


def test_another_command_behind_the_same_name_is_high_though_the_list_is_identical() -> None:
    findings = found(RULE, *example(RULE))

    assert places(findings) == [("high", "", "/args"), ("high", "", "/command")]
    assert "Nobody has approved it" in findings[1].message


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (local(), local(args=["--readonly", "--verbose"]), [("medium", "/args")]),
        (local(command="python", args=["a.py"]), local(command="python", args=["b.py"]), [("high", "/args")]),
        (
            local(command="python3.12", args=["-m", "a"]),
            local(command="python3.12", args=["-m", "b"]),
            [("high", "/args")],
        ),
        (local(command="bash", args=["-c", "a"]), local(command="bash", args=["-c", "b"]), [("high", "/args")]),
        (local(command="node", args=["a.js", "-v"]), local(command="node", args=["a.js"]), [("medium", "/args")]),
        (local(), local(env=["REGION"]), [("medium", "/env")]),
        (local(), local(env=["NODE_OPTIONS"]), [("high", "/env")]),
        (local(env=["REGION"]), local(), [("low", "/env")]),
        (local(), local(cwd="/srv"), [("medium", "/cwd")]),
        (fetched(), fetched("tickets-mcp@1.3.0"), [("info", "/args")]),
    ],
)
def test_each_part_of_a_launch_weighs_by_what_it_decides(
    before: dict[str, object], after: dict[str, object], expected: list[tuple[str, str]]
) -> None:
    assert weighed(RULE, before, after) == expected


OURS = {"program": "/opt/bin/driftwatch", "server": "notes", "host": "desk"}


@pytest.mark.parametrize(
    ("before", "after", "severity", "said"),
    [
        ({}, {"witness": OURS}, "medium", "through a witness now: none → “/opt/bin/driftwatch”"),
        ({"witness": OURS}, {}, "medium", "no longer started through a witness: “/opt/bin/driftwatch” → none"),
        ({"witness": OURS}, {"witness": {**OURS, "program": "/tmp/driftwatch"}}, "medium", "Another program"),
        ({"witness": OURS}, {"witness": {**OURS, "host": "other"}}, "low", "started otherwise"),
        ({"witness": OURS}, {"witness": 3}, "medium", "no longer"),
    ],
)
def test_that_a_witness_came_or_went_is_told_once(
    before: dict[str, object], after: dict[str, object], severity: str, said: str
) -> None:
    old, new = (entries(entry("notes", **fields)) for fields in (before, after))

    (finding,) = found(RULE, old, new)

    assert (finding.severity, finding.pointer, finding.category) == (severity, "/witness", "witness")
    assert said in finding.message
    assert found("other-changed", old, new) == []


def test_the_same_file_by_another_path_is_low() -> None:
    after = local(command="/usr/bin/tickets-server", executable=SAME_FILE)

    assert weighed(RULE, local(executable=SAME_FILE), after) == [("low", "/command")]


def test_a_command_that_became_an_address_is_told_once() -> None:
    (finding,) = judged(RULE, local(), remote())

    assert finding.severity == "high"
    assert "tickets-server" in finding.message
    assert "tickets.example" in finding.message


def test_a_launch_that_the_baseline_does_not_know_is_only_recorded() -> None:
    before, after = {"tools": [tool()]}, {"tools": [tool()], "launch": local()}

    assert places(found(RULE, before, after)) == [("info", "", "")]
    assert [one.rule for one in compare(before, after).findings] == [RULE]


def test_nothing_is_said_of_two_lists_without_a_launch() -> None:
    assert found(RULE, {"tools": [tool()]}, {"tools": [tool("other")]}) == []
    assert scanned(RULE, {"tools": [tool()], "launch": local()}) == []


@pytest.mark.parametrize(
    "odd", [None, 7, "text", ["a"], {"command": 7, "args": {"a": 1}, "env": "PATH", "package": [1]}]
)
def test_an_entry_of_any_form_is_judged_without_an_error(odd: object) -> None:
    raw = {"name": "tickets", **odd} if isinstance(odd, dict) else odd
    good = {"name": "tickets", **fetched()}

    for before, after in ((raw, good), (good, raw)):
        compare({"entries": [before]}, {"entries": [after]})
        compare({"launch": before, "tools": []}, {"launch": after, "tools": []})


def test_every_part_of_a_changed_launch_is_spoken_of() -> None:
    before = fetched(executable=SAME_FILE) | {"script": SAME_FILE, "cwd": "/a"}
    after = remote(
        redirect="https://tickets.example/x", tls={"pin": ["sha256/x"]}, oauth={"servers": ["https://a.example"]}
    )

    for one, other in ((before, after), (after, before), (before, local()), (remote(), after), (after, remote())):
        report = compare({"launch": one, "tools": []}, {"launch": other, "tools": []})
        assert [one.pointer for one in report.findings if one.rule == "other-changed"] == []
