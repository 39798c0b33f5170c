"""The rule version-withdrawn."""

from __future__ import annotations

import pytest
from entry_kit import supplied
from rule_kit import example, found

from driftwatch.model import Withdrawn

RULE = "version-withdrawn"


def test_a_yanked_version_is_medium_and_gives_the_reason() -> None:
    (finding,) = found(RULE, *example(RULE))

    assert (finding.severity, finding.pointer) == ("medium", "/package")
    assert "writes to the wrong folder" in finding.message


@pytest.mark.parametrize(
    ("how", "severity"),
    [(Withdrawn.DEPRECATED, "low"), (Withdrawn.GONE, "medium"), (Withdrawn.QUARANTINED, "high")],
)
def test_how_it_was_taken_back_weighs(how: Withdrawn, severity: str) -> None:
    (finding,) = found(RULE, *example(RULE), supplied(withdrawn=how, reason="\x1b]0;gone\x07"))

    assert (finding.severity, finding.category) == (severity, how.value)
    assert finding.message.isprintable()
