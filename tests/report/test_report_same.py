"""Values that are no two sides of one change are not drawn as a difference."""

from __future__ import annotations

from report_kit import finding

from driftwatch.report.excerpt import excerpts


def lines(**parts: object) -> list[str]:
    return ["".join(piece.text for piece in line) for line in excerpts(finding(**parts), colour=False)]


def test_what_changed_and_what_did_not_are_named_apart() -> None:
    names = [f"tool_{number}" for number in range(9)] + ["odd\u202ename"]

    said = lines(rule="changed-same-package", pointer="", before=names, after="“notes” “1.2.0”")

    assert said == [f"changed: {', '.join(names[:8])} and 2 more", "did not: “notes” “1.2.0”"]


def test_what_is_as_before_is_shown_once() -> None:
    assert lines(before="1.0.0", after="1.0.0") == ["as before: 1.0.0"]
    assert lines(before="1.0.0", after="1.0.1") == ["1.0.0 → 1.0.1"]
