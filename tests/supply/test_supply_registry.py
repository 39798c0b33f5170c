"""What registries say of packages, in the formats that they really answer in."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from driftwatch.model import Package, Withdrawn
from driftwatch.run.stage import served
from driftwatch.watch.supply.asking import Asker, Trouble
from driftwatch.watch.supply.registry import (
    NpmRegistry,
    PythonIndex,
    Released,
    read_packument,
    read_project,
    read_simple,
)
from tests.servers.over_registry import RegistryServer, packument, project, simple

NPM = Package("npm", "notes-mcp", "1.2.0")
PYPI = Package("pypi", "notes-mcp", "1.2.0")


async def test_an_npm_registry_is_asked_for_the_short_form_under_the_whole_name() -> None:
    server = RegistryServer({"/@acme%2Fnotes-mcp": packument("1.2.0", "1.3.0")})
    async with served(server) as port, Asker(f"http://127.0.0.1:{port}", timeout=10) as asker:
        found = await NpmRegistry(asker).released(Package("npm", "@acme/notes-mcp", "1.2.0"))

    assert found == Released("1.3.0", None, "1.3.0")
    assert server.headers[0]["accept"].startswith("application/vnd.npm.install-v1+json")


@pytest.mark.parametrize("is_simple", [True, False])
async def test_a_python_index_is_asked_under_the_normal_name(is_simple: bool) -> None:
    path = "/notes-mcp/" if is_simple else "/notes-mcp/json"
    server = RegistryServer({path: simple("1.2.0", "1.3.0") if is_simple else project("1.2.0", "1.3.0")})
    async with served(server) as port, Asker(f"http://127.0.0.1:{port}", timeout=10) as asker:
        found = await PythonIndex(asker, simple=is_simple).released(Package("pypi", "Notes_MCP", "1.2.0"))

    assert found == Released("1.3.0", datetime(2026, 2, 1, 10, tzinfo=UTC), "1.3.0")


def test_the_full_form_of_npm_tells_when() -> None:
    found = read_packument(packument("1.2.0", "1.3.0", full=True), NPM)

    assert found == Released("1.3.0", datetime(2026, 2, 1, 10, tzinfo=UTC), "1.3.0")


@pytest.mark.parametrize(
    ("version", "deprecated", "withdrawn", "reason"),
    [
        ("1.2.0", "use 2", Withdrawn.DEPRECATED, "use 2"),
        ("1.2.0", True, Withdrawn.DEPRECATED, ""),
        ("1.2.0", "", None, ""),
        ("1.1.9", None, Withdrawn.GONE, ""),
        ("", "all of it", Withdrawn.DEPRECATED, "all of it"),
    ],
)
def test_npm_versions_that_were_taken_back(
    version: str, deprecated: Any, withdrawn: Withdrawn | None, reason: str
) -> None:
    answer = packument("1.2.0")
    answer["versions"]["1.2.0"]["deprecated"] = deprecated

    found = read_packument(answer, Package("npm", "notes-mcp", version))

    assert isinstance(found, Released)
    assert (found.withdrawn, found.reason) == (withdrawn, reason)


@pytest.mark.parametrize(
    ("answer", "withdrawn", "reason", "latest"),
    [
        (simple("1.2.0", "1.3.0", yanked={"1.2.0": "broken"}), Withdrawn.YANKED, "broken", "1.3.0"),
        (simple("1.2.0", "1.3.0", yanked={"1.3.0": True}), None, "", "1.2.0"),
        (simple("1.2.0", yanked={"1.2.0": True}), Withdrawn.YANKED, "", ""),
        (simple("1.3.0"), Withdrawn.GONE, "", "1.3.0"),
        (simple("1.2", "1.3.0rc1"), None, "", "1.2"),
        (
            simple("1.2.0", **{"project-status": {"status": "quarantined", "reason": "malware"}}),
            Withdrawn.QUARANTINED,
            "malware",
            "1.2.0",
        ),
        (simple("1.2.0", **{"project-status": {"status": "archived"}}), Withdrawn.DEPRECATED, "", "1.2.0"),
    ],
)
def test_the_simple_api_tells_what_was_taken_back(
    answer: Any, withdrawn: Withdrawn | None, reason: str, latest: str
) -> None:
    found = read_simple(answer, PYPI)

    assert isinstance(found, Released)
    assert (found.withdrawn, found.reason, found.latest) == (withdrawn, reason, latest)


def test_versions_are_read_off_the_files_of_an_index_that_does_not_list_them() -> None:
    answer = simple("1.2.0", "1.10.0")
    del answer["versions"]

    found = read_simple(answer, PYPI)

    assert isinstance(found, Released)
    assert (found.newer, found.withdrawn) == ("1.10.0", None)


def test_the_json_interface_tells_what_was_taken_back() -> None:
    found = read_project(project("1.2.0", "1.3.0", yanked={"1.2.0": "broken"}), PYPI)

    assert isinstance(found, Released)
    assert (found.withdrawn, found.reason, found.newer) == (Withdrawn.YANKED, "broken", "1.3.0")


def test_the_json_interface_without_releases_calls_nothing_gone() -> None:
    answer = project("1.3.0")
    del answer["releases"]

    found = read_project(answer, PYPI)

    assert isinstance(found, Released)
    assert (found.withdrawn, found.newer) == (None, "1.3.0")


@pytest.mark.parametrize("read", [read_packument, read_simple, read_project])
@pytest.mark.parametrize("answer", [None, [], {}, "x", 3, {"error": "x"}, {"files": {}, "versions": [], "info": []}])
def test_what_is_in_no_known_format_is_trouble(read: Any, answer: Any) -> None:
    assert isinstance(read(answer, PYPI), Trouble)


@pytest.mark.parametrize(
    "answer",
    [
        {"versions": {"1.2.0": 3, "x": None}, "dist-tags": {"latest": ["1"]}, "time": []},
        {"versions": {"1.2.0": {"deprecated": {"a": 1}}}, "dist-tags": {"latest": "9" * 10_000}},
        {
            "files": [3, {"filename": "-" * 5000}, {"filename": None}, {"filename": "a.whl"}],
            "versions": [3, "x" * 9999],
        },
        {"info": {"version": 3}, "releases": {"x": 3, "1": [None, {"yanked": "x", "upload_time_iso_8601": "99999-1"}]}},
        {"files": [{"filename": "notes_mcp-1.2.0.tar.gz", "yanked": [1]}], "project-status": {"status": ["x"]}},
    ],
)
def test_hostile_answers_raise_nothing(answer: Any) -> None:
    for read in (read_packument, read_simple, read_project):
        for package in (NPM, PYPI, Package("pypi", "x", "y" * 500), Package("npm", "x")):
            assert isinstance(read(answer, package), Released | Trouble)
