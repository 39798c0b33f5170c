"""What the listing commands print, as whole texts at 80 columns."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from cli_world import LOOSENED, Run, at, fail, look, shown, tool

from driftwatch.model import (
    Alert,
    AlertKind,
    AlertState,
    Decision,
    Delivery,
    Era,
    EventKind,
    Listing,
    Page,
    Review,
    Severity,
)
from driftwatch.store import AlertWrite, Store

MARCH = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

LISTING = Listing(
    era=Era.MODERN,
    protocol_version="2026-07-28",
    pages=(
        Page("server/discover", 1, 0, 3_600_000, "public"),
        Page("tools/list", 1, 50, 90_000, "public"),
        Page("tools/list", 2, 50, 90_000, "public"),
        Page("tools/list", 3, 1, 0, "private"),
        Page("prompts/list", 1, 1, 10**400),
        Page("resources/list", 1, 0, odd="ttlMs is text"),
        Page("resources/templates/list", 0, 0),
    ),
    asked=("roots/list", "sampling/createMessage"),
    noise_lines=1,
    received_bytes=12_345,
)

OLD, NEW = shown(tool()), shown(tool(annotations={"readOnlyHint": False}))


def alert(**parts: object) -> Alert:
    values = {
        "id": "alr_1",
        "server": "files",
        "kind": AlertKind.DRIFT,
        "state": AlertState.OPEN,
        "severity": Severity.HIGH,
        "opened_at": MARCH,
        "updated_at": MARCH,
        "findings": (LOOSENED,),
    }
    return Alert(**{**values, **parts})  # type: ignore[arg-type]


def delivery(number: int = 1, **parts: object) -> Delivery:
    values = {
        "id": f"msg_{number}",
        "channel": "ops",
        "server": "files",
        "alert_id": "alr_1",
        "event": EventKind.OPENED,
        "payload": {},
        "created_at": MARCH,
        "next_attempt_at": MARCH,
    }
    return Delivery(**{**values, **parts})  # type: ignore[arg-type]


def drifted(store: Store, *, when: datetime = MARCH) -> None:
    """A story: seen, approved by ann, then loosened, with an alert that waits in the outbox."""
    look(store, "files", OLD, when=when - timedelta(hours=2))
    approved = Review("files", OLD.digest, Decision.APPROVED, "ann", "cli", when - timedelta(hours=1), "read it")
    store.approve(approved, expected_baseline=OLD.digest)
    write = AlertWrite(alert(), EventKind.OPENED, (delivery(),))
    look(store, "files", NEW, when=when, findings=(LOOSENED,), alert=(write,))


def test_status_says_plainly_that_nothing_was_ever_looked_at(run: Run, configured: object) -> None:
    ended = run("status")

    assert (ended.code, ended.err) == (0, "")
    assert (
        ended.out
        == """\
server  state              looked  next look  baseline
files   not looked at yet  -       -          -
git     not looked at yet  -       -          -
mail    off                -       -          -

Nothing was ever looked at. Look now: driftwatch check — or keep looking:
  driftwatch run
Alerts: 0 open. Outbox: 0 waiting to be sent, 0 given up.
Supply watch: off.
"""
    )


def test_status_shows_how_every_server_stands(run: Run, store: Store) -> None:
    drifted(store, when=at(-5))
    look(store, "git", OLD, when=at(-4))
    fail(store, "git", when=at(-3))
    fail(store, "git", when=at(-2))
    look(store, "gone", OLD, when=at(-4))

    ended = run("status")

    assert ended.code == 0
    lines = [line for line in ended.out.splitlines() if "Outbox" not in line]
    assert lines == [
        "server  state                     looked     next look  baseline",
        f"files   drift, worst high         5 min ago  in 3 min   {OLD.digest[7:19]} ann",
        f"git     could not look ×2         2 min ago  in 10 min  {OLD.digest[7:19]}",
        "mail    off                       -          -          -",
        f"gone    not in the configuration  4 min ago  none       {OLD.digest[7:19]}",
        "",
        "git could not be looked at: connect: nobody answers \\u{001B}[2J",
        "To read the alerts: driftwatch alerts",
        "Supply watch: off.",
    ]
    assert "Alerts: 1 open. Outbox: 1 waiting to be sent (the oldest for " in ended.out


def test_a_look_that_is_long_overdue_is_said_to_be(run: Run, store: Store) -> None:
    look(store, "files", OLD, when=at(-60), next_at=at(-20))
    look(store, "git", OLD, when=at(-8), next_at=at(-3))

    ended = run("status")

    assert re.search(r"^files .* overdue 20 min ", ended.out, re.MULTILINE)
    assert re.search(r"^git .* 3 min ago ", ended.out, re.MULTILINE)
    assert "Looks are overdue: no daemon seems to be looking. Start it: driftwatch run\n" in ended.out


def test_nobody_is_missed_who_looks_in_time(run: Run, store: Store) -> None:
    look(store, "files", OLD, when=at(-8), next_at=at(-3))
    look(store, "mail", OLD, when=at(-900), next_at=at(-800))
    look(store, "gone", OLD, when=at(-900), next_at=at(-800))

    assert "overdue" not in run("status").out


def test_a_drift_that_a_person_refused_is_shown_as_refused(run: Run, store: Store) -> None:
    drifted(store)
    run("reject", "files", "--digest", NEW.digest)

    assert "drift, worst high, rejected" in run("status").out
    assert run("status", "--format", "json").json["servers"][0]["rejected"] is True


@pytest.mark.parametrize("name", ["mail", "gone"])
def test_what_nobody_looks_at_never_reads_as_clean(run: Run, store: Store, name: str) -> None:
    look(store, name, OLD, when=at(-5))
    store.approve(Review(name, OLD.digest, Decision.APPROVED, "ann", "cli", at(-4), ""), expected_baseline=OLD.digest)

    assert "clean" not in run("status").out


def test_status_for_programs(run: Run, store: Store) -> None:
    drifted(store)

    files = run("status", "--format", "json").json["servers"][0]

    nothing = ("rejections", "agents_await", "hidden", "ahead_waits", "identities")
    assert files == {
        "name": "files",
        "state": "drift",
        "worst": "high",
        "rejected": False,
        "overdue_seconds": None,
        "failures": 0,
        "outcome": "listed",
        "detail": "",
        "last_look_at": "2026-03-01T12:00:00Z",
        "last_ok_at": "2026-03-01T12:00:00Z",
        "next_look_at": files["next_look_at"],
        "snapshot_digest": NEW.digest,
        "baseline": {
            "digest": OLD.digest,
            "state": "approved",
            "since": "2026-03-01T11:00:00Z",
            "by": "ann",
            "note": "read it",
        },
        "listing": None,
        **{name: [] for name in nothing},
    }


def test_status_for_programs_says_how_the_last_look_went(run: Run, store: Store) -> None:
    look(store, "files", OLD, when=MARCH, listing=LISTING)

    listing = run("status", "--format", "json").json["servers"][0]["listing"]

    pages = listing.pop("pages")
    assert listing == {
        "protocol_version": "2026-07-28",
        "era": "modern",
        "asked": ["roots/list", "sampling/createMessage"],
        "noise_lines": 1,
        "received_bytes": 12_345,
    }
    assert len(pages) == len(LISTING.pages)
    plain = {"cache_scope": "private", "odd": ""}
    assert pages[3] == {"method": "tools/list", "number": 3, "items": 1, "ttl_ms": 0, **plain}
    assert pages[4]["ttl_ms"] == 10**400
    assert pages[5]["ttl_ms"] is None


def test_history_begins_with_how_the_last_look_went(run: Run, store: Store) -> None:
    look(store, "files", OLD, when=MARCH, listing=LISTING)

    ended = run("history", "files")

    assert ended.code == 0
    assert (
        ended.out
        == f"""\
Last complete look: 2026-03-01 12:00Z, protocol 2026-07-28 (modern era), 12,345
  bytes received.
  server/discover: fresh for 3600 s, cache scope public
  tools/list: 101 items on 3 pages; pages 1 to 2: fresh for 90 s, cache scope
    public; page 3: stale at once, cache scope private
  prompts/list: 1 item on 1 page, fresh for more than a year, no cache scope
    given
  resources/list: 0 items on 1 page, no freshness given, no cache scope given
    (odd: ttlMs is text)
  resources/templates/list: declared, but the server does not know it
It asked for roots/list and sampling/createMessage while it listed and was
  declined.
It wrote 1 log line on its standard output or event stream.

when                  list          what
2026-03-01 12:00:00Z  {OLD.digest[7:19]}  seen in 1 look
2026-03-01 12:00:00Z  {OLD.digest[7:19]}  stands in as baseline until one is approved
"""
    )
    told = run("history", "files", "--format", "json").json
    assert told["listing"] == run("status", "--format", "json").json["servers"][0]["listing"]


def test_history_says_nothing_of_requests_and_log_lines_when_there_were_none(run: Run, store: Store) -> None:
    quiet = replace(LISTING, asked=(), noise_lines=0, pages=(Page("tools/list", 1, 1, 1_500, "private"),))
    look(store, "files", OLD, when=MARCH, listing=quiet)

    lines = run("history", "files").out.splitlines()

    assert lines[2:4] == ["  tools/list: 1 item on 1 page, fresh for 1.5 s, cache scope private", ""]


def test_what_a_server_asked_for_cannot_speak_to_the_terminal(run: Run, store: Store) -> None:
    look(store, "files", OLD, when=MARCH, listing=replace(LISTING, asked=("evil\x1b[2J\u202e",)))

    assert "It asked for evil\\u{001B}[2J\\u{202E} while it listed" in run("history", "files").out


def test_history_tells_the_story_in_the_order_of_time(run: Run, store: Store) -> None:
    drifted(store)
    store.touch("files", at=MARCH + timedelta(minutes=5), next_at=None, era=None)
    refused_at = MARCH + timedelta(hours=1)
    store.reject(Review("files", NEW.digest, Decision.REJECTED, "bob", "cli", refused_at, "no\u202eway"))

    ended = run("history", "files")

    old, new = OLD.digest[7:19], NEW.digest[7:19]
    assert ended.code == 0
    assert (
        ended.out
        == f"""\
when                  list          what
2026-03-01 10:00:00Z  {old}  seen in 1 look
2026-03-01 10:00:00Z  {old}  stands in as baseline until one is approved
2026-03-01 11:00:00Z  {old}  approved by ann: read it
2026-03-01 12:00:00Z  {new}  seen in 2 looks, last 2026-03-01 12:05:00Z
2026-03-01 13:00:00Z  {new}  rejected by bob: no\\u{{202E}}way
"""
    )


def test_history_shows_that_looks_fail_now(run: Run, store: Store) -> None:
    look(store, "git", OLD, when=MARCH)
    fail(store, "git", when=MARCH + timedelta(minutes=5))
    fail(store, "git", when=MARCH + timedelta(minutes=9))

    ended = run("history", "git")

    assert "2026-03-01 12:09:00Z  -             the last 2 looks failed: connect: nobody" in ended.out
    last = run("history", "git", "--format", "json").json["history"][-1]
    assert (last["what"], last["at"]) == ("could-not-look", "2026-03-01T12:09:00Z")


def test_a_server_that_was_never_seen_has_no_history(run: Run, configured: object) -> None:
    ended = run("history", "git")

    assert (ended.code, ended.out) == (0, "Nothing was seen yet on git. Look now: driftwatch check git\n")


def test_servers_never_show_a_secret(run: Run, configured: object) -> None:
    ended = run("servers")

    assert ended.code == 0
    assert (
        ended.out
        == """\
server  transport   where                      every
files   http        https://files.example/mcp  5 min
git     stdio       git-mcp --token ${KEY}     5 min
mail    http (off)  http://127.0.0.1:1/mcp     5 min

Supply watch: off.
"""
    )
    assert run("servers", "--format", "json").json["servers"][0]["headers"] == ["X-Key"]


def test_alerts_are_listed_and_resolved_ones_on_request(run: Run, store: Store) -> None:
    drifted(store)

    ended = run("alerts")

    assert ended.code == 0
    assert (
        ended.out
        == """\
HIGH      files: drift, opened 2026-03-01 12:00Z, still open
          alr_1
          1 high; worst: high
"""
    )
    assert (
        run("alerts", "--server", "files", "--format", "json").json["alerts"][0]["findings"][0]["rule"] == LOOSENED.rule
    )
    assert run("alerts", "--all").out == ended.out


def test_a_resolved_alert_says_when_it_opened_and_when_and_why_it_ended(run: Run, store: Store) -> None:
    done = alert(state=AlertState.RESOLVED, resolved_at=MARCH + timedelta(hours=3), reason="approved")
    look(store, "files", OLD, when=MARCH, alert=(AlertWrite(done, EventKind.OPENED, ()),))

    ended = run("alerts", "--all")

    assert ended.out.startswith(
        "HIGH      files: drift, opened 2026-03-01 12:00Z, resolved 2026-03-01 15:00Z\n          (approved)\n"
    )


def test_no_alerts_are_said_to_be_none(run: Run, configured: object) -> None:
    assert run("alerts").out == "No open alerts.\n"
    assert run("alerts", "--all").out == "No alerts.\n"


def test_the_outbox_is_listed(run: Run, store: Store) -> None:
    assert run("deliveries").out == "The outbox is empty: there was nothing to tell yet.\n"
    drifted(store)

    ended = run("deliveries", clock=lambda: MARCH + timedelta(days=9))

    assert (
        ended.out
        == """\
id     state    channel  server  event   created  result
msg_1  pending  ops      files   opened  9 d ago  to be sent now
"""
    )
    assert run("deliveries", "--format", "json").json["deliveries"][0]["id"] == "msg_1"


@pytest.mark.parametrize("command", ["history", "diff", "export"])
def test_an_unknown_server_is_a_usage_error_with_a_hint(run: Run, configured: object, command: str) -> None:
    ended = run(command, "fles")

    assert (ended.code, ended.out) == (2, "")
    assert ended.err == 'error: No server is called "fles".\n  Did you mean files?\n'


def test_a_database_that_is_none_ends_with_4_and_is_left_alone(run: Run, configured: object, tmp_path: object) -> None:
    path = tmp_path / "driftwatch.db"  # type: ignore[operator]
    path.write_bytes(b"this is no database" * 100)

    ended = run("status")

    assert (ended.code, ended.out) == (4, "")
    assert ended.err.startswith("error: ")
    assert path.read_bytes() == b"this is no database" * 100


def test_without_a_configuration_the_code_is_3(run: Run) -> None:
    ended = run("status")

    assert (ended.code, ended.out) == (3, "")
    assert "No configuration was found" in ended.err
