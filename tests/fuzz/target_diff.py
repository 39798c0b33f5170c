"""Differences: none exactly where nothing differs, in one order, and each where its pointer says."""

from __future__ import annotations

from driftwatch.judge.bounded import bounded
from driftwatch.judge.diff import diff, differences
from driftwatch.judge.judge import compare_snapshots, scan_snapshot
from driftwatch.judge.snapshot import take
from tests.fuzz.listings import two


def one(data: bytes) -> None:
    """Compare two listings, both ways, and judge what changed."""
    given = two(data)
    if given is None:
        return
    before, after = (take(side.document, side.oddities) for side in given)
    for old, new in ((before, after), (after, before), (after, after)):
        changes = diff(old, new)
        assert (changes == ()) == (old.digest == new.digest)
        assert repr(diff(old, new)) == repr(changes)
        for difference in differences(*bounded(old, new)):
            assert difference.changes
    report = compare_snapshots(before, after)
    assert [finding.order for finding in report.findings] == sorted(finding.order for finding in report.findings)
    scan_snapshot(after)
