"""What was approved ahead, and what counts as that."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.judge.facts import Reviewed
from driftwatch.judge.landing import concerns, departures, lands, running
from driftwatch.judge.snapshot import take
from driftwatch.model import Kind, Snapshot

OLD = [{"name": "read"}]
NEW = [{"name": "read"}, {"name": "write"}]
NODE = {"path": "/usr/bin/node", "digest": "sha256:01"}


def npx(version: str, *, asked: str | None = None, files: str = "", pinned: bool = True, **more: Any) -> dict[str, Any]:
    spec = f"tickets@{version}" if asked is None else asked
    package = {"ecosystem": "npm", "name": "tickets", "asked": spec, "pinned": pinned, "version": version}
    package |= {"digest": files or f"sha256:{version}"}
    started = {"transport": "stdio", "command": "npx", "args": ["-y", spec, "--all"], "env": ["TOKEN"]}
    return {**started, "package": package, "executable": NODE, **more}


def shown(tools: list[dict[str, Any]], launch: dict[str, Any] | None = None, **more: Any) -> Snapshot:
    return take({"tools": tools, **({} if launch is None else {"launch": launch}), **more})


def reviewed(snapshot: Snapshot, version: str = "") -> Reviewed:
    return Reviewed(snapshot, by="ann", at=datetime(2026, 3, 1, tzinfo=UTC), version=version)


BEFORE = shown(OLD, npx("1.2.3"))
AHEAD = shown(NEW, npx("1.2.4"))


def test_the_very_list_lands_with_and_without_a_version() -> None:
    assert lands(reviewed(AHEAD), BEFORE, AHEAD)
    assert lands(reviewed(AHEAD, "1.2.4"), BEFORE, AHEAD)
    assert lands(reviewed(AHEAD), None, AHEAD)


@pytest.mark.parametrize("version", ["", "1.2.4", "v1.2.4"])
def test_what_is_pinned_nowhere_lands_when_the_version_that_was_reviewed_runs(version: str) -> None:
    unpinned = shown(OLD, npx("1.2.3", asked="tickets", pinned=False))
    live = shown(NEW, npx("1.2.4", asked="tickets", pinned=False))

    assert lands(reviewed(AHEAD, version), unpinned, live)
    assert not lands(reviewed(AHEAD, version), unpinned, shown(NEW, npx("1.2.5", asked="tickets", pinned=False)))


@pytest.mark.parametrize(
    "launch",
    [
        npx("1.2.5"),
        npx("1.2.4", files="sha256:other"),
        npx("1.2.4", command="node"),
        npx("1.2.4", args=["-y", "tickets@1.2.4", "--all", "--write"]),
        npx("1.2.4", env=["NODE_OPTIONS", "TOKEN"]),
        npx("1.2.4", cwd="/srv"),
        npx("1.2.4", executable={"path": "/opt/node", "digest": "sha256:02"}),
        npx("1.2.4", asked="tickets", pinned=False),
        {**npx("1.2.4"), "package": {**npx("1.2.4")["package"], "name": "tikets"}},
        {"transport": "http", "url": "https://example.com/mcp"},
    ],
)
def test_the_same_list_by_other_means_does_not_land_and_that_is_what_differs(launch: dict[str, Any]) -> None:
    live = shown(NEW, launch)

    assert not lands(reviewed(AHEAD, "1.2.4"), BEFORE, live)
    assert departures(reviewed(AHEAD, "1.2.4"), BEFORE, live) == ((Kind.LAUNCH, "", 0),)


@pytest.mark.parametrize("version", ["", "1.2.4"])
def test_where_nothing_was_seen_before_another_package_that_shows_the_same_does_not_land(version: str) -> None:
    other = {**npx("1.2.4"), "package": {**npx("1.2.4")["package"], "name": "tikets"}}

    assert lands(reviewed(AHEAD, version), None, shown(NEW, npx("1.2.4", cwd="/srv")))
    assert not lands(reviewed(AHEAD, version), None, shown(NEW, other))
    assert not lands(reviewed(AHEAD, version), None, shown(NEW, {"transport": "stdio", "command": "/opt/other"}))


def test_a_preview_that_knows_nothing_of_the_launch_lands_where_the_launch_is_as_approved() -> None:
    from_a_file = shown(NEW)

    assert lands(reviewed(from_a_file), BEFORE, shown(NEW, npx("1.2.3")))
    assert not lands(reviewed(from_a_file), BEFORE, shown(NEW, npx("1.2.4")))
    assert lands(reviewed(from_a_file, "1.2.4"), BEFORE, shown(NEW, npx("1.2.4")))
    assert not lands(reviewed(from_a_file, "1.2.4"), BEFORE, shown(NEW, npx("1.2.3")))


def test_a_server_at_an_address_lands_by_what_it_shows() -> None:
    at = {"transport": "http", "url": "https://example.com/mcp", "headers": []}
    tried = {**at, "url": "https://staging.example.com/mcp"}
    before, live = shown(OLD, at), shown(NEW, at)

    assert lands(reviewed(shown(NEW, tried), "7"), before, live)
    assert not lands(reviewed(shown(NEW, tried), "7"), before, shown(NEW, {**at, "url": "https://example.org/mcp"}))


def test_one_other_letter_does_not_land() -> None:
    live = shown([{"name": "read"}, {"name": "write", "description": "."}], npx("1.2.4"))

    assert not lands(reviewed(AHEAD, "1.2.4"), BEFORE, live)
    assert concerns(reviewed(AHEAD, "1.2.4"), BEFORE, live)
    assert departures(reviewed(AHEAD, "1.2.4"), BEFORE, live) == ((Kind.TOOL, "write", 0),)


def test_the_version_that_runs_comes_from_the_package_before_what_the_server_says() -> None:
    says = {"serverInfo": {"version": "9"}}
    image = {"package": {"ecosystem": "oci", "asked": "registry.example/tickets:2.1", "pinned": True}}

    assert running(shown(OLD, npx("1.2.4"), **says)) == "1.2.4"
    assert running(shown(OLD, image, **says)) == "2.1"
    assert running(shown(OLD, {"command": "tickets"}, **says)) == "9"
    assert running(shown(OLD, {"package": 7}, serverInfo=[])) == ""


VERSIONS = st.sampled_from(["", "1.2.3", "1.2.4", "1.2.5"])
LAUNCHES = st.one_of(
    st.none(),
    st.builds(npx, VERSIONS, asked=st.sampled_from([None, "tickets"]), pinned=st.booleans()),
    st.just({"transport": "http", "url": "https://example.com/mcp"}),
    st.sampled_from([{}, {"package": "?"}, {"args": 7, "command": []}]),
)
SHOWN = st.builds(shown, st.sampled_from([OLD, NEW, []]), LAUNCHES)


@given(SHOWN, SHOWN, SHOWN, VERSIONS)
def test_what_lands_shows_what_was_reviewed_and_differs_from_it_in_nothing_that_counts(
    ahead: Snapshot, baseline: Snapshot, live: Snapshot, version: str
) -> None:
    awaited = reviewed(ahead, version)

    if lands(awaited, baseline, live):
        assert live.body == ahead.body
        assert not concerns(awaited, baseline, live)
    if concerns(awaited, baseline, live):
        assert departures(awaited, baseline, live)
        assert live.digest not in {baseline.digest, ahead.digest}
    assert lands(reviewed(live, version), baseline, live)
