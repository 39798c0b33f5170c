"""What a silence keeps back, and what it never does."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from driftwatch.model import Alert, AlertKind, AlertState, Finding, Kind, Severity, Silence
from driftwatch.tell.silence import heard, muted_in, silenced_by

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
FINDING = Finding("hint-widened", Severity.HIGH, Kind.TOOL, "pay", "/annotations", "a hint is looser")
WAVE = replace(
    FINDING,
    item="",
    items=("pay", "refund"),
    places=(("pay", "/annotations"), ("refund", "/annotations")),
    parts=("one", "two"),
)


def silence(**keys: object) -> Silence:
    values = {
        "server": "",
        "tool": "",
        "rule": "",
        "severity": Severity.CRITICAL,
        "reason": "known",
        "by": "ana",
        "created_at": NOW,
        "until": NOW + timedelta(hours=1),
    }
    return Silence(id="sil_1", **{**values, **keys})


def alert(*findings: Finding) -> Alert:
    return Alert("alr_1", "files", AlertKind.DRIFT, AlertState.OPEN, Severity.CRITICAL, NOW, NOW, findings=findings)


@pytest.mark.parametrize(
    ("keys", "held"),
    [
        ({}, True),
        ({"server": "files"}, True),
        ({"server": "fil*"}, True),
        ({"server": "file"}, False),
        ({"server": "FILES"}, False),
        ({"tool": "p?y"}, True),
        ({"tool": "refund"}, False),
        ({"rule": "hint-*"}, True),
        ({"rule": "text-*"}, False),
        ({"severity": Severity.HIGH}, True),
        ({"severity": Severity.MEDIUM}, False),
        ({"server": "files", "tool": "pay", "rule": "text-*"}, False),
    ],
)
def test_a_silence_keeps_back_what_fits_all_that_it_names(keys: dict[str, object], held: bool) -> None:
    assert (silenced_by(FINDING, "files", [silence(**keys)]) is not None) == held


def test_a_wave_is_kept_back_only_as_a_whole() -> None:
    assert silenced_by(WAVE, "files", [silence(tool="pay")]) is None
    assert silenced_by(WAVE, "files", [silence(tool="*")]) is not None


def test_the_first_silence_that_fits_is_named() -> None:
    found = silenced_by(FINDING, "files", [silence(tool="other"), replace(silence(), id="sil_2")])

    assert found is not None
    assert found.id == "sil_2"


def test_a_name_with_the_signs_of_a_pattern_is_only_a_name() -> None:
    odd = replace(FINDING, item="pay[v2]")

    assert silenced_by(odd, "files", [silence(tool="pay[v2]")]) is not None
    assert silenced_by(odd, "files", [silence(tool="pay*")]) is not None
    assert silenced_by(replace(FINDING, item="payv"), "files", [silence(tool="pay[v2]")]) is None


def test_what_is_left_of_an_alert_is_as_bad_as_the_worst_that_is_left() -> None:
    worse = replace(FINDING, rule="text-injection", severity=Severity.CRITICAL)
    one = alert(worse, FINDING)

    left = heard(one, muted_in(one, [silence(rule="text-*")]))

    assert (left.findings, left.severity) == ((FINDING,), Severity.HIGH)


def test_a_silence_holds_until_its_end_or_until_somebody_ends_it() -> None:
    one = silence()

    assert one.holds(NOW)
    assert not one.holds(NOW + timedelta(hours=1))
    assert not replace(one, ended_at=NOW).holds(NOW)
