"""Rules, the audit log and the settings on pages."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

import httpx
import pytest
from reviewing import Reader, notices
from web_site import Site, signed_in

from driftwatch.config.load import parse
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.judge.rules import RULES
from driftwatch.model import Action, AuditEntry
from driftwatch.store.audit import entry_json
from driftwatch.web.api.settings import settings_json
from driftwatch.web.pages.auditing import ACTIONS, row_of
from driftwatch.web.pages.configured import stretch, tables, values_of
from driftwatch.web.pages.rules import AREAS, documentation
from driftwatch.web.pages.rules import row_of as rule_row
from driftwatch.web.pages.settings import in_words
from tests.web.town import town_site

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)

CONFIGURATION = """
[daemon]
concurrency = 4

[database]
url = "sqlite:///watch.db"

[policy]
profile = "strict"
severity = [{ rule = "hint-*", server = "files", severity = "low", reason = "we read those ourselves" }]
ignore = [
  { rule = "title-changed", reason = "titles are <b>ours</b>" },
  { rule = "icon-changed", reason = "until the rebrand", expires = 2026-02-01 },
]

[alerts]
heartbeat_url = "https://beats.example.com/SECRET-heartbeat"

[servers.files]
url = "https://mcp.example.com/${PART}/mcp?key=SECRET-query"
bearer = "SECRET-bearer"
headers = { X-Key = "SECRET-header" }
labels = { team = "web" }
interval = { default = "10m" }

[servers.forge]
command = "npx"
args = ["-y", "forge", "--token=SECRET-argument", "${PART}"]
env = { FORGE_KEY = "SECRET-variable" }

[channels.hook]
url = "https://alerts.example.com/in?token=SECRET-hook"
secret = "whsec_U0VDUkVULXdlYmhvb2stMDEyMzQ1Njc4OTAxMjM="

[channels.chat]
kind = "slack"
url = "https://hooks.example.com/services/SECRET-slack"

[channels.mail]
kind = "email"
host = "mail.example.com"
username = "watch"
password = "SECRET-password"
sender = "watch@example.com"
to = ["team@example.com"]

[channels.service]
kind = "apprise"
url = "ntfys://SECRET-topic"

[channels.program]
kind = "command"
command = "/usr/bin/tell"
args = ["--key=SECRET-of-program"]
env = { TELL_KEY = "SECRET-of-tell" }

[channels.duty]
kind = "pagerduty"
routing_key = "0123456789abcdef0123456789abcdef"

[channels.manager]
kind = "alertmanager"
url = "https://am.example.com"
bearer = "SECRET-manager"
"""
SETTINGS = parse(CONFIGURATION, {"PART": "SECRET-part"}, base=Path("watch"))


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with town_site(tmp_path_factory.mktemp("town")) as made:
        settings = SETTINGS.model_copy(update={"database_url": made.desk.settings.database_url})
        made.app.state.desk = replace(made.desk, settings=settings)
        yield made


@pytest.fixture(scope="module")
def ann(town: Site) -> Iterator[httpx.Client]:
    with signed_in(town, "ann") as client:
        yield client


@pytest.fixture(scope="module")
def vic(town: Site) -> Iterator[httpx.Client]:
    with signed_in(town, "vic") as client:
        yield client


# Rules


def test_every_rule_is_listed_and_has_its_documentation(vic: httpx.Client) -> None:
    page = vic.get("/rules").text
    documented = {rule.id: [part.heading for part in documentation(rule.doc)] for rule in RULES}

    assert all(f'href="/rules/{rule.id}"' in page for rule in RULES)
    assert {rule.area for rule in RULES} == set(AREAS)
    assert all({"What it does", "Why it matters", "What to do"} <= set(parts) for parts in documented.values())


def test_a_rule_is_shown_with_what_it_says_and_weighs_here(vic: httpx.Client) -> None:
    page = Reader(vic.get("/rules/hint-loosened").text)

    assert page.inside["h1"] == ["A hint claims less danger than before"]
    assert "strict (in force)" in page.text
    assert "weighs low, rule hint-*, server files: “we read those ourselves”" in page.text
    assert "Why it matters" in page.inside["h2"]


def test_an_example_keeps_its_lines() -> None:
    doc = 'Title.\n\nWhat it does\n    Finds\n    this.\n\nExample\n    before  {"a": 1}\n    after   {"a": 2}\n'

    does, example = documentation(doc)

    assert (does.heading, does.paragraphs, does.is_example) == ("What it does", ("Finds this.",), False)
    assert (example.paragraphs, example.is_example) == (('before  {"a": 1}\nafter   {"a": 2}',), True)


def test_a_line_of_the_policy_that_is_over_says_so() -> None:
    icon = next(rule for rule in RULES if rule.id == "icon-changed")

    (line,) = rule_row(icon, SETTINGS.policy, NOW).lines

    assert (line.over, line.reason) == (True, "until the rebrand")


def test_the_policy_in_force_stands_above_the_rules_and_is_text(vic: httpx.Client) -> None:
    page = vic.get("/rules").text

    assert "titles are &lt;b&gt;ours&lt;/b&gt;" in page
    assert "nothing that changed stays below medium" in page


def test_there_is_no_page_of_a_rule_that_there_is_not(vic: httpx.Client) -> None:
    assert vic.get("/rules/no-such-rule").status_code == 404


# The audit log


def entry(**more: object) -> AuditEntry:
    return replace(AuditEntry(1, NOW, "ann", "web", "approved", "files", "", "", {}, "0" * 64, "1" * 64), **more)


def test_every_action_has_words_and_one_of_a_later_version_stands_as_it_is() -> None:
    assert set(ACTIONS) == set(Action)
    assert row_of(entry(action="dismissed")).did == "dismissed"


def test_an_entry_leads_to_what_it_is_about() -> None:
    details = {"alert": "alr_1", "items": [["tool", "a", 0]], "changed": list("abcdefgh"), "parts": {"a": "b"}}

    row = row_of(entry(digest=f"sha256:{'ab' * 32}", details=details))

    assert row.about == (
        ("files", "/servers/files"),
        ("abababababab", f"/servers/files/review?digest=sha256:{'ab' * 32}"),
        ("alert alr_1", "/alerts/alr_1"),
        ("1 item", ""),
        ("a, b, c, d, e, f and 2 more", ""),
    )
    assert "parts" not in row.details


def test_entries_are_picked_by_who_what_and_server(town: Site, vic: httpx.Client) -> None:
    def whos(query: str) -> list[tuple[str, str]]:
        numbers = re.findall(r'<tr id="e-(\d+)">', vic.get(f"/audit?{query}").text)
        known = {one.seq: one for one in town.store.audit(limit=1_000)}
        return [(known[int(one)].who, known[int(one)].action) for one in numbers]

    assert set(whos("who=bob&action=approved")) == {("bob", "approved")}
    assert {who for who, _ in whos("server=bazaar")} != set()
    assert whos("who=nobody") == []


def test_the_log_is_verified_and_its_head_is_shown_to_be_noted_down(town: Site, vic: httpx.Client) -> None:
    page = vic.get("/audit/verify").text
    head = re.search(r"<code data-copy=\"(\w{64})\"", page)
    assert head

    good = vic.get("/audit/verify", params={"head": f" {head[1].upper()} "}).text
    gone = vic.get("/audit/verify", params={"head": "f" * 64}).text
    none = vic.get("/audit/verify", params={"head": "nonsense"})

    assert head[1] in {one.hash for one in town.store.audit(limit=1_000)}
    assert "It is whole" in page
    assert "The hash that you gave is in it." in good
    assert "its end was cut off or written anew" in gone
    assert (none.status_code, "64 hex digits" in notices(none.text)[0]) == (400, True)


def test_an_edit_of_the_log_is_said(tmp_path: Path) -> None:
    with town_site(tmp_path) as town, signed_in(town, "vic") as client:
        with sqlite3.connect(tmp_path / "driftwatch.db") as database:
            database.execute("UPDATE audit SET why = 'because' WHERE seq = 4")
        database.close()

        page = client.get("/audit/verify").text

    assert "It is not as it was written: entry 4 is not as it was written." in unescape(page)


def test_a_row_changed_by_hand_is_named_on_the_page_and_in_the_api(tmp_path: Path) -> None:
    with town_site(tmp_path) as town, signed_in(town, "vic") as client:
        before = client.get("/audit/verify").text
        quiet = [client.get(path).text for path in ("/", "/audit")]
        with sqlite3.connect(tmp_path / "driftwatch.db") as database:
            database.execute("UPDATE users SET role = 'admin' WHERE name = 'rita'")
        database.close()

        page = unescape(client.get("/audit/verify").text)
        answered = client.get("/api/v1/audit/verification").json()
        heads = [client.get(path).text for path in ("/", "/audit")]

    assert "What stands in the database agrees with it." in before
    assert "the user `rita`: role admin, but the last entry about it (nr" in page
    assert (answered["whole"], answered["agrees"], len(answered["astray"])) == (True, False, 1)
    words = "<strong>The database was changed by hand.</strong>"
    assert ([words in one for one in quiet], [words in one for one in heads]) == ([False, False], [True, True])


def test_an_admin_takes_the_whole_log_along_as_json_lines(town: Site, ann: httpx.Client, vic: httpx.Client) -> None:
    answered = ann.get("/audit/export")

    lines = [json.loads(line) for line in answered.text.splitlines()]
    assert lines == [entry_json(one) for one in town.store.audit(limit=1_000, oldest_first=True)]
    assert answered.headers["content-type"] == "application/x-ndjson"
    assert "attachment" in answered.headers["content-disposition"]
    assert vic.get("/audit/export").status_code == 403
    assert "/audit/export" not in vic.get("/audit").text


def test_what_people_wrote_is_text(vic: httpx.Client) -> None:
    page = vic.get("/audit").text

    assert "<script>" not in page
    assert "<img" not in page
    assert "&lt;script&gt;" in page


# The settings


def test_no_secret_of_a_configuration_is_shown(ann: httpx.Client) -> None:
    paths = ("/settings", "/settings/servers", "/settings/channels", "/channels")

    pages = "".join(ann.get(path).text for path in paths)

    assert "SECRET" not in pages
    assert "whsec_" not in pages
    assert "0123456789abcdef" not in pages
    assert "***" in pages
    assert "mcp.example.com/${PART}/mcp" in pages


def test_what_somebody_chose_stands_apart_from_what_is_left_at_its_default() -> None:
    files = stretch(SETTINGS, "servers", 0, 1).sections[0]
    daemon = next(one for one in tables(SETTINGS) if one.name == "daemon")

    chosen = {one.key: one.words for one in files.chosen}
    assert chosen["interval.default"] == "10m"
    assert chosen["labels.team"] == "web"
    assert chosen["headers.Authorization"] == "***"
    assert "enabled" not in chosen
    assert [one.key for one in daemon.chosen] == ["concurrency"]
    assert "grace" in {one.key for one in daemon.left}


def test_every_table_can_be_shown() -> None:
    for kind in ("servers", "channels", "routes", "identities"):
        assert all(values_of(one) for one in getattr(SETTINGS, kind))


def test_long_lists_of_settings_come_a_page_at_a_time() -> None:
    first, last = stretch(SETTINGS, "channels", 0, 4), stretch(SETTINGS, "channels", 4, 4)

    assert (len(first.sections), first.following, last.following, first.total) == (4, 4, None, 7)


def test_the_settings_say_what_runs_here_and_are_for_admins(town: Site, ann: httpx.Client, vic: httpx.Client) -> None:
    page = Reader(ann.get("/settings").text).text

    assert f"{in_words(town.store.size())}: 11 servers" in page
    assert "bubblewrap" in page
    assert "it ended at the end of 2026-02-01 UTC" in page
    assert vic.get("/settings").status_code == 403
    assert ann.get("/settings/secrets").status_code == 404


@pytest.mark.parametrize(("size", "words"), [(5, "5 B"), (1_536, "1.5 KiB"), (3 * 2**20, "3.0 MiB")])
def test_sizes_are_said_in_the_largest_unit_that_fits(size: int, words: str) -> None:
    assert in_words(size) == words


def test_an_address_with_a_token_in_its_path_is_shown_without_it_on_the_page_and_by_the_api() -> None:
    token = "sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c"
    server = ServerConfig(name="notes", url=f"https://mcp.example.com/{token}/mcp")

    shown = str(values_of(server)) + str(settings_json(Settings(servers=(server,))))

    assert "https://mcp.example.com/" in shown
    assert token not in shown
