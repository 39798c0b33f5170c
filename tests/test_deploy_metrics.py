"""The dashboard and the alert rules: all that they name is told by a daemon, and the rules fire when they should."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from driftwatch.config.channels import WebhookConfig
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.config.secret import Secret
from driftwatch.run.metrics_catalogue import METRICS
from driftwatch.run.vitals import Vitals
from driftwatch.run.wiring import World
from tests.blank import blank

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "deploy/prometheus/driftwatch.rules.yml"
RULE_TESTS = ROOT / "deploy/prometheus/driftwatch.test.yml"
DASHBOARD = ROOT / "deploy/grafana/driftwatch.json"

NAME = re.compile(r"\b(?:driftwatch|process)_[a-z_]+\b")
SELECTOR = re.compile(r"\b(driftwatch_[a-z_]+)\{([^}]*)\}")
MATCHER = re.compile(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"')
COMMAND = re.compile(r"\bdriftwatch ((?:alerts|audit|channels|check|db|deliveries|healthcheck|status)(?: [a-z]+)?)")

ADDED = {"job", "instance"}
"""Labels that Prometheus adds."""

promtool = pytest.mark.skipif(shutil.which("promtool") is None, reason="there is no promtool (Debian: prometheus)")


def rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load(RULES.read_text(encoding="utf-8"))["groups"]
    found: list[dict[str, Any]] = group["rules"]
    return found


def panels() -> Iterator[dict[str, Any]]:
    for panel in json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]:
        yield from (panel, *panel.get("panels", ()))


def asked() -> dict[str, str]:
    """Give every query that is committed, by what asks it."""
    found = {f"rule {rule['alert']}": rule["expr"] for rule in rules()}
    for panel in panels():
        who = f"panel {panel['id']} {panel['title']}"
        found |= {f"{who} {one['refId']}": one["expr"] for one in panel.get("targets", ())}
    for test in yaml.safe_load(RULE_TESTS.read_text(encoding="utf-8"))["tests"]:
        found |= {f"test {test['name']} {one['series']}": one["series"] for one in test["input_series"]}
    return found


def plain(name: str) -> str:
    """Give the name of a metric, also where it is one of the series of a histogram."""
    return re.sub(r"_(bucket|sum|count)$", "", name)


QUERIES = asked()


async def told(folder: Path) -> str:
    """Give the metrics of a daemon that watches a server and tells a channel."""
    secret = Secret("whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
    settings = Settings(
        database_url=blank(folder / "driftwatch.db"),
        servers=(ServerConfig(name="notes", transport="http", url="https://mcp.example.com/mcp"),),
        channels=(WebhookConfig(name="ops", kind="webhook", url="https://alerts.example.com/", secret=secret),),
    )
    with World.open(settings) as world:
        vitals = Vitals(world)
        try:
            return (await vitals.metrics()).decode()
        finally:
            vitals.close()


def test_something_is_asked() -> None:
    assert len([name for name in QUERIES if name.startswith("panel")]) > 30
    assert len(rules()) > 15


async def test_every_metric_that_is_asked_for_is_told(tmp_path: Path) -> None:
    lines = (await told(tmp_path)).splitlines()

    live = {re.split(r"[{ ]", line)[0] for line in lines if not line.startswith("#")}
    missing = {who: gone for who, query in QUERIES.items() if (gone := set(NAME.findall(query)) - live)}

    assert missing == {}


def test_every_metric_that_is_told_is_on_the_dashboard() -> None:
    shown = {name for who, query in QUERIES.items() if who.startswith("panel") for name in NAME.findall(query)}

    assert {metric.name for metric in METRICS} <= set(map(plain, shown))


def test_labels_and_values_that_are_asked_for_are_ones_that_there_can_be() -> None:
    known = {metric.name: dict(metric.labels) for metric in METRICS}
    wrong = []
    for who, query in QUERIES.items():
        for name, inner in SELECTOR.findall(query):
            labels = {**known[plain(name)], **dict.fromkeys(ADDED, ()), **({"le": ()} if name != plain(name) else {})}
            for label, how, value in MATCHER.findall(inner):
                values = set(value.split("|") if "~" in how else [value])
                if label not in labels or (labels[label] and not values <= set(labels[label])):
                    wrong.append(f"{who}: {name}{{{label}}}")

    assert wrong == []


@promtool
async def test_promtool_finds_nothing_amiss_in_what_is_told(tmp_path: Path) -> None:
    text = await told(tmp_path)

    done = await asyncio.to_thread(
        subprocess.run, ["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=60
    )

    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@promtool
def test_promtool_takes_the_rules_and_the_queries_of_the_dashboard(tmp_path: Path) -> None:
    copied = tmp_path / "dashboard.yml"
    queries = [query.replace("$__rate_interval", "5m") for who, query in QUERIES.items() if who.startswith("panel")]
    kept = [{"record": f"panel:{number}", "expr": query} for number, query in enumerate(queries)]
    copied.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": kept}]}), encoding="utf-8")

    done = subprocess.run(
        ["promtool", "check", "rules", RULES, copied], capture_output=True, text=True, timeout=60, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr


@promtool
def test_each_rule_fires_on_the_numbers_that_it_is_for_and_on_no_others() -> None:
    done = subprocess.run(
        ["promtool", "test", "rules", RULE_TESTS], capture_output=True, text=True, timeout=120, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_each_rule_is_tried_with_numbers_that_fire_it_and_with_others() -> None:
    tried: dict[str, set[bool]] = {}
    for test in yaml.safe_load(RULE_TESTS.read_text(encoding="utf-8"))["tests"]:
        for one in test["alert_rule_test"]:
            tried.setdefault(one["alertname"], set()).add(bool(one["exp_alerts"]))

    assert tried == {rule["alert"]: {True, False} for rule in rules()}


def test_what_rules_tell_people_to_do_can_be_done() -> None:
    commands = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    named = {found for rule in rules() for words in rule["annotations"].values() for found in COMMAND.findall(words)}

    assert named
    for command in named:
        whole = f"## driftwatch {command}\n"
        assert whole in commands or f"## driftwatch {command.split()[0]}\n" in commands


def test_panels_have_places_of_their_own_and_ask_the_source_that_is_chosen() -> None:
    board = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    placed = [panel["gridPos"] for panel in panels()]
    cells = [
        (x, y)
        for one in placed
        for x in range(one["x"], one["x"] + one["w"])
        for y in range(one["y"], one["y"] + one["h"])
    ]

    assert len(cells) == len(set(cells))
    assert len({panel["id"] for panel in panels()}) == len(placed)
    assert {panel["datasource"]["uid"] for panel in panels() if panel["type"] != "row"} == {"${datasource}"}
    assert [one["name"] for one in board["templating"]["list"]] == ["datasource", "instance"]
