"""What is known beside the lists in the examples of the rules that look beyond them: one entry a rule."""

from __future__ import annotations

from datetime import UTC, datetime

from entry_kit import supplied

from driftwatch.judge.facts import Facts
from driftwatch.model import Advisory, Withdrawn

FACTS: dict[str, Facts] = {
    "release-available": supplied(latest="1.3.0", latest_at=datetime(2026, 2, 1, tzinfo=UTC), newer="1.3.0"),
    "version-withdrawn": supplied(withdrawn=Withdrawn.YANKED, reason="writes to the wrong folder", latest="1.2.1"),
    "advisory-published": supplied(advisories=(Advisory("GHSA-aaaa-bbbb-cccc", "Reads any file.", fixed=("1.2.1",)),)),
}
