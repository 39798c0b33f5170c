"""Advisories in the OSV format: page by page, each matter once, hostile ones without harm."""

from __future__ import annotations

from typing import Any

import pytest

from driftwatch.model import Advisory, Package, Severity
from driftwatch.run.stage import served
from driftwatch.watch.supply.advisories import MOST, MOST_PAGES, OsvDatabase, read
from driftwatch.watch.supply.asking import Asker, Trouble
from driftwatch.watch.supply.cvss import base_score, severity_of
from tests.servers.over_registry import RegistryServer, vulnerability

PACKAGE = Package("npm", "notes-mcp", "1.2.0")


async def ask(answer: Any, package: Package = PACKAGE) -> tuple[tuple[Advisory, ...] | Trouble, RegistryServer]:
    server = RegistryServer({"/v1/query": answer})
    async with served(server) as port, Asker(f"http://127.0.0.1:{port}", timeout=10) as asker:
        return await OsvDatabase(asker).about(package), server


async def test_name_ecosystem_and_version_are_asked_and_nothing_else() -> None:
    found, server = await ask({"vulns": [vulnerability()]}, Package("pypi", "notes-mcp", "1.2.0"))

    assert server.asked == [
        ("POST", "/v1/query", {"package": {"name": "notes-mcp", "ecosystem": "PyPI"}, "version": "1.2.0"})
    ]
    assert isinstance(found, tuple)
    assert [one.id for one in found] == ["GHSA-aaaa-bbbb-cccc"]


async def test_no_advisory_is_an_empty_object() -> None:
    assert (await ask({}))[0] == ()


async def test_all_pages_are_read() -> None:
    def page(question: Any) -> Any:
        number = int(question.get("page_token", "0"))
        more = {"next_page_token": str(number + 1)} if number < 2 else {}
        return {"vulns": [vulnerability(f"GHSA-{number}")], **more}

    found, server = await ask(page)

    assert isinstance(found, tuple)
    assert [one.id for one in found] == ["GHSA-0", "GHSA-1", "GHSA-2"]
    assert len(server.asked) == 3


async def test_pages_without_end_are_trouble() -> None:
    found, server = await ask({"vulns": [], "next_page_token": "again"})

    assert isinstance(found, Trouble)
    assert len(server.asked) == MOST_PAGES


@pytest.mark.parametrize("answer", [[], {"vulns": {}}, (500, {}), b"<"])
async def test_what_is_no_list_of_advisories_is_trouble(answer: Any) -> None:
    assert isinstance((await ask(answer))[0], Trouble)


def test_an_advisory_tells_its_severity_its_other_names_and_what_fixes_it() -> None:
    raw = vulnerability(
        aliases=["CVE-2026-1"],
        severity=[{"type": "CVSS_V3", "score": "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"}],
    )

    assert read([raw], PACKAGE) == (
        Advisory(
            "GHSA-aaaa-bbbb-cccc", "Reads any file of the machine", Severity.CRITICAL, ("CVE-2026-1",), ("1.2.1",)
        ),
    )


def test_the_word_of_the_publisher_counts_before_the_vector() -> None:
    raw = vulnerability(
        severity=[{"type": "CVSS_V3", "score": "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"}],
        database_specific={"severity": "MODERATE"},
    )

    assert [one.severity for one in read([raw], PACKAGE)] == [Severity.MEDIUM]


def test_one_matter_under_two_names_is_told_once_and_as_malicious_where_one_says_so() -> None:
    raws = [
        vulnerability("PYSEC-1", aliases=["CVE-1", "GHSA-1"]),
        vulnerability("GHSA-1", aliases=["CVE-1"]),
        vulnerability("MAL-1", aliases=["GHSA-2"]),
        vulnerability("GHSA-2"),
    ]

    found = read(raws, PACKAGE)

    assert [(one.id, one.malicious) for one in found] == [("MAL-1", True), ("GHSA-1", False)]


def test_what_was_withdrawn_is_not_told() -> None:
    assert read([vulnerability(withdrawn="2026-02-02T00:00:00Z")], PACKAGE) == ()


def test_without_a_version_only_what_is_called_malicious_is_told() -> None:
    raws = [vulnerability(), vulnerability("MAL-2026-1")]

    assert [one.id for one in read(raws, Package("npm", "notes-mcp"))] == ["MAL-2026-1"]


def test_what_fixes_another_package_is_not_named() -> None:
    raw = vulnerability()
    raw["affected"][0]["package"]["name"] = "other"

    assert [one.fixed for one in read([raw], PACKAGE)] == [()]


@pytest.mark.parametrize(
    "raw",
    [
        3,
        {"id": 3},
        {"id": "\x1b[2J"},
        {"id": "x" * 500},
        vulnerability(affected=[3, {"ranges": [{"type": "SEMVER", "events": [{"fixed": ["x"]}, 3]}]}]),
        vulnerability(summary=None, details=None, aliases="x", severity={"a": 1}, database_specific=[1]),
        vulnerability(severity=[{"score": 3}, {"score": "CVSS:3.1/" + "A" * 10_000}]),
    ],
)
def test_hostile_advisories_raise_nothing(raw: Any) -> None:
    assert len(read([raw], PACKAGE)) <= 1


def test_long_texts_and_long_lists_are_cut() -> None:
    raws = [vulnerability(f"GHSA-{number}", summary="x" * 10_000) for number in range(1000)]

    found = read(raws, PACKAGE)

    assert len(found) == MOST
    assert max(len(one.summary) for one in found) <= 500


def test_a_long_text_stands_in_for_a_missing_summary() -> None:
    raw = vulnerability(summary="", details="# Reads files\n\nIn all versions.")

    assert [one.summary for one in read([raw], PACKAGE)] == ["Reads files"]


@pytest.mark.parametrize(
    ("vector", "score", "severity"),
    [
        ("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", 9.8, Severity.CRITICAL),
        ("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H", 10.0, Severity.CRITICAL),
        ("CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N", 6.1, Severity.MEDIUM),
        ("CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H", 7.8, Severity.HIGH),
        ("CVSS:3.1/AV:P/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N", 1.6, Severity.LOW),
        ("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N", 0.0, None),
        ("CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N", None, None),
        ("CVSS:3.1/AV:N", None, None),
        ("", None, None),
    ],
)
def test_vectors_score_as_the_specification_says(vector: str, score: float | None, severity: Severity | None) -> None:
    assert base_score(vector) == score
    assert severity_of(vector) == severity
