"""Asking about the packages in use: what is due, what is kept, and that trouble loses nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.config.supply import SupplyConfig
from driftwatch.judge.snapshot import take
from driftwatch.model import Era, Kind, Package, Withdrawn
from driftwatch.run.stage import served
from driftwatch.store.records import LookRecord
from driftwatch.store.store import Store
from driftwatch.watch.supply.learn import SupplyWatch, sources_of
from driftwatch.watch.supply.used import packages_in
from tests.blank import blank
from tests.fakes import FrozenClock
from tests.servers.over_registry import RegistryServer, packument, simple, vulnerability


def launch(name: str = "notes-mcp", ecosystem: str = "npm", **package: Any) -> dict[str, Any]:
    named = {"ecosystem": ecosystem, "name": name, "asked": name, "pinned": False, **package}
    return {"transport": "stdio", "command": "npx", "args": ["-y", name], "env": [], "package": named}


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def store(tmp_path: Path, clock: FrozenClock) -> Iterator[Store]:
    with Store.open(blank(tmp_path / "driftwatch.db"), clock=clock) as opened:
        yield opened


def shows(store: Store, clock: FrozenClock, server: str, document: dict[str, Any]) -> None:
    baseline = store.baseline(server)
    store.record_look(
        LookRecord(
            server=server,
            at=clock(),
            next_at=None,
            era=Era.MODERN,
            snapshot=take(document),
            expected_baseline=baseline.digest if baseline else None,
            judged="so",
        )
    )


@asynccontextmanager
async def watch(
    store: Store, clock: FrozenClock, registry: RegistryServer, *servers: str, **config: Any
) -> AsyncIterator[SupplyWatch]:
    async with served(registry) as port:
        base = f"http://127.0.0.1:{port}"
        asked = {"npm": f"{base}/npm", "pypi": f"{base}/simple", "osv": f"{base}/osv", **config}
        settings = Settings(
            servers=tuple(ServerConfig(name=name, command="x") for name in servers or ("notes",)),
            supply=SupplyConfig(enabled=True, **asked),
        )
        async with sources_of(settings.supply) as sources:
            yield SupplyWatch(store, settings, sources, clock=clock)


def registry(**pages: Any) -> RegistryServer:
    return RegistryServer(
        {
            "/npm/notes-mcp": packument("1.2.0", "1.3.0"),
            "/simple/notes-mcp/": simple("1.2.0", "1.3.0"),
            "/osv/v1/query": {"vulns": [vulnerability()]},
            **pages,
        }
    )


async def test_each_package_is_asked_about_once_in_the_version_that_ran(store: Store, clock: FrozenClock) -> None:
    for server in ("notes", "twin"):
        shows(store, clock, server, {"launch": launch(version="1.2.0"), "tools": []})
    shows(store, clock, "python", {"launch": launch(ecosystem="pypi", version="1.3.0")})
    shows(store, clock, "image", {"launch": launch(ecosystem="oci")})
    server = registry()

    async with watch(store, clock, server, "notes", "twin", "python", "image", "never-seen") as supply:
        found = {news.package: news for news in await supply.ask()}

    assert {package: (news.latest, news.newer) for package, news in found.items()} == {
        Package("npm", "notes-mcp", "1.2.0"): ("1.3.0", "1.3.0"),
        Package("pypi", "notes-mcp", "1.3.0"): ("1.3.0", ""),
    }
    assert [news.advisories[0].id for news in found.values()] == ["GHSA-aaaa-bbbb-cccc"] * 2
    judged = {name: state.judged for name, state in store.states().items()}
    assert [name for name, rests_on in judged.items() if rests_on == "so"] == ["image"]
    assert len(server.asked) == 4


async def test_what_is_asked_holds_names_and_versions_and_nothing_of_this_machine(
    store: Store, clock: FrozenClock
) -> None:
    shows(store, clock, "notes", {"launch": {**launch(version="1.2.0"), "cwd": "/home/me/secret-project"}})
    server = registry()

    async with watch(store, clock, server) as supply:
        await supply.ask()

    assert server.asked == [
        ("GET", "/npm/notes-mcp", None),
        ("POST", "/osv/v1/query", {"package": {"name": "notes-mcp", "ecosystem": "npm"}, "version": "1.2.0"}),
    ]
    assert "secret-project" not in repr(server.headers)


async def test_a_package_is_asked_about_again_when_it_is_due(store: Store, clock: FrozenClock) -> None:
    shows(store, clock, "notes", {"launch": launch(version="1.2.0")})
    server = registry()

    async with watch(store, clock, server, interval="1d") as supply:
        asked = [len(await supply.ask())]
        clock.forward(3600)
        asked.append(len(await supply.ask()))
        clock.forward(23 * 3600)
        asked.append(len(await supply.ask()))
        asked.append(len(await supply.ask(everything=True)))

    assert asked == [1, 0, 1, 1]


async def test_trouble_loses_nothing_and_is_tried_again_sooner(store: Store, clock: FrozenClock) -> None:
    shows(store, clock, "notes", {"launch": launch(version="1.2.0")})
    server = registry()

    async with watch(store, clock, server) as supply:
        (before,) = await supply.ask()
        server.pages = {"/npm/notes-mcp": (500, {}), "/osv/v1/query": b"<html>"}
        clock.forward(86_400)
        (after,) = await supply.ask()
        clock.forward(3600)
        again = await supply.ask()

    assert after == replace(
        before, asked_at=after.asked_at, trouble=("npm: it fails (HTTP 500)", "advisories: the answer is not JSON")
    )
    assert len(again) == 1


async def test_a_package_without_a_version_is_taken_to_be_the_newest(store: Store, clock: FrozenClock) -> None:
    shows(store, clock, "notes", {"launch": launch()})
    server = registry()

    async with watch(store, clock, server) as supply:
        (news,) = await supply.ask()

    assert (news.package.version, news.newer, news.latest) == ("", "", "1.3.0")
    assert server.asked[1][2]["version"] == "1.3.0"


async def test_only_those_are_asked_that_are_named(store: Store, clock: FrozenClock) -> None:
    shows(store, clock, "notes", {"launch": launch(version="1.2.0")})
    server = registry()

    async with watch(store, clock, server, npm="", pypi="") as supply:
        (news,) = await supply.ask()

    assert (news.latest, len(news.advisories), len(server.asked)) == ("", 1, 1)


async def test_what_is_no_longer_used_is_forgotten(store: Store, clock: FrozenClock) -> None:
    shows(store, clock, "notes", {"launch": launch(version="1.2.0")})

    async with watch(store, clock, registry()) as supply:
        await supply.ask()
        shows(store, clock, "notes", {"launch": launch(version="1.3.0")})
        await supply.ask()

    assert [package.version for package in store.package_news()] == ["1.3.0"]


async def test_a_version_that_is_gone_is_kept_as_gone(store: Store, clock: FrozenClock) -> None:
    shows(store, clock, "notes", {"launch": launch(version="0.9.0")})

    async with watch(store, clock, registry()) as supply:
        (news,) = await supply.ask()

    assert news.withdrawn is Withdrawn.GONE


def test_the_packages_of_entries_are_in_use_too_in_the_version_that_they_pin() -> None:
    entry = {**launch(asked="notes-mcp@1.2.0"), "args": ["-y", "notes-mcp@1.2.0"], "name": "notes"}
    snapshot = take(
        {"entries": [entry, {"name": "odd", "package": 3}, {"name": "far", "package": {"ecosystem": "npm"}}]}
    )

    assert list(packages_in(snapshot)) == [(Kind.ENTRY, "notes", Package("npm", "notes-mcp", "1.2.0"))]
