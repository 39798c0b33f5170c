"""The approved set as an allow-list of each host: read back as that host would, and safe against hostile names."""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from driftwatch.errors import UsageError
from driftwatch.judge.snapshot import take
from driftwatch.model import Snapshot
from driftwatch.report.handoff import HANDOFFS, hand_off, named
from driftwatch.report.handoff.make import why_ask
from driftwatch.report.handoff.page import render

ROOT = Path(__file__).parents[2]
READER = {"readOnlyHint": True, "openWorldHint": False}
HOSTILE = [
    'x"], "allow": ["Bash',
    "x\nallow: all",
    "*",
    "list_*",
    "mcp__other__tool",
    "a b",
    "a;reboot",
    "$(id)",
    "`id`",
    "../up",
    "a,b",
    "a:b",
    "a/b",
    "x(y)",
    "[a-z]",
    "-rf",
    "--tools",
    "naïve",
    "zero\u200bwidth",
    "",
    "x" * 129,
    "\ud800",
    "'",
    "\\",
    "{a,b}",
    "#",
]


def tool(name: str, annotations: Any = None, **fields: Any) -> dict[str, Any]:
    base = {"name": name, "description": "Tickets.", "inputSchema": {"type": "object"}, **fields}
    return base if annotations is None else {**base, "annotations": annotations}


def approved(*tools: dict[str, Any]) -> Snapshot:
    return take({"tools": list(tools)})


TWO = approved(tool("list_tickets", READER), tool("delete_ticket", {"destructiveHint": True}))


def text(form: str, snapshot: Snapshot = TWO, server: str = "tickets") -> str:
    found = named(form)
    assert found is not None
    return hand_off(snapshot, server, found).text


def docker(text: str) -> list[str]:
    words = shlex.split(text.replace("\\\n", " "))
    return [words[at + 1] for at, word in enumerate(words) if word == "--enable"]


READ: dict[str, Callable[[str], Any]] = {
    "claude-code": lambda text: json.loads(text)["permissions"],
    "vscode": lambda text: json.loads(text)["chat.tools.eligibleForAutoApproval"],
    "vscode-tools": lambda text: json.loads(text)["tickets-approved"]["tools"],
    "codex": lambda text: tomllib.loads(text)["mcp_servers"]["tickets"],
    "gemini-cli": lambda text: json.loads(text)["mcpServers"]["tickets"]["includeTools"],
    "gemini-cli-policy": lambda text: [
        (rule["mcpName"], rule.get("toolName"), rule["decision"], rule["priority"])
        for rule in tomllib.loads(text)["rule"]
    ],
    "goose": lambda text: yaml.safe_load(text)["user"],
    "cursor": lambda text: json.loads(text)["mcpAllowlist"],
    "copilot-agent": lambda text: json.loads(text)["mcpServers"]["tickets"]["tools"],
    "openai-responses": lambda text: (json.loads(text)["allowed_tools"], json.loads(text)["require_approval"]),
    "mcpproxy": lambda text: json.loads(text)["mcpServers"],
    "gridctl": lambda text: yaml.safe_load(text)["mcp-servers"],
    "toolhive": shlex.split,
    "docker": docker,
}
BOTH = ["delete_ticket", "list_tickets"]
EXPECTED: dict[str, Any] = {
    "claude-code": {"allow": ["mcp__tickets__list_tickets"], "ask": ["mcp__tickets__delete_ticket"]},
    "vscode": {"tickets/delete_ticket": False},
    "vscode-tools": ["tickets/delete_ticket", "tickets/list_tickets"],
    "codex": {
        "enabled_tools": BOTH,
        "default_tools_approval_mode": "prompt",
        "tools": {"list_tickets": {"approval_mode": "approve"}},
    },
    "gemini-cli": BOTH,
    "gemini-cli-policy": [
        ("tickets", ["list_tickets"], "allow", 200),
        ("tickets", ["delete_ticket"], "ask_user", 200),
        ("tickets", None, "deny", 100),
    ],
    "goose": {"always_allow": ["tickets__list_tickets"], "ask_before": ["tickets__delete_ticket"], "never_allow": []},
    "cursor": ["tickets:list_tickets"],
    "copilot-agent": ["list_tickets"],
    "openai-responses": (BOTH, {"never": {"tool_names": ["list_tickets"]}}),
    "mcpproxy": [{"name": "tickets", "enabled_tools": BOTH}],
    "gridctl": [{"name": "tickets", "tools": BOTH}],
    "toolhive": ["thv", "run", "--tools", "delete_ticket,list_tickets", "tickets"],
    "docker": ["tickets.delete_ticket", "tickets.list_tickets"],
}


def test_every_form_is_read_back_here_and_has_a_source() -> None:
    assert {form.id for form in HANDOFFS} == set(READ) == set(EXPECTED)
    assert all(form.source and form.place and form.does for form in HANDOFFS)


def test_the_page_of_forms_is_current() -> None:
    assert (ROOT / "docs/handoff.md").read_text() == render(), "write it anew: make docs"


@pytest.mark.parametrize("form", sorted(EXPECTED))
def test_a_form_read_back_holds_the_approved_set(form: str) -> None:
    assert READ[form](text(form)) == EXPECTED[form]


@pytest.mark.parametrize("form", sorted(EXPECTED))
@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_name_changes_no_form_and_widens_no_rule(form: str, name: str) -> None:
    hostile = approved(
        tool("list_tickets", READER), tool("delete_ticket", {"destructiveHint": True}), tool(name, READER)
    )

    found = named(form)
    assert found is not None
    fragment = hand_off(hostile, "tickets", found)

    if name in dict(fragment.refused):
        assert fragment.text == text(form)
    else:
        assert found.tool.fullmatch(name)
        assert READ[form](fragment.text) is not None


@pytest.mark.parametrize("form", sorted(EXPECTED))
def test_a_name_that_is_refused_is_named_with_the_reason(form: str) -> None:
    found = named(form)
    assert found is not None

    fragment = hand_off(approved(tool("list_tickets", READER), tool('a"\nb', READER)), "tickets", found)

    assert [name for name, _ in fragment.refused] == ['a"\nb']
    assert all(why for _, why in fragment.refused)


@pytest.mark.parametrize("form", [form.id for form in HANDOFFS])
@pytest.mark.parametrize(
    ("name", "why"),
    [("x" * 200, "longer than the 128"), ("x" * 200 + "]", "characters that"), ("a b", "characters that")],
)
def test_a_refusal_gives_its_own_reason(form: str, name: str, why: str) -> None:
    chosen = named(form)
    assert chosen is not None

    fragment = hand_off(approved(tool("list_tickets", READER), tool(name, READER)), "tickets", chosen)

    assert why in dict(fragment.refused)[name]


def test_names_that_differ_in_case_only_are_both_refused() -> None:
    found = hand_off(approved(tool("list", READER), tool("List", READER), tool("get", READER)), "tickets", HANDOFFS[0])

    assert [name for name, _ in found.refused] == ["List", "list"]
    assert [one.name for one in found.tools] == ["get"]


@pytest.mark.parametrize(
    ("form", "server"),
    [
        ("claude-code", "a__b"),
        ("claude-code", "_a"),
        ("claude-code", "a_"),
        ("claude-code", "a.b"),
        ("goose", "Tickets"),
        ("goose", "a__b"),
        ("gemini-cli-policy", "my_server"),
        ("docker", "a.b"),
        ("toolhive", "-x"),
        ("codex", 'x"]\n'),
        ("cursor", "a:b"),
        ("vscode", "a/b"),
    ],
)
def test_a_server_name_that_a_form_would_misread_is_a_usage_error(form: str, server: str) -> None:
    with pytest.raises(UsageError) as raised:
        text(form, server=server)

    assert "--as" in raised.value.hint


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (tool("list_tickets", {"readOnlyHint": True}), ""),
        (tool("list_tickets"), "does not say"),
        (tool("list_tickets", {"readOnlyHint": False, "destructiveHint": False}), "says that it writes"),
        (tool("list_tickets", {"readOnlyHint": "true"}), "neither true nor false"),
        (tool("list_tickets", {"readOnlyHint": True, "idempotentHint": "no"}), "neither true nor false"),
        (tool("list_tickets", {"readOnlyHint": True, "destructiveHint": True}), "that it destroys"),
        (tool("delete_ticket", {"readOnlyHint": True}), "its name contradicts"),
        (tool("tidy", {"readOnlyHint": True}, description="Deletes old tickets."), "its description contradicts"),
        (
            tool("list_tickets", {"readOnlyHint": True}, _meta={"anthropic/requiresUserInteraction": True}),
            "a question at every call",
        ),
        (tool("list_tickets", "read-only"), "does not say"),
    ],
)
def test_only_a_tool_that_credibly_says_it_reads_may_run_unasked(item: dict[str, Any], reason: str) -> None:
    why = why_ask(approved(item).items[0])

    assert reason in why
    assert bool(why) is bool(reason)


def test_two_tools_of_one_name_are_asked_about_when_one_of_them_is() -> None:
    twins = approved(tool("list_tickets", READER), tool("list_tickets", {"destructiveHint": True}))

    assert json.loads(text("claude-code", twins))["permissions"] == {
        "allow": [],
        "ask": ["mcp__tickets__list_tickets"],
    }


def test_nothing_is_handed_over_when_no_tool_is_left() -> None:
    for snapshot in (approved(), approved(tool("a b", READER))):
        with pytest.raises(UsageError):
            text("codex", snapshot)


def test_an_api_with_nothing_to_allow_asks_about_everything() -> None:
    assert json.loads(text("openai-responses", approved(tool("x"))))["require_approval"] == "always"


def test_a_policy_denies_what_was_not_approved_even_when_all_is_asked_about() -> None:
    rules = tomllib.loads(text("gemini-cli-policy", approved(tool("x"))))["rule"]

    assert [rule["decision"] for rule in rules] == ["ask_user", "deny"]


def test_every_form_is_plain_ascii() -> None:
    assert all(text(form.id).isascii() for form in HANDOFFS)
