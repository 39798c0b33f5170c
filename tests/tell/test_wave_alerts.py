"""Alerts about waves: what is new is told by its members."""

from __future__ import annotations

from dataclasses import replace

from alert_kit import decide, finding, opened

from driftwatch.model import EventKind, Finding, Severity
from driftwatch.tell.alerts import Why


def wave(*items: str, severity: Severity = Severity.LOW) -> Finding:
    members = [finding("title-changed", severity=severity, item=item) for item in items]
    return replace(
        members[0],
        item="",
        items=items,
        places=tuple((one.item, one.pointer) for one in members),
        parts=tuple(one.fingerprint for one in members),
    )


def test_a_wave_that_grows_is_told_for_its_new_members_only() -> None:
    alert = opened(wave("a", "b", "c"))

    told = decide(alert, wave("a", "b", "c", "d", "e"))

    assert told is not None
    assert (told.event, told.reason) == (EventKind.UPDATED, Why.GREW)
    assert [one.items for one in told.new] == [("d", "e")]
    assert [one.items for one in told.alert.findings] == [("a", "b", "c", "d", "e")]


def test_one_new_member_of_a_wave_is_told_as_that_item() -> None:
    told = decide(opened(wave("a", "b", "c")), wave("a", "b", "c", "d"))

    assert told is not None
    assert [(one.item, one.items, one.places) for one in told.new] == [("d", (), (("d", "/annotations/readOnlyHint"),))]


def test_a_wave_that_shrinks_or_falls_apart_wakes_nobody() -> None:
    alert = opened(wave("a", "b", "c", "d"))

    smaller = decide(alert, wave("a", "b", "d"))
    apart = decide(alert, *(finding("title-changed", severity=Severity.LOW, item=item) for item in "ab"))

    assert [(told.event, told.reason) for told in (smaller, apart) if told] == [(None, Why.SHRANK)] * 2


def test_findings_told_one_by_one_are_not_told_again_as_a_wave() -> None:
    alert = opened(*(finding("title-changed", severity=Severity.LOW, item=item) for item in "abc"))

    told = decide(alert, wave("a", "b", "c"))

    assert told is not None
    assert (told.event, told.reason) == (None, Why.SAME)


def test_a_wave_that_weighs_more_is_told_whole() -> None:
    told = decide(opened(wave("a", "b", "c")), wave("a", "b", "c", severity=Severity.MEDIUM))

    assert told is not None
    assert (told.event, told.reason) == (EventKind.UPDATED, Why.WORSENED)
    assert [one.items for one in told.new] == [("a", "b", "c")]


def test_the_summary_counts_the_items_of_the_worst_finding() -> None:
    assert "the worst is title-changed in 3 tools. " in opened(wave("a", "b", "c")).summary
