"""The public JSON shape of a report."""

import json
from dataclasses import replace

from driftwatch.model import Confidence, Finding, Kind, Report, Severity, Span
from driftwatch.report import to_json

FINDING = Finding(
    rule="hint-loosened",
    severity=Severity.HIGH,
    kind=Kind.TOOL,
    item="list_files",
    pointer="/annotations/readOnlyHint",
    message="The tool said that it only reads, and says so no more.",
    confidence=Confidence.HIGH,
    before=True,
    after=None,
    spans=(Span("/annotations", 1, 2, decoded="x"),),
    category="hints",
)


def test_the_public_shape_of_a_report() -> None:
    report = Report(findings=(FINDING,), baseline_digest="sha256:a", live_digest="sha256:b", notes=("cut",))

    assert to_json(report) == {
        "version": 1,
        "worst": "high",
        "counts": {"critical": 0, "high": 1, "medium": 0, "low": 0, "info": 0},
        "findings": [
            {
                "rule": "hint-loosened",
                "severity": "high",
                "confidence": "high",
                "kind": "tool",
                "item": "list_files",
                "items": [],
                "pointer": "/annotations/readOnlyHint",
                "message": "The tool said that it only reads, and says so no more.",
                "category": "hints",
                "axis": "security",
                "hosts": [],
                "places": [],
                "occurrence": 0,
                "hidden": "",
                "ruled": None,
                "before": True,
                "after": None,
                "spans": [{"pointer": "/annotations", "start": 1, "end": 2, "decoded": "x", "target": "value"}],
                "fingerprint": FINDING.fingerprint,
                "opinion": None,
            }
        ],
        "hidden": [],
        "hidden_count": 0,
        "notes": ["cut"],
        "baseline_digest": "sha256:a",
        "live_digest": "sha256:b",
    }


def test_what_the_policy_hides_stands_apart() -> None:
    hidden = replace(FINDING, severity=Severity.CRITICAL, hidden="ignored: known")

    shape = to_json(Report(findings=(FINDING,), hidden=(hidden,)))

    assert (shape["worst"], shape["counts"]["critical"], shape["hidden_count"]) == ("high", 0, 1)
    assert [(one["hidden"], one["severity"]) for one in shape["hidden"]] == [("ignored: known", "critical")]


def test_the_places_of_a_wave_have_their_own_fingerprints() -> None:
    wave = replace(FINDING, places=(("a", "/x"), ("b", "/y")), parts=("1" * 32, "2" * 32))
    told_together = replace(FINDING, places=(("a", "/x"),))

    assert to_json(Report(findings=(wave,)))["findings"][0]["places"] == [
        {"item": "a", "pointer": "/x", "fingerprint": "1" * 32},
        {"item": "b", "pointer": "/y", "fingerprint": "2" * 32},
    ]
    assert to_json(Report(findings=(told_together,)))["findings"][0]["places"][0]["fingerprint"] == ""


def test_an_empty_report_has_no_worst() -> None:
    assert to_json(Report(findings=()))["worst"] is None


def test_every_json_encoder_accepts_what_a_server_sent() -> None:
    deep: object = []
    for _ in range(200):
        deep = {"x": [deep]}
    values = [float("nan"), float("-inf"), "\ud800", 10**300, deep]

    shape = to_json(
        Report(findings=(Finding("r", Severity.LOW, Kind.TOOL, "i", "/p", "m", before=values, after=values),))
    )
    text = json.dumps(shape, allow_nan=False)

    assert json.loads(text)["findings"][0]["before"][:2] == ["nan", "-inf"]
