"""The life of a drift alert."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import count

import pytest
from alert_kit import BASE, LIVE, NOW, OTHER, decide, finding, opened
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.model import Alert, AlertState, EventKind, Finding, Severity
from driftwatch.tell.alerts import MOST_TOLD, Why, decide_approved, decide_drift


def test_the_first_finding_opens_an_alert() -> None:
    told = decide(None, finding())

    assert told is not None
    assert (told.event, told.reason, told.new) == (EventKind.OPENED, Why.FIRST, (finding(),))
    assert told.alert == Alert(
        id="alr_1",
        server="files",
        kind=told.alert.kind,
        state=AlertState.OPEN,
        severity=Severity.HIGH,
        opened_at=NOW,
        updated_at=NOW,
        baseline_digest=BASE,
        snapshot_digest=LIVE,
        findings=(finding(),),
        told=told.alert.told,
        summary=(
            "files no longer shows what its baseline shows: 1 high; the worst is hint-loosened in the tool “read_file”."
            " Review it with: driftwatch diff files"
        ),
    )


def test_no_findings_and_no_alert_is_nothing_to_tell() -> None:
    assert decide(None) is None
    assert decide(None, live=BASE) is None


def test_the_same_findings_are_told_once() -> None:
    alert = opened(finding())

    assert decide(alert, finding(), after=timedelta(hours=1)) is None


def test_a_difference_that_grows_says_what_is_new() -> None:
    alert = opened(finding())
    extra = finding(item="delete_file", severity=Severity.CRITICAL)

    told = decide(alert, finding(), extra, live=OTHER, after=timedelta(minutes=5))

    assert told is not None
    assert (told.event, told.reason, told.new) == (EventKind.UPDATED, Why.GREW, (extra,))
    assert told.alert.id == alert.id
    assert told.alert.opened_at == NOW
    assert told.alert.severity is Severity.CRITICAL
    assert told.alert.findings == (extra, finding())


def test_a_difference_that_shrinks_is_written_down_and_told_to_nobody() -> None:
    extra = finding(item="delete_file", severity=Severity.CRITICAL)
    alert = opened(finding(), extra)

    told = decide(alert, finding(), live=OTHER)

    assert told is not None
    assert (told.event, told.reason) == (None, Why.SHRANK)
    assert told.alert.severity is Severity.HIGH
    assert told.alert.findings == (finding(),)


def test_what_went_away_and_came_back_is_not_told_again() -> None:
    extra = finding(item="delete_file")
    shrunk = decide(opened(finding(), extra), finding())
    assert shrunk is not None

    told = decide(shrunk.alert, finding(), extra)

    assert told is not None
    assert told.event is None


def test_the_same_change_that_weighs_more_is_told_again() -> None:
    alert = opened(finding(severity=Severity.LOW))

    told = decide(alert, finding(severity=Severity.HIGH), live=OTHER)

    assert told is not None
    assert (told.event, told.reason) == (EventKind.UPDATED, Why.WORSENED)
    assert decide(told.alert, finding(severity=Severity.HIGH), live=OTHER) is None


def test_a_change_that_flips_between_two_weights_is_told_once_for_each() -> None:
    alert = opened(finding(severity=Severity.LOW))
    events = []
    for severity in (Severity.HIGH, Severity.LOW, Severity.HIGH, Severity.LOW):
        told = decide(alert, finding(severity=severity), live=OTHER)
        assert told is not None
        events.append(told.event)
        alert = told.alert

    assert events == [EventKind.UPDATED, None, None, None]


def test_another_snapshot_with_the_same_findings_is_written_down_silently() -> None:
    alert = opened(finding())

    told = decide(alert, finding(), live=OTHER)

    assert told is not None
    assert (told.event, told.reason, told.alert.snapshot_digest) == (None, Why.SAME, OTHER)


def test_a_return_to_the_baseline_resolves_the_alert_and_says_so() -> None:
    alert = opened(finding())

    told = decide(alert, live=BASE, after=timedelta(hours=2))

    assert told is not None
    assert (told.event, told.reason) == (EventKind.RESOLVED, Why.BACK)
    assert told.alert.state is AlertState.RESOLVED
    assert told.alert.reason == "back-to-baseline"
    assert told.alert.resolved_at == NOW + timedelta(hours=2)
    assert told.alert.summary == "files shows its baseline again. The difference is gone; find out why it was there."


def test_no_findings_on_another_snapshot_resolves_with_another_reason() -> None:
    told = decide(opened(finding()), live=OTHER)

    assert told is not None
    assert (told.event, told.alert.reason) == (EventKind.RESOLVED, "nothing-found")


def test_a_resolved_alert_does_not_come_back_to_life() -> None:
    resolved = decide(opened(finding()), live=BASE)
    assert resolved is not None

    assert decide(resolved.alert, live=BASE) is None
    again = decide(resolved.alert, finding())
    assert again is not None
    assert (again.event, again.reason) == (EventKind.OPENED, Why.FIRST)


def test_a_list_that_nobody_approved_yet_can_be_suspicious_by_itself() -> None:
    told = decide(None, finding("hidden-text"), baseline=LIVE, live=LIVE)

    assert told is not None
    assert told.event is EventKind.OPENED
    assert told.alert.summary.startswith(
        "files has not been approved yet, and its list has findings by itself: 1 high;"
    )


def test_what_is_only_for_the_record_makes_no_alert() -> None:
    assert decide(None, finding("restated", severity=Severity.INFO)) is None


def test_an_alert_ends_when_only_what_is_for_the_record_is_left() -> None:
    told = decide(opened(finding()), finding("restated", severity=Severity.INFO))

    assert told is not None
    assert (told.event, told.reason) == (EventKind.RESOLVED, Why.NOTHING_FOUND)


def test_a_new_rule_set_by_itself_tells_nobody() -> None:
    alert = opened(finding())
    discovered = finding("new-rule", severity=Severity.CRITICAL)

    told = decide(alert, finding(), discovered, upgraded=True)

    assert told is not None
    assert (told.event, told.reason) == (None, Why.UPGRADED)
    assert told.alert.findings == (discovered, finding())
    assert decide(told.alert, finding(), discovered) is None


def test_a_new_rule_set_that_finds_the_first_fault_keeps_it_for_review() -> None:
    told = decide(None, finding("new-rule"), upgraded=True)

    assert told is not None
    assert (told.event, told.alert.state) == (None, AlertState.OPEN)
    assert decide(told.alert, finding("new-rule")) is None


def test_an_alert_that_a_new_rule_set_no_longer_supports_ends_for_those_who_know_it() -> None:
    told = decide(opened(finding()), upgraded=True)

    assert told is not None
    assert (told.event, told.reason) == (EventKind.RESOLVED, Why.NOTHING_FOUND)


def test_a_rejection_holds_for_the_snapshot_that_was_rejected() -> None:
    extra = finding(item="delete_file")
    rejected = replace(opened(finding()), reviewed="rejected")

    same = decide(rejected, finding(), extra)
    other = decide(rejected, finding(), extra, live=OTHER)

    assert same is not None
    assert other is not None
    assert (same.alert.reviewed, other.alert.reviewed) == ("rejected", "")


def test_an_approval_resolves_the_alert_when_nothing_differs_any_more() -> None:
    told = decide_approved(
        opened(finding()),
        (),
        server="files",
        baseline_digest=LIVE,
        snapshot_digest=LIVE,
        now=NOW,
        new_id=lambda: "alr_2",
    )

    assert told is not None
    assert (told.event, told.reason, told.alert.reason) == (EventKind.RESOLVED, Why.APPROVED, "approved")
    assert told.alert.baseline_digest == LIVE


def test_an_approval_without_an_alert_tells_nothing() -> None:
    told = decide_approved(
        None, (), server="files", baseline_digest=LIVE, snapshot_digest=LIVE, now=NOW, new_id=lambda: "alr_2"
    )

    assert told is None


def test_an_approval_of_what_is_no_longer_shown_is_decided_like_a_look() -> None:
    extra = finding(item="delete_file")

    told = decide_approved(
        opened(finding()),
        (extra,),
        server="files",
        baseline_digest=LIVE,
        snapshot_digest=OTHER,
        now=NOW,
        new_id=lambda: "alr_2",
    )

    assert told is not None
    assert (told.event, told.new, told.alert.id) == (EventKind.UPDATED, (extra,), "alr_1")


def test_a_name_from_a_server_cannot_forge_the_summary() -> None:
    hostile = "x”. All is well.\n\u202e\u200b“" + "y" * 500

    summary = opened(finding(item=hostile)).summary

    assert summary.isprintable()
    assert "“x'. All is well.\\u{000A}\\u{202E}\\u{200B}'yyy" in summary
    assert len(summary) < 300


def test_a_silent_decision_is_no_event() -> None:
    silent = decide(None, finding(), upgraded=True)
    loud = decide(None, finding())

    assert silent is not None
    assert loud is not None
    assert silent.as_event() is None
    event = loud.as_event(drill=True)
    assert event is not None
    assert (event.kind, event.new, event.drill) == (EventKind.OPENED, (finding(),), True)


findings_of_a_look = st.frozensets(
    st.builds(
        finding,
        rule=st.sampled_from(["a", "b"]),
        item=st.sampled_from(["one", "two"]),
        severity=st.sampled_from(list(Severity)),
    ),
    max_size=4,
)


@given(st.lists(findings_of_a_look, max_size=6))
def test_while_an_alert_is_open_nothing_is_told_twice(looks: list[frozenset[Finding]]) -> None:
    ids = count()
    current: Alert | None = None
    told_now: set[tuple[str, Severity]] = set()
    for number, look in enumerate(looks):
        for _ in range(2):
            told = decide_drift(
                current,
                look,
                server="files",
                baseline_digest=BASE,
                snapshot_digest=f"sha256:{number}" if look else BASE,
                now=NOW,
                new_id=lambda: f"alr_{next(ids)}",
                upgraded=False,
            )
            if told is None:
                continue
            current = told.alert
            if told.event is EventKind.RESOLVED:
                told_now.clear()
                continue
            new = {(one.fingerprint, one.severity) for one in told.new}
            assert not new & told_now
            assert (told.event is None) == (not new)
            told_now |= new


@pytest.mark.parametrize("times", [1, 2, 3])
def test_deciding_again_after_a_crash_decides_the_same(times: int) -> None:
    decisions = {repr(decide(opened(finding()), finding(), finding(item="b"))) for _ in range(times)}

    assert len(decisions) == 1


def test_an_alert_on_a_server_that_always_says_something_new_does_not_grow_for_ever() -> None:
    full = replace(opened(finding(after=0)), told=frozenset(f"mark {number}" for number in range(MOST_TOLD + 1)))

    told = decide(full, finding(after=1))
    again = decide(told.alert if told else None, finding(after=0))

    assert told is not None
    assert len(told.alert.told) == 4
    assert again is not None
    assert again.event is None
