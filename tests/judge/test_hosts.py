"""Who acts on hints: each host under its own reading, what a change does to it, and the page that says so."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from judge_values import shared

from driftwatch.judge.hints import HINTS
from driftwatch.judge.hosts import HOSTS, as_effects, find, sentence, turns, turns_by_hint
from driftwatch.judge.hosts.base import Hints, Odd, hints_of, state_of, truthy
from driftwatch.judge.hosts.page import heeds_destructive_reader, render, side

ROOT = Path(__file__).parents[2]
STATES = [
    {hint: value for hint, value in zip(HINTS, values, strict=True) if value is not None}
    for values in itertools.product([True, False, None], repeat=4)
]
READER = {"readOnlyHint": True}
DESTRUCTIVE_READER = {"readOnlyHint": True, "destructiveHint": True}


def act(host: str, annotations: Any) -> str:
    (row,) = find(host)
    found = row.act(annotations)
    return found.words if found is not None else "not known"


def moved(before: Any, after: Any) -> dict[str, tuple[str, str]]:
    return {turn.host.id: (turn.was.words, turn.now.words) for turn in turns(before, after)}


def test_the_page_of_hosts_is_current() -> None:
    assert (ROOT / "docs/hosts.md").read_text() == render(), "write it anew: make docs"


def test_every_row_has_an_id_of_its_own_a_source_and_what_it_was_read_in() -> None:
    assert len({host.id for host in HOSTS}) == len({host.label for host in HOSTS}) == len(HOSTS)
    assert all(host.source and host.seen for host in HOSTS)


def test_every_row_does_something_otherwise_for_some_hints() -> None:
    for host in HOSTS:
        assert len({host.act(state) for state in STATES}) > 1, host.id


@pytest.mark.parametrize(
    ("host", "annotations", "words"),
    [
        ("vscode-calls", None, "asks before it runs"),
        ("vscode-calls", DESTRUCTIVE_READER, "runs it without asking"),
        ("vscode-results", None, "gives the result to the model at once"),
        ("vscode-results", {"openWorldHint": True}, "lets you review the result before the model sees it"),
        ("codex-auto", {}, "asks before it runs"),
        ("codex-auto", READER, "runs it without asking"),
        ("codex-auto", DESTRUCTIVE_READER, "asks before it runs"),
        ("codex-auto", {"destructiveHint": False}, "asks before it runs"),
        ("codex-auto", {"destructiveHint": False, "openWorldHint": False}, "runs it without asking"),
        ("codex-writes", DESTRUCTIVE_READER, "runs it without asking"),
        ("codex-apps-destructive", READER, "blocks its calls"),
        ("claude-code-retry", {"idempotentHint": True}, "may send a call again after a lost connection"),
        ("qwen-code-retry", {}, "never sends a call twice by itself"),
        ("cursor-reads", DESTRUCTIVE_READER, "does not let it run"),
        ("goose-smart-approve", {}, "lets a model judge whether it only reads"),
        ("goose-smart-approve", {"readOnlyHint": False}, "asks before it runs"),
        ("gemini-cli-plan", {"destructiveHint": False}, "refuses it while planning"),
        ("n8n", {}, "guesses from its name whether it reads"),
        ("n8n", DESTRUCTIVE_READER, "takes it for one that writes and asks"),
        ("mcpproxy-calls", {}, "lets it be called as one that reads"),
        ("claude-connectors", DESTRUCTIVE_READER, "not known"),
        ("openai-directory", READER, "refuses a submission with this tool"),
    ],
)
def test_a_host_reads_hints_in_its_own_way(host: str, annotations: Any, words: str) -> None:
    assert act(host, annotations) == words


@pytest.mark.parametrize(
    ("host", "hint", "reading"),
    [
        ("vscode-calls", "readOnlyHint", "spec"),
        ("vscode-calls", "destructiveHint", ""),
        ("vscode-results", "openWorldHint", "stated"),
        ("claude-desktop-watchers", "destructiveHint", "stated"),
        ("mcpproxy-calls", "readOnlyHint", "stated"),
        ("n8n", "readOnlyHint", "own"),
        ("toolhive", "openWorldHint", "spec"),
    ],
)
def test_a_row_says_on_which_side_of_the_two_readings_it_stands(host: str, hint: str, reading: str) -> None:
    assert side(find(host)[0], hint) == reading


def test_the_hosts_that_heed_a_destructive_reader_are_known() -> None:
    heeding = {host.id for host in HOSTS if heeds_destructive_reader(host)}

    assert {"codex-auto", "cursor-reads", "n8n", "mcpproxy-calls"} <= heeding
    assert not {"vscode-calls", "codex-writes", "goose-smart-approve", "gemini-cli-plan", "m365-agents"} & heeding


def test_equal_dangers_can_mean_another_thing_to_a_host() -> None:
    rows = [json.loads(line) for line in shared("vectors", "hint_states.jsonl").read_text().splitlines()]
    alike: dict[str, list[dict[str, bool]]] = {}
    for row in rows:
        alike.setdefault(json.dumps([row["spec"], row["stated"]]), []).append(row["declared"])

    assert len(rows) == len(STATES)
    assert any(turns(one, two) for states in alike.values() for one, two in itertools.pairwise(states))


@pytest.mark.parametrize("value", [None, "", 0, 0.0, float("nan"), False])
def test_what_javascript_calls_false(value: Any) -> None:
    assert not truthy(value)


@pytest.mark.parametrize("value", ["false", "0", " ", 1, -1, [], {}, [0], True])
def test_what_javascript_calls_true(value: Any) -> None:
    assert truthy(value)


def test_a_value_that_is_no_boolean_is_taken_as_the_host_takes_it() -> None:
    assert act("vscode-calls", {"readOnlyHint": "false"}) == "runs it without asking"
    assert act("cursor-reads", {"readOnlyHint": "true"}) == "does not let it run"
    assert act("codex-auto", {"readOnlyHint": "true"}) == "not known"
    assert act("codex-auto", {"readOnlyHint": True, "title": 5}) == "runs it without asking"


@pytest.mark.parametrize("annotations", [None, [], "x", 5, True])
def test_annotations_that_are_no_object_are_no_hints_where_that_is_known(annotations: Any) -> None:
    assert hints_of(state_of(annotations), Odd.ABSENT) == Hints()
    assert (hints_of(state_of(annotations), Odd.UNKNOWN) is None) is (annotations is not None)


def test_a_change_says_for_each_host_what_it_did_and_does_now() -> None:
    found = moved(DESTRUCTIVE_READER, READER)

    assert found["codex-auto"] == ("asks before it runs", "runs it without asking")
    assert "vscode-calls" not in found


def test_the_same_hints_move_no_host() -> None:
    assert all(turns(state, dict(state)) == () for state in STATES)


def test_every_host_that_acts_otherwise_is_laid_to_a_hint_that_changed() -> None:
    for before, after in itertools.product(STATES[::7], STATES[::5]):
        by_hint = turns_by_hint(before, after)

        assert set(by_hint) == {hint for hint in HINTS if before.get(hint) is not after.get(hint)}
        assert {turn for told in by_hint.values() for turn in told} == set(turns(before, after))


def test_a_host_is_laid_to_the_hint_that_moved_it_only() -> None:
    by_hint = turns_by_hint({"openWorldHint": True}, {"readOnlyHint": True, "openWorldHint": False})

    assert "vscode-calls" in {turn.host.id for turn in by_hint["readOnlyHint"]}
    assert {turn.host.id for turn in by_hint["openWorldHint"]} >= {"vscode-results", "mcpproxy-output"}
    assert "vscode-calls" not in {turn.host.id for turn in by_hint["openWorldHint"]}


def test_a_message_names_three_hosts_and_counts_the_rest() -> None:
    found = as_effects(turns({}, READER))

    words = sentence(found)

    assert words.startswith(" VS Code (agent mode) and Codex (approval mode auto): asks before it runs →")
    assert words.endswith(f"and {len(found) - 3} more hosts.")
    assert sentence(()) == ""


def test_those_hosts_come_first_that_the_finding_is_about() -> None:
    found = turns({}, {"readOnlyHint": False, "openWorldHint": False})

    eased = as_effects(found)
    tightened = as_effects(found, first=lambda turn: not turn.eases)

    assert sorted(map(str, eased)) == sorted(map(str, tightened))
    assert eased[0] != tightened[0]


def test_a_row_is_found_by_its_id_and_all_rows_of_a_host_by_its_name() -> None:
    assert [host.id for host in find("CODEX-AUTO")] == ["codex-auto"]
    assert {host.name for host in find("vs code")} == {"VS Code"}
    assert len(find("vs code")) == 2
    assert find("nothing") == ()
