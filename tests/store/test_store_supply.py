"""What was learned of packages: kept whole, and the servers that use one are judged anew when it is news."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from driftwatch.errors import BaselineMovedError
from driftwatch.judge.snapshot import take
from driftwatch.model import Advisory, Era, Package, PackageNews, Severity, Withdrawn
from driftwatch.store.records import LookRecord
from driftwatch.store.store import Store
from tests.blank import blank

NOW = datetime(2026, 3, 1, tzinfo=UTC)
PACKAGE = Package("npm", "@acme/notes-mcp", "1.2.0")
NEWS = PackageNews(
    PACKAGE,
    NOW,
    latest="1.3.0",
    latest_at=NOW - timedelta(days=3),
    newer="1.3.0",
    withdrawn=Withdrawn.DEPRECATED,
    reason="\x1b old \ud800",
    advisories=(Advisory("GHSA-1", "Reads files", Severity.HIGH, ("CVE-1",), ("1.2.1",)), Advisory("MAL-1")),
    trouble=("npm: no answer in time",),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(blank(tmp_path / "driftwatch.db"), clock=lambda: NOW) as opened:
        yield opened


def look(server: str, **fields: object) -> LookRecord:
    values = {"at": NOW, "next_at": None, "era": Era.MODERN, "snapshot": take({"tools": []}), "judged": "so"}
    return LookRecord(**{"server": server, "expected_baseline": None, **values, **fields})


def test_what_was_learned_comes_back_as_it_was(store: Store) -> None:
    store.record_package_news(NEWS, used_by=())

    assert store.package_news() == {PACKAGE: NEWS}
    assert store.package_news([PACKAGE, Package("npm", "other")]) == {PACKAGE: NEWS}
    assert store.package_news([replace(PACKAGE, version="1.3.0")]) == {}


def test_news_makes_those_who_use_the_package_be_judged_anew_and_the_same_again_does_not(store: Store) -> None:
    for server in ("notes", "other"):
        store.record_look(look(server))

    first = store.record_package_news(NEWS, used_by=["notes"])
    judged = {name: state.judged for name, state in store.states().items()}
    store.record_look(look("notes"))
    again = store.record_package_news(replace(NEWS, asked_at=NOW + timedelta(days=1), trouble=()), used_by=["notes"])

    assert (first, again) == (True, False)
    assert judged["notes"].startswith("news ")
    assert judged["other"] == "so"
    assert store.state("notes").judged == "so"
    assert store.package_news()[PACKAGE].asked_at == NOW + timedelta(days=1)


def test_a_look_that_was_judged_before_the_news_came_is_not_recorded(store: Store) -> None:
    store.record_look(look("notes"))
    before = store.state("notes")
    store.record_package_news(NEWS, used_by=["notes"])

    with pytest.raises(BaselineMovedError):
        store.record_look(look("notes", expected_judged=before.judged))


def test_news_that_follows_on_news_is_seen_by_a_look_that_was_judged_in_between(store: Store) -> None:
    store.record_look(look("notes"))
    store.record_package_news(NEWS, used_by=["notes"])
    between = store.state("notes")
    store.record_package_news(replace(NEWS, latest="9.0.0"), used_by=["notes"])

    with pytest.raises(BaselineMovedError):
        store.record_look(look("notes", expected_judged=between.judged))


def test_what_nothing_uses_any_more_is_forgotten(store: Store) -> None:
    other = replace(NEWS, package=Package("pypi", "x"))
    for news in (NEWS, other):
        store.record_package_news(news, used_by=())

    store.forget_packages_but([PACKAGE])

    assert store.package_news().keys() == {PACKAGE}


def test_many_packages_are_found_at_once(store: Store) -> None:
    many = [Package("npm", f"p{number}") for number in range(250)]
    for package in many[:3]:
        store.record_package_news(PackageNews(package, NOW), used_by=())

    assert store.package_news(many).keys() == set(many[:3])
