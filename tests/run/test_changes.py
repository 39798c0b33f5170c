"""What is another thing in one configuration than in the one before it, and what a reload does with it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from driftwatch.config.build import SECTIONS
from driftwatch.config.channels import AppriseConfig
from driftwatch.config.reference import describe
from driftwatch.config.retention import RetentionConfig
from driftwatch.config.routes import RouteConfig
from driftwatch.config.schema import DaemonConfig, Intervals, ServerConfig, Settings
from driftwatch.config.secret import Secret
from driftwatch.config.web import WebConfig
from driftwatch.run.changes import AT_START, Change, is_reached_alike


def test_the_page_says_of_every_table_what_a_reload_does_and_names_each_key_that_waits_for_a_start() -> None:
    page = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    section = page.partition("\n## Reload\n")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| (`.*?) \| (.*) \|$", section, re.MULTILINE))
    tables = [name for names in rows for name in re.findall(r"`(\w+)`", names)]
    keys = {key.path for key in describe()}

    assert sorted(tables) == sorted(SECTIONS)
    assert set(AT_START) <= keys
    for names, said in rows.items():
        of_table = {key for key in AT_START if f"`{key.partition('.')[0]}`" in names}
        assert {key for key in AT_START if f"`{key}`" in said} == of_table
        assert ("at the next start" in said) == bool(of_table)


@pytest.mark.parametrize("key", sorted({key.path.partition(".")[0] for key in describe()} - {"database", "defaults"}))
def test_a_change_in_any_table_is_seen_and_said(key: str) -> None:
    before = Settings()
    server = ServerConfig(name="notes", url="https://mcp.example.com/mcp")
    route = RouteConfig(name="ours", channels=("hook",))
    changed: dict[str, dict[str, Any]] = {
        "servers": {"servers": (server,)},
        "inventory": {"files": (server,)},
        "channels": {"channels": (AppriseConfig(name="chat", kind="apprise", url=Secret("json://x")),)},
        "routes": {"routes": (route,)},
        "identities": {"identities": ()},
        "daemon": {"daemon": DaemonConfig(concurrency=3)},
        "supply": {"supply": before.supply.model_copy(update={"enabled": not before.supply.enabled})},
        "second_opinion": {"second_opinion": before.second_opinion.model_copy(update={"model": "m"})},
        "policy": {"policy": before.policy.model_copy(update={"profile": "other"})},
        "alerts": {"alerts": before.alerts.model_copy(update={"blind_after": 1.0})},
        "retention": {"retention": RetentionConfig(looks_count=5000)},
        "web": {"web": WebConfig(session_idle=60)},
    }

    change = Change.of(before, before.model_copy(update=changed[key]), begun=before)

    assert change.words.startswith("The new configuration is in force: ")
    assert Change.of(before, before.model_copy(), begun=before).words == "Nothing in force has changed."


def test_an_identity_that_changes_is_a_change_of_the_servers_that_are_looked_at_as_it() -> None:
    one = ServerConfig(name="one", url="https://mcp.example.com/mcp", identities=("cursor",))
    two = ServerConfig(name="two", url="https://mcp.example.com/mcp")
    before = Settings(servers=(one, two))
    others = tuple(
        one.model_copy(update={"client_version": "9"}) if one.name == "cursor" else one for one in before.identities
    )

    change = Change.of(before, before.model_copy(update={"identities": others}), begun=before)

    assert change.servers.other == ("one",)


@pytest.mark.parametrize(
    ("update", "alike"),
    [
        ({"interval": Intervals(default=60)}, True),
        ({"labels": {"team": "web"}}, True),
        ({"alert_after": 9}, True),
        ({"url": "https://mcp.example.com/other"}, False),
        ({"headers": {"X-Key": Secret("new")}}, False),
        ({"notices": False}, False),
        ({"enabled": False}, False),
    ],
)
def test_a_held_session_depends_on_how_the_server_is_reached_and_on_nothing_else(
    update: dict[str, Any], alike: bool
) -> None:
    one = ServerConfig(name="one", url="https://mcp.example.com/mcp", headers={"X-Key": Secret("old")})

    assert is_reached_alike(one, one.model_copy(update=update)) is alike
