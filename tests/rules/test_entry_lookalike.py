"""The rule entry-lookalike."""

from __future__ import annotations

from typing import Any

import pytest
from entry_kit import entries, entry, package
from rule_kit import example, found, places, scanned

from driftwatch.judge.beside import Watch, Watching
from driftwatch.judge.entries import Known
from driftwatch.judge.facts import Facts

RULE = "entry-lookalike"


def of_package(name: str, called: str = "one", ecosystem: str = "npm") -> dict[str, Any]:
    return entry(called, package=package(name, ecosystem))


def at(url: str, called: str = "one") -> dict[str, Any]:
    return {"name": called, "transport": "http", "url": url}


def test_a_package_one_letter_apart_is_medium() -> None:
    assert places(found(RULE, *example(RULE))) == [("medium", "writer", "/package/name")]


@pytest.mark.parametrize(
    ("known", "new", "how"),
    [
        ("notes-server", "n0tes-server", "looks"),
        ("notes-server", "notes-serveг", "looks"),
        ("notes-server", "notes-servr", "letter"),
        ("notes-server", "ntoes-server", "letter"),
        ("@acme/server-notes", "server-notes", "scope"),
        ("@acme/server-notes", "@other/server-notes", "scope"),
    ],
)
def test_ways_to_resemble(known: str, new: str, how: str) -> None:
    (finding,) = found(RULE, entries(of_package(known)), entries(of_package(known), of_package(new, "two-of-them")))

    assert finding.category == how


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("postgres-mcp-1", "postgres-mcp-2"),
        ("notes-server", "tickets-server"),
        ("abc", "abd"),
        ("@acme/mcp-server", "@other/mcp-server"),
        ("notes-server", "notes-server"),
    ],
)
def test_families_short_names_and_the_same_one_are_silent(known: str, new: str) -> None:
    assert found(RULE, entries(of_package(known)), entries(of_package(known), of_package(new, "two-of-them"))) == []


def test_hosts_are_held_against_those_that_are_watched() -> None:
    facts = Facts(watching=Watching(servers=(Watch("docs", host="mcp.example.com:443"),)))

    (finding,) = found(RULE, entries(), entries(at("https://mcp.examp1e.com/mcp")), facts)
    assert (finding.severity, finding.pointer) == ("medium", "/url")


def test_a_name_alone_is_low() -> None:
    assert places(found(RULE, entries(entry("tickets")), entries(entry("tickets"), entry("tickest", command="x")))) == [
        ("low", "tickest", "/name")
    ]


@pytest.mark.parametrize(
    ("known", "new", "how"),
    [("docs", "dcos", "swapped"), ("git", "gti", "swapped"), ("git", "gít", "looks"), ("git", "gіt", "looks")],
)
def test_short_names_that_look_alike_or_have_two_letters_swapped_are_told(known: str, new: str, how: str) -> None:
    (finding,) = found(RULE, entries(entry(known)), entries(entry(known), entry(new)))

    assert (finding.category, finding.severity) == (how, "low")


@pytest.mark.parametrize(("known", "new"), [("docs", "dogs"), ("git", "gif"), ("db12", "db21"), ("ab", "ba")])
def test_other_short_names_are_their_own(known: str, new: str) -> None:
    assert found(RULE, entries(entry(known)), entries(entry(known), entry(new))) == []


def test_a_first_look_compares_with_nothing() -> None:
    assert scanned(RULE, entries(of_package("notes-server"), of_package("notes-servr", "two"))) == []


def test_a_thousand_new_names_are_held_against_a_thousand_known_ones_one_by_one() -> None:
    known = Known([f"npm:{'x' * 40}-{number}-known" for number in range(1000)])

    assert [known.like(f"npm:{'y' * 40}-{number}-other") for number in range(1000)] == [None] * 1000
