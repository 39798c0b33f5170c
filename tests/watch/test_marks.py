"""By what the lines of one look are found: an id of its own, the server, and the alert that it led to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import structlog
from structlog.contextvars import get_contextvars, merge_contextvars
from structlog.testing import capture_logs

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.model import Era, Outcome, Unreachable
from driftwatch.model.spans import Fact, Told
from driftwatch.store.store import Store
from driftwatch.watch.check import Checker
from driftwatch.watch.marks import apart, looking
from tests.fakes import FrozenClock, ScriptedFetcher, listed, tool

SERVER = ServerConfig(name="notes", transport="http", url="https://mcp.example.com/mcp", alert_after=1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(f"sqlite:///{tmp_path / 'driftwatch.db'}", clock=FrozenClock()) as opened:
        yield opened


class Spoken:
    """Fetches what it is told to, and logs while it does, as a connection would."""

    def __init__(self, *outcomes: Outcome) -> None:
        self._scripted = ScriptedFetcher(list(outcomes))

    async def fetch(self, server: ServerConfig, *, era: Era | None) -> Outcome:
        structlog.get_logger().info("fetching", action="fetching")
        return await self._scripted.fetch(server, era=era)


class Heard:
    """Keeps what it was told of work, the innermost part first."""

    def __init__(self) -> None:
        self.spans: list[tuple[str, dict[str, Fact | None]]] = []

    @contextmanager
    def __call__(
        self, name: str, /, *, carrier: Mapping[str, str] | None = None, **facts: Fact | None
    ) -> Iterator[Told]:
        del carrier
        told: dict[str, Fact | None] = dict(facts)
        yield lambda **more: told.update(more)
        self.spans.append((name, told))


def checker(store: Store, *outcomes: Outcome, **fields: Any) -> Checker:
    return Checker(
        store=store, fetcher=Spoken(*outcomes), settings=Settings(), clock=FrozenClock(), jitter=lambda: 0.0, **fields
    )


def refused(*_: object) -> Any:
    raise ZeroDivisionError


async def test_every_line_of_a_look_has_its_id_and_its_server_in_whichever_thread_it_is_written(store: Store) -> None:
    checks = checker(store, listed(tool()), listed(tool()), judging=refused)

    with capture_logs(processors=[merge_contextvars]) as lines:
        await checks.check(SERVER)
        await checks.check(SERVER)

    actions = [line["action"] for line in lines]
    assert actions == ["fetching", "judge-failed", "look"] * 2
    assert {line["server"] for line in lines} == {"notes"}
    first, second = ({line["look"] for line in part} for part in (lines[:3], lines[3:]))
    assert len(first) == len(second) == 1
    assert first != second


async def test_the_line_of_a_look_names_the_alert_that_it_led_to(store: Store) -> None:
    with capture_logs() as lines:
        await checker(store, Unreachable("timeout", "no answer within 30 s")).check(SERVER)

    (alert,) = store.alerts()
    assert [(line["told"], line["alert"]) for line in lines if line["action"] == "look"] == [("opened", alert.id)]


async def test_no_mark_is_left_behind_and_none_is_carried_to_what_a_look_begins(store: Store) -> None:
    async def marks() -> dict[str, Any]:
        return get_contextvars()

    with looking("notes") as look:
        beside = await asyncio.get_running_loop().create_task(marks(), context=apart())
        other = await asyncio.get_running_loop().create_task(marks(), context=apart("files"))
        with looking("notes") as same:
            pass

    assert (beside, other["server"], same) == ({}, "files", look)
    assert other["look"] != look
    assert get_contextvars() == {}


async def test_of_a_look_is_told_what_it_came_to_and_of_its_parts_within_it(store: Store) -> None:
    heard = Heard()

    await checker(store, listed(tool()), spans=heard).check(SERVER)

    assert [name for name, _ in heard.spans] == ["fetch", "judge", "record", "look"]
    assert heard.spans[0][1]["era"] == "modern"
    whole = {name: fact for name, fact in heard.spans[-1][1].items() if name != "look"}
    assert whole == {
        "server": "notes",
        "outcome": "first-sight",
        "findings": 1,
        "told": None,
        "alert": None,
        "failed": False,
    }


async def test_of_a_look_that_failed_is_told_how_without_what_the_server_said(store: Store) -> None:
    heard = Heard()

    await checker(store, Unreachable("timeout", "hush"), spans=heard).check(SERVER)

    assert heard.spans[0] == (
        "fetch",
        {"server": "notes", "identity": None, "failed": True, "kind": "unreachable", "code": "timeout"},
    )
    assert "hush" not in str(heard.spans)
