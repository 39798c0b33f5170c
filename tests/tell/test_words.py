"""The words of a message: what it says in plain words, who knows of it, who approved, and what to type."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from driftwatch.model import (
    Acknowledged,
    Alert,
    AlertKind,
    AlertState,
    Baseline,
    BaselineState,
    Delivery,
    Event,
    EventKind,
    Finding,
    Kind,
    Severity,
)
from driftwatch.tell.batch import batch
from driftwatch.tell.payload import body
from driftwatch.tell.words import Words, plain_text, words_of

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
EVIL = "@here [a](https://evil.example/x) `x` \u202e"


def finding(rule: str = "hint-loosened", severity: Severity = Severity.HIGH) -> Finding:
    return Finding(rule, severity, Kind.TOOL, "read_file", "/annotations", "a hint is looser", before=True, after=False)


def alert(*findings: Finding, **more: Any) -> Alert:
    made = Alert(
        id="alr_5f0c2d9a7b1e4f365f0c2d9a7b1e4f36",
        server="files",
        kind=AlertKind.DRIFT,
        state=AlertState.OPEN,
        severity=Severity.HIGH,
        opened_at=NOW,
        updated_at=NOW,
        baseline_digest="sha256:0a",
        findings=findings or (finding(),),
        summary="files differs.",
    )
    return replace(made, **more)


def said(about: Alert, kind: EventKind = EventKind.OPENED, baseline: Baseline | None = None, **more: Any) -> Words:
    return words_of(body(Event(kind, about, **more), now=NOW, public_url=None, baseline=baseline))


@pytest.mark.parametrize(
    ("findings", "title"),
    [
        ((finding(),), "[HIGH] files: a hint claims less danger than before (hint-loosened)"),
        (
            (finding("item-added", Severity.LOW), finding(), finding()),
            "[HIGH] files: a hint claims less danger than before (hint-loosened), and 2 more",
        ),
        ((finding("rule-of-old"),), "[HIGH] files: 1 finding, the worst rule-of-old"),
    ],
)
def test_a_title_says_the_worst_in_plain_words_with_its_rule(findings: tuple[Finding, ...], title: str) -> None:
    assert said(alert(*findings)).title == title


@pytest.mark.parametrize("kind", [EventKind.OPENED, EventKind.UPDATED, EventKind.REMINDED])
def test_whoever_hears_of_an_alert_is_told_what_to_type_to_acknowledge_it(kind: EventKind) -> None:
    words = said(alert(), kind)

    assert dict(words.facts)["Acknowledge"] == "driftwatch alerts ack alr_5f0c2d9a"
    assert "\nAcknowledge: driftwatch alerts ack alr_5f0c2d9a\n" in plain_text(words, 10_000)


def test_what_is_acknowledged_says_who_knows_of_it_since_when_and_what_they_said() -> None:
    known = Acknowledged("ana", NOW, f"the roll-out {EVIL}")

    facts = dict(said(alert(state=AlertState.ACKNOWLEDGED, acknowledged=known), EventKind.UPDATED).facts)

    assert facts["Acknowledged"].startswith("by ana, 2026-03-01 12:00 UTC: the roll-out (at)here ")
    assert "Acknowledge" not in facts
    assert [sign for sign in ("@", "](", "://", "`", "\u202e") if sign in facts["Acknowledged"]] == []


def test_what_is_over_or_a_drill_is_not_to_be_acknowledged() -> None:
    over = alert(state=AlertState.RESOLVED, resolved_at=NOW, reason="approved")

    assert "Acknowledge" not in dict(said(over, EventKind.RESOLVED).facts)
    assert "Acknowledge" not in dict(said(alert(), drill=True).facts)


def test_who_approved_the_baseline_is_said_with_the_day() -> None:
    approved = Baseline("files", "sha256:0a", BaselineState.APPROVED, NOW, by="ann")

    assert dict(said(alert(), baseline=approved).facts)["Baseline"] == "approved by ann on 2026-03-01"
    for other in (
        None,
        replace(approved, digest="sha256:0b"),
        replace(approved, state=BaselineState.PROVISIONAL, by=""),
    ):
        assert "Baseline" not in dict(said(alert(), baseline=other).facts)


def test_what_a_person_said_no_to_is_said_of_the_whole_list_or_of_so_many_findings() -> None:
    other = finding("item-added", Severity.LOW)

    part = said(alert(finding(), other, refused=frozenset({other.fingerprint})))
    whole = said(alert(finding(), other, reviewed="rejected"))

    assert dict(part.facts)["Rejected"] == "1 of 2 findings, by a person"
    assert dict(whole.facts)["Rejected"] == "the whole list, by a person"
    assert "Rejected" not in dict(said(alert()).facts)


def test_a_message_about_several_names_the_command_for_all_of_them() -> None:
    rows = [
        Delivery(
            f"msg_{n}",
            "ops",
            "files",
            f"alr_{n}",
            EventKind.OPENED,
            body(Event(EventKind.OPENED, one), now=NOW, public_url=None),
        )
        for n, one in enumerate((alert(id="alr_0"), alert(id="alr_1", server="git")))
    ]
    whole = batch(rows, now=NOW, public_url=None)

    assert words_of(whole.payload).facts == (("Acknowledge", f"driftwatch alerts ack {whole.id[:12]}"),)


def test_a_message_that_an_older_version_wrote_is_read_all_the_same() -> None:
    payload: Any = body(Event(EventKind.OPENED, alert()), now=NOW, public_url=None)
    del payload["data"]["approved"], payload["data"]["template_trouble"], payload["data"]["rejected"]

    assert words_of(payload).title.startswith("[HIGH] files: ")
