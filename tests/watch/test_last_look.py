"""What is kept and logged of a look beside the list it showed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.model import Outcome, Page, Unreachable
from driftwatch.store.store import Store
from driftwatch.watch.check import CheckCode, Checker
from tests.fakes import FrozenClock, ScriptedFetcher, listed, tool

SERVER = ServerConfig(name="notes", transport="http", url="https://mcp.example.com/mcp")
PAGES = (Page("tools/list", 1, 1, 60_000, "public"), Page("tools/list", 2, 0, 5_000, "private"))
QUIET = replace(listed(tool()), pages=PAGES, ttl_ms=5_000, received_bytes=700)
ASKING = replace(QUIET, asked=("roots/list", "sampling/createMessage"), noise_lines=2)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(f"sqlite:///{tmp_path / 'driftwatch.db'}", clock=FrozenClock()) as opened:
        yield opened


async def looked(store: Store, *outcomes: Outcome) -> list[CheckCode]:
    checker = Checker(
        store=store,
        fetcher=ScriptedFetcher(outcomes),
        settings=Settings(),
        clock=FrozenClock(),
        jitter=lambda: 0.0,
    )
    return [(await checker.check(SERVER)).code for _ in outcomes]


async def test_a_first_look_keeps_every_page_with_its_freshness_and_cache_scope(store: Store) -> None:
    await looked(store, QUIET)

    listing = store.state("notes").listing
    assert listing == QUIET.listing
    assert listing.pages == PAGES
    assert (listing.protocol_version, listing.era, listing.received_bytes) == ("2026-07-28", QUIET.era, 700)


async def test_an_unchanged_list_from_a_server_that_now_asks_for_something_is_kept_as_asking(store: Store) -> None:
    codes = await looked(store, QUIET, QUIET, ASKING)

    listing = store.state("notes").listing
    assert codes[-1] is CheckCode.SAME
    assert listing is not None
    assert (listing.asked, listing.noise_lines) == (("roots/list", "sampling/createMessage"), 2)


async def test_a_failed_look_keeps_how_the_last_complete_one_went(store: Store) -> None:
    await looked(store, ASKING, Unreachable("timeout", "no answer within 30 s"))

    assert store.state("notes").listing == ASKING.listing


async def test_the_log_of_a_look_names_what_the_server_asked_for(store: Store) -> None:
    with capture_logs() as logs:
        await looked(store, ASKING)

    assert [line["asked"] for line in logs if line.get("action") == "look"] == [
        ["roots/list", "sampling/createMessage"]
    ]


async def test_the_log_of_a_look_at_a_server_that_asks_for_nothing_says_nothing_of_it(store: Store) -> None:
    with capture_logs() as logs:
        await looked(store, QUIET, Unreachable("timeout", "no answer within 30 s"))

    assert ["asked" in line for line in logs if line.get("action") == "look"] == [False, False]
