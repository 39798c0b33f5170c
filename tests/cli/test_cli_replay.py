"""replay on the command line, on histories that real checks made."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cli_world import Run

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.model import Outcome
from driftwatch.review.approve import approve
from driftwatch.store import Store
from driftwatch.watch.check import Checker
from tests.fakes import FrozenClock, ScriptedFetcher, listed, person, tool

GOOD = listed(tool(), tool("get_note"))
LOOSENED = listed(tool(annotations={"readOnlyHint": False, "destructiveHint": True}), tool("get_note"))


class Past:
    """A server called `files` that was looked at in March."""

    def __init__(self, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
        self.store = store
        self.capsys = capsys
        self.clock = FrozenClock(datetime(2026, 3, 1, 3, 0, tzinfo=UTC))

    def look(self, *outcomes: Outcome, after: float = 60) -> None:
        server = ServerConfig(name="files", url="https://files.example/mcp")
        for outcome in outcomes:
            self.clock.forward(after)
            fetcher = ScriptedFetcher([outcome])
            settings = Settings(servers=(server,))
            checker = Checker(
                store=self.store, fetcher=fetcher, settings=settings, clock=self.clock, jitter=lambda: 0.0
            )
            asyncio.run(checker.check(server))
        # What is logged of a look is not what the command says.
        self.capsys.readouterr()

    def approve(self) -> None:
        self.clock.forward(1)
        approve(self.store, Settings(), "files", digest=None, by=person("ann"), note="", now=self.clock())


@pytest.fixture
def past(store: Store, capsys: pytest.CaptureFixture[str]) -> Past:
    made = Past(store, capsys)
    made.look(GOOD)
    made.approve()
    made.look(LOOSENED, GOOD, LOOSENED, GOOD)
    return made


def test_replay_says_what_would_have_been_told_and_when_and_fails_on_it(run: Run, past: Past) -> None:
    ended = run("replay")

    assert ended.code == 1
    assert "files: 3 messages would have been told" in ended.out
    assert "2026-03-01 03:02:01Z" in ended.out
    assert "2 of 2 alerts would be told as they were. Nothing was changed." in ended.out


def test_replay_says_for_programs_what_differs_from_what_was_told(run: Run, past: Past) -> None:
    told = run("replay", "files", "--profile", "strict", "--format", "json").json

    (server,) = told["servers"]
    assert [step["event"] for step in server["would_tell"]][:1] == ["opened"]
    assert server["would_tell"][0]["channels"] == ["ops"]
    assert server["alerts"][0]["now"]["opened_at"] == server["alerts"][0]["then"]["opened_at"]
    assert {pair["difference"] for pair in server["alerts"]} <= {"as-told", "told-otherwise"}


def test_replay_since_a_time_leaves_out_what_came_before(run: Run, past: Past) -> None:
    ended = run("replay", "files", "--since", "2026-03-02", "--fail-on", "high")

    assert ended.code == 0
    assert "nothing would have been told" in ended.out


@pytest.mark.parametrize("when", ["2026-03-01T03:03", "2026-03-01T04:03+01:00", "9000d", "9000d ago"])
def test_a_time_may_be_a_date_or_how_long_ago(run: Run, past: Past, when: str) -> None:
    assert run("replay", "files", "--since", when).code == 1


@pytest.mark.parametrize("when", ["yesterday", "", "99999999d", "2026-13-01"])
def test_what_is_no_time_is_a_usage_error(run: Run, past: Past, when: str) -> None:
    assert run("replay", "files", "--since", when).code == 2


def test_replay_writes_nothing(run: Run, past: Past, tmp_path: Path) -> None:
    past.store.close()
    before = (tmp_path / "driftwatch.db").read_bytes()

    run("replay")

    assert (tmp_path / "driftwatch.db").read_bytes() == before


def test_without_a_database_there_is_nothing_to_replay_and_none_is_made(
    run: Run, configured: Path, tmp_path: Path
) -> None:
    ended = run("replay")

    assert ended.code == 4
    assert not (tmp_path / "driftwatch.db").exists()


def test_an_unknown_server_is_an_error(run: Run, past: Past) -> None:
    assert run("replay", "filez").code != 0


def test_history_says_how_a_list_came_and_that_the_server_goes_to_and_fro(run: Run, past: Past) -> None:
    past.look(listed(tool(), tool("get_note"), serverInfo={"name": "notes", "version": "2.0.0"}))

    ended = run("history", "files")
    story = run("history", "files", "--format", "json").json

    words = " ".join(ended.out.split())
    assert "It goes to and fro." in words
    assert "version 1.0.0 → 2.0.0" in words
    assert story["calm_at"] is not None
    came = [entry["arrival"] for entry in story["history"] if entry["what"] == "seen"]
    assert came[0] is None
    assert came[-1]["versions"] == ["1.0.0", "2.0.0"]


def test_what_differs_is_named_and_what_is_alike_is_not_said_twice(run: Run, past: Past) -> None:
    words = " ".join(run("replay", "files", "--profile", "strict").out.split())

    said = [part for part in words.split("Told otherwise than then: ")[1:] if part]
    assert all(part.startswith("the alert from ") for part in said)
    assert "; then " not in words


def test_one_message_and_one_alert_are_counted_as_one(
    run: Run, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Past(store, capsys)
    made.look(GOOD)
    made.approve()
    made.look(LOOSENED)

    ended = run("replay")

    assert "files: 1 message would have been told\n" in ended.out
    assert "1 of 1 alert would be told as it was." in ended.out


def test_what_no_channel_asks_for_is_no_message(run: Run, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    made = Past(store, capsys)
    made.look(GOOD)
    made.approve()
    made.look(listed(tool(description="Lists things in the order of their names."), tool("get_note")))

    assert "files: nothing would have been told; 1 more that no channel asks for" in run("replay").out
