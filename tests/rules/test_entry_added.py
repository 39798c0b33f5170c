"""The rule entry-added."""

from __future__ import annotations

import pytest
from entry_kit import entries, entry
from rule_kit import example, found, places, scanned

from driftwatch.judge.beside import WatchedAs, Watching
from driftwatch.judge.facts import Facts

RULE = "entry-added"


def watching(*known: WatchedAs) -> Facts:
    return Facts(watching=Watching(entries=known))


def test_a_new_entry_is_medium_and_says_how_it_is_started() -> None:
    (finding,) = found(RULE, *example(RULE))

    assert (finding.severity, finding.item, finding.pointer) == ("medium", "tickets", "")
    assert "`npx -y tickets-mcp`" in finding.message


@pytest.mark.parametrize(
    ("known", "severity", "category"),
    [
        ((), "medium", "not-watched"),
        ((WatchedAs("new", "mine", same=True),), "low", "watched"),
        ((WatchedAs("new", "new", same=False),), "medium", "other-launch"),
    ],
)
def test_it_says_whether_the_server_is_watched(known: tuple[WatchedAs, ...], severity: str, category: str) -> None:
    (finding,) = found(RULE, entries(), entries(entry("new")), watching(*known))

    assert (finding.severity, finding.category) == (severity, category)
    assert all(one.server in finding.message for one in known)


def test_an_entry_that_is_started_through_a_witness_weighs_as_one_that_nobody_watches() -> None:
    wrapped = entry("new", witness={"program": "/tmp/x\x1b/driftwatch", "server": "mine", "host": "desk"})

    (finding,) = found(RULE, entries(), entries(wrapped), watching(WatchedAs("new", "mine", same=True)))

    assert (finding.severity, finding.category) == ("medium", "watched")
    assert "/driftwatch witness`: see that this is the program of driftwatch." in finding.message
    assert finding.message.isprintable()


def test_an_entry_that_the_host_has_switched_off_is_low() -> None:
    assert places(found(RULE, entries(), entries(entry("new", disabled=True)))) == [("low", "new", "")]


@pytest.mark.parametrize(
    ("known", "severity"),
    [
        ((), "medium"),
        ((WatchedAs("new", "new", same=False),), "medium"),
        ((WatchedAs("new", "mine", same=True),), "low"),
    ],
)
def test_an_entry_that_is_switched_on_is_as_good_as_a_new_one(known: tuple[WatchedAs, ...], severity: str) -> None:
    off, on = entries(entry("new", disabled=True)), entries(entry("new"))

    (finding,) = found(RULE, off, on, watching(*known))

    assert (finding.severity, finding.item, finding.pointer) == (severity, "new", "/disabled")
    assert "switched on" in finding.message
    assert found("other-changed", off, on) == []


@pytest.mark.parametrize("odd", [False, None, 1, "yes", {"since": "today"}])
def test_only_a_plain_yes_switches_off(odd: object) -> None:
    assert places(found(RULE, entries(entry("new", disabled=True)), entries(entry("new", disabled=odd)))) == [
        ("medium", "new", "/disabled")
    ]
    assert found(RULE, entries(entry("new", disabled=odd)), entries(entry("new"))) == []


def test_a_first_look_says_nothing_of_every_entry() -> None:
    assert scanned(RULE, entries(entry("new"))) == []


def test_hostile_entries_are_told_safely() -> None:
    (finding,) = found(RULE, entries(), entries(entry("\x1b[2J", command="a\u202eb" * 500, args=[3, None])))

    assert finding.message.isprintable()
    assert len(finding.message) < 600


def test_tools_are_told_by_another_rule() -> None:
    assert found("item-added", entries(), entries(entry("new"))) == []
