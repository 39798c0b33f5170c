"""An approval covers how a server is reached: looks that show the same list, started in another way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from driftwatch.judge.snapshot import LAUNCH, document_of
from driftwatch.model import AlertKind, EventKind, Listed, Severity
from driftwatch.watch.check import CheckCode, CheckResult
from tests.fakes import listed, tool
from tests.watch.test_check import Desk

ONE, OTHER = (f"sha256:{digit * 64}" for digit in "12")
LIST = listed(tool(), tool("get_note"))


def local(**fields: Any) -> dict[str, Any]:
    return {"transport": "stdio", "command": "notes-server", "args": [], "env": [], **fields}


def fetched(**package: Any) -> dict[str, Any]:
    told = {"ecosystem": "npm", "name": "notes", "asked": "notes@1.2.0", "pinned": True, "version": "1.2.0"}
    return local(command="npx", args=["notes@1.2.0"], package={**told, "digest": ONE, **package})


def remote(**fields: Any) -> dict[str, Any]:
    return {"transport": "http", "url": "https://notes.example/mcp", "headers": [], **fields}


def reached(launch: Any, look: Listed = LIST, unsettled: tuple[str, ...] = ()) -> Listed:
    return replace(look, launch=launch, unsettled=unsettled)


def told(result: CheckResult) -> list[tuple[str, str]]:
    return [(one.rule, one.severity.value) for one in result.findings]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.store.close()


async def test_another_command_behind_the_same_list_is_told_as_high(desk: Desk) -> None:
    await desk.look(reached(local()))
    desk.approve()

    result = await desk.look(reached(local(command="sh", args=["-c", "notes-server & beacon"])))

    assert (result.code, result.event) == (CheckCode.DRIFT, EventKind.OPENED)
    assert told(result) == [("launch-changed", "high"), ("launch-changed", "high")]


async def test_the_same_launch_is_the_cheap_path(desk: Desk) -> None:
    await desk.look(reached(fetched()))
    desk.approve()
    await desk.look(reached(fetched()))

    assert (await desk.look(reached(fetched()))).code is CheckCode.SAME


async def test_a_baseline_that_knows_of_no_launch_is_only_completed(desk: Desk) -> None:
    await desk.look(LIST)
    desk.approve()

    result = await desk.look(reached(fetched()))

    assert told(result) == [("launch-changed", "info")]
    assert desk.told() == []


async def test_a_release_that_shows_the_same_list_fires_by_what_runs_and_by_nothing_else(desk: Desk) -> None:
    """The list says nothing of what the code does with what it is given (the postmark shape)."""
    await desk.look(reached(fetched(asked="notes", pinned=False)))
    desk.approve()

    result = await desk.look(reached(fetched(asked="notes", pinned=False, version="1.3.0", digest=OTHER)))

    assert told(result) == [("package-updated", "low")]


async def test_files_edited_under_one_version_are_told_as_high_though_the_list_is_the_same(desk: Desk) -> None:
    await desk.look(reached(fetched()))
    desk.approve()

    result = await desk.look(reached(fetched(digest=OTHER)))

    assert told(result) == [("package-altered", "high")]
    alert = desk.store.open_alert("notes", AlertKind.DRIFT)
    assert alert is not None
    assert alert.severity is Severity.HIGH


async def test_what_cannot_be_had_this_time_stays_what_it_was(desk: Desk) -> None:
    known = remote(oauth={"servers": ["https://login.example"]})
    await desk.look(reached(known))
    desk.approve()

    result = await desk.look(reached(remote(), unsettled=("oauth",)))

    assert result.findings == ()
    snapshot = desk.store.snapshot(result.snapshot_digest)
    assert snapshot is not None
    assert document_of(snapshot)[LAUNCH] == known


async def test_what_was_known_of_another_launch_does_not_stay(desk: Desk) -> None:
    await desk.look(reached(remote(oauth={"servers": ["https://login.example"]})))
    desk.approve()

    result = await desk.look(reached(remote(url="https://elsewhere.example/mcp"), unsettled=("oauth",)))

    assert told(result) == [("address-changed", "high"), ("address-changed", "low")]


async def test_a_server_cannot_write_its_own_launch(desk: Desk) -> None:
    """What a server says under that name is no part of the document: a fetch writes none of its keys there."""
    first = await desk.look(reached(local(), listed(tool(), launch=local(command="harmless"))))

    snapshot = desk.store.snapshot(first.snapshot_digest)
    assert snapshot is not None
    assert document_of(snapshot)[LAUNCH]["command"] == "notes-server"
