"""What the policy hides is told to nobody, and an alert of which nothing is left says why it ends."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from driftwatch.model import Alert, AlertState, EventKind, Finding, Kind, Severity
from driftwatch.tell.alerts import Told, decide_approved, decide_drift

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
BASE, LIVE = "sha256:base", "sha256:live"
BAD = Finding("hint-loosened", Severity.HIGH, Kind.TOOL, "read_file", "/annotations", "It may write now.")
HIDDEN = replace(BAD, hidden="ignored: agreed")
OTHER = replace(BAD, item="list_files", severity=Severity.MEDIUM)


def decide(current: Alert | None, *findings: Finding, live: str = LIVE, approved: bool = True) -> Told | None:
    return decide_drift(
        current,
        findings,
        server="files",
        baseline_digest=BASE,
        snapshot_digest=live,
        now=NOW,
        new_id=lambda: "alr_1",
        upgraded=False,
        approved=approved,
    )


def opened(*findings: Finding, live: str = LIVE) -> Alert:
    told = decide(None, *findings, live=live)
    assert told is not None
    return told.alert


def test_what_is_hidden_opens_no_alert() -> None:
    assert decide(None, HIDDEN) is None


def test_an_alert_holds_and_counts_what_is_shown_only() -> None:
    alert = opened(HIDDEN, OTHER)

    assert (alert.findings, alert.severity) == ((OTHER,), Severity.MEDIUM)
    assert "1 medium" in alert.summary


def test_what_is_hidden_later_ends_the_alert_and_the_reason_says_so() -> None:
    told = decide(opened(BAD), HIDDEN)

    assert told is not None
    assert (told.event, told.alert.state, told.alert.reason) == (
        EventKind.RESOLVED,
        AlertState.RESOLVED,
        "hidden-by-policy",
    )
    assert "policy" in told.alert.summary


def test_what_is_hidden_no_more_is_told() -> None:
    told = decide(opened(OTHER), BAD, OTHER)

    assert told is not None
    assert (told.event, told.new) == (EventKind.UPDATED, (BAD,))


def test_hiding_some_of_an_alert_is_told_to_nobody() -> None:
    told = decide(opened(BAD, OTHER), HIDDEN, OTHER)

    assert told is not None
    assert (told.event, told.alert.findings) == (None, (OTHER,))


def test_an_approval_of_what_has_hidden_findings_only_resolves_as_approved() -> None:
    told = decide_approved(
        opened(BAD),
        (HIDDEN,),
        server="files",
        baseline_digest=LIVE,
        snapshot_digest=LIVE,
        now=NOW,
        new_id=lambda: "alr_2",
    )

    assert told is not None
    assert told.alert.reason == "approved"


def test_findings_in_an_approved_list_are_no_difference_and_not_unapproved() -> None:
    approved, provisional = decide(None, BAD, live=BASE), decide(None, BAD, live=BASE, approved=False)

    assert approved is not None
    assert provisional is not None
    assert "shows what was approved, and there are findings all the same" in approved.alert.summary
    assert "has not been approved yet" in provisional.alert.summary


def test_an_alert_about_an_approved_list_does_not_end_as_a_way_back() -> None:
    told = decide(opened(BAD, live=BASE), live=BASE)

    assert told is not None
    assert told.alert.reason == "nothing-found"
